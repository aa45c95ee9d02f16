import Gallery

/// Reads the directories of a TIFF structure in a file (TIFF 6.0).
struct TIFFReader {
  /// An entry of a directory.
  struct Field {
    let tag: Int
    let type: Int
    /// The number of values.
    let count: Int
    /// The offset of the first value from the start of the structure.
    let place: Int
  }

  private let file: any ByteSource
  private let base: Int
  /// The order of the bytes in numbers.
  let order: ByteOrder
  /// The most directories that are read. The offsets in a damaged file may lead in a circle.
  private static let mostDirectories = 32
  private static let mostEntries = 512
  /// The longest value that is read, in bytes.
  private static let longestValue = 1 << 20
  /// The sizes of the types in bytes, by the types' numbers: BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, SSHORT,
  /// SLONG, SRATIONAL, FLOAT, DOUBLE, IFD.
  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

  /// Returns nil if no TIFF structure starts at `base`.
  init?(file: any ByteSource, base: Int) {
    guard base > 0 || !BigTIFF.isHead(of: file) else { return nil }
    switch file.number(at: base, count: 2, .bigEndian) {
    case 0x4949: order = .littleEndian
    case 0x4D4D: order = .bigEndian
    default: return nil
    }
    self.file = file
    self.base = base
  }

  /// Reads a structure without a head.
  ///
  /// - Parameter base: The place in the file from which offsets are counted. It may lie before the file's start, if the
  ///   structure was cut out of another file.
  init(file: any ByteSource, base: Int, order: ByteOrder) {
    self.file = file
    self.base = base
    self.order = order
  }

  /// Returns a reader for the TIFF structure whose header is at `offset`, or nil if there is no valid header.
  func structure(at offset: Int) -> TIFFReader? { TIFFReader(file: file, base: base + offset) }

  /// Returns a reader of the same bytes that counts offsets from `offset` on.
  func moved(by offset: Int, order: ByteOrder? = nil) -> TIFFReader {
    TIFFReader(file: file, base: base + offset, order: order ?? self.order)
  }

  /// Whether the structure is that of a raw file by Panasonic, some of whose tags have other meanings.
  var isPanasonic: Bool { uint16(at: 2) == 0x55 }

  /// The offset of the first directory from the start of the structure.
  var start: Int { uint32(at: 4) }

  /// Returns the entries of the directory at `offset`, and the offset of the next directory.
  func fields(at offset: Int) -> (fields: [Field], next: Int) {
    let count = uint16(at: offset)
    guard offset > 0, (1...Self.mostEntries).contains(count) else { return ([], 0) }
    let entries = file.bytes(at: base + offset + 2, count: count * 12 + 4)
    let fields = (0..<min(count, entries.count / 12)).map { index in
      let entry = entries.startIndex + 12 * index
      func part(_ start: Int, _ count: Int) -> Int { entries[entry + start..<entry + start + count].number(order) }
      let (type, items) = (part(2, 2), part(4, 4))
      let isInside = items * (Self.sizes.indices.contains(type) ? Self.sizes[type] : 1) <= 4
      return Field(
        tag: part(0, 2), type: type, count: items, place: isInside ? offset + 10 + 12 * index : part(8, 4))
    }
    return (fields, entries.count == count * 12 + 4 ? entries.suffix(4).number(order) : 0)
  }

  func uint16(at offset: Int) -> Int { file.number(at: base + offset, count: 2, order) }
  func uint32(at offset: Int) -> Int { file.number(at: base + offset, count: 4, order) }
}

// MARK: - Values

extension TIFFReader {
  /// Returns bytes that belong to no field, or fewer if the file ends before.
  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> { file.bytes(at: base + offset, count: count) }

  /// Returns the bytes of a field as unsigned 16-bit integers, regardless of the field's type. The result is empty if it
  /// would have more than `most` integers.
  func words(of field: Field, atMost most: Int = 8) -> [Int] {
    guard Self.sizes.indices.contains(field.type), field.count * Self.sizes[field.type] <= 2 * most else { return [] }
    return words(bytes(of: field))
  }

  /// Returns the 16-bit numbers that bytes hold.
  func words(_ bytes: ArraySlice<UInt8>) -> [Int] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { bytes[$0..<$0 + 2].number(order) }
  }

  /// Returns the bytes of all values, as they are stored, or nothing if the file ends before the last one.
  func bytes(of field: Field) -> ArraySlice<UInt8> {
    guard Self.sizes.indices.contains(field.type) else { return [] }
    let count = field.count * Self.sizes[field.type]
    guard count <= Self.longestValue else { return [] }
    let bytes = file.bytes(at: base + field.place, count: count)
    return bytes.count == count ? bytes : []
  }

  /// Returns a number of a field of type RATIONAL, SRATIONAL, FLOAT, or DOUBLE; nil for other types.
  func real(of field: Field, at index: Int = 0) -> Double? {
    guard let place = place(of: field, at: index) else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int? { file.wholeNumber(at: place + offset, count: count, order) }
    switch field.type {
    case 5:
      guard let top = number(0, 4), let bottom = number(4, 4), bottom != 0 else { return nil }
      return Double(top) / Double(bottom)
    case 10:
      guard let top = number(0, 4), let bottom = number(4, 4), bottom != 0 else { return nil }
      return Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom))
    case 11: return number(0, 4).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case 12: return number(0, 8).map { Double(bitPattern: UInt64(bitPattern: Int64($0))) }
    default: return nil
    }
  }

  /// Returns the first number of a field of an integer type (BYTE, SHORT, LONG, with or without a sign, or IFD); nil for
  /// other types.
  func integer(of field: Field) -> Int? {
    guard let place = place(of: field, at: 0),
      let number = file.wholeNumber(at: place, count: Self.sizes[field.type], order)
    else { return nil }
    switch field.type {
    case 1, 3, 4, 13: return number
    case 6: return Int(Int8(truncatingIfNeeded: number))
    case 8: return Int(Int16(truncatingIfNeeded: number))
    case 9: return Int(Int32(truncatingIfNeeded: number))
    default: return nil
    }
  }

  /// Returns the text of a field of type ASCII, or of BYTE or UNDEFINED, which some programs write; nil for other types.
  func text(of field: Field) -> String? {
    guard [1, 2, 7].contains(field.type) else { return nil }
    return MetadataText.decode(bytes(of: field).prefix { $0 != 0 })
  }

  /// Returns the place of one of the field's values in the file.
  private func place(of field: Field, at index: Int) -> Int? {
    guard (1..<Self.sizes.count).contains(field.type), index < field.count else { return nil }
    return base + field.place + index * Self.sizes[field.type]
  }
}

// MARK: - Directories

extension TIFFReader {
  /// The entries of a directory that describe its image.
  struct Directory {
    /// Exif's orientation, from 1 to 8.
    var orientation: Int?
    /// The place of a JPEG, from the start of the structure.
    var jpeg: (offset: Int, count: Int)?
    var width = 0
    var height = 0
    /// Whether the pixels are the values of a camera's sensor.
    var isSensorData = false
    fileprivate var subdirectories: [Int] = []
    fileprivate var next = 0
  }

  /// Returns all directories that the structure leads to.
  func directories() -> [Directory] {
    var found: [Directory] = []
    var ahead = [start]
    while let offset = ahead.popLast(), found.count < Self.mostDirectories {
      guard let directory = directory(at: offset) else { continue }
      found.append(directory)
      ahead += [directory.next] + directory.subdirectories
    }
    return found
  }

  private func directory(at offset: Int) -> Directory? {
    let (fields, next) = fields(at: offset)
    guard !fields.isEmpty else { return nil }
    var directory = Directory()
    var (jpegOffset, jpegCount, stripOffset, stripCount, compression) = (0, 0, 0, 0, 0)
    for field in fields {
      var value: Int { field.type == 3 ? uint16(at: field.place) : uint32(at: field.place) }
      switch field.tag {
      case 0x0100: directory.width = value
      case 0x0101: directory.height = value
      case 0x0103: compression = value
      case 0x0106: directory.isSensorData = value == 32_803 || value == 34_892
      case 0x0111 where field.count == 1: stripOffset = value
      case 0x0112: directory.orientation = (1...8).contains(value) ? value : 1
      case 0x0117 where field.count == 1: stripCount = value
      case 0x014A: directory.subdirectories = (0..<min(field.count, 16)).map { uint32(at: field.place + 4 * $0) }
      case 0x0201: jpegOffset = value
      case 0x0202: jpegCount = value
      // Panasonic's raw files have a tag of their own for a JPEG of the whole image.
      case 0x002E where field.count > 4:
        jpegOffset = field.place
        jpegCount = field.count
      default: break
      }
    }
    if jpegCount > 0 {
      directory.jpeg = (jpegOffset, jpegCount)
    } else if compression == 6 || compression == 7, stripCount > 0, !directory.isSensorData {
      directory.jpeg = (stripOffset, stripCount)
    }
    directory.next = next
    return directory
  }
}

extension ImageFile {
  /// Whether a TIFF is a camera's raw file: one of its directories holds the values of the sensor.
  public var isRawTIFF: Bool {
    guard format == .tiff, let reader = TIFFReader(file: self, base: 0) else { return false }
    return reader.directories().contains(where: \.isSensorData)
  }
}
