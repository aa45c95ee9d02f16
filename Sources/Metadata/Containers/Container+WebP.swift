// WebP (RFC 9649): chunks of RIFF.
extension Container {
  mutating func readWebP(_ file: ImageFile) {
    func number(at offset: Int, _ count: Int) -> Int { file.number(at: offset, count: count, .littleEndian) }
    isCutOff = number(at: 4, 4) + 8 > file.size
    var offset = 12
    for _ in 0..<Self.mostParts {
      let count = number(at: offset + 4, 4)
      switch file.typeName(at: offset) {
      case "VP8X": size = (number(at: offset + 12, 3) + 1, number(at: offset + 15, 3) + 1)
      case "VP8 " where size.width == 0:
        // Each side has fourteen bits. The other two bits ask for scaling.
        size = (number(at: offset + 14, 2) & 0x3FFF, number(at: offset + 16, 2) & 0x3FFF)
      case "VP8L" where size.width == 0:
        let bits = number(at: offset + 9, 4)
        size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
      // The frame of an animation, whose time is in milliseconds.
      case "ANMF": frames.add(seconds: Double(number(at: offset + 20, 3)) / 1000)
      case "EXIF":
        // Some programs copy the mark that Exif has in a JPEG.
        let mark = file.bytes(at: offset + 8, count: 6).elementsEqual(Self.exifMark) ? 6 : 0
        exif = ExifMetadata(file, at: [offset + 8 + mark])
      case "XMP ": xmp = file.bytes(at: offset + 8, count: min(count, Self.longestPacket))
      case "": return
      default: break
      }
      offset += 8 + count + count % 2
    }
  }
}
