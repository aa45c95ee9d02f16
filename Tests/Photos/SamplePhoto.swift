/// Small JPEG files with metadata, built by the formats' specifications (see the readers in Sources/Metadata).
public enum SamplePhoto {
  /// Returns a JPEG of 640x480 pixels, none of which is coded.
  ///
  /// - Parameter segments: Complete marker segments.
  public static func jpeg(_ segments: [[UInt8]]) -> [UInt8] {
    let frame = segment(0xC0, [8, 0x01, 0xE0, 0x02, 0x80, 1, 1, 0x11, 0])
    let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + Array(repeating: 0x55, count: 100)
    return [0xFF, 0xD8] + segments.joined() + frame + scan + [0xFF, 0x00, 0xFF, 0xD0, 0xFF, 0xD9]
  }

  /// Returns a segment of Exif with many tags, an orientation of 6 among them.
  public static func exif(isBigEndian: Bool = true) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + tiff(isBigEndian: isBigEndian))
  }

  /// Returns a segment of Exif.
  public static func exif(_ tiff: TIFF) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff.bytes) }

  /// Returns the structure of TIFF in ``exif(isBigEndian:)``.
  public static func tiff(isBigEndian: Bool) -> [UInt8] {
    var tiff = TIFF(isBigEndian: isBigEndian)
    tiff.add([
      .text(0x010E, "Exif’s caption"), .text(0x010F, "Maker Inc."), .text(0x0110, "Maker Model 1"), .short(0x0112, 6),
      .short(0x4746, 2), .directory(0x8769), .directory(0x8825),
    ])
    tiff.add([
      .fractions(0x829A, [(1, 200)]), .fractions(0x829D, [(28, 10)]), .short(0x8827, 400),
      .text(0x9003, "2003:12:14 12:01:44"), .text(0x9011, "-03:30"), .text(0x9291, "25"),
      .fractions(0x920A, [(50, 1)]), .text(0xA434, "50 mm"),
    ])
    tiff.add([
      .text(1, "S"), .fractions(2, [(33, 1), (30, 1), (0, 1)]), .text(3, "E"),
      .fractions(4, [(151, 1), (15, 1), (0, 1)]), .byte(5, 1), .fractions(6, [(3, 1)]),
    ])
    return tiff.bytes
  }

  /// A segment of Photoshop's resources with IPTC: a title, two keywords, and a caption.
  public static let iptc = iptc([
    (5, Array("IPTC title".utf8)), (25, Array("k1".utf8)), (25, Array("k2".utf8)),
    // The caption is in Latin-1, since nothing declares another encoding.
    (120, [0x43, 0x61, 0x66, 0xE9, 0x0A] + Array("at noon".utf8)),
  ])

  /// Returns a segment of Photoshop's resources with data sets of record 2 of IPTC's Information Interchange Model.
  public static func iptc(_ sets: [(number: UInt8, data: [UInt8])]) -> [UInt8] {
    var data: [UInt8] = []
    for set in sets { data += [0x1C, 2, set.number, 0, UInt8(set.data.count)] + set.data }
    let length = [0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
    let other = Array("8BIM".utf8) + [0x03, 0xED, 3, 0x61, 0x62, 0x63, 0, 0, 0, 1, 9, 0]
    let resource = Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + data
    // Resources have an even length.
    let padding: [UInt8] = data.count % 2 == 0 ? [] : [0]
    return segment(0xED, Array("Photoshop 3.0\0".utf8) + other + resource + padding)
  }

  /// A segment of XMP with ``packet``.
  public static let xmp = xmpSegment(packet)

  /// A packet of XMP with a rating, a label, a description, and two keywords.
  public static let packet = """
    <x:xmpmeta><rdf:RDF><rdf:Description xmp:Rating="4" tiff:Model="Other"><xmp:Label>Red</xmp:Label>
    <dc:description><rdf:Alt><rdf:li xml:lang="x-default">XMP &lt;caption&gt; &#xE9;</rdf:li>
    <rdf:li xml:lang="fr">autre</rdf:li></rdf:Alt></dc:description>
    <dc:subject><rdf:Bag><rdf:li>a &amp; b</rdf:li><rdf:li> c </rdf:li></rdf:Bag></dc:subject>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """

  /// Returns a segment of XMP with a packet.
  public static func xmpSegment(_ packet: String) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 0xFF)] + data
  }
}

/// A structure of TIFF that is built directory by directory. Entries of the first one lead to those that follow it.
public struct TIFF {
  /// An entry of a directory: a tag and its value.
  public enum Field: Sendable {
    case byte(Int, UInt8)
    case short(Int, Int)
    case text(Int, String)
    case fractions(Int, [(Int, Int)])
    /// The offset of the next directory that is added.
    case directory(Int)
    /// A value of any type, whether the type fits the tag or not.
    case raw(Int, type: Int, count: Int, [UInt8])
  }

  public private(set) var bytes: [UInt8]
  private let isBigEndian: Bool
  /// The places of the offsets of directories that have not been added yet.
  private var open: [Int] = []

  public init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
    bytes = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
    bytes += number(8, 4)
  }

  /// Adds a directory.
  public mutating func add(_ fields: [Field]) {
    if !open.isEmpty { bytes.replaceSubrange(open[0]..<open[0] + 4, with: number(bytes.count, 4)) }
    open = Array(open.dropFirst())
    var values: [UInt8] = []
    let start = bytes.count
    let end = start + 2 + 12 * fields.count + 4
    bytes += number(fields.count, 2)
    for field in fields {
      let (tag, type, count, value) = parts(field)
      bytes += number(tag, 2) + number(type, 2) + number(count, 4)
      if case .directory = field { open.append(bytes.count) }
      if value.count <= 4 {
        bytes += value + Array(repeating: 0, count: 4 - value.count)
      } else {
        bytes += number(end + values.count, 4)
        values += value
      }
    }
    bytes += number(0, 4) + values
  }

  private func parts(_ field: Field) -> (tag: Int, type: Int, count: Int, value: [UInt8]) {
    switch field {
    case .byte(let tag, let value): (tag, 1, 1, [value])
    case .short(let tag, let value): (tag, 3, 1, number(value, 2))
    case .text(let tag, let text): (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .fractions(let tag, let parts): (tag, 5, parts.count, parts.flatMap { number($0.0, 4) + number($0.1, 4) })
    case .directory(let tag): (tag, 4, 1, [0, 0, 0, 0])
    case .raw(let tag, let type, let count, let value): (tag, type, count, value)
    }
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
