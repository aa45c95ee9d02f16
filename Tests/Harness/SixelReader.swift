/// Reads sixels (DEC STD 070) that begin with the image's size and cover all of it.
struct SixelReader {
  private let bytes: [UInt8]
  private var index = 0
  private var (width, height) = (0, 0)
  private var rgb: [UInt8] = []
  private var isDrawn: [Bool] = []
  private var registers: [Int: [UInt8]] = [:]
  private var color: [UInt8] = [0, 0, 0]
  private var (x, band, count) = (0, 0, 1)

  /// - Parameter bytes: The data between the `q` and the end of the sequence.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the image, or nil if pixels are missing.
  mutating func read() -> PixelImage? {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let values = numbers()
        guard values.count == 4 else { return nil }
        (width, height) = (values[2], values[3])
        rgb = [UInt8](repeating: 0, count: width * height * 3)
        isDrawn = [Bool](repeating: false, count: width * height)
      case UInt8(ascii: "#"):
        let values = numbers()
        guard let register = values.first else { return nil }
        if values.count == 5 { registers[register] = values[2...].map { UInt8(clamping: $0 * 255 / 100) } }
        color = registers[register] ?? [0, 0, 0]
      case UInt8(ascii: "!"): count = numbers().first ?? 1
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, band) = (0, band + 6)
      case 0x3F...0x7E: draw(byte - 0x3F)
      default: return nil
      }
    }
    return isDrawn.isEmpty || isDrawn.contains(false) ? nil : PixelImage(width: width, height: height, rgb: rgb)
  }

  private mutating func draw(_ bits: UInt8) {
    let end = min(width, x + count)
    for bit in 0..<6 where bits >> bit & 1 == 1 && band + bit < height {
      for column in x..<max(x, end) {
        let place = (band + bit) * width + column
        isDrawn[place] = true
        for channel in 0..<3 { rgb[place * 3 + channel] = color[channel] }
      }
    }
    (x, count) = (x + count, 1)
  }

  private mutating func numbers() -> [Int] {
    var (values, value): ([Int], Int?) = ([], nil)
    while index < bytes.count {
      switch bytes[index] {
      case 0x30...0x39: value = min((value ?? 0) * 10 + Int(bytes[index] - 0x30), 1 << 20)
      case UInt8(ascii: ";"):
        values.append(value ?? 0)
        value = nil
      default: return values + [value].compactMap(\.self)
      }
      index += 1
    }
    return values + [value].compactMap(\.self)
  }
}
