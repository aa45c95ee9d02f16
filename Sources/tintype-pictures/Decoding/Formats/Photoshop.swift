import Gallery
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The merged image of a Photoshop document (PSD, PSB), which programs keep at its end for others (Adobe Photoshop File Formats).
enum Photoshop: PlainFormat {
  /// The modes whose colors are decoded, with the number of their channels.
  private static let modes = [0: 1, 1: 1, 2: 1, 3: 3, 4: 4, 8: 1]

  fileprivate struct Document {
    let size: PixelSize
    let isLarge: Bool
    let channels: Int
    let depth: Int
    let mode: Int
    /// The colors of a palette: all reds, then all greens, then all blues.
    let palette: [UInt8]
    /// Whether the channel behind the colors is that of transparency.
    let hasAlpha: Bool
    /// The place of the compression and the samples.
    let start: Int

    init(_ file: ImageFile, _ size: PixelSize) {
      func big(_ place: Int, _ count: Int) -> Int { file.number(at: place, count: count, .bigEndian) }
      self.size = size
      isLarge = big(4, 2) == 2
      channels = big(12, 2)
      depth = big(22, 2)
      mode = big(24, 2)
      palette = [UInt8](file.bytes(at: 30, count: min(768, big(26, 4))))
      let resources = 30 + big(26, 4)
      let layers = resources + 4 + big(resources, 4)
      let lengthSize = big(4, 2) == 2 ? 8 : 4
      let length = max(0, big(layers, lengthSize))
      // A negative number of layers says that the first further channel is transparency.
      hasAlpha = length > 0 && big(layers + 2 * lengthSize, 2) >= 0x8000
      start = layers &+ lengthSize &+ length
    }

    var rowBytes: Int { (size.width * depth + 7) / 8 }
  }

  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let document = Document(file, try file.plainSize(atMost: mostPixels))
    guard let colors = modes[document.mode], document.channels >= colors, [1, 8, 16, 32].contains(document.depth),
      (document.depth == 1) == (document.mode == 0)
    else { throw .damaged(.coding("\(document.depth) bits, mode \(document.mode)")) }
    let shown = min(document.channels, document.hasAlpha ? colors + 1 : colors)
    let pixels = Pixels(black: document.size)
    guard var rows = Rows(file, document) else { throw .incomplete }
    // Channels are one after the other. Each is drawn before the next one is read.
    var isIncomplete = false
    for channel in 0..<shown {
      for y in 0..<document.size.height {
        let samples = document.bytes(of: try rows.next())
        isIncomplete = isIncomplete || samples.count < document.size.width
        document.draw(samples, channel, colors, pixels.row(y))
      }
    }
    if document.mode == 4 { removeInk(pixels) }
    return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
  }

  /// Turns the inks of CMYK into colors. While channels are read, black is in place of alpha.
  private static func removeInk(_ pixels: Pixels) {
    for index in pixels.words.indices {
      let word = pixels.words[index]
      func part(_ shift: UInt32) -> UInt8 { UInt8((word >> shift & 255) * (word >> 24) / 255) }
      pixels.words[index] = Pixels.word(part(0), part(8), part(16))
    }
  }

  /// The rows of all channels, in the order of the file.
  private struct Rows {
    private let file: ImageFile
    private let document: Document
    private let isPacked: Bool
    private var place: Int
    /// The place of the length of the next packed row.
    private var lengthPlace: Int

    init?(_ file: ImageFile, _ document: Document) {
      let compression = file.number(at: document.start, count: 2, .bigEndian)
      guard document.start + 2 < file.size, document.start > 0, compression <= 1 else { return nil }
      self.file = file
      self.document = document
      isPacked = compression == 1
      lengthPlace = document.start + 2
      let lengths = document.channels * document.size.height * (document.isLarge ? 4 : 2)
      place = lengthPlace + (isPacked ? lengths : 0)
    }

    mutating func next() throws(ImageFault) -> [UInt8] {
      guard isPacked else {
        defer { place += document.rowBytes }
        return [UInt8](file.bytes(at: place, count: document.rowBytes))
      }
      let lengthSize = document.isLarge ? 4 : 2
      let length = file.number(at: lengthPlace, count: lengthSize, .bigEndian)
      lengthPlace += lengthSize
      defer { place += length }
      let most = 2 * document.rowBytes + 128
      return Self.unpacked(file.bytes(at: place, count: min(length, most)), document.rowBytes)
    }

    /// Decodes runs by the rule of PackBits.
    private static func unpacked(_ data: ArraySlice<UInt8>, _ count: Int) -> [UInt8] {
      var (rest, row) = (data, [UInt8]())
      row.reserveCapacity(count)
      while row.count < count, let head = rest.popFirst() {
        if head > 128 {
          guard let value = rest.popFirst() else { break }
          row += repeatElement(value, count: 257 - Int(head))
        } else if head < 128 {
          row += rest.prefix(Int(head) + 1)
          rest = rest.dropFirst(Int(head) + 1)
        }
      }
      return row
    }
  }
}

extension Photoshop.Document {
  /// Returns the samples of a row with 8 bits each.
  fileprivate func bytes(of row: [UInt8]) -> [UInt8] {
    switch depth {
    case 1:
      return (0..<min(size.width, row.count * 8)).map { x -> UInt8 in
        let bit = row[x / 8] >> UInt8(7 - x % 8) & 1
        return bit == 1 ? 0 : 255
      }
    case 16: return stride(from: 0, to: row.count - 1, by: 2).map { row[$0] }
    case 32:
      // Light from 0 to 1.
      return stride(from: 0, to: row.count - 3, by: 4).map { place -> UInt8 in
        let light = Float(bitPattern: UInt32(truncatingIfNeeded: row[place..<place + 4].number(.bigEndian)))
        let code: Float = light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
        return code.isFinite ? UInt8(min(max(code, 0), 1) * 255 + 0.5) : 0
      }
    default: return row
    }
  }

  /// Draws a channel of a row.
  fileprivate func draw(
    _ samples: [UInt8], _ channel: Int, _ colors: Int, _ row: UnsafeMutableBufferPointer<UInt32>
  ) {
    let shift = UInt32(channel == colors ? 24 : 8 * channel)
    for (x, sample) in samples.prefix(row.count).enumerated() {
      if colors == 1, channel == 0 {
        func part(_ place: Int) -> UInt8 { place < palette.count ? palette[place] : 0 }
        let index = Int(sample)
        row[x] =
          mode == 2
          ? Pixels.word(part(index), part(256 + index), part(512 + index)) : Pixels.word(sample, sample, sample)
      } else {
        row[x] = row[x] & ~(255 << shift) | UInt32(sample) << shift
      }
    }
  }
}
