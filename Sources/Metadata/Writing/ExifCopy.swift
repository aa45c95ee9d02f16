import Gallery

/// A new TIFF structure with some of the tags of a photo's Exif (Exif 2.32, CIPA DC-008).
///
/// Only tags of the standard are copied. The notes of a camera's maker and other private tags may contain anything, also the
/// place, and their offsets would be wrong in another file.
struct ExifCopy {
  fileprivate struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// The values in ``order``.
    let value: [UInt8]
  }

  private var order = ByteOrder.littleEndian
  private var image: [Int: Entry] = [:]
  private var photo: [Int: Entry] = [:]
  private var place: [Int: Entry] = [:]

  /// The longest value in bytes. Exif in a JPEG has 64 kB for all.
  fileprivate static let longestValue = 4096

  /// The tags of the first directory that describe the photo, and not how the old file stores it: maker, model, software, time,
  /// author, host computer, copyright.
  private static let imageTags: Set = [0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298]
  private static let copyrightTags: Set = [0x013B, 0x8298]
  private static let descriptionTag = 0x010E
  private static let commentTag = 0x9286
  /// The tags among those of Exif that are not copied: the maker's note, the places of directories, and what
  /// ``describe(width:height:isSRGB:)`` sets.
  private static let otherTags: Set = [0x8769, 0x8825, 0x927C, 0xA001, 0xA002, 0xA003, 0xA005]
  /// The numbers of Exif's own tags.
  private static let photoTags = [0x829A...0x829D, 0x8822...0x8835, 0x9000...0x9292, 0xA000...0xA4FF]

  /// - Parameter caption: The photo's caption. The description is copied only if it is the same.
  init(_ exif: ExifMetadata?, _ kind: ExportSpecification.Metadata, caption: String?) {
    guard let exif, let first = exif.readers.first else { return }
    order = first.order
    for reader in exif.readers where reader.order == order {
      for field in reader.fields(at: reader.start).fields { copy(field, by: reader, kind, caption) }
    }
    guard kind == .all, let reader = exif.placeReader, reader.order == order else { return }
    for field in reader.fields(at: reader.start).fields { place[field.tag] = Entry(field, by: reader) }
  }

  private mutating func copy(
    _ field: TIFFReader.Field, by reader: TIFFReader, _ kind: ExportSpecification.Metadata, _ caption: String?
  ) {
    switch field.tag {
    case 0x8769 where kind != .copyright:
      for field in reader.fields(at: reader.uint32(at: field.place)).fields { copyPhoto(field, by: reader, kind) }
    case 0x8825 where kind == .all:
      for field in reader.fields(at: reader.uint32(at: field.place)).fields where field.tag <= 0x1F {
        place[field.tag] = Entry(field, by: reader)
      }
    case Self.descriptionTag where kind != .copyright && caption != nil && reader.text(of: field) == caption:
      image[field.tag] = Entry(field, by: reader)
    case _ where kind == .copyright ? Self.copyrightTags.contains(field.tag) : Self.imageTags.contains(field.tag):
      image[field.tag] = Entry(field, by: reader)
    // The second structure of a CR3 has Exif's tags in its first directory.
    case _ where kind != .copyright: copyPhoto(field, by: reader, kind)
    default: break
    }
  }

  private mutating func copyPhoto(
    _ field: TIFFReader.Field, by reader: TIFFReader, _ kind: ExportSpecification.Metadata
  ) {
    // A comment may have the place.
    guard Self.photoTags.contains(where: { $0.contains(field.tag) }), !Self.otherTags.contains(field.tag),
      field.tag != Self.commentTag || kind == .all
    else { return }
    photo[field.tag] = Entry(field, by: reader)
  }

  /// Sets what depends on the new image. It is upright.
  mutating func describe(width: Int, height: Int, isSRGB: Bool) {
    guard !image.isEmpty || !photo.isEmpty || !place.isEmpty else { return }
    set(0x0112, short: 1, in: &image)
    // Exif requires these tags: 72 pixels an inch, which is the number for "unknown", centered samples of colors, and versions.
    for tag in [0x011A, 0x011B] {
      image[tag] = Entry(tag: tag, type: 5, count: 1, value: bytes(of: 72, 4) + bytes(of: 1, 4))
    }
    set(0x0128, short: 2, in: &image)
    set(0x0213, short: 1, in: &image)
    for (tag, value) in [(0x9000, Array("0232".utf8)), (0x9101, [1, 2, 3, 0]), (0xA000, Array("0100".utf8))] {
      photo[tag] = photo[tag] ?? Entry(tag: tag, type: 7, count: 4, value: value)
    }
    if !place.isEmpty { place[0] = place[0] ?? Entry(tag: 0, type: 1, count: 4, value: [2, 3, 0, 0]) }
    // 0xFFFF means "uncalibrated", and that a profile has the colors.
    set(0xA001, short: isSRGB ? 1 : 0xFFFF, in: &photo)
    photo[0xA002] = Entry(tag: 0xA002, type: 4, count: 1, value: bytes(of: width, 4))
    photo[0xA003] = Entry(tag: 0xA003, type: 4, count: 1, value: bytes(of: height, 4))
  }

  private func set(_ tag: Int, short value: Int, in directory: inout [Int: Entry]) {
    directory[tag] = Entry(tag: tag, type: 3, count: 1, value: bytes(of: value, 2))
  }

  /// Returns whether two tags of Exif have the same value.
  func hasSamePhotoTags(_ first: Int, _ second: Int) -> Bool {
    photo[first].map { $0.value == photo[second]?.value } ?? false
  }

  /// Sets or removes a text among the tags of Exif.
  mutating func setPhoto(_ tag: Int, text: String?) { photo[tag] = text.map { Entry(tag, $0) } }

  mutating func clearPlace() { place = [:] }

  mutating func setPlace(_ tag: Int, text: String) { place[tag] = Entry(tag, text) }

  mutating func setPlace(_ tag: Int, byte: UInt8) { place[tag] = Entry(tag: tag, type: 1, count: 1, value: [byte]) }

  mutating func setPlace(_ tag: Int, fractions: [(Int, Int)]) {
    let value = fractions.flatMap { bytes(of: $0.0, 4) + bytes(of: $0.1, 4) }
    place[tag] = Entry(tag: tag, type: 5, count: fractions.count, value: value)
  }

  private func bytes(of number: Int, _ count: Int) -> [UInt8] {
    let shifts = (0..<count).map { 8 * $0 }
    return (order == .littleEndian ? shifts : shifts.reversed()).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension ExifCopy {
  /// The structure, or nothing if it has no tag.
  var bytes: [UInt8] {
    guard !image.isEmpty || !photo.isEmpty || !place.isEmpty else { return [] }
    var image = image
    var bytes = Array((order == .littleEndian ? "II" : "MM").utf8) + self.bytes(of: 42, 2) + self.bytes(of: 8, 4)
    let pointers = [(0x8769, photo), (0x8825, place)].filter { !$0.1.isEmpty }
    // The first directory gives the places of the others, which follow it.
    for (tag, _) in pointers { image[tag] = Entry(tag: tag, type: 4, count: 1, value: self.bytes(of: 0, 4)) }
    var next = bytes.count + size(of: image)
    for (tag, directory) in pointers {
      image[tag] = Entry(tag: tag, type: 4, count: 1, value: self.bytes(of: next, 4))
      next += size(of: directory)
    }
    for directory in [image] + pointers.map(\.1) { append(directory, to: &bytes) }
    return bytes
  }

  private func size(of directory: [Int: Entry]) -> Int {
    6 + directory.values.reduce(0) { $0 + 12 + ($1.value.count > 4 ? ($1.value.count + 1) / 2 * 2 : 0) }
  }

  /// Appends a directory, which has its values behind it (TIFF 6.0, section 2).
  private func append(_ directory: [Int: Entry], to bytes: inout [UInt8]) {
    var place = bytes.count + 6 + 12 * directory.count
    var values: [UInt8] = []
    bytes += self.bytes(of: directory.count, 2)
    for (_, entry) in directory.sorted(by: { $0.key < $1.key }) {
      bytes += self.bytes(of: entry.tag, 2) + self.bytes(of: entry.type, 2) + self.bytes(of: entry.count, 4)
      if entry.value.count > 4 {
        bytes += self.bytes(of: place, 4)
        let padded = entry.value.count % 2 == 0 ? entry.value : entry.value + [0]
        values += padded
        place += padded.count
      } else {
        bytes += entry.value + Array(repeating: 0, count: 4 - entry.value.count)
      }
    }
    bytes += self.bytes(of: 0, 4) + values
  }
}

extension ExifCopy.Entry {
  /// Creates an ASCII text, which ends with a zero.
  fileprivate init(_ tag: Int, _ text: String) {
    let value = Array(text.utf8) + [0]
    self.init(tag: tag, type: 2, count: value.count, value: value)
  }

  /// Copies a field. Returns nil for one that is damaged, empty or too long.
  fileprivate init?(_ field: TIFFReader.Field, by reader: TIFFReader) {
    let value = Array(reader.bytes(of: field))
    guard !value.isEmpty, value.count <= ExifCopy.longestValue else { return nil }
    self.init(tag: field.tag, type: field.type, count: field.count, value: value)
  }
}
