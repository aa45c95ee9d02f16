/// A DNG of a sensor with a color filter array, not compressed, whose colors are those of sRGB (DNG 1.4).
public struct SampleDNG {
  /// The size of the sensor in pixels, in even numbers.
  public var size: (width: Int, height: Int)
  /// The light of red, green and blue at a place, from 0 to 1.
  public var light: (_ x: Int, _ y: Int) -> (red: Double, green: Double, blue: Double)
  /// A JPEG in a directory of its own, or nothing.
  public var preview: [UInt8] = []
  /// Exif's orientation, from 1 to 8.
  public var orientation = 1

  /// Creates a file without a preview.
  public init(
    width: Int, height: Int, light: @escaping (_ x: Int, _ y: Int) -> (red: Double, green: Double, blue: Double)
  ) {
    size = (width, height)
    self.light = light
  }

  private typealias Field = (tag: Int, type: Int, count: Int, data: [UInt8])

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func short(_ tag: Int, _ values: Int...) -> Field {
    (tag, 3, values.count, values.flatMap { little($0, 2) })
  }

  private static func long(_ tag: Int, _ value: Int) -> Field { (tag, 4, 1, little(value, 4)) }

  private static func bytes(_ tag: Int, _ values: [UInt8]) -> Field { (tag, 1, values.count, values) }

  private static func text(_ tag: Int, _ text: String) -> Field {
    (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
  }

  private static func ratios(_ tag: Int, isSigned: Bool, _ values: [Double]) -> Field {
    (
      tag, isSigned ? 10 : 5, values.count,
      values.flatMap { little(Int(($0 * 10_000).rounded()), 4) + little(10_000, 4) }
    )
  }

  /// From XYZ under daylight to the light of sRGB.
  private static let matrix = [3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570]

  /// Returns the file.
  public var file: [UInt8] {
    // The places of data depend on the lengths of directories, which don't depend on the places.
    let head = directories(sensor: 0, preview: 0).count
    return directories(sensor: head, preview: head + 2 * size.width * size.height) + sensor + preview
  }

  /// The values of the sensor: red and green in the first row, and green and blue in the second one.
  private var sensor: [UInt8] {
    (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x -> [UInt8] in
        let color = light(x, y)
        let value = x % 2 != y % 2 ? color.green : y % 2 == 0 ? color.red : color.blue
        return Self.little(Int((min(max(value, 0), 1) * 65535).rounded()), 2)
      }
    }
  }

  private func directories(sensor: Int, preview place: Int) -> [UInt8] {
    let main: [Field] = [
      Self.long(254, 0), Self.long(256, size.width), Self.long(257, size.height), Self.short(258, 16),
      Self.short(259, 1),
      Self.short(262, 32803), Self.text(271, "Tintype"), Self.text(272, "Sample"), Self.long(273, sensor),
      Self.short(274, orientation), Self.short(277, 1), Self.long(278, size.height),
      Self.long(279, 2 * size.width * size.height), Self.short(33421, 2, 2), Self.bytes(33422, [0, 1, 1, 2]),
      Self.bytes(50706, [1, 4, 0, 0]), Self.bytes(50707, [1, 1, 0, 0]), Self.text(50708, "Tintype Sample"),
      Self.long(50717, 65535), Self.ratios(50721, isSigned: true, Self.matrix),
      Self.ratios(50728, isSigned: false, [1, 1, 1]), Self.short(50778, 21),
    ]
    let second: [Field] = [
      Self.long(254, 1), Self.short(259, 7), Self.short(262, 6), Self.long(273, place), Self.short(277, 3),
      Self.long(279, preview.count),
    ]
    let head = Array("II".utf8) + Self.little(42, 2) + Self.little(8, 4)
    let end = preview.isEmpty ? 0 : 8 + directory(main, at: 8, next: 0).count
    return head + directory(main, at: 8, next: end) + (preview.isEmpty ? [] : directory(second, at: end, next: 0))
  }

  private func directory(_ fields: [Field], at place: Int, next: Int) -> [UInt8] {
    var entries = Self.little(fields.count, 2)
    var data: [UInt8] = []
    let dataPlace = place + 2 + 12 * fields.count + 4
    for field in fields {
      entries += Self.little(field.tag, 2) + Self.little(field.type, 2) + Self.little(field.count, 4)
      if field.data.count <= 4 {
        entries += field.data + Array(repeating: 0, count: 4 - field.data.count)
      } else {
        entries += Self.little(dataPlace + data.count, 4)
        data += field.data + Array(repeating: 0, count: field.data.count % 2)
      }
    }
    return entries + Self.little(next, 4) + data
  }
}
