import CConfinement
import ImageWire
import Workers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A message of a decoder to its opener: it asks for the next request, or has a thumbnail to store.
///
/// It is sent as it is in memory. Every pattern of bits is a valid one, since a decoder that a hostile file has taken over
/// sends any bytes.
struct OpenerMessage {
  /// The sides of the thumbnail whose pixels follow, and of its image; zeros in the question for the next request.
  private var thumbnailSides = SIMD2<UInt32>()
  private var imageSides = SIMD2<UInt32>()
  /// The number of the request for the image.
  private(set) var number: UInt32 = 0
  private var work: UInt32 = 0

  /// Asks for the next request.
  ///
  /// - Parameter hasWork: Whether the decoder has work to do if no request comes for a while.
  init(hasWork: Bool = false) { work = hasWork ? 1 : 0 }

  /// Has a thumbnail stored.
  init(thumbnail: PixelSize, image: PixelSize, number: UInt32) {
    thumbnailSides = SIMD2(clamping: SIMD2(thumbnail.width, thumbnail.height))
    imageSides = SIMD2(clamping: SIMD2(image.width, image.height))
    self.number = number
  }

  var isAboutThumbnail: Bool { thumbnailSides != SIMD2() }
  var thumbnail: PixelSize { PixelSize(Int(thumbnailSides.x), Int(thumbnailSides.y)) }
  var image: PixelSize { PixelSize(Int(imageSides.x), Int(imageSides.y)) }
  var hasWork: Bool { work != 0 }
}

/// An end of the socket between a decoder and its opener.
///
/// The decoder sends an ``OpenerMessage``, and after one about a thumbnail its pixels, which the opener confirms with a byte.
/// To any other message it answers with the next request: a byte, with which the descriptors come, that says which ones they
/// are (``RequestFiles``), and the request as the gallery has sent it. If the decoder has work to do and no request comes
/// for a while, another byte comes alone, and the decoder asks again when it has done some of the work.
struct OpenerChannel {
  let socket: Int32

  /// Passes a request on to the decoder, and returns whether the decoder has taken it.
  func send(_ request: ImageRequest, _ files: RequestFiles) -> Bool {
    let (bytes, descriptors) = ([files.bits] + request.framed, files.descriptors)
    let count = send_with_descriptors(socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
    guard count > 0 else { return false }
    return bytes.withUnsafeBytes {
      RequestChannel.writeAll(UnsafeRawBufferPointer(rebasing: $0[count...]), to: socket)
    }
  }

  /// The answer to a question for the next request.
  enum Next {
    case request(ImageRequest, RequestFiles)
    /// No request has come for a while.
    case quiet
  }

  /// The byte that means ``Next/quiet``.
  private static let quiet: UInt8 = 0x7F

  /// Tells the decoder that no request has come for a while, and returns whether the decoder has taken that.
  func sendQuiet() -> Bool { [Self.quiet].withUnsafeBytes { RequestChannel.writeAll($0, to: socket) } }

  /// Waits for the next request. Returns nil when there are no more.
  ///
  /// - Parameter hasWork: Whether there is work to do if no request comes for a while.
  func next(hasWork: Bool) -> Next? {
    guard send(OpenerMessage(hasWork: hasWork)) else { return nil }
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    var descriptors = [Int32](repeating: -1, count: Int(MOST_DESCRIPTORS))
    var descriptorCount: Int32 = 0
    var count = receive_with_descriptors(socket, &chunk, chunk.count, &descriptors, &descriptorCount)
    if count == 1, chunk[0] == Self.quiet { return .quiet }
    guard count > 0, let files = RequestFiles(Array(descriptors.prefix(Int(descriptorCount))), bits: chunk[0])
    else { return nil }
    var buffer = WireBuffer()
    buffer.append(chunk[1..<count])
    do throws(WireError) {
      while true {
        if let request = try buffer.next(ImageRequest.self) { return .request(request, files) }
        count = read(socket, &chunk, chunk.count)
        guard count > 0 else { return nil }
        buffer.append(chunk[..<count])
      }
    } catch {
      return nil
    }
  }

  /// Has a thumbnail stored of the photo of a request, whose image has this size. If that fails, the next decoding of the
  /// file tries again.
  func store(_ thumbnail: Pixels, of size: PixelSize, number: UInt32) {
    var byte: UInt8 = 0
    let message = OpenerMessage(thumbnail: thumbnail.size, image: size, number: number)
    guard send(message), RequestChannel.writeAll(UnsafeRawBufferPointer(thumbnail.words), to: socket) else { return }
    _ = withUnsafeMutableBytes(of: &byte) { Self.fill($0, from: socket) }
  }

  private func send(_ message: OpenerMessage) -> Bool {
    withUnsafeBytes(of: message) { RequestChannel.writeAll($0, to: socket) }
  }

  /// Reads as many bytes as there is room for, and returns whether they have all come.
  static func fill(_ bytes: UnsafeMutableRawBufferPointer, from socket: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = read(socket, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
