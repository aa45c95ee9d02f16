// Adobe Photoshop File Formats Specification, "Image Resource Blocks".
extension Container {
  /// The marks before resources. Those of some programs differ from Photoshop's own.
  private static let resourceMarks: Set = ["8BIM", "AgHg", "DCSR", "MeSa", "PHUT"]

  /// Reads a Photoshop document, which has Exif, XMP and IPTC in numbered resources.
  mutating func readPhotoshop(_ file: ImageFile) {
    size = file.headerSize
    let start = 34 + file.number(at: 26, count: 4, .bigEndian)
    let end = start + file.number(at: start - 4, count: 4, .bigEndian)
    var place = start
    for _ in 0..<Self.mostParts where place < end && Self.resourceMarks.contains(file.typeName(at: place)) {
      // A name and the byte of its length together have an even length. So do the data.
      let count = place + 6 + (file.number(at: place + 6, count: 1, .bigEndian) + 2) / 2 * 2
      let (data, length) = (count + 4, file.number(at: count, count: 4, .bigEndian))
      switch file.number(at: place + 4, count: 2, .bigEndian) {
      case 0x0404: iptc = IPTCMetadata(file.bytes(at: data, count: min(length, Self.longestPacket)))
      case 0x0422: exif = ExifMetadata(file, at: [data])
      case 0x0424: xmp = file.bytes(at: data, count: min(length, Self.longestPacket))
      default: break
      }
      place = data + (length + 1) / 2 * 2
    }
    // The pixels are stored as they are shown.
    isTurnedByExif = false
  }
}
