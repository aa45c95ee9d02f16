extension ImageFormat {
  /// The number of bytes at a file's start that show its format, unless a long comment comes first.
  private static let headSize = 4096

  /// Recognizes the format of a file. Returns nil for a format that is not known, and if the file can't be read.
  public init?(of path: FilePath) { self.init(head: path.head(Self.headSize)[...]) }

  /// Recognizes a format by the signature that its specification defines. Returns nil for a format that is not known.
  ///
  /// - Parameter head: The file's first bytes, at least 512 if the file has as many.
  public init?(head: ArraySlice<UInt8>) {
    let head = Head(bytes: head)
    guard let format = Self.signed(head) ?? Self.structured(head) else { return nil }
    self = format
  }

  /// Recognizes the formats whose files begin with a signature.
  private static func signed(_ head: Head) -> ImageFormat? {
    if head.has([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if head.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if head.has("GIF87a") || head.has("GIF89a") { return .gif }
    if head.has("RIFF"), head.has("WEBP", at: 8) { return .webp }
    if head.has([0x49, 0x49, 0x2A, 0]) && (head.has("CR", at: 8) || head.has("IIII", at: 8))
      || head.has([0x4D, 0x4D, 0, 0x2A]) && head.has("MMMM", at: 8)
      || head.has("IIRO") || head.has("MMOR") || head.has("IIRS") || head.has([0x49, 0x49, 0x55, 0])
    {
      return .rawTIFF
    }
    if head.has("FUJIFILMCCD-RAW") { return .rawFujifilm }
    if head.has("ftypcrx ", at: 4) { return .rawCanon }
    if head.has("HEAPCCDR", at: 6) { return .rawCIFF }
    if head.has("\0MRM") { return .rawMinolta }
    if head.has("FOVb") { return .rawSigma }
    // The longer two are those of BigTIFF.
    if head.has([0x49, 0x49, 0x2A, 0]) || head.has([0x4D, 0x4D, 0, 0x2A])
      || head.has([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]) || head.has([0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0])
    {
      return .tiff
    }
    if head.has([0xFF, 0x0A]) || head.has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) { return .jxl }
    if head.has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || head.has([0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
    if head.has("#?RADIANCE") || head.has("#?RGBE") { return .radiance }
    if head.has("SIMPLE  =") { return .fits }
    if head.has([0x76, 0x2F, 0x31, 0x01]) { return .openEXR }
    if head.has("8BPS\0") { return .psd }
    if head.has("gimp xcf ") { return .xcf }
    if head.has("qoif") { return .qoi }
    if head.has("DDS ") { return .dds }
    if head.has("icns") { return .icns }
    if head.has([0x49, 0x49, 0xBC]) { return .jpegXR }
    if head.has("P7\n") { return .pam }
    if head.isSiliconGraphics { return .sgi }
    if head.has("%PDF-") { return .pdf }
    return video(head)
  }

  /// Recognizes the formats of videos that begin with a signature.
  private static func video(_ head: Head) -> ImageFormat? {
    if head.has([0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
    if head.has("RIFF"), head.has("AVI ", at: 8) { return .avi }
    if head.has([0, 0, 1, 0xBA]) || head.has([0, 0, 1, 0xB3]) { return .mpegPS }
    if head.has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .asf }
    if head.has("FLV\u{1}") { return .flv }
    // The same container has music, whose first packet has another name.
    if head.has("OggS"), head.has([0x80, 0x74, 0x68, 0x65, 0x6F, 0x72, 0x61], at: 28) { return .ogg }
    return nil
  }

  /// Recognizes the formats whose signatures are short or have no fixed place. More of the file must make sense, since any
  /// file may begin so.
  private static func structured(_ head: Head) -> ImageFormat? {
    if head.isBitmap { return .bmp }
    if head.has("ftyp", at: 4) {
      if head.brands.contains(where: heifBrands.contains) { return .heif }
      return head.brands.first.map(soundBrands.contains) == true ? nil : .quickTime
    }
    // QuickTime's files had no list of brands at first.
    if ["moov", "mdat", "wide"].contains(where: { head.has($0, at: 4) }) { return .quickTime }
    if head.isTransportStream { return .mpegTS }
    if head.isPortableMap { return .ppm }
    if head.isIcon { return .ico }
    if head.isPaintbrush { return .pcx }
    if head.isTarga { return .tga }
    if head.isTextBitmap { return .xbm }
    return head.isSVG ? .svg : nil
  }

  /// The brands of the files that libheif reads: those of HEVC, of AV1, and of either.
  private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "mif1", "avif", "avis"]
  /// The brands of files without images.
  private static let soundBrands: Set<String> = ["M4A ", "M4B ", "M4P "]
}

/// The first bytes of a file.
private struct Head {
  let bytes: ArraySlice<UInt8>

  func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).prefix(signature.count).elementsEqual(signature)
  }

  func has(_ signature: StaticString, at offset: Int = 0) -> Bool {
    let text = UnsafeBufferPointer(start: signature.utf8Start, count: signature.utf8CodeUnitCount)
    return bytes.dropFirst(offset).prefix(text.count).elementsEqual(text)
  }

  /// Returns the byte at an offset, or nil if the file ends before.
  private subscript(offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
  }

  /// Returns the little-endian number of two bytes at an offset, or 0 if the file ends before.
  private func short(at offset: Int) -> Int {
    guard let low = self[offset], let high = self[offset + 1] else { return 0 }
    return Int(high) << 8 | Int(low)
  }

  /// Whether this is a bitmap of Windows or OS/2, whose header begins with its size.
  var isBitmap: Bool { has("BM") && bytes.count >= 26 && (12...124).contains(short(at: 14)) && short(at: 16) == 0 }

  /// Whether this is an icon or a cursor of Windows: a list of images, whose first entry has a byte that is always 0.
  var isIcon: Bool {
    (has([0, 0, 1, 0]) || has([0, 0, 2, 0])) && (1...255).contains(short(at: 4)) && self[9] == 0
  }

  /// Whether this is a picture of PC Paintbrush: a version, the compression, and the number of bits.
  var isPaintbrush: Bool {
    guard has([0x0A]), let version = self[1], let bits = self[3] else { return false }
    return [0, 2, 3, 4, 5].contains(version) && self[2] == 1 && [1, 2, 4, 8].contains(bits)
      && short(at: 4) <= short(at: 8) && short(at: 6) <= short(at: 10) && self[64] == 0
  }

  /// Whether this is a Truevision TGA, which has no signature at its beginning: all fields of the header must be valid.
  var isTarga: Bool {
    guard let palette = self[1], palette <= 1, let type = self[2], let depth = self[16], let descriptor = self[17]
    else {
      return false
    }
    let isMapped = type == 1 || type == 9
    guard isMapped || [2, 3, 10, 11].contains(type), isMapped == (palette == 1) else { return false }
    let hasColors = isMapped ? short(at: 5) > 0 : short(at: 3) == 0 && short(at: 5) == 0 && self[7] == 0
    let depths: [UInt8] = isMapped || type & 7 == 3 ? [8, 16] : [15, 16, 24, 32]
    return hasColors && short(at: 12) > 0 && short(at: 14) > 0 && depths.contains(depth) && descriptor & 0xC0 == 0
  }

  /// Whether this is an SGI image: a number, the compression, the bytes of a sample, and the dimensions, of which there are up to
  /// three.
  var isSiliconGraphics: Bool {
    guard has([0x01, 0xDA]), let compression = self[2], let bytes = self[3] else { return false }
    return compression <= 1 && (1...2).contains(bytes) && self[4] == 0 && self[5].map { (1...3).contains($0) } == true
  }

  /// Whether this is an X bitmap, which begins with a definition of its width, or with comments before that.
  var isTextBitmap: Bool {
    guard has("#define ") || has("/*") else { return false }
    return ["_width ", "_width\t"].contains { bytes.prefix(1024).firstRange(of: Array($0.utf8)) != nil }
      && bytes.prefix(1024).firstRange(of: Array("_bits".utf8)) != nil
  }

  /// Whether this is a transport stream: packets of 188 bytes that begin with the same byte, each behind a time stamp in AVCHD.
  var isTransportStream: Bool {
    [(0, 188), (4, 192)].contains { first, packet in (0..<3).allSatisfy { self[first + $0 * packet] == 0x47 } }
  }

  /// Whether this is a portable map: its number, and then a number or a comment.
  var isPortableMap: Bool {
    let magic: [StaticString] = ["P1", "P2", "P3", "P4", "P5", "P6", "PF", "Pf"]
    guard magic.contains(where: { has($0) }) else { return false }
    let rest = bytes.dropFirst(2).drop(while: Self.isSpace)
    guard rest.startIndex > bytes.startIndex + 2 || rest.first == UInt8(ascii: "#"), let next = rest.first else {
      return false
    }
    return next == UInt8(ascii: "#") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
  }

  /// The brands that a file of boxes claims to conform to (ISO/IEC 14496-12, "File Type Box"), as far as they are within
  /// the head.
  var brands: [String] {
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return stride(from: 8, to: min(bytes.count, size) - 3, by: 4).map { start in
      String(decoding: bytes.dropFirst(start).prefix(4), as: UTF8.self)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Whether the first element of a text is `svg`. White space, comments, and declarations may come before it.
  var isSVG: Bool {
    var rest = bytes
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop(while: Self.isSpace)
      let ends = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")]
      guard let (start, end) = ends.first(where: { rest.starts(with: $0.0.utf8) }) else { break }
      guard let found = rest.dropFirst(start.utf8.count).firstRange(of: Array(end.utf8)) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.starts(with: "<svg".utf8)
  }
}
