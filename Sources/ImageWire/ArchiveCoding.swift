import Gallery

/// A part of the list of photos in an archive, as a worker is asked for it.
public struct ListingRequest: Hashable, Sendable {
  /// The number of entries that were read before, which is 0 or the last part's ``ArchiveListing/next``.
  public var start: Int
  /// Whether metadata are read although that takes longer than listing names. Where photos have to be unpacked for their names, they
  /// are read in any case.
  public var readsMetadata: Bool

  /// Creates a request from its properties.
  public init(from start: Int = 0, readsMetadata: Bool = false) {
    self.start = start
    self.readsMetadata = readsMetadata
  }
}

extension ListingRequest {
  func encode(to bytes: inout [UInt8]) {
    bytes.put(start)
    bytes.put(readsMetadata)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(from: try reader.int(in: 0...ArchiveFault.mostEntries), readsMetadata: try reader.flag())
  }
}

extension ArchiveListing {
  func encode(to bytes: inout [UInt8]) {
    bytes.put(entries.count)
    for entry in entries { entry.encode(to: &bytes) }
    bytes.put(next != nil)
    if let next { bytes.put(next) }
    bytes.put(archives)
    bytes.put(fault != nil)
    fault?.encode(to: &bytes)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for _ in 0..<(try reader.int(in: 0...ArchiveFault.mostEntries)) { entries.append(try Entry(from: &reader)) }
    next = try reader.flag() ? reader.int(in: 1...ArchiveFault.mostEntries) : nil
    archives = try reader.int(in: 0...ArchiveFault.mostEntries)
    fault = try reader.flag() ? ArchiveFault(from: &reader) : nil
  }
}

extension ArchiveListing.Entry {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes.put(name)
    bytes.put(UInt64(bitPattern: Int64(size)))
    bytes.put(UInt64(bitPattern: Int64(modifiedAt)))
    switch result {
    case .success(let metadata):
      bytes.append(0)
      bytes.put(metadata.bytes)
    case .failure(let fault): fault.encode(to: &bytes)
    case nil: bytes.append(UInt8.max)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(name: try reader.blob(), size: try reader.number(), modifiedAt: try reader.number())
    // A path with a zero byte would be another one for the system.
    guard !name.contains(0), name.count <= Self.longestName, size >= 0, Self.times.contains(modifiedAt) else {
      throw .malformed
    }
    let kind = try reader.uint8()
    switch kind {
    case 0: result = .success(try reader.metadata())
    case UInt8.max: result = nil
    default: result = .failure(try PhotoFault(kind, from: &reader))
    }
  }
}

extension ArchiveFault {
  func encode(to bytes: inout [UInt8]) {
    switch self {
    case .noLibrary: bytes.append(0)
    case .unknownFormat: bytes.append(1)
    case .encrypted: bytes.append(2)
    case .damaged(let reason):
      bytes.append(3)
      bytes.put(reason: reason)
    case .noEntry: bytes.append(4)
    case .tooLarge: bytes.append(5)
    case .tooMuch: bytes.append(6)
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0: self = .noLibrary
    case 1: self = .unknownFormat
    case 2: self = .encrypted
    case 3: self = .damaged(reason: try reader.reason())
    case 4: self = .noEntry
    case 5: self = .tooLarge
    case 6: self = .tooMuch
    default: throw .malformed
    }
  }
}

extension WireReader {
  /// Reads a number of eight bytes whose sums with others fit.
  fileprivate mutating func number() throws(WireError) -> Int {
    let value = Int64(bitPattern: try uint64())
    guard abs(value / 2) < Int64.max / 4 else { throw .malformed }
    return Int(value)
  }
}
