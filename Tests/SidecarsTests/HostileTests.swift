import Gallery
import TestLimit
import Testing

@testable import Sidecars

/// The content of a sidecar. Its description is short, because Swift Testing prints the arguments of tests.
struct Content: CustomTestStringConvertible, ExpressibleByArrayLiteral {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(_ text: String) { bytes = Array(text.utf8) }

  init(arrayLiteral bytes: UInt8...) { self.bytes = bytes }

  static func properties(_ properties: String) -> Content { Content(sidecar(properties)) }

  static func + (one: Content, other: Content) -> Content { Content(one.bytes + other.bytes) }

  var testDescription: String {
    "\(String(decoding: bytes.prefix(20), as: UTF8.self))… of \(bytes.count) bytes"
  }
}

@Suite(.limited) struct HostileTests {
  private static let laughs = """
    <?xml version="1.0"?>
    <!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>

    """

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private static func numbered(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined() }

  @Test(
    arguments: [
      ([], .empty), (Content(" \r\n"), .empty),
      (Content(laughs) + .properties("<p:a>&c;</p:a>"), .documentType),
      (.properties("<p:a>&c;</p:a>"), .notXML),
      (.properties(repeated("<p:a rdf:parseType=\"Resource\">", 100) + repeated("</p:a>", 100)), .tooComplex),
      (.properties(numbered(3000) { "<p:a\($0)/>" }), .tooComplex),
      (.properties(numbered(300) { "<q:a xmlns:q=\"http://example.org/\($0)\"/>" }), .tooComplex),
      (.properties("<p:a><rdf:Bag>" + repeated("<rdf:li/>", 200_000) + "</rdf:Bag></p:a>"), .tooComplex),
      (.properties("<p:a>\u{0}</p:a>"), .notXML), (.properties("<p:a>\u{1}</p:a>"), .notXML),
      (.properties("<p:a>&#1;</p:a>"), .notXMP),
      (.properties("<p:a>") + [0xFF], .encoding), (.properties("<p:a>Z") + [0xEB] + Content("</p:a>"), .encoding),
      (Content("<?xml version='1.0' encoding='ISO-8859-1'?>") + .properties(""), .encoding),
      ([0xFE, 0xFF, 0xD8, 0x00], .encoding), ([0xFE, 0xFF, 0x00], .encoding),
      (Content(sidecar("").dropLast()), .notXML), (.properties("") + Content("<a/>"), .notXML),
      (.properties("<p:a>"), .notXML), (.properties("<p:a b></p:a>"), .notXML), (.properties("<q:a/>"), .notXML),
      (Content("{\"rating\": 5}"), .notXML), ([0xFF, 0xD8, 0xFF, 0xE0], .encoding),
      (Content("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), .notXMP),
      (Content("<x:xmpmeta xmlns:x=\"http://example.org/\"/>"), .notXMP),
      (Content("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"), .notXMP),
      (.properties("<xmp:Rating>1</xmp:Rating><xmp:Rating>2</xmp:Rating>"), .notXMP),
      (.properties("<p:a rdf:parseType=\"Literal\"><b/></p:a>"), .notXMP),
    ] as [(Content, SidecarFault.Damage)])
  func aDamagedOrDangerousSidecarIsNeverOverwritten(content: Content, damage: SidecarFault.Damage) throws {
    let folder = try TestFolder()
    try folder.write(content.bytes)
    let error = SidecarError(FilePath(folder.path + "/a.jpg.xmp"), .damaged(damage))
    #expect(throws: error) { try Sidecars().decisions(of: folder.photo) }
    #expect(throws: error) { try Sidecars().apply(.full, to: folder.photo) }
    #expect(try folder.bytes() == content.bytes)
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test(
    arguments: [
      Content.properties("<p:a>" + repeated("x", 1 << 16) + "</p:a>"),
      .properties("<p:a p:b=\"" + repeated("x", 1 << 16) + "\"/>"),
      Content([0xEF, 0xBB, 0xBF]) + .properties(""),
      Content("<?xpacket begin='\u{FEFF}'?>\r\n") + .properties("\r\n<p:a/>\r\n")
        + Content("\r\n<?xpacket end='w'?>  \r\n"),
      Content("<?xml version='1.0' encoding='us-ascii'?><!-- <!DOCTYPE -->") + .properties(""),
      .properties("<p:a><![CDATA[<!DOCTYPE a>]]></p:a><?pi <!DOCTYPE ?>"),
      .properties("<p:a xml:lang=\"en\">&#x301;</p:a>"),
      .properties("<p:a>&amp;\u{301};&#xD;\r\n</p:a>"),
    ] as [Content])
  func unusualSidecarsKeepTheirBytes(content: Content) throws {
    let folder = try TestFolder()
    try folder.write(content.bytes)
    let inverse = try Sidecars().apply(.full, to: folder.photo).inverse
    #expect(try Sidecars().decisions(of: folder.photo) == .full)
    try Sidecars().apply(inverse, to: folder.photo)
    let date = /\s*<xmp:MetadataDate>[^<]*<\/xmp:MetadataDate>/
    #expect(try Array(String(decoding: folder.bytes(), as: UTF8.self).replacing(date, with: "").utf8) == content.bytes)
  }

  @Test(arguments: [false, true], [false, true])
  func sidecarsInUTF16BecomeUTF8(isBigEndian: Bool, hasMark: Bool) throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + String(decoding: sidecar("<p:a>é🌅</p:a>"), as: UTF8.self)
    let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
    let folder = try TestFolder()
    try folder.write(
      units.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isBigEndian ? bytes : bytes.reversed()
      })
    try Sidecars().apply(.full, to: folder.photo)
    #expect(try Sidecars().decisions(of: folder.photo) == .full)
    let written = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(written.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") && written.contains("<p:a>é🌅</p:a>"))
  }

  @Test func charactersThatXMLForbidsAreLeftOut() throws {
    let folder = try TestFolder()
    let result = try Sidecars().apply(.caption("a\u{0}b\u{1B}c\u{FFFF}d\te\rf\r\ng"), to: folder.photo)
    #expect(result.decisions.caption == "abcd\te\rf\r\ng")
  }

  @Test func aTooLargeSidecarIsNotRead() throws {
    let folder = try TestFolder()
    try folder.write(repeatElement(0x20, count: SidecarFile.largestSize + 1))
    #expect(throws: SidecarError(FilePath(folder.path + "/a.jpg.xmp"), .tooLarge)) {
      try Sidecars().apply(.full, to: folder.photo)
    }
  }

  /// libexempi stays silent, because its messages would appear on the gallery's screen.
  @Test func valuesOutOfRangeAreIgnored() throws {
    let decisions = try XMPDocument(
      sidecar(
        """
        <xmp:Rating>7</xmp:Rating><tiff:Orientation xmlns:tiff="http://ns.adobe.com/tiff/1.0/">9</tiff:Orientation>
        <darktable:colorlabels><rdf:Bag><rdf:li>9</rdf:li><rdf:li>2</rdf:li></rdf:Bag></darktable:colorlabels>
        """)
    ).decisions
    #expect(decisions.rating == nil && decisions.orientation == nil && decisions.label == "Green")
  }
}
