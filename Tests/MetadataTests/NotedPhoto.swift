import TestPhotos

/// A photo with a maker note, built by the layouts that ExifTool's documentation of tag names describes.
struct NotedPhoto: Sendable {
  /// A field of a note: a tag, the number of its type, and the bytes of its values.
  typealias Field = (tag: Int, type: Int, value: [UInt8])

  var make: String
  var model = "Model"
  var isBigEndian = false
  var orientation = 1
  /// The size that Exif gives the image, whose ratio is the one of ``SamplePhoto/jpeg(_:)``.
  var size = (width: 4000, height: 3000)
  /// Fields of Exif beside the note.
  var exif: [TIFF.Field] = []
  /// Returns the note that starts at an offset.
  var note: @Sendable (_ offset: Int) -> [UInt8] = { _ in [] }

  var jpeg: [UInt8] { SamplePhoto.jpeg([segment]) }

  private var segment: [UInt8] {
    let content = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
  }

  /// The structure of TIFF with the note in the directory of Exif.
  var tiff: [UInt8] {
    let count = note(0).count
    let mark = [UInt8](repeating: 0xAB, count: count)
    let draft = structure(mark)
    let offset = count == 0 ? 0 : draft.firstRange(of: mark)?.lowerBound ?? 0
    return structure(note(offset))
  }

  private func structure(_ note: [UInt8]) -> [UInt8] {
    var tiff = TIFF(isBigEndian: isBigEndian)
    tiff.add([.text(0x010F, make), .text(0x0110, model), .short(0x0112, orientation), .directory(0x8769)])
    let noteField = note.isEmpty ? [] : [TIFF.Field.raw(0x927C, type: 7, count: note.count, note)]
    tiff.add(noteField + [.short(0xA002, size.width), .short(0xA003, size.height)] + exif)
    return tiff.bytes
  }

  /// Returns a directory of a note, with the values behind it.
  ///
  /// - Parameter offset: The directory's offset, by which its values are found.
  static func directory(_ fields: [Field], at offset: Int, isBigEndian: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count, isBigEndian) }
    var (bytes, values): ([UInt8], [UInt8]) = (number(fields.count, 2), [])
    let end = offset + 2 + 12 * fields.count + 4
    for field in fields {
      let size = [3: 2, 4: 4, 5: 8, 9: 4, 10: 8, 13: 4][field.type] ?? 1
      bytes += number(field.tag, 2) + number(field.type, 2) + number(field.value.count / size, 4)
      if field.value.count <= 4 {
        bytes += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      } else {
        bytes += number(end + values.count, 4)
        values += field.value
      }
    }
    return bytes + number(0, 4) + values
  }

  static func words(_ words: [Int], _ isBigEndian: Bool = false) -> [UInt8] {
    words.flatMap { number($0, 2, isBigEndian) }
  }

  static func number(_ value: Int, _ count: Int, _ isBigEndian: Bool = false) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}

// MARK: - The makers' layouts

extension NotedPhoto {
  static func sony(
    _ location: [Int] = [4000, 3000, 1000, 2250], frame: [Int] = [300, 200, 257], mode: UInt8 = 2,
    mark: String = "SONY DSC \0\0\0", model: String = "ILCE-7M4", isBigEndian: Bool = false
  ) -> NotedPhoto {
    NotedPhoto(make: "SONY", model: model, isBigEndian: isBigEndian) { offset in
      let fields: [Field] = [
        (0x201B, 1, [mode]), (0x2027, 3, words(location, isBigEndian)), (0x2037, 3, words(frame, isBigEndian)),
      ]
      let mark = Array(mark.utf8)
      return mark + directory(fields, at: offset + mark.count, isBigEndian: isBigEndian)
    }
  }

  /// The points of Canon's tags.
  struct Points: Sendable {
    var points = [(-1000, 750), (0, 0), (1000, 750)]
    var valid = 3
    /// The bits of the points in focus.
    var inFocus = 0b001
    var primary: Int?
    var (size, span) = ((4000, 3000), (4000, 3000))

    private var sizes: [Int] { [size.0, size.1, span.0, span.1] }
    private var places: [Int] { points.map(\.0) + points.map(\.1) }

    /// AFInfo, which has 36 numbers if there are 9 points.
    var older: [Int] {
      let gap = [Int](repeating: 7, count: points.count == 9 ? 8 : 0)
      return [points.count, valid] + sizes + [10, 10] + places + [inFocus] + gap + [primary ?? 0]
    }

    /// AFInfo2 and AFInfo3.
    var newer: [Int] {
      let sides = [Int](repeating: 10, count: 2 * points.count)
      let words = [0, 2, points.count, valid] + sizes + sides + places + [inFocus, 7, 7] + [primary ?? 0]
      return [2 * words.count] + words.dropFirst()
    }
  }

  static func canon(
    _ points: Points = Points(), tag: Int = 0x26, model: String = "Canon EOS R5", isBigEndian: Bool = false
  ) -> NotedPhoto {
    NotedPhoto(make: "Canon", model: model, isBigEndian: isBigEndian) {
      let words = words(tag == 0x12 ? points.older : points.newer, isBigEndian)
      return directory([(1, 3, [0, 0]), (tag, 3, words)], at: $0, isBigEndian: isBigEndian)
    }
  }

  /// Returns AFInfo2 of a version.
  ///
  /// - Parameters:
  ///   - bytes: Single bytes, by their offsets.
  ///   - area: The offset of the sizes and coordinates, and these numbers.
  static func nikonInfo(_ version: String, bytes: [Int: UInt8], area: (Int, [Int])?, isBigEndian: Bool) -> [UInt8] {
    var info = Array(version.utf8) + [UInt8](repeating: 0, count: 0x60)
    for (place, byte) in bytes { info[place] = byte }
    if let area { info.replaceSubrange(area.0..<area.0 + 8, with: words(area.1, isBigEndian)) }
    return info
  }

  static func nikon(
    _ info: [UInt8], tag: Int = 0xB7, type: Int = 7, mode: String = "AF-S  ", model: String = "NIKON Z 6",
    isBigEndian: Bool = false
  ) -> NotedPhoto {
    // The note's numbers have an order of their own.
    NotedPhoto(make: "NIKON CORPORATION", model: model, isBigEndian: !isBigEndian) { _ in
      let fields: [Field] = [(7, 2, Array(mode.utf8) + [0]), (tag, type, info)]
      let head: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
      return Array("Nikon\0\u{2}\u{11}\0\0".utf8) + head + directory(fields, at: 8, isBigEndian: isBigEndian)
    }
  }

  static func fujifilm(_ point: [Int] = [1000, 2250], mode: Int = 0, isBigEndian: Bool = false) -> NotedPhoto {
    NotedPhoto(make: "FUJIFILM", isBigEndian: isBigEndian) { _ in
      Array("FUJIFILM".utf8) + number(12, 4)
        + directory([(0x1021, 3, number(mode, 2)), (0x1023, 3, words(point)), (0x1001, 2, Array(1...9))], at: 12)
    }
  }

  static func panasonic(_ fractions: [Int] = [1, 4, 3, 4], mode: Int = 1) -> NotedPhoto {
    NotedPhoto(make: "Panasonic") {
      let value = fractions.flatMap { number($0, 4) }
      return Array("Panasonic\0\0\0".utf8) + directory([(7, 3, number(mode, 2)), (0x4D, 5, value)], at: $0 + 12)
    }
  }

  static func olympus(_ fractions: [Int] = [1, 5, 1, 2, 3, 10, 1, 1], mode: Int = 0, isNew: Bool = false) -> NotedPhoto
  {
    NotedPhoto(make: isNew ? "OM Digital Solutions" : "OLYMPUS CORPORATION") { _ in
      let mark = Array((isNew ? "OM SYSTEM\0\0\0II\u{4}\0" : "OLYMPUS\0II\u{3}\0").utf8)
      let settings = mark.count + 18
      let value = ([0, 0] + fractions).flatMap { number($0, 4) }
      return mark + directory([(0x2020, 13, number(settings, 4))], at: mark.count)
        + directory([(0x0301, 3, number(mode, 2)), (0x0305, 10, value)], at: settings)
    }
  }
}
