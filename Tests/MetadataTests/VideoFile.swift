/// Writes videos of QuickTime's boxes for the tests, after ISO/IEC 14496-12 and Apple's "QuickTime File Format".
struct VideoFile: Sendable {
  /// The version of the heads of the movie and the track, of which 1 has times of eight bytes.
  var version = 0
  /// Seconds since 1904.
  var createdAt = 3_600_000_000
  /// The units in a second, and the units of the movie.
  var scale = 600
  var duration = 1500
  /// The same of the track.
  var trackScale = 30_000
  var trackDuration = 75_075
  var frames = 75
  var trackFlags = 1
  var trackSize = (1920, 1080)
  var storedSize = (1920, 1080)
  var pixel = (1, 1)
  var matrix = [1, 0, 0, 1]
  var code = "avc1"
  var handler = "vide"
  /// Boxes in the movie's box behind the track.
  var more: [UInt8] = []
  /// Boxes behind the movie.
  var rest = box("mdat", [1, 2, 3, 4])
  var brand = "isom"

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    // The © of QuickTime has one byte.
    number(content.count + 8, 4) + type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
  }

  static func full(_ type: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
    box(type, number(version << 24 | flags, 4) + content)
  }

  /// Returns a box of user data with a text in a language.
  static func text(_ type: String, _ text: String) -> [UInt8] {
    box(type, number(text.utf8.count, 2) + number(0x15C7, 2) + Array(text.utf8))
  }

  /// Returns an item of a list, whose value is a text unless it has another type.
  static func item(_ type: String, _ value: [UInt8], type valueType: Int = 1) -> [UInt8] {
    box(type, box("data", number(valueType, 4) + number(0, 4) + value))
  }

  /// Returns a `meta` box with a list of items, with keys if there are any.
  static func metadata(keys: [String] = [], items: [[UInt8]], isFull: Bool = false) -> [UInt8] {
    let handler = full("hdlr", number(0, 4) + Array("mdta".utf8) + number(0, 13))
    let names = keys.flatMap { number($0.utf8.count + 8, 4) + Array("mdta".utf8) + Array($0.utf8) }
    let list = keys.isEmpty ? [] : full("keys", number(keys.count, 4) + names)
    return box("meta", (isFull ? number(0, 4) : []) + handler + list + box("ilst", Array(items.joined())))
  }

  /// Returns a `meta` box with these keys and their texts.
  static func keys(_ values: KeyValuePairs<String, String>) -> [UInt8] {
    let items = values.enumerated().map { index, value in
      number(value.value.utf8.count + 24, 4) + number(index + 1, 4)
        + box("data", number(1, 4) + number(0, 4) + Array(value.value.utf8))
    }
    return metadata(keys: values.map(\.key), items: items)
  }

  private func times() -> [UInt8] {
    Self.number(createdAt, version == 1 ? 8 : 4) + Self.number(0, version == 1 ? 8 : 4)
  }
  private func long(_ value: Int) -> [UInt8] { Self.number(value, version == 1 ? 8 : 4) }

  private var movieHead: [UInt8] {
    Self.full("mvhd", version: version, times() + Self.number(scale, 4) + long(duration) + Self.number(0, 80))
  }

  private var trackHead: [UInt8] {
    let numbers = [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 0].flatMap { Self.number($0 << 16, 4) }
    let size = Self.number(trackSize.0 << 16, 4) + Self.number(trackSize.1 << 16, 4)
    return Self.full(
      "tkhd", version: version, flags: trackFlags,
      times() + Self.number(1, 4) + Self.number(0, 4) + long(duration) + Self.number(0, 16) + numbers + size)
  }

  private var description: [UInt8] {
    let pasp = pixel == (1, 1) ? [] : Self.box("pasp", Self.number(pixel.0, 4) + Self.number(pixel.1, 4))
    let size = Self.number(storedSize.0, 2) + Self.number(storedSize.1, 2)
    return Self.full("stsd", Self.number(1, 4) + Self.box(code, Self.number(0, 24) + size + Self.number(0, 50) + pasp))
  }

  var track: [UInt8] {
    let list = Self.full("stts", Self.number(0, 4)) + Self.full("stsz", Self.number(7, 4) + Self.number(frames, 4))
    let media =
      Self.full(
        "mdhd", version: version, times() + Self.number(trackScale, 4) + long(trackDuration) + Self.number(0, 4))
      + Self.full("hdlr", Self.number(0, 4) + Array(handler.utf8) + Self.number(0, 13))
      + Self.box("minf", Self.box("stbl", description + list))
    return Self.box("trak", trackHead + Self.box("mdia", media))
  }

  var movie: [UInt8] { Self.box("moov", movieHead + track + more) }

  var bytes: [UInt8] { Self.box("ftyp", Array(brand.utf8) + Self.number(0, 4)) + movie + rest }
}
