/// A TIFF whose samples have any number of bits, in strips or tiles, together or in planes (TIFF 6.0, little-endian, not compressed).
struct SampleTIFF: Sendable {
  let width: Int
  let height: Int
  let bits: Int
  /// The number in the tag PhotometricInterpretation: 0 and 1 for gray, 2 for RGB, 3 for a palette, 5 for CMYK, 6 for YCbCr; nil
  /// for no tag.
  var photometric: Int? = 1
  var samples = 1
  /// The number in the tag SampleFormat: 1 for numbers without a sign, 2 for numbers with one, 3 for floating-point numbers.
  var format = 1
  var isPlanar = false
  /// The side of a tile, or 0 for one strip a plane.
  var tile = 0
  var orientation = 1
  /// The number in the tag ExtraSamples: 1 for an alpha by which the colors are multiplied, 2 for another one; nil for no tag.
  var extra: Int?
  /// The red, green and blue values of a palette.
  var palette: [Int] = []
  /// Bytes in place of the samples, such as those of subsampled colors.
  var data: [UInt8]?

  /// Returns the file.
  ///
  /// - Parameter values: The samples, pixel by pixel.
  func bytes(_ values: [Int]) -> [UInt8] {
    let parts = data.map { [$0] } ?? parts(values)
    var file: [UInt8] = Array("II".utf8) + SampleImage.little(42, 2) + SampleImage.little(0, 4)
    func append(_ numbers: [Int], _ size: Int) -> Int {
      if file.count % 2 == 1 { file.append(0) }
      defer { file += numbers.flatMap { SampleImage.little($0, size) } }
      return file.count
    }
    let places = parts.map { append($0.map(Int.init), 1) }
    var fields: [(tag: Int, size: Int, values: [Int])] = [
      (256, 2, [width]), (257, 2, [height]), (258, 2, Array(repeating: bits, count: samples)), (259, 2, [1]),
      (274, 2, [orientation]), (277, 2, [samples]), (284, 2, [isPlanar ? 2 : 1]),
      (339, 2, Array(repeating: format, count: samples)),
    ]
    if tile > 0 { fields += [(322, 2, [tile]), (323, 2, [tile])] } else { fields.append((278, 2, [height])) }
    fields += [(tile > 0 ? 324 : 273, 4, places), (tile > 0 ? 325 : 279, 4, parts.map(\.count))]
    if let photometric { fields.append((262, 2, [photometric])) }
    if let extra { fields.append((338, 2, [extra])) }
    if !palette.isEmpty { fields.append((320, 2, palette)) }
    if data != nil { fields.append((530, 2, [2, 2])) }
    var directory = SampleImage.little(fields.count, 2)
    for field in fields.sorted(by: { $0.tag < $1.tag }) {
      directory += SampleImage.little(field.tag, 2) + SampleImage.little(field.size == 2 ? 3 : 4, 2)
      directory += SampleImage.little(field.values.count, 4)
      let isInside = field.values.count * field.size <= 4
      let stored = isInside ? field.values.flatMap { SampleImage.little($0, field.size) } : []
      let padding = Array(repeating: UInt8(0), count: 4 - stored.count)
      directory += isInside ? stored + padding : SampleImage.little(append(field.values, field.size), 4)
    }
    let start = append(directory.map(Int.init) + [0, 0, 0, 0], 1)
    file.replaceSubrange(4..<8, with: SampleImage.little(start, 4))
    return file
  }

  /// Returns the bytes of the strips or tiles.
  private func parts(_ values: [Int]) -> [[UInt8]] {
    let (columns, rows) = (tile > 0 ? tile : width, tile > 0 ? tile : height)
    var parts: [[UInt8]] = []
    for plane in isPlanar ? Array(0..<samples) : [-1] {
      for top in stride(from: 0, to: height, by: rows) {
        for left in stride(from: 0, to: width, by: columns) {
          parts.append((top..<top + rows).flatMap { y in row(values, y, left..<left + columns, plane: plane) })
        }
      }
    }
    return parts
  }

  /// Returns a row of a strip or a tile. What is beyond the image has zeros.
  private func row(_ values: [Int], _ y: Int, _ columns: Range<Int>, plane: Int) -> [UInt8] {
    let shown = plane < 0 ? Array(0..<samples) : [plane]
    let numbers = columns.flatMap { x in
      shown.map { y < height && x < width ? values[(y * width + x) * samples + $0] : 0 }
    }
    // Numbers of whole bytes have the order of the file.
    if [8, 16, 24, 32, 64].contains(bits) { return numbers.flatMap { SampleImage.little($0, bits / 8) } }
    var digits = numbers.flatMap { number in (0..<bits).reversed().map { number >> $0 & 1 } }
    digits += Array(repeating: 0, count: (8 - digits.count % 8) % 8)
    return stride(from: 0, to: digits.count, by: 8).map { digits[$0..<$0 + 8].reduce(0) { $0 << 1 | UInt8($1) } }
  }
}
