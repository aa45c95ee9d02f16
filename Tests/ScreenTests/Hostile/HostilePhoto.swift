import Harness

/// A minimal JPEG with texts of any bytes in its Exif, IPTC and XMP (Exif 2.32, IPTC-IIM 4.2, XMP part 3).
enum HostilePhoto {
  static func jpeg(_ text: [UInt8]) -> [UInt8] {
    let text = text.filter { $0 != 0 }
    let frame = segment(0xC0, [8, 0, 16, 0, 16, 1, 1, 0x11, 0])
    let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x55, 0x55]
    return [0xFF, 0xD8] + exif(text) + iptc(text) + xmp(text) + frame + scan + [0xFF, 0xD9]
  }

  /// Returns Exif with a text as caption, maker, model and artist.
  private static func exif(_ text: [UInt8]) -> [UInt8] {
    let tags = [0x010E, 0x010F, 0x0110, 0x013B]
    let start = 8 + 2 + 12 * tags.count + 4
    let value = text + [0, 0, 0, 0]
    let fields = tags.enumerated().flatMap { index, tag in
      number(tag, 2) + number(2, 2) + number(value.count, 4) + number(start + index * value.count, 4)
    }
    let tiff = Array("MM\0*".utf8) + number(8, 4) + number(tags.count, 2) + fields + number(0, 4)
    return segment(0xE1, Array("Exif\0\0".utf8) + tiff + tags.flatMap { _ in value })
  }

  /// Returns IPTC with a text as title and keyword.
  private static func iptc(_ text: [UInt8]) -> [UInt8] {
    let data = [UInt8(5), 25].map { set in [0x1C, 2, set] + number(text.count, 2) + text }.joined()
    let padding = [UInt8](repeating: 0, count: data.count % 2)
    let head = Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, 4, 0, 0]
    return segment(0xED, head + number(data.count, 4) + Array(data) + padding)
  }

  /// Returns XMP with a text as label and as two keywords, one plain, the other as character references.
  private static func xmp(_ text: [UInt8]) -> [UInt8] {
    let plain = text.filter { !"<>&\"".utf8.contains($0) }
    let references = String(decoding: text, as: UTF8.self).unicodeScalars.map { "&#\($0.value);" }.joined()
    let head = """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:RDF><rdf:Description><dc:subject><rdf:Bag><rdf:li>\(references)\
      </rdf:li><rdf:li>
      """
    let middle = "</rdf:li></rdf:Bag></dc:subject><xmp:Label>"
    let end = "</xmp:Label></rdf:Description></rdf:RDF></x:xmpmeta>"
    return segment(0xE1, Array(head.utf8) + plain + Array(middle.utf8) + plain + Array(end.utf8))
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker] + number(data.count + 2, 2) + data
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
