import Gallery

/// A request to a worker that reads metadata. It has many files, since a message for each would take longer than reading
/// it.
public struct MetadataRequest: Hashable, Sendable {
  /// The photos to read. The metadata in a sidecar overrides that in the file itself.
  public var subjects: [FoundPhoto]

  /// Creates a request for photos.
  public init(subjects: [FoundPhoto]) {
    self.subjects = subjects
  }
}

/// A worker's answer to a ``MetadataRequest``.
public struct MetadataAnswer: Hashable, Sendable {
  /// One result for each subject of the request, in their order.
  public var results: [Result<MetadataRecord, PhotoFault>]

  /// Creates an answer from its results.
  public init(results: [Result<MetadataRecord, PhotoFault>]) {
    self.results = results
  }
}

extension MetadataRequest: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(subjects.count)
    for subject in subjects {
      bytes.put(subject.path.bytes)
      bytes.put(subject.sidecar?.bytes ?? [])
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    subjects = []
    for _ in 0..<(try reader.int()) {
      let (path, sidecar) = (FilePath(try reader.blob()), FilePath(try reader.blob()))
      subjects.append(FoundPhoto(path: path, sidecar: sidecar.bytes.isEmpty ? nil : sidecar))
    }
  }
}

extension MetadataAnswer: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(results.count)
    for result in results {
      switch result {
      case .success(let metadata):
        bytes.append(0)
        bytes.put(metadata.bytes)
      case .failure(let fault): fault.encode(to: &bytes)
      }
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    results = []
    for _ in 0..<(try reader.int()) {
      let kind = try reader.uint8()
      results.append(kind == 0 ? .success(try reader.metadata()) : .failure(try PhotoFault(kind, from: &reader)))
    }
  }
}

/// The bytes of a ``MetadataAnswer``, which can be decoded off the main actor.
public struct UndecodedMetadata: WireMessage, Sendable {
  private let bytes: [UInt8]

  public init(from reader: inout WireReader) throws(WireError) { bytes = reader.rest() }

  public func encode(to bytes: inout [UInt8]) { bytes += self.bytes }

  /// Returns the decoded answer, which must have `count` results. A worker that a hostile file has taken over could send
  /// millions, which take far more memory than their bytes.
  public func decoded(count: Int) throws(WireError) -> MetadataAnswer {
    var (head, reader) = (WireReader(bytes[...]), WireReader(bytes[...]))
    guard try head.int() == count else { throw .malformed }
    let answer = try MetadataAnswer(from: &reader)
    guard reader.isAtEnd else { throw .malformed }
    return answer
  }
}

extension PhotoFault {
  func encode(to bytes: inout [UInt8]) {
    switch self {
    case .missing: bytes.append(1)
    case .empty: bytes.append(2)
    case .notAnImage: bytes.append(3)
    case .harmful: bytes.append(4)
    case .unreadable(let reason):
      bytes.append(5)
      bytes.put(reason: reason.printable)
    case .noWorker(let reason):
      bytes.append(6)
      bytes.put(reason: reason.printable)
    case .unsupported(let format): bytes += [7, format.rawValue]
    case .archive(let fault):
      bytes.append(8)
      fault.encode(to: &bytes)
    }
  }

  init(_ kind: UInt8, from reader: inout WireReader) throws(WireError) {
    switch kind {
    case 1: self = .missing
    case 2: self = .empty
    case 3: self = .notAnImage
    case 4: self = .harmful
    case 5: self = .unreadable(reason: try reader.printableReason())
    case 6: self = .noWorker(reason: try reader.printableReason())
    case 7: self = .unsupported(try reader.value())
    case 8: self = .archive(try ArchiveFault(from: &reader))
    default: throw .malformed
    }
  }
}

extension WireReader {
  /// The most bytes of the metadata of a photo. No reader makes so many of packets that have at most 1 MB.
  private static let longestMetadata = 8 << 20

  /// Reads a reason, which must be printable.
  fileprivate mutating func printableReason() throws(WireError) -> String {
    let reason = try reason()
    guard reason.printable == reason else { throw .malformed }
    return reason
  }

  /// Reads packed metadata, which another process has sent.
  mutating func metadata() throws(WireError) -> MetadataRecord {
    let packed = try blob()
    guard packed.count <= Self.longestMetadata, let metadata = try? MetadataRecord(checking: packed) else {
      throw .malformed
    }
    return metadata
  }
}
