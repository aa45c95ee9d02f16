import Gallery
import Metadata

/// PC Paintbrush (ZSoft PCX 5): rows of planes that are coded as runs.
enum Paintbrush: PlainFormat {
  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    let (bits, planes) = (file.number(at: 3, count: 1, .littleEndian), file.number(at: 65, count: 1, .littleEndian))
    let stride = file.number(at: 66, count: 2, .littleEndian)
    let isColor = bits == 8 && (planes == 3 || planes == 4)
    guard isColor || planes >= 1 && bits * planes <= 8, stride * 8 >= size.width * bits else {
      throw .damaged(.coding("\(bits) bits, \(planes) planes"))
    }
    let lineBytes = stride * planes
    var runs = Runs(try file.rest(from: 128, atMost: 2 * lineBytes * size.height))
    let palette = palette(of: file, bits: bits * planes)
    let pixels = Pixels(black: size)
    var isIncomplete = false
    for y in 0..<size.height {
      let line = runs.next(lineBytes)
      isIncomplete = isIncomplete || line.count < lineBytes
      guard line.count == lineBytes else { break }
      let row = pixels.row(y)
      for x in 0..<size.width {
        func sample(_ plane: Int) -> Int {
          let shift = 8 - bits - x * bits % 8
          return Int(line[plane * stride + x * bits / 8]) >> shift & (1 << bits - 1)
        }
        if isColor {
          row[x] = Pixels.word(UInt8(sample(0)), UInt8(sample(1)), UInt8(sample(2)))
        } else {
          row[x] = palette[(0..<planes).reduce(0) { $0 | sample($1) << ($1 * bits) }]
        }
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
  }

  /// Returns a color for each number of that many bits.
  private static func palette(of file: ImageFile, bits: Int) -> [UInt32] {
    if bits == 1 { return [Pixels.word(0), Pixels.word(0xFF_FFFF)] }
    if bits == 8 {
      // The palette is the end of the file. Without one, the numbers are grays.
      let bytes = file.bytes(at: file.size - 769, count: 769)
      guard bytes.count == 769, bytes[0] == 12 else { return (0...255).map { Pixels.word($0, $0, $0) } }
      return (0...255).map { Pixels.word(bytes[1 + 3 * $0], bytes[2 + 3 * $0], bytes[3 + 3 * $0]) }
    }
    let bytes = file.bytes(at: 16, count: 48)
    return (0..<256).map {
      let place = 3 * ($0 % 16)
      return place + 2 < bytes.count ? Pixels.word(bytes[place], bytes[place + 1], bytes[place + 2]) : Pixels.word(0)
    }
  }

  private struct Runs {
    private let data: [UInt8]
    private var place = 0
    private var run: (value: UInt8, count: Int) = (0, 0)

    init(_ data: [UInt8]) { self.data = data }

    /// Returns the next bytes, or fewer if the data end before. A run may go on in the next row.
    mutating func next(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      while bytes.count < count {
        if run.count == 0 {
          guard place < data.count else { break }
          let head = data[place]
          let isRun = head >= 0xC0 && place + 1 < data.count
          run = isRun ? (data[place + 1], Int(head & 0x3F)) : (head, 1)
          place += isRun ? 2 : 1
        }
        let taken = min(run.count, count - bytes.count)
        bytes += repeatElement(run.value, count: taken)
        run.count -= taken
      }
      return bytes
    }
  }
}
