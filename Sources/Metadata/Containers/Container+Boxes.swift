// The formats whose files consist of boxes: HEIF and AVIF (ISO/IEC 23008-12), JPEG XL (ISO/IEC 18181-2), and JPEG 2000
// (ISO/IEC 15444-1).
extension Container {
  mutating func readHEIF(_ file: ImageFile) {
    let boxes = file.boxes(atMost: Self.mostParts)
    // A property of the image repeats Exif's orientation, and counts instead of it.
    isTurnedByExif = false
    isCutOff = boxes.contains { $0.content.upperBound > file.size }
    if boxes.contains(where: { $0.type == "moov" }) { readSequence(QuickTimeMovie(file)) }
    guard let place = boxes.first(where: { $0.type == "meta" })?.content else { return }
    let metadata = HEIFMetadata(file, at: place)
    if metadata.size.width > 0 { size = metadata.size }
    formatOrientation = metadata.orientation
    exif = metadata.exif(in: file).map { ExifMetadata(file, at: [$0]) }
    if let place = metadata.xmp {
      xmp = file.bytes(at: place.lowerBound, count: min(place.count, Self.longestPacket))
    }
  }

  /// Takes a sequence of images (ISO/IEC 23008-12, 7), whose first one is usually an item, too.
  private mutating func readSequence(_ movie: QuickTimeMovie) {
    let video = movie.video
    size = video.size
    frames = FrameTimes(count: movie.frameCount, seconds: video.duration ?? 0)
  }

  /// Reads a bare codestream, or one in boxes with metadata next to it. Metadata that Brotli has compressed are not read.
  mutating func readJPEGXL(_ file: ImageFile) {
    isTurnedByExif = false
    var header = JPEGXLHeader(file.bytes(at: 0, count: JPEGXLHeader.longest))
    for box in header == nil ? file.boxes(atMost: Self.mostParts) : [] {
      let start = box.content.lowerBound
      isCutOff = isCutOff || box.content.upperBound > file.size
      switch box.type {
      case "jxlc", "jxlp":
        // The number of a part comes before its content.
        let offset = start + (box.type == "jxlp" ? 4 : 0)
        header = header ?? JPEGXLHeader(file.bytes(at: offset, count: JPEGXLHeader.longest))
      case "Exif": exif = ExifMetadata(file, at: [start + 4 + file.number(at: start, count: 4, .bigEndian)])
      case "xml ": xmp = file.bytes(at: start, count: min(box.content.count, Self.longestPacket))
      default: break
      }
    }
    size = header.map { ($0.width, $0.height) } ?? (0, 0)
    formatOrientation = header?.orientation
    isAnimation = header?.isAnimation ?? false
  }

  /// The identifiers of the boxes in which programs write metadata into JPEG 2000: XMP (XMP Specification, part 3, 1.1.4), and a
  /// TIFF structure with Exif.
  private static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  private static let exifIdentifier = Array("JpgTiffExif->JP2".utf8)

  /// Reads the size of a bare codestream (its marker SIZ), or of one in boxes (the box `ihdr`), and metadata in boxes.
  mutating func readJPEG2000(_ file: ImageFile) {
    func number(_ offset: Int) -> Int { file.number(at: offset, count: 4, .bigEndian) }
    if file.number(at: 0, count: 2, .bigEndian) == 0xFF4F {
      size = (max(0, number(8) - number(16)), max(0, number(12) - number(20)))
      return
    }
    let boxes = file.boxes(atMost: Self.mostParts)
    isCutOff = boxes.contains { $0.content.upperBound > file.size }
    // Decoders show the pixels as they are stored.
    isTurnedByExif = false
    for place in boxes.filter({ $0.type == "uuid" }).map(\.content) {
      let identifier = file.bytes(at: place.lowerBound, count: 16)
      let (start, count) = (place.lowerBound + 16, min(place.count - 16, Self.longestPacket))
      if identifier.elementsEqual(Self.exifIdentifier) {
        exif = ExifMetadata(file, at: [start])
      } else if identifier.elementsEqual(Self.xmpIdentifier) {
        xmp = file.bytes(at: start, count: count)
      }
    }
    // The first box of the header is the one with the size.
    guard let header = boxes.first(where: { $0.type == "jp2h" })?.content.lowerBound,
      file.typeName(at: header + 4) == "ihdr"
    else { return }
    size = (number(header + 12), number(header + 8))
  }
}
