/// The packed form of metadata, which the worker's messages, the photo table and the index of folders share.
///
/// A set of bits says which of the fields in ``MetadataField/all`` are known, the first field in the lowest bit. The
/// values follow in the order of the fields. Integers, counts and the set itself are variable-length integers with the
/// sign in the lowest bit (Protocol Buffers, "ZigZag"), numbers are IEEE 754 doubles in little-endian order, and texts are
/// UTF-8 after their length in bytes. A time is the clock, then 0, or 1 and the offset from UTC.
extension PhotoMetadata {
  /// Appends the packed form to `bytes`.
  ///
  /// - Parameter isForPhoto: Whether to leave out the fields that are also properties of ``Photo``.
  public func pack(into bytes: inout [UInt8], besidePhoto isForPhoto: Bool = false) {
    var known = 0
    var values: [UInt8] = []
    values.reserveCapacity(256)
    for (index, field) in MetadataField.all.enumerated() where !(isForPhoto && field.isOfPhoto) {
      if field.pack(self, into: &values) { known |= 1 << index }
    }
    bytes.appendInteger(known)
    bytes += values
  }

  /// Reads the packed form from the beginning of `bytes`.
  ///
  /// The bytes may be damaged or come from another process: ``check()`` makes the values fit to be shown.
  ///
  /// - Throws: `MalformedMetadata` if the bytes are not packed metadata.
  public init(packed bytes: UnsafeBufferPointer<UInt8>) throws(MalformedMetadata) {
    self.init()
    var reader = PackedReader(bytes: bytes)
    var rest = try reader.integer()
    guard rest >> MetadataField.all.count == 0 else { throw MalformedMetadata() }
    while rest != 0 {
      try MetadataField.all[rest.trailingZeroBitCount].unpack(&self, from: &reader)
      rest &= rest - 1
    }
  }

  /// Reads the packed form from an array, as the other initializer does from a buffer.
  public init(packed bytes: [UInt8]) throws(MalformedMetadata) {
    self = try bytes.withUnsafeBufferPointer { bytes throws(MalformedMetadata) in try PhotoMetadata(packed: bytes) }
  }

  /// Reads the clock of ``takenAt`` alone, which is the first field; returns nil if it is unknown.
  public static func clock(packed bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var reader = PackedReader(bytes: bytes)
    guard let known = try? reader.integer(), known & 1 == 1 else { return nil }
    return try? reader.number()
  }

  /// Reads the ``rating`` alone; returns nil if it is unknown. No text is copied, since this is read of every photo at once.
  public static func rating(packed bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var reader = PackedReader(bytes: bytes)
    guard let known = try? reader.integer(), known & 1 << ratingIndex != 0 else { return nil }
    var before = known & (1 << ratingIndex - 1)
    while before != 0 {
      guard (try? reader.skip(kinds[before.trailingZeroBitCount])) != nil else { return nil }
      before &= before - 1
    }
    return try? reader.integer()
  }

  private static let kinds = MetadataField.all.map(\.kind)
  private static let ratingIndex = MetadataField.all.firstIndex { $0.value.path == \PhotoMetadata.rating } ?? 0
}

/// The error of bytes that are not packed metadata.
public struct MalformedMetadata: Error {
  /// Creates the error.
  public init() {}
}

extension MetadataField {
  /// Appends the field's value and returns whether there is one.
  fileprivate func pack(_ metadata: PhotoMetadata, into bytes: inout [UInt8]) -> Bool {
    switch value {
    case .time(let path):
      guard let time = get(path, of: metadata) else { return false }
      bytes.append(time.clock)
      bytes.append(UInt8(time.offset == nil ? 0 : 1))
      if let offset = time.offset { bytes.appendInteger(offset) }
    case .integer(let path, _):
      guard let integer = get(path, of: metadata) else { return false }
      bytes.appendInteger(integer)
    case .number(let path, _, _):
      guard let number = get(path, of: metadata) else { return false }
      bytes.append(number)
    case .text(let path), .lines(let path):
      guard let text = get(path, of: metadata) else { return false }
      bytes.append(text)
    case .texts(let path):
      let texts = get(path, of: metadata)
      guard !texts.isEmpty else { return false }
      bytes.appendInteger(texts.count)
      for text in texts { bytes.append(text) }
    case .flag(let path): return get(path, of: metadata)
    }
    return true
  }

  /// Reads the field's value. The kind says enough: copying the key path of ``value`` takes as long as the rest.
  fileprivate func unpack(_ metadata: inout PhotoMetadata, from reader: inout PackedReader) throws(MalformedMetadata) {
    switch kind {
    case .time: set(Optional(try reader.time()), of: &metadata)
    case .integer: set(Optional(try reader.integer()), of: &metadata)
    case .number: set(Optional(try reader.number()), of: &metadata)
    case .text, .lines: set(Optional(try reader.text()), of: &metadata)
    case .texts: set(try texts(&reader), of: &metadata)
    case .flag: set(true, of: &metadata)
    }
  }

  private func texts(_ reader: inout PackedReader) throws(MalformedMetadata) -> [String] {
    let count = try reader.count()
    var texts: [String] = []
    texts.reserveCapacity(count)
    for _ in 0..<count { texts.append(try reader.text()) }
    return texts
  }
}

/// Reads the values of packed metadata, one after another.
package struct PackedReader {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The place of the next value.
  package private(set) var offset = 0

  package init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  package mutating func byte() throws(MalformedMetadata) -> UInt8 {
    guard offset < bytes.count else { throw MalformedMetadata() }
    defer { offset += 1 }
    return bytes[offset]
  }

  package mutating func integer() throws(MalformedMetadata) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1) }
    }
    throw MalformedMetadata()
  }

  /// Reads a number of bytes or of parts, of which each has a byte at least.
  package mutating func count() throws(MalformedMetadata) -> Int {
    let count = try integer()
    guard count >= 0, count <= bytes.count - offset else { throw MalformedMetadata() }
    return count
  }

  package mutating func number() throws(MalformedMetadata) -> Double {
    guard bytes.count - offset >= 8 else { throw MalformedMetadata() }
    defer { offset += 8 }
    let pattern = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Double(bitPattern: UInt64(littleEndian: pattern))
  }

  /// Reads a value without returning it.
  mutating func skip(_ kind: MetadataField.Kind) throws(MalformedMetadata) {
    switch kind {
    case .time: _ = try time()
    case .integer: _ = try integer()
    case .number: _ = try number()
    case .text, .lines: _ = try range()
    case .texts: for _ in 0..<(try count()) { _ = try range() }
    case .flag: break
    }
  }

  mutating func text() throws(MalformedMetadata) -> String {
    String(decoding: bytes[try range()], as: UTF8.self)
  }

  /// Reads a text, and returns where it is.
  package mutating func range() throws(MalformedMetadata) -> Range<Int> {
    let count = try count()
    defer { offset += count }
    return offset..<offset + count
  }
}

extension [UInt8] {
  package mutating func appendInteger(_ integer: Int) {
    var rest = UInt64(bitPattern: Int64(integer << 1 ^ integer >> 63))
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  fileprivate mutating func append(_ number: Double) {
    Swift.withUnsafeBytes(of: number.bitPattern.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(_ text: String) {
    appendInteger(text.utf8.count)
    append(contentsOf: text.utf8)
  }
}
