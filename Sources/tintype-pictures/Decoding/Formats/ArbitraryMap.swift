import Gallery
import Metadata

/// Portable arbitrary maps (Netpbm, "PAM").
enum ArbitraryMap: PlainFormat {
  private struct Header {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var depth = 0
    /// The greatest sample.
    private(set) var most = 0
    private(set) var type = ""
    /// The place of the samples in the file.
    private(set) var start = 0

    /// The longest header that is read, in bytes.
    private static let longest = 4096

    /// Reads the header. Returns nil if its numbers are invalid.
    init?(_ file: ImageFile) {
      let head = file.bytes(at: 0, count: Self.longest)
      guard let end = head.firstRange(of: Array("ENDHDR\n".utf8)) else { return nil }
      start = end.upperBound
      for line in String(decoding: head[..<end.lowerBound], as: UTF8.self).split(separator: "\n").dropFirst() {
        let words = line.split(separator: " ")
        guard words.count == 2, let name = words.first, let value = words.last else { continue }
        switch name {
        case "WIDTH": width = Int(value) ?? 0
        case "HEIGHT": height = Int(value) ?? 0
        case "DEPTH": depth = Int(value) ?? 0
        case "MAXVAL": most = Int(value) ?? 0
        case "TUPLTYPE": type = String(value)
        default: break
        }
      }
      guard width > 0, height > 0, (1...4).contains(depth), (1...65535).contains(most) else { return nil }
    }
  }

  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    guard let header = Header(file) else { throw .damaged(.header) }
    guard header.width <= mostPixels / header.height else {
      throw .tooLarge(width: header.width, height: header.height)
    }
    guard header.start < file.size else { throw .incomplete }
    let pixels = Pixels(black: PixelSize(header.width, header.height))
    let bytesPerSample = header.most > 255 ? 2 : 1
    let stride = header.width * header.depth * bytesPerSample
    let hasAlpha = header.depth % 2 == 0
    for y in 0..<header.height {
      let line = file.bytes(at: header.start + y * stride, count: stride)
      let target = pixels.row(y)
      func sample(_ index: Int) -> UInt8 {
        let value = bytesPerSample == 1 ? Int(line[index]) : line[2 * index..<2 * index + 2].number(.bigEndian)
        return UInt8(min(value, header.most) * 255 / header.most)
      }
      for x in 0..<min(header.width, line.count / (header.depth * bytesPerSample)) {
        let first = x * header.depth
        let color = (0..<3).map { sample(header.depth < 3 ? first : first + $0) }
        target[x] = Pixels.word(color[0], color[1], color[2], hasAlpha ? sample(first + header.depth - 1) : 255)
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: header.start + stride * header.height > file.size)
  }
}
