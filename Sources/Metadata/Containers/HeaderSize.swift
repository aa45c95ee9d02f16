import Gallery

extension ImageFile {
  /// The size by the header of a format that has its numbers at fixed places or in short records; zeros for other formats.
  ///
  /// Specifications: Truevision TGA 2.0, Adobe Photoshop File Formats, ZSoft PCX 5, SGI Image File Format 1.00, QOI 1.0,
  /// Microsoft's DDS_HEADER and icons, X bitmaps (Xlib), OpenEXR 2 and FITS 4.0.
  public var headerSize: (width: Int, height: Int) {
    func big(_ place: Int, _ count: Int) -> Int { number(at: place, count: count, .bigEndian) }
    func little(_ place: Int, _ count: Int) -> Int { number(at: place, count: count, .littleEndian) }
    switch format {
    case .bmp: return BitmapHeader(self).map { ($0.width, $0.height) } ?? (0, 0)
    case .tga: return (little(12, 2), little(14, 2))
    case .psd: return (big(18, 4), big(14, 4))
    case .pcx: return (little(8, 2) - little(4, 2) + 1, little(10, 2) - little(6, 2) + 1)
    // An image of one dimension is a row.
    case .sgi: return (big(6, 2), big(4, 2) == 1 ? 1 : big(8, 2))
    case .qoi: return (big(4, 4), big(8, 4))
    case .dds: return (little(16, 4), little(12, 4))
    case .ico: return IconEntry(largestOf: self).map { ($0.width, $0.height) } ?? (0, 0)
    case .xbm: return BitmapText(self).map { ($0.width, $0.height) } ?? (0, 0)
    case .fits: return FITSHeader(self).map { ($0.width, $0.height) } ?? (0, 0)
    case .openEXR: return displayWindow
    default: return (0, 0)
    }
  }

  /// The size of an OpenEXR's display window (OpenEXR, "File Layout"): each attribute has a name, a type, a length and data.
  private var displayWindow: (width: Int, height: Int) {
    var reader = ByteReader(bytes(at: 8, count: 1 << 16))
    while let name = reader.text(), !name.isEmpty, reader.text() != nil, let length = reader.bytes(4) {
      guard let data = reader.bytes(length.number(.littleEndian)) else { break }
      guard name == "displayWindow", data.count == 16 else { continue }
      let edges = (0..<4).map {
        Int(Int32(truncatingIfNeeded: data.dropFirst(4 * $0).prefix(4).number(.littleEndian)))
      }
      return (edges[2] - edges[0] + 1, edges[3] - edges[1] + 1)
    }
    return (0, 0)
  }
}

/// An image in an icon or a cursor of Windows.
public struct IconEntry {
  /// The place of the image in the file.
  public let place: Int
  /// The length of the image in bytes.
  public let count: Int
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// Whether the image is a PNG, and not a bitmap.
  public let isPNG: Bool

  /// Finds the largest image with the most colors. Returns nil if there is none.
  public init?(largestOf file: ImageFile) {
    let entries = (0..<min(255, file.number(at: 4, count: 2, .littleEndian))).compactMap { IconEntry(file, index: $0) }
    let depths = entries.map { $0.isPNG ? 32 : file.number(at: $0.place + 14, count: 2, .littleEndian) }
    let best = zip(entries, depths).max { ($0.0.width * $0.0.height, $0.1) < ($1.0.width * $1.0.height, $1.1) }
    guard let best else { return nil }
    self = best.0
  }

  private init?(_ file: ImageFile, index: Int) {
    let entry = 6 + 16 * index
    count = file.number(at: entry + 8, count: 4, .littleEndian)
    place = file.number(at: entry + 12, count: 4, .littleEndian)
    isPNG = file.bytes(at: place, count: 4).elementsEqual([0x89, 0x50, 0x4E, 0x47])
    // The list has one byte for a side, so the image itself is asked. A bitmap's height counts its mask, too.
    width = isPNG ? file.number(at: place + 16, count: 4, .bigEndian) : Self.side(file, at: place + 4)
    height = isPNG ? file.number(at: place + 20, count: 4, .bigEndian) : Self.side(file, at: place + 8) / 2
    guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
  }

  private static func side(_ file: ImageFile, at place: Int) -> Int {
    Int(Int32(truncatingIfNeeded: file.number(at: place, count: 4, .littleEndian)))
  }
}

/// The beginning of an X bitmap, which is a text in C.
public struct BitmapText {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The place of the numbers, which are in hexadecimal, behind a brace.
  public let start: Int

  /// Returns nil if the sizes are missing.
  public init?(_ file: ImageFile) {
    let head = file.bytes(at: 0, count: 4096)
    guard let brace = head.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    var sizes: [Substring: Int] = [:]
    for line in String(decoding: head[..<brace], as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count == 3, words[0] == "#define", let name = words[1].split(separator: "_").last else { continue }
      sizes[name] = Int(words[2])
    }
    guard let width = sizes["width"], let height = sizes["height"], width > 0, height > 0 else { return nil }
    self.width = width
    self.height = height
    start = brace + 1
  }
}

/// The header of the first image in a FITS file: cards of 80 characters in blocks of 2,880 bytes.
public struct FITSHeader {
  /// The number of bits of a value: 8, 16, 32 or 64, or -32 or -64 for floating-point numbers.
  public private(set) var bits = 0
  /// The width in pixels.
  public var width: Int { axes[0] }
  /// The height in pixels.
  public var height: Int { axes.count > 1 ? axes[1] : 1 }
  /// Whether there are three planes, of red, green and blue.
  public var isColor: Bool { axes.count == 3 && axes[2] == 3 }
  /// The number that stands for black and white is `zero + scale * value`.
  public private(set) var zero = 0.0
  /// The factor of a value.
  public private(set) var scale = 1.0
  /// The place of the values in the file.
  public private(set) var start = 0

  private var axes: [Int] = []
  private var extraBytes = 0
  private var groups = 1
  private var isImage = true

  private static let blockSize = 2880
  private static let mostBlocks = 256
  private static let mostHeaders = 64

  /// Returns nil if the file has no image.
  public init?(_ file: ImageFile) {
    var place = 0
    for _ in 0..<Self.mostHeaders {
      guard let header = FITSHeader(file, at: place) else { return nil }
      if header.isImage, header.axes.count >= 1, header.axes.allSatisfy({ $0 > 0 }) {
        self = header
        return
      }
      guard let end = header.end, end > place else { return nil }
      place = end
    }
    return nil
  }

  /// Reads the header at a place.
  private init?(_ file: ImageFile, at place: Int) {
    for block in 0..<Self.mostBlocks {
      let cards = file.bytes(at: place + block * Self.blockSize, count: Self.blockSize)
      guard cards.count == Self.blockSize else { return nil }
      for card in stride(from: 0, to: Self.blockSize, by: 80) {
        let text = String(decoding: cards[card..<card + 80], as: UTF8.self)
        let name = text.prefix { $0 != " " && $0 != "=" }
        if name == "END" {
          start = place + (block + 1) * Self.blockSize
          return
        }
        read(name, text.dropFirst(9).prefix { $0 != "/" }.filter { $0 != " " })
      }
    }
    return nil
  }

  private mutating func read(_ name: Substring, _ value: String) {
    let number = Int(value) ?? 0
    switch name {
    case "XTENSION": isImage = value.hasPrefix("'IMAGE")
    case "BITPIX": bits = number
    case "NAXIS": axes = Array(repeating: 0, count: min(max(0, number), 999))
    case "PCOUNT": extraBytes = max(0, number)
    case "GCOUNT": groups = max(0, number)
    case "BZERO": zero = Double(value) ?? 0
    case "BSCALE": scale = Double(value) ?? 1
    case _ where name.hasPrefix("NAXIS"):
      let axis = (Int(name.dropFirst(5)) ?? 0) - 1
      if axes.indices.contains(axis) { axes[axis] = max(0, number) }
    default: break
    }
  }

  /// The place behind the values, or nil if it can't be in a file.
  private var end: Int? {
    let values = axes.isEmpty ? 0 : axes.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue & Int.max }
    let bytes = values.multipliedReportingOverflow(by: abs(bits) / 8)
    let all = bytes.partialValue.addingReportingOverflow(extraBytes).partialValue
    let total = all.multipliedReportingOverflow(by: groups)
    guard !bytes.overflow, !total.overflow, (0..<1 << 50).contains(total.partialValue) else { return nil }
    return start + (total.partialValue + Self.blockSize - 1) / Self.blockSize * Self.blockSize
  }
}
