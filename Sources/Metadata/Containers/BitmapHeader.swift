/// The header of a bitmap of Windows or OS/2 (BITMAPCOREHEADER, BITMAPINFOHEADER and its successors).
public struct BitmapHeader {
  /// The place of the pixels in the file.
  public let start: Int
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// Whether the first row in the file is the top one.
  public let isTopDown: Bool
  /// The number of bits of a pixel.
  public let depth: Int
  /// The compression, by the format's own numbers.
  public let compression: Int
  /// The number of colors in the palette.
  public let colors: Int
  /// The size of the header in bytes.
  private let size: Int

  /// The size in bytes of OS/2's first header. It alone has sides of two bytes, and colors of three.
  private static let coreSize = 12

  /// The number of bytes that a color takes in the palette.
  public var colorBytes: Int { size == Self.coreSize ? 3 : 4 }

  /// The place of the palette: behind the header, and behind the masks that a header of 40 bytes has no room for.
  public var paletteStart: Int { 14 + size + (size == 40 && compression == 3 ? 12 : 0) }

  /// Reads the header. Returns nil if the file ends within it, or if its numbers are invalid.
  public init?(_ file: ImageFile) {
    size = file.number(at: 14, count: 4, .littleEndian)
    let (isCore, end) = (size == Self.coreSize, 14 + size)
    guard isCore || size >= 16, file.size >= (isCore ? 26 : min(54, end)) else { return nil }
    // OS/2's second header may end before its last fields, which are 0 then.
    func field(_ offset: Int, count: Int = 4) -> Int {
      offset + count <= end ? file.number(at: offset, count: count, .littleEndian) : 0
    }
    if isCore {
      width = field(18, count: 2)
      height = field(20, count: 2)
      isTopDown = false
    } else {
      width = Int(Int32(truncatingIfNeeded: field(18)))
      let signedHeight = Int(Int32(truncatingIfNeeded: field(22)))
      height = abs(signedHeight)
      isTopDown = signedHeight < 0
    }
    depth = field(isCore ? 24 : 28, count: 2)
    compression = isCore ? 0 : field(30)
    let used = isCore ? 0 : field(46)
    colors = depth <= 8 ? (used == 0 ? 1 << depth : min(used, 1 << depth)) : 0
    start = field(10)
    guard width > 0, height > 0 else { return nil }
  }
}
