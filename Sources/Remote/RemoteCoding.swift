import CZlib
import Foundation
import Gallery
import ImageWire
import Photos
import Services
import Store

/// A message as bytes. The first one names its kind.
enum RemoteCoding {
  /// The kinds of messages.
  private enum Kind {
    static let (json, image): (UInt8, UInt8) = (0, 1)
    static let (snapshot, file, packedJSON): (UInt8, UInt8, UInt8) = (2, 3, 4)
  }

  /// A request that has come.
  enum IncomingRequest {
    case request(RemoteRequest)
    /// - knownAt: The modification time of the photo whose image is known, or 0.
    case image(ImageRequest, isAhead: Bool, knownAt: Int)
  }

  /// An answer that has come, or the part of it that has come so far.
  enum IncomingAnswer {
    case answer(RemoteAnswer)
    /// An image with the bytes so far.
    case image(ImageAnswer)
    case snapshot(RemoteSnapshot)
    /// A part of a file.
    case bytes([UInt8])
  }

  static func bytes(_ request: RemoteRequest) -> [UInt8] { json(request) }
  static func bytes(_ answer: RemoteAnswer) -> [UInt8] { json(answer) }

  private static func json(_ value: some Encodable) -> [UInt8] {
    let text = [UInt8]((try? JSONEncoder().encode(value)) ?? Data())
    return text.count < leastPacked ? [Kind.json] + text : [Kind.packedJSON] + RemoteCompression.compress(text)
  }

  /// The least bytes of a text that is compressed.
  private static let leastPacked = 512

  private static func text(_ kind: UInt8, _ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    kind == Kind.packedJSON ? try RemoteCompression.decompress(bytes) : bytes
  }

  static func bytes(_ request: ImageRequest, isAhead: Bool, knownAt: Int) -> [UInt8] {
    var bytes = [Kind.image, isAhead ? 1 : 0]
    bytes.put(UInt64(bitPattern: Int64(knownAt)))
    request.encode(to: &bytes)
    return bytes
  }

  /// The bytes of a file come last, so that the first of them can be shown.
  static func bytes(_ answer: ImageAnswer) -> [UInt8] {
    var (head, file): ([UInt8], [UInt8]) = ([], [])
    var answer = answer
    if case .transfer(var image) = answer.content {
      file = image.bytes
      image.bytes = []
      answer.content = .transfer(image)
    }
    answer.encode(to: &head)
    var bytes = [Kind.image]
    bytes.put(head)
    return bytes + file
  }

  static func bytes(ofFile part: [UInt8]) -> [UInt8] { [Kind.file] + part }

  static func bytes(_ snapshot: RemoteSnapshot) -> [UInt8] {
    var head: [UInt8] = []
    head.put([UInt8]((try? JSONEncoder().encode(snapshot.head)) ?? Data()))
    return [Kind.snapshot] + RemoteCompression.compress(head + snapshot.table)
  }

  static func request(_ bytes: [UInt8]) throws(WireError) -> IncomingRequest {
    var reader = WireReader(bytes[...])
    switch try reader.uint8() {
    case let kind where kind == Kind.json || kind == Kind.packedJSON:
      return .request(try decode(try text(kind, reader.rest())))
    case Kind.image:
      let isAhead = try reader.flag()
      let knownAt = Int(Int64(bitPattern: try reader.uint64()))
      let request = try ImageRequest(from: &reader)
      guard reader.isAtEnd else { throw .malformed }
      return .image(request, isAhead: isAhead, knownAt: knownAt)
    default: throw .malformed
    }
  }

  /// Returns an answer, or nil if too little of it has come.
  static func answer(_ bytes: [UInt8], isWhole: Bool) throws(WireError) -> IncomingAnswer? {
    guard let kind = bytes.first else {
      if isWhole { throw .malformed }
      return nil
    }
    guard isWhole || kind == Kind.image else { return nil }
    var reader = WireReader(bytes.dropFirst())
    switch kind {
    case Kind.json, Kind.packedJSON:
      let answer: RemoteAnswer = try decode(try text(kind, reader.rest()))
      guard answer.isValid else { throw .malformed }
      return .answer(answer)
    case Kind.image:
      guard isWhole || hasHead(bytes) else { return nil }
      var head = WireReader(try reader.blob()[...])
      var answer = try ImageAnswer(from: &head)
      guard head.isAtEnd else { throw .malformed }
      switch answer.content {
      case .transfer(var image):
        image.bytes = reader.rest()
        answer.content = .transfer(image)
      case .noPreview, .failure: guard reader.isAtEnd else { throw .malformed }
      case .cells, .graphic, .appraisal, .exported, .listing: throw .malformed
      }
      return .image(answer)
    case Kind.file: return .bytes(reader.rest())
    case Kind.snapshot:
      var reader = WireReader(try RemoteCompression.decompress(reader.rest())[...])
      let head: RemoteSnapshot.Head = try decode(try reader.blob())
      return .snapshot(RemoteSnapshot(head: head, table: reader.rest()))
    default: throw .malformed
    }
  }

  private static func hasHead(_ bytes: [UInt8]) -> Bool {
    var reader = WireReader(bytes.dropFirst())
    return (try? reader.int()).map { bytes.count >= 5 + $0 } ?? false
  }

  private static func decode<Value: Decodable>(_ bytes: [UInt8]) throws(WireError) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch { throw .malformed }
  }
}

/// The compression of what is sent at once (zlib, RFC 1950), after the number of its bytes.
enum RemoteCompression {
  private static let most = 256 << 20
  private static let level: Int32 = 6

  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var packed: [UInt8] = []
    packed.put(bytes.count)
    return packed
      + [UInt8](unsafeUninitializedCapacity: Int(count)) { target, used in
        let status = compress2(target.baseAddress, &count, bytes, UInt(bytes.count), level)
        used = status == Z_OK ? Int(count) : 0
      }
  }

  static func decompress(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    var reader = WireReader(bytes[...])
    let length = try reader.int(in: 0...most)
    let packed = reader.rest()
    if length == 0 { return [] }
    var count = UInt(length)
    var status = Z_OK
    let result = [UInt8](unsafeUninitializedCapacity: length) { target, used in
      status = uncompress(target.baseAddress, &count, packed, UInt(packed.count))
      used = status == Z_OK ? Int(count) : 0
    }
    guard status == Z_OK, result.count == length else { throw .malformed }
    return result
  }
}
