import Gallery

/// What photos' files say, side by side in few bytes, and for rows of which nothing is known in next to none.
///
/// The title, the caption and the camera are not kept: they are the photo's own.
struct PackedMetadata: Sendable {
  private static let none = UInt32.max

  /// Where each row's metadata start in ``bytes``.
  private var starts: [UInt32]
  private(set) var bytes: [UInt8] = []

  /// - Parameter count: Of rows without metadata.
  init(emptyRows count: Int) {
    starts = Array(repeating: Self.none, count: count)
  }

  /// Adds rows without metadata until there are so many.
  mutating func extend(to count: Int) {
    starts += Array(repeating: Self.none, count: count - starts.count)
  }

  /// Sets what is known of the last row.
  mutating func setLast(_ metadata: PhotoMetadata) {
    starts[starts.count - 1] = UInt32(bytes.count)
    var writer = PackedMetadataWriter()
    writer.put(metadata)
    bytes.appendNumber(writer.fields)
    bytes += writer.bytes
  }

  /// Nil where nothing is known.
  func metadata(_ row: Int) -> PhotoMetadata? {
    guard starts[row] != Self.none else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var reader = MetadataReader(bytes: bytes, offset: Int(starts[row]))
      return reader.metadata()
    }
  }

  /// Returns what the camera's clock showed, without reading the other metadata; nil if that isn't known.
  func clock(_ row: Int) -> Double? {
    guard starts[row] != Self.none else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      var reader = MetadataReader(bytes: bytes, offset: Int(starts[row]))
      return reader.clock()
    }
  }

  /// - Parameter count: How many rows stand before the others.
  static func joined(_ first: PackedMetadata?, _ next: PackedMetadata?, count: Int, nextCount: Int) -> PackedMetadata? {
    if first == nil, next == nil { return nil }
    var joined = first ?? PackedMetadata(emptyRows: count)
    let next = next ?? PackedMetadata(emptyRows: nextCount)
    let start = UInt32(joined.bytes.count)
    joined.starts += next.starts.map { $0 == none ? none : $0 + start }
    joined.bytes += next.bytes
    return joined
  }

  /// Those of some rows.
  func filtered(_ rows: [Int]) -> PackedMetadata {
    var copy = self
    copy.starts = rows.map { starts[$0] }
    return copy
  }

  /// In no more memory than it needs.
  func trimmed() -> PackedMetadata {
    var copy = self
    copy.starts = starts.withUnsafeBufferPointer(Array.init)
    copy.bytes = bytes.withUnsafeBufferPointer(Array.init)
    return copy
  }
}

/// The metadata of one photo: bits for those that are known, and their values in the order of the bits.
private struct PackedMetadataWriter {
  private(set) var fields = 0
  private(set) var bytes: [UInt8] = []
  private var bit = 0

  mutating func put(_ metadata: PhotoMetadata) {
    put(metadata.takenAt?.clock)
    put(metadata.takenAt?.offset)
    for side in [metadata.width, metadata.height] { put(side == 0 ? nil : side) }
    for number in [metadata.exposureTime, metadata.fNumber, metadata.focalLength] { put(number) }
    put(metadata.iso)
    for number in [metadata.place?.latitude, metadata.place?.longitude, metadata.place?.altitude] { put(number) }
    put(metadata.rating)
    for text in [metadata.lens, metadata.label] { put(text) { $0.append($1) } }
    put(metadata.keywords.isEmpty ? nil : metadata.keywords) { bytes, keywords in
      bytes.appendNumber(keywords.count)
      for keyword in keywords { bytes.append(keyword) }
    }
  }

  private mutating func put(_ value: Double?) {
    put(value) { bytes, value in withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 } }
  }

  private mutating func put(_ value: Int?) { put(value) { $0.appendNumber($1) } }

  private mutating func put<Value>(_ value: Value?, _ write: (inout [UInt8], Value) -> Void) {
    if let value {
      fields |= 1 << bit
      write(&bytes, value)
    }
    bit += 1
  }
}

/// Reads what ``PackedMetadataWriter`` has written.
private struct MetadataReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var offset: Int
  private var fields = 0

  init(bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
    (self.bytes, self.offset) = (bytes, offset)
  }

  /// Reads the first field, which is the clock of `takenAt`.
  mutating func clock() -> Double? {
    fields = number()
    return next { $0.double() }
  }

  mutating func metadata() -> PhotoMetadata {
    let clock = clock()
    var metadata = PhotoMetadata()
    let offset = next { $0.number() }
    metadata.takenAt = clock.map { CaptureTime(clock: $0, offset: offset) }
    (metadata.width, metadata.height) = (next { $0.number() } ?? 0, next { $0.number() } ?? 0)
    (metadata.exposureTime, metadata.fNumber) = (next { $0.double() }, next { $0.double() })
    metadata.focalLength = next { $0.double() }
    metadata.iso = next { $0.number() }
    let (latitude, longitude, altitude) = (next { $0.double() }, next { $0.double() }, next { $0.double() })
    if let latitude, let longitude {
      metadata.place = PhotoMetadata.Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }
    metadata.rating = next { $0.number() }
    (metadata.lens, metadata.label) = (next { $0.text() }, next { $0.text() })
    metadata.keywords = next { reader in (0..<reader.number()).map { _ in reader.text() } } ?? []
    return metadata
  }

  /// The next field's value, if it is known.
  private mutating func next<Value>(_ read: (inout MetadataReader) -> Value) -> Value? {
    defer { fields >>= 1 }
    return fields & 1 == 1 ? read(&self) : nil
  }

  private mutating func double() -> Double {
    defer { offset += 8 }
    let pattern = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Double(bitPattern: UInt64(littleEndian: pattern))
  }

  private mutating func number() -> Int {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
  }

  private mutating func text() -> String {
    let count = number()
    defer { offset += count }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }
}

extension [UInt8] {
  /// Seven bits to a byte, the lowest first and the sign as the lowest of all (Protocol Buffers, "ZigZag").
  fileprivate mutating func appendNumber(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  fileprivate mutating func append(_ text: String) {
    appendNumber(text.utf8.count)
    append(contentsOf: text.utf8)
  }
}
