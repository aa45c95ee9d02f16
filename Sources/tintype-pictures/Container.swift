/// Where an image's file keeps what it says, by its format.
///
/// JPEG, TIFF and the raw files that are TIFF within, CR3, RAF, PNG, WebP, HEIF, AVIF and JPEG XL are known; of the others
/// at most the size.
struct Container {
  private(set) var exif: ExifMetadata?
  private(set) var xmp: ArraySlice<UInt8> = []
  private(set) var iptc: IPTCMetadata?
  /// As it is stored; 0 where it is not known.
  private(set) var size = (width: 0, height: 0)
  /// Whether Exif's orientation is to be applied to the size.
  private(set) var isTurnedByExif = true
  /// Whether the file ends before the image does.
  private(set) var isCutOff = false

  /// In bytes; more of an XMP packet is not read.
  static let longestPacket = 1 << 20
  /// No more parts of a file are looked at.
  private static let mostParts = 10_000

  init(_ file: ImageFile) {
    switch file.format {
    case .jpeg: readJPEG(file, at: 0)
    case .tiff, .rawTIFF: readTIFF(file)
    case .rawFujifilm: readFujifilm(file)
    case .rawCanon: readCanon(file)
    case .png: readPNG(file)
    case .webp: readWebP(file)
    case .gif: size = (file.number(at: 6, count: 2, .little), file.number(at: 8, count: 2, .little))
    case .bmp: readBMP(file)
    case .heif: readHEIF(file)
    case .jxl: readJPEGXL(file)
    case .svg, .ppm, .pam: break
    }
  }
}

// MARK: - JPEG (ISO/IEC 10918-1, annex B)

extension Container {
  private static let exifMark = Array("Exif\0\0".utf8)
  private static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let photoshopMark = Array("Photoshop 3.0\0".utf8)

  private mutating func readJPEG(_ file: ImageFile, at start: Int) {
    var offset = start + 2
    for _ in 0..<Self.mostParts {
      let head = Array(file.bytes(at: offset, count: 4))
      guard head.count == 4, head[0] == 0xFF else { break }
      // Any marker may have more of these before it.
      if head[1] == 0xFF {
        offset += 1
        continue
      }
      let count = Int(head[2]) << 8 | Int(head[3])
      if head[1] == 0xDA {
        isCutOff = start == 0 && JPEGEnd.isMissing(in: file, from: offset)
        return
      }
      guard head[1] != 0xD9, count >= 2 else { return }
      read(head[1], at: offset + 4, count: count - 2, of: file)
      offset += 2 + count
    }
    isCutOff = offset >= file.size
  }

  private mutating func read(_ marker: UInt8, at offset: Int, count: Int, of file: ImageFile) {
    switch marker {
    case 0xE1:
      let mark = file.bytes(at: offset, count: min(count, Self.xmpMark.count))
      if mark.starts(with: Self.exifMark), exif == nil {
        exif = ExifMetadata(file, at: [offset + Self.exifMark.count])
      } else if mark.starts(with: Self.xmpMark), xmp.isEmpty {
        xmp = file.bytes(at: offset + mark.count, count: count - mark.count)
      }
    case 0xED where iptc == nil:
      let bytes = file.bytes(at: offset, count: count)
      guard bytes.starts(with: Self.photoshopMark) else { return }
      iptc = IPTCMetadata(photoshop: bytes.dropFirst(Self.photoshopMark.count))
    // The frame headers, among which DHT, JPG and DAC stand.
    case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker) && count >= 5:
      size = (file.number(at: offset + 3, count: 2, .big), file.number(at: offset + 1, count: 2, .big))
    default: break
    }
  }
}

/// Whether the coded image of a JPEG goes to its end.
private enum JPEGEnd {
  private static let chunk = 1 << 16
  /// No more markers are looked at, each of which costs a chunk.
  private static let mostMarkers = 10_000

  /// - Parameter offset: Of the first scan's marker.
  static func isMissing(in file: ImageFile, from offset: Int) -> Bool {
    if file.bytes(at: file.size - 2, count: 2).elementsEqual([0xFF, 0xD9]) { return false }
    // Something may follow, as the film of a moving photo: the end is looked for where it must be.
    var offset = offset
    for _ in 0..<mostMarkers {
      guard let marker = nextMarker(in: file, from: &offset) else { return true }
      if marker == 0xD9 { return false }
      let count = file.number(at: offset, count: 2, .big)
      guard count >= 2 else { return true }
      offset += count
    }
    return false
  }

  /// The next marker that is none of the coded data's own, and where what follows it starts.
  private static func nextMarker(in file: ImageFile, from offset: inout Int) -> UInt8? {
    while offset < file.size {
      let bytes = file.bytes(at: offset, count: chunk)
      guard bytes.count > 1 else { return nil }
      let found = bytes.withUnsafeBufferPointer { bytes in
        bytes.indices.dropLast().first { index in
          bytes[index] == 0xFF && bytes[index + 1] != 0 && bytes[index + 1] != 0xFF
            && !(0xD0...0xD7).contains(bytes[index + 1])
        }
      }
      if let found {
        offset += found + 2
        return bytes[bytes.startIndex + found + 1]
      }
      offset += bytes.count - 1
    }
    return nil
  }
}

// MARK: - TIFF, and raw files

extension Container {
  private mutating func readTIFF(_ file: ImageFile) {
    if BigTIFF.isHead(of: file) {
      size = BigTIFF.size(of: file)
      return
    }
    exif = ExifMetadata(file, at: [0])
    readSize(TIFFReader(file: file, base: 0))
  }

  /// That of the largest image in the file.
  private mutating func readSize(_ reader: TIFFReader?) {
    for directory in reader?.directories() ?? []
    where directory.width <= 1 << 20 && directory.height <= 1 << 20
      && directory.width * directory.height > size.width * size.height
    {
      size = (directory.width, directory.height)
    }
  }

  /// RAF holds a JPEG that says what there is to say, but is of another size than the image.
  private mutating func readFujifilm(_ file: ImageFile) {
    readJPEG(file, at: file.number(at: 84, count: 4, .big))
    size = (0, 0)
  }

  /// CR3 (ISO BMFF): boxes of a TIFF structure each, for Exif's directories and its place.
  private mutating func readCanon(_ file: ImageFile) {
    let head = file.bytes(at: 0, count: 1 << 20)
    func place(_ name: String) -> Int? { head.firstRange(of: Array(name.utf8))?.upperBound }
    exif = ExifMetadata(file, at: ["CMT1", "CMT2"].compactMap(place), placeAt: place("CMT4"))
    readSize(place("CMT1").flatMap { TIFFReader(file: file, base: $0) })
  }
}

// MARK: - PNG (W3C, third edition), WebP (RFC 9649), BMP

extension Container {
  private mutating func readPNG(_ file: ImageFile) {
    size = (file.number(at: 16, count: 4, .big), file.number(at: 20, count: 4, .big))
    var hasExifChunk = false
    var offset = 8
    for _ in 0..<Self.mostParts {
      let count = file.number(at: offset, count: 4, .big)
      let type = String(decoding: file.bytes(at: offset + 4, count: 4), as: UTF8.self)
      switch type {
      case "eXIf":
        exif = ExifMetadata(file, at: [offset + 8])
        hasExifChunk = true
      case "tEXt", "zTXt", "iTXt":
        guard count <= PNGText.longest else { break }
        let data = file.bytes(at: offset + 8, count: count)
        if let text = PNGText(type: type, data: data) { read(text, hasExifChunk: hasExifChunk) }
      case "IEND": return
      case "":
        isCutOff = true
        return
      default: break
      }
      offset += 12 + count
    }
  }

  /// What a text chunk says, which counts less than a chunk of Exif's own.
  private mutating func read(_ text: PNGText, hasExifChunk: Bool) {
    if text.keyword == "XML:com.adobe.xmp" { xmp = text.content.prefix(Self.longestPacket) }
    guard let profile = text.rawProfile else { return }
    switch profile.name {
    case "exif", "app1":
      if profile.bytes.starts(with: Self.xmpMark) {
        xmp = profile.bytes.dropFirst(Self.xmpMark.count)
      } else if !hasExifChunk {
        // What JPEG has before Exif is mostly copied, too.
        let start = profile.bytes.starts(with: Self.exifMark) ? Self.exifMark.count : 0
        exif = ExifMetadata(UnpackedBytes(content: profile.bytes), at: [start])
      }
    case "xmp": xmp = profile.bytes[...]
    case "iptc", "8bim":
      let start = profile.bytes.starts(with: Self.photoshopMark) ? Self.photoshopMark.count : 0
      let isResource = profile.bytes[start...].starts(with: Array("8BIM".utf8))
      iptc = isResource ? IPTCMetadata(photoshop: profile.bytes[start...]) : IPTCMetadata(profile.bytes[...])
    default: break
    }
  }

  private mutating func readWebP(_ file: ImageFile) {
    isCutOff = file.number(at: 4, count: 4, .little) + 8 > file.size
    var offset = 12
    for _ in 0..<Self.mostParts {
      let count = file.number(at: offset + 4, count: 4, .little)
      switch String(decoding: file.bytes(at: offset, count: 4), as: UTF8.self) {
      case "VP8X":
        size = (
          file.number(at: offset + 12, count: 3, .little) + 1, file.number(at: offset + 15, count: 3, .little) + 1
        )
      case "VP8 " where size.width == 0:
        // Fourteen bits each, the others scale.
        size = (
          file.number(at: offset + 14, count: 2, .little) & 0x3FFF,
          file.number(at: offset + 16, count: 2, .little) & 0x3FFF
        )
      case "VP8L" where size.width == 0:
        let bits = file.number(at: offset + 9, count: 4, .little)
        size = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
      case "EXIF":
        // Some programs leave JPEG's mark before it.
        let mark = file.bytes(at: offset + 8, count: 6).elementsEqual(Self.exifMark) ? 6 : 0
        exif = ExifMetadata(file, at: [offset + 8 + mark])
      case "XMP ": xmp = file.bytes(at: offset + 8, count: min(count, Self.longestPacket))
      case "": return
      default: break
      }
      offset += 8 + count + count % 2
    }
  }

  private mutating func readBMP(_ file: ImageFile) {
    size = Bitmap.size(of: file) ?? (0, 0)
  }
}

// MARK: - HEIF and AVIF, JPEG XL (ISO/IEC 18181-2)

extension Container {
  private mutating func readHEIF(_ file: ImageFile) {
    let boxes = file.boxes(atMost: Self.mostParts)
    // What Exif says of turning is said again by a property, which counts.
    isTurnedByExif = false
    isCutOff = boxes.contains { $0.content.upperBound > file.size }
    guard let place = boxes.first(where: { $0.type == "meta" })?.content else { return }
    let metadata = HEIFMetadata(file, at: place)
    size = metadata.size
    exif = metadata.exif(in: file).map { ExifMetadata(file, at: [$0]) }
    if let place = metadata.xmp {
      xmp = file.bytes(at: place.lowerBound, count: min(place.count, Self.longestPacket))
    }
  }

  /// A bare codestream, or one in boxes with metadata beside it; those that Brotli has packed are not read.
  private mutating func readJPEGXL(_ file: ImageFile) {
    isTurnedByExif = false
    var header = JPEGXLHeader(file.bytes(at: 0, count: JPEGXLHeader.longest))
    for box in header == nil ? file.boxes(atMost: Self.mostParts) : [] {
      let start = box.content.lowerBound
      isCutOff = isCutOff || box.content.upperBound > file.size
      switch box.type {
      case "jxlc", "jxlp":
        // A part has its number before it.
        let offset = start + (box.type == "jxlp" ? 4 : 0)
        header = header ?? JPEGXLHeader(file.bytes(at: offset, count: JPEGXLHeader.longest))
      case "Exif": exif = ExifMetadata(file, at: [start + 4 + file.number(at: start, count: 4, .big)])
      case "xml ": xmp = file.bytes(at: start, count: min(box.content.count, Self.longestPacket))
      default: break
      }
    }
    size = header.map { ($0.width, $0.height) } ?? (0, 0)
  }
}

extension ImageFile {
  fileprivate enum ByteOrder {
    case big, little
  }

  /// 0 where the file ends before.
  fileprivate func number(at offset: Int, count: Int, _ order: ByteOrder) -> Int {
    let bytes = bytes(at: offset, count: count)
    guard bytes.count == count else { return 0 }
    return order == .big
      ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
