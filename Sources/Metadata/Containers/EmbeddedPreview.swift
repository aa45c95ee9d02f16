import Gallery

/// A smaller image that a file carries: the thumbnail of Exif, or the preview of a camera's raw file. It is always a JPEG.
///
/// Structures: TIFF 6.0 (directories), Exif 2.32 (APP1; thumbnail in the second directory), DNG 1.6 (SubIFDs), and the
/// cameras' own use of them.
public struct EmbeddedPreview {
  /// The place of the JPEG in the file.
  public let offset: Int
  /// The orientation by Exif, from 1 to 8. A thumbnail has that of the image, without saying so itself.
  public let orientation: Int

  /// The longest preview that is used, in bytes.
  private static let longest = 64 << 20

  /// Finds the largest preview of a raw file, or the thumbnail of another file. Returns nil if there is none.
  public init?(of file: ImageFile) {
    switch file.format {
    case .jpeg:
      guard let exif = file.exifPlace() else { return nil }
      self.init(tiffAt: exif, of: file)
    case .tiff, .rawTIFF: self.init(tiffAt: 0, of: file)
    case .rawFujifilm:
      let (offset, count) = (file.number(at: 84, count: 4, .bigEndian), file.number(at: 88, count: 4, .bigEndian))
      self.init(jpegAt: offset, count: count, orientation: nil, of: file)
    case .rawCanon: self.init(ofCanonRaw: file)
    case .rawCIFF:
      guard let heap = CanonHeap(file) else { return nil }
      self.init(largestOf: heap.jpegs, orientation: heap.orientation, of: file)
    case .rawMinolta:
      let blocks = MinoltaBlocks(file)
      let orientation = blocks.tiff.flatMap { TIFFReader(file: file, base: $0)?.directories().first?.orientation }
      self.init(largestOf: [blocks.jpeg].compactMap(\.self), orientation: orientation ?? 1, of: file)
    case .rawSigma:
      let sections = SigmaSections(file)
      self.init(largestOf: [sections.jpeg].compactMap(\.self), orientation: sections.orientation, of: file)
    default: return nil
    }
  }

  /// - Parameter orientation: The orientation by Exif, or nil if the JPEG itself has it.
  private init?(jpegAt offset: Int, count: Int, orientation: Int?, of file: ImageFile) {
    guard count > 4, count <= Self.longest, file.bytes(at: offset, count: 3).elementsEqual([0xFF, 0xD8, 0xFF]) else {
      return nil
    }
    self.offset = offset
    self.orientation = orientation ?? file.jpegOrientation(at: offset)
  }

  private init?(tiffAt base: Int, of file: ImageFile) {
    guard let reader = TIFFReader(file: file, base: base) else { return nil }
    let directories = reader.directories()
    self.init(
      largestOf: directories.compactMap(\.jpeg).map { (base + $0.offset, $0.count) },
      orientation: directories.first?.orientation ?? 1, of: file)
  }

  /// - Parameter candidates: The places in the file that may be JPEGs, and their lengths.
  private init?(largestOf candidates: [(offset: Int, count: Int)], orientation: Int, of file: ImageFile) {
    // Of a file whose end is missing, a smaller preview may be whole.
    func isWhole(_ candidate: (offset: Int, count: Int)) -> Bool { candidate.offset <= file.size - candidate.count }
    for candidate in candidates.sorted(by: { (isWhole($0) ? 1 : 0, $0.count) > (isWhole($1) ? 1 : 0, $1.count) }) {
      let preview = Self(jpegAt: candidate.offset, count: candidate.count, orientation: orientation, of: file)
      guard let preview, preview.isImage(in: file) else { continue }
      self = preview
      return
    }
    return nil
  }

  /// Finds the preview of a CR3 (ISO BMFF). In the box "PRVW", a short header that ends with the JPEG's length comes before
  /// the JPEG.
  private init?(ofCanonRaw file: ImageFile) {
    let head = file.bytes(at: 0, count: 1 << 20)
    guard let box = head.firstRange(of: Array("PRVW".utf8)) else { return nil }
    guard let start = head[box.upperBound...].prefix(64).firstRange(of: [0xFF, 0xD8, 0xFF])?.lowerBound, start >= 4
    else { return nil }
    self.init(jpegAt: start, count: head[start - 4..<start].number(.bigEndian), orientation: 1, of: file)
  }

  /// Whether the JPEG is coded as images are (SOF0, SOF1, SOF2). Cameras keep the sensor's values as lossless JPEG (SOF3).
  private func isImage(in file: ImageFile) -> Bool {
    file.jpegHeader(at: offset).first(where: \.isFrameHeader).map { (0xC0...0xC2).contains($0.marker) } ?? false
  }
}

extension ImageFile {
  /// Returns the orientation of a JPEG by its Exif, from 1 to 8.
  ///
  /// - Parameter start: The place of the JPEG in the file.
  public func jpegOrientation(at start: Int = 0) -> Int {
    guard let exif = exifPlace(jpegAt: start) else { return 1 }
    return TIFFReader(file: self, base: exif)?.directories().first?.orientation ?? 1
  }

  /// Whether the Exif of a JPEG says that its colors are Adobe RGB, by the index R03 in the interoperability directory (DCF
  /// 2.0). Most cameras add no profile then.
  public var jpegIsAdobeRGB: Bool {
    guard let exif = exifPlace(), let reader = TIFFReader(file: self, base: exif) else { return false }
    func field(_ tag: Int, at directory: Int?) -> TIFFReader.Field? {
      directory.flatMap { reader.fields(at: $0).fields.first { $0.tag == tag } }
    }
    let exifDirectory = field(0x8769, at: reader.start).flatMap(reader.integer)
    let interoperability = field(0xA005, at: exifDirectory).flatMap(reader.integer)
    return field(1, at: interoperability).flatMap(reader.text) == "R03"
  }

  /// Returns the place of the TIFF structure in a JPEG's first segment of Exif.
  fileprivate func exifPlace(jpegAt start: Int = 0) -> Int? {
    let mark = Container.exifMark
    let segment = jpegHeader(at: start).first {
      $0.marker == JPEGSegments.Segment.app1
        && bytes(at: $0.content.lowerBound, count: mark.count).elementsEqual(mark)
    }
    return segment.map { $0.content.lowerBound + mark.count }
  }
}
