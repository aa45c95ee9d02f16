// JPEG (ISO/IEC 10918-1), with Exif, XMP, and IPTC in its application segments.
extension Container {
  /// The bytes before the TIFF structure in a segment of Exif (Exif 2.32, 4.7.2).
  static let exifMark = Array("Exif\0\0".utf8)
  /// The bytes before the packet in a segment of XMP (XMP Specification, part 3, 1.1.3).
  static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// The bytes before Photoshop's resources.
  static let photoshopMark = Array("Photoshop 3.0\0".utf8)

  /// - Parameter start: The place of the JPEG in the file. Only a JPEG that starts at 0 is the image itself.
  mutating func readJPEG(_ file: ImageFile, at start: Int) {
    var segments = JPEGSegments(of: file, at: start)
    while let segment = segments.next() {
      switch segment.marker {
      case JPEGSegments.Segment.startOfScan:
        isCutOff = start == 0 && !file.hasEndOfImage(behind: segments)
        return
      case JPEGSegments.Segment.endOfImage: return
      default: read(segment, of: file)
      }
    }
    isCutOff = segments.offset >= file.size
  }

  private mutating func read(_ segment: JPEGSegments.Segment, of file: ImageFile) {
    let (start, count) = (segment.content.lowerBound, segment.content.count)
    switch segment.marker {
    case JPEGSegments.Segment.app1:
      let mark = file.bytes(at: start, count: min(count, Self.xmpMark.count))
      if mark.starts(with: Self.exifMark), exif == nil {
        exif = ExifMetadata(file, at: [start + Self.exifMark.count])
      } else if mark.starts(with: Self.xmpMark), xmp.isEmpty {
        xmp = file.bytes(at: start + mark.count, count: count - mark.count)
      }
    case JPEGSegments.Segment.app13 where iptc == nil:
      let bytes = file.bytes(at: start, count: count)
      guard bytes.starts(with: Self.photoshopMark) else { return }
      iptc = IPTCMetadata(photoshop: bytes.dropFirst(Self.photoshopMark.count))
    case _ where segment.isFrameHeader && count >= 5:
      size = (file.number(at: start + 3, count: 2, .bigEndian), file.number(at: start + 1, count: 2, .bigEndian))
    default: break
    }
  }
}

extension ImageFile {
  /// Whether the image ends within the file.
  ///
  /// - Parameter segments: The segments behind the start of the first scan.
  fileprivate func hasEndOfImage(behind segments: JPEGSegments) -> Bool {
    if bytes(at: size - 2, count: 2).elementsEqual([0xFF, JPEGSegments.Segment.endOfImage]) { return true }
    // Another file may follow the image, such as the film of a moving photo.
    return segments.contains { $0.marker == JPEGSegments.Segment.endOfImage }
  }
}
