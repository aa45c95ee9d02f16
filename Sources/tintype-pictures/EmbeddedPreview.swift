/// A smaller image that a file carries: the thumbnail of EXIF, the preview of a camera's raw file. Always a JPEG.
///
/// Structures: TIFF 6.0 (directories), Exif 2.32 (APP1; thumbnail in the second directory), DNG 1.6 (SubIFDs), and the
/// cameras' own use of them.
struct EmbeddedPreview {
  /// Where the JPEG starts in the file.
  let offset: Int
  /// As EXIF has it, 1 to 8; that of the image, which its thumbnail shares without saying so.
  let orientation: Int

  /// No preview is longer, in bytes.
  private static let longest = 64 << 20

  /// The largest preview of a raw file, or the thumbnail of another.
  init?(of file: ImageFile) {
    switch file.format {
    case .jpeg:
      guard let exif = Self.exifOffset(in: file) else { return nil }
      self.init(tiffAt: exif, of: file)
    case .tiff, .rawTIFF: self.init(tiffAt: 0, of: file)
    case .rawFujifilm:
      let header = file.bytes(at: 84, count: 8)
      guard header.count == 8 else { return nil }
      let fields = TIFFReader(file: file, base: 84, isBigEndian: true)
      self.init(jpegAt: fields.uint32(at: 0), count: fields.uint32(at: 4), orientation: nil, of: file)
    case .rawCanon: self.init(ofCanonRaw: file)
    default: return nil
    }
  }

  /// - Parameter orientation: nil where the JPEG tells by itself.
  private init?(jpegAt offset: Int, count: Int, orientation: Int?, of file: ImageFile) {
    guard count > 4, count <= Self.longest, file.bytes(at: offset, count: 3).elementsEqual([0xFF, 0xD8, 0xFF]) else {
      return nil
    }
    self.offset = offset
    self.orientation = orientation ?? Self.orientation(of: file, jpegAt: offset)
  }

  /// How the JPEG at an offset is to be turned, as its Exif has it.
  static func orientation(of file: ImageFile, jpegAt offset: Int = 0) -> Int {
    guard let exif = exifOffset(in: file, jpegAt: offset) else { return 1 }
    return TIFFReader(file: file, base: exif)?.directories().first?.orientation ?? 1
  }

  private init?(tiffAt base: Int, of file: ImageFile) {
    guard let reader = TIFFReader(file: file, base: base) else { return nil }
    let directories = reader.directories()
    let orientation = directories.first?.orientation ?? 1
    for candidate in directories.compactMap(\.jpeg).sorted(by: { $0.count > $1.count }) {
      let preview = Self(jpegAt: base + candidate.offset, count: candidate.count, orientation: orientation, of: file)
      guard let preview, preview.isImage(in: file) else { continue }
      self = preview
      return
    }
    return nil
  }

  /// CR3 (ISO BMFF): the box "PRVW" holds a JPEG behind a short header; its length stands right before it.
  private init?(ofCanonRaw file: ImageFile) {
    let head = file.bytes(at: 0, count: 1 << 20)
    guard let box = head.firstRange(of: Array("PRVW".utf8)) else { return nil }
    guard let start = head[box.upperBound...].prefix(64).firstRange(of: [0xFF, 0xD8, 0xFF])?.lowerBound, start >= 4
    else { return nil }
    let count = head[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    self.init(jpegAt: start, count: count, orientation: 1, of: file)
  }

  /// Whether it is coded as images are; cameras keep the raw data themselves as lossless JPEG.
  private func isImage(in file: ImageFile) -> Bool {
    // The first frame header: SOF0, 1 and 2 are what a decoder of images knows; SOF3 is lossless.
    let jpeg = file.bytes(at: offset, count: 1 << 16)
    var index = jpeg.startIndex + 2
    while index + 4 <= jpeg.endIndex, jpeg[index] == 0xFF {
      let marker = jpeg[index + 1]
      if (0xC0...0xC2).contains(marker) { return true }
      if marker == 0xC3 || marker == 0xDA { return false }
      index += 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
    }
    return false
  }

  /// Where the TIFF structure of APP1 starts.
  private static func exifOffset(in file: ImageFile, jpegAt start: Int = 0) -> Int? {
    let head = file.bytes(at: start, count: 1 << 16)
    var index = 2
    while index + 10 <= head.count, head[index] == 0xFF {
      let marker = head[index + 1]
      let length = Int(head[index + 2]) << 8 + Int(head[index + 3])
      if marker == 0xE1, head[(index + 4)...].starts(with: Array("Exif\0\0".utf8)) { return start + index + 10 }
      if marker == 0xDA || length < 2 { return nil }
      index += 2 + length
    }
    return nil
  }
}

/// Whether a TIFF is a camera's raw file: one of its directories holds the values of the sensor.
extension ImageFile {
  var isRawTIFF: Bool {
    guard format == .tiff, let reader = TIFFReader(file: self, base: 0) else { return false }
    return reader.directories().contains(where: \.isSensorData)
  }
}
