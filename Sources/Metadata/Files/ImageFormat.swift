/// An image format, recognized by a file's first bytes and never by the file's name.
public enum ImageFormat: CaseIterable, Sendable {
  case jpeg, png, gif, webp, tiff, heif, jxl, svg, ppm, pam, bmp
  /// A camera's raw data with the structure of a TIFF.
  case rawTIFF
  /// A camera's raw data in Fujifilm's own structure (RAF).
  case rawFujifilm
  /// A camera's raw data in Canon's boxes (CR3).
  case rawCanon

  /// Recognizes a format by the signature that its specification defines. Returns nil for a format that is not known.
  ///
  /// - Parameter head: The file's first bytes, at least 512 if the file has as many.
  public init?(head: ArraySlice<UInt8>) {
    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: signature)
    }
    func has(_ signature: String, at offset: Int = 0) -> Bool { has(Array(signature.utf8), at: offset) }

    if has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has([0x49, 0x49, 0x2A, 0]) && has("CR", at: 8) || has("IIRO") || has("MMOR") || has("IIRS")
      || has([0x49, 0x49, 0x55, 0])
    {
      self = .rawTIFF
    } else if has("FUJIFILMCCD-RAW") {
      self = .rawFujifilm
    } else if has("ftypcrx ", at: 4) {
      self = .rawCanon
    } else if has("BM"), head.count >= 26 {
      self = .bmp
    } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) || has(BigTIFF.littleEndianHead)
      || has(BigTIFF.bigEndianHead)
    {
      self = .tiff
    } else if has("ftyp", at: 4), Self.brands(head).contains(where: { Self.heifBrands.contains($0) }) {
      self = .heif
    } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .jxl
    } else if ["P1", "P2", "P3", "P4", "P5", "P6", "PF", "Pf"].contains(where: { has($0) }),
      let byte = head.dropFirst(2).first, Self.isSpace(byte) || byte == UInt8(ascii: "#")
    {
      self = .ppm
    } else if has("P7\n") {
      self = .pam
    } else if Self.isSVG(head) {
      self = .svg
    } else {
      return nil
    }
  }

  /// Whether the file holds a camera's raw data, of which only the embedded preview can be shown.
  public var isRaw: Bool { self == .rawTIFF || self == .rawFujifilm || self == .rawCanon }

  /// The brands of the files that libheif reads: those of HEVC, of AV1, and of either.
  private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "mif1", "avif", "avis"]

  /// Returns the brands that a file of boxes claims to conform to (ISO/IEC 14496-12, "File Type Box"), as far as they are
  /// within `head`.
  private static func brands(_ head: ArraySlice<UInt8>) -> [String] {
    let count = min(head.count, head.prefix(4).number(.bigEndian))
    return stride(from: 8, to: count - 3, by: 4).map { start in
      String(decoding: head.dropFirst(start).prefix(4), as: UTF8.self)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Whether the first element of a text is `svg`. White space, comments, and declarations may come before it.
  private static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
    var rest = head
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop(while: isSpace)
      let ends = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")]
      guard let (start, end) = ends.first(where: { rest.starts(with: $0.0.utf8) }) else { break }
      guard let found = rest.dropFirst(start.utf8.count).firstRange(of: Array(end.utf8)) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.starts(with: "<svg".utf8)
  }
}
