import Foundation
import Gallery
import TestLimit
import Testing

@testable import Sidecars

@Suite(.limited) struct SampleTests {
  @Test(
    arguments: [
      (Sample.darktable, 1, "Blue", ["Norway", "fjord"], ["Places|Norway", "fjord"], nil, nil),
      (.digikam, 4, "Green", ["Norway", "fjord"], ["Places|Norway", "fjord"], "Morning, before the crowds 🌅", 6),
      (.lightroom, -1, nil, nil, nil, nil, 1),
      (.captureone, 3, "To print", nil, ["Places|Norway"], "                               ", nil),
      (.bridge, -1, "Second", nil, nil, nil, nil),
      (.exiftool, 2, nil, nil, nil, nil, nil),
      (.unusual, 5, nil, ["Norway", "rock & water"], nil, "Fjorden", nil),
    ] as [(Sample, Int?, String?, [String]?, [String]?, String?, Int?)])
  func theDecisionsOfOtherProgramsAreRead(
    sample: Sample, rating: Int?, label: String?, keywords: [String]?, hierarchical: [String]?, caption: String?,
    orientation: Int?
  ) throws {
    let decisions = try XMPDocument(sample.bytes).decisions
    #expect(decisions.rating == rating)
    #expect(decisions.label == label)
    #expect(decisions.keywords == keywords)
    #expect(decisions.hierarchicalKeywords == hierarchical)
    #expect(decisions.caption == caption)
    #expect(decisions.orientation?.rawValue == orientation)
  }

  @Test(arguments: Sample.allCases)
  func aChangeLeavesEverythingElseAsItIs(sample: Sample) throws {
    let folder = try TestFolder()
    try folder.write(sample.bytes)
    let result = try Sidecars().apply(.full, to: folder.photo)
    #expect(result.decisions == .full)
    #expect(try Sidecars().decisions(of: folder.photo) == .full)
    let (old, new) = (try Graph(sample.bytes), try Graph(folder.bytes()))
    #expect(old.values.count >= 5)
    let written =
      SidecarProperty.own + [
        .darktableLabels, .digiKamLabel, .digiKamTags, .lightroomPick, .lightroomGood, .acdseeRating, .microsoftRating,
        .microsoftKeywords, .exifToolRating, .exifToolKeywords, .mediaProSets,
        .dateCreated, .createDate,
      ]
    #expect(new.without(written).differences(from: old.without(written)) == [])
    // No property of another program is added.
    for property in written.dropFirst(SidecarProperty.own.count) where old == old.without([property]) {
      #expect(new == new.without([property]))
    }
    #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
    #expect(try folder.bytes("a.jpg") == [0xFF, 0xD8])
  }

  @Test(arguments: Sample.allCases)
  func everyOtherByteStays(sample: Sample) throws {
    let folder = try TestFolder()
    try folder.write(sample.bytes)
    try Sidecars().apply(.rating(2), to: folder.photo)
    let own = ["Rating", "MetadataDate", "rating=", "pick", "good", "xmp:Label=\"\""]
    func lines(_ bytes: [UInt8]) -> [Substring] {
      String(decoding: bytes, as: UTF8.self).split { $0 == "\n" || $0 == "\r\n" }.filter { line in
        !own.contains { line.contains($0) }
      }
    }
    #expect(try lines(folder.bytes()) == lines(sample.bytes))
  }

  @Test(arguments: Sample.allCases)
  func theInverseRestoresEveryProperty(sample: Sample) throws {
    let folder = try TestFolder()
    try folder.write(sample.bytes)
    let sidecars = Sidecars()
    var removal = SidecarChange()
    removal[.rating] = .remove
    removal[.label] = .remove
    removal[.keywords] = .remove
    removal[.hierarchicalKeywords] = .remove
    removal[.caption] = .remove
    removal[.orientation] = .remove
    for change in [SidecarChange.full, removal] {
      let result = try sidecars.apply(change, to: folder.photo)
      let changed = try Graph(folder.bytes())
      // The journal stores changes as JSON.
      let inverse = try JSONDecoder().decode(SidecarChange.self, from: try JSONEncoder().encode(result.inverse))
      let redo = try sidecars.apply(inverse, to: folder.photo).inverse
      try expectSame(folder, Graph(sample.bytes))
      let undo = try sidecars.apply(redo, to: folder.photo).inverse
      try expectSame(folder, changed)
      try sidecars.apply(undo, to: folder.photo)
    }
  }

  @Test func propertiesOfOtherProgramsAreKeptInStep() throws {
    let folder = try TestFolder()
    try folder.write(Sample.digikam.bytes)
    try Sidecars().apply(.full, to: folder.photo)
    let document = try XMPDocument(folder.bytes())
    #expect(document.value(of: .microsoftRating) == .text("25"))
    #expect(document.value(of: .acdseeRating) == .text("2"))
    #expect(document.value(of: .digiKamPick) == .text("3"))
    #expect(document.value(of: .digiKamLabel) == .text("3"))
    // "fjord" was removed, and digiKam's own tag stays.
    #expect(
      document.value(of: .digiKamTags)
        == .array(
          ["Places/Norway", "_Digikam_Internal_Tags_/Version Visible", "<deep>/sea", "sea & \"sun\""], .ordered))
    #expect(
      document.value(of: .mediaProSets) == .array(["Places|Norway", "<deep>|sea", "sea & \"sun\""], .unordered))
    try Sidecars().apply(.rating(-1), to: folder.photo)
    let rejected = try XMPDocument(folder.bytes())
    #expect(rejected.value(of: .digiKamPick) == .text("1") && rejected.value(of: .microsoftRating) == .text("0"))
    try Sidecars().apply(.rating(0), to: folder.photo)
    #expect(try XMPDocument(folder.bytes()).value(of: .digiKamPick) == .text("0"))
  }

  /// digiKam's list has paths, also for a keyword that no path of Lightroom contains.
  @Test func aRemovedKeywordLeavesTheListsOfOtherPrograms() throws {
    let folder = try TestFolder()
    func tags(after flat: [String], _ hierarchical: [String]? = nil) throws -> [String]? {
      try folder.write(Sample.digikam.bytes)
      var before = SidecarChange()
      before[.keywords] = .set(["Norway", "boat", "sea"])
      before[.hierarchicalKeywords] = .set(["Places|Norway"])
      try Sidecars().apply(before, to: folder.photo)
      // In digiKam, the keyword is below a tag that Lightroom doesn't have.
      var text = String(decoding: try folder.bytes(), as: UTF8.self)
      let list = try #require(text.firstRange(of: "<digiKam:TagsList>"))
      let end = try #require(text[list.upperBound...].firstRange(of: "</digiKam:TagsList>"))
      let items = text[list.upperBound..<end.lowerBound]
      text.replaceSubrange(
        list.upperBound..<end.lowerBound, with: items.replacing("<rdf:li>boat<", with: "<rdf:li>Things/boat<"))
      try folder.write(Array(text.utf8))
      var change = SidecarChange()
      change[.keywords] = .set(.list(flat))
      if let hierarchical { change[.hierarchicalKeywords] = .set(.list(hierarchical)) }
      try Sidecars().apply(change, to: folder.photo)
      guard case .array(let items, _) = try XMPDocument(folder.bytes()).value(of: .digiKamTags) else { return nil }
      return items.filter { !$0.hasPrefix("_Digikam") }
    }
    #expect(try tags(after: ["Norway", "boat", "sea"]) == ["Places/Norway", "Things/boat", "sea"])
    #expect(try tags(after: ["Norway", "sea"]) == ["Places/Norway", "sea"])
    #expect(try tags(after: ["Norway", "boat"]) == ["Places/Norway", "Things/boat"])
    // A keyword that gets a path in place of its plain name stays under digiKam's tag.
    #expect(
      try tags(after: ["Norway", "boat", "sea"], ["Places|Norway", "Things|boat"]) == [
        "Places/Norway", "Things/boat", "sea",
      ])
  }

  @Test func flagsAndLabelsOfOtherProgramsAreKeptInStep() throws {
    let folder = try TestFolder()
    try folder.write(Sample.lightroom.bytes)
    #expect(try Sidecars().apply(.rating(3), to: folder.photo).decisions.rating == 3)
    let document = try XMPDocument(folder.bytes())
    #expect(document.value(of: .lightroomPick) == .text("0") && document.value(of: .lightroomGood) == nil)
    try folder.write(Sample.darktable.bytes)
    var change = SidecarChange()
    change[.label] = .set("Yellow")
    try Sidecars().apply(change, to: folder.photo)
    #expect(try XMPDocument(folder.bytes()).value(of: .darktableLabels) == .array(["1"], .ordered))
    change[.label] = .remove
    #expect(try Sidecars().apply(change, to: folder.photo).decisions.label == nil)
  }

  /// exiv2 does not read sidecars in which a namespace has two prefixes.
  @Test(arguments: Sample.allCases)
  func eachNamespaceKeepsItsPrefix(sample: Sample) throws {
    let folder = try TestFolder()
    try folder.write(sample.bytes)
    try Sidecars().apply(.full, to: folder.photo)
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    let declarations = Set(text.matches(of: /xmlns:(\w+)=["']([^"']+)["']/).map { "\($0.2) \($0.1)" })
    #expect(Set(declarations.map { $0.prefix { $0 != " " } }).count == declarations.count)
  }

  @Test func aPropertyThatDeclaresItsOwnPrefixKeepsIt() throws {
    let folder = try TestFolder()
    let properties = "<xap:Rating xmlns:xap=\"http://ns.adobe.com/xap/1.0/\">1</xap:Rating>"
    let content = String(decoding: sidecar(properties), as: UTF8.self)
    try folder.write(content.replacing("xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\"", with: "").utf8)
    try Sidecars().apply(.rating(2), to: folder.photo)
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(text.contains(">2</xap:Rating>") && text.contains("</xap:MetadataDate>") && !text.contains("xmlns:xmp="))
  }

  /// A sidecar with two captions is damaged. The first one is also the one that an edit changes.
  @Test func theFirstOfTwoCaptionsCounts() throws {
    let captions = ["First", "Second"].map {
      "<dc:description><rdf:Alt><rdf:li xml:lang='de'>\($0)</rdf:li></rdf:Alt></dc:description>"
    }
    let content = String(decoding: sidecar(captions.joined()), as: UTF8.self)
      .replacing("rdf:about=\"\"", with: "rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"")
    #expect(try XMPDocument(Array(content.utf8)).decisions.caption == "First")
  }

  /// A namespace without a prefix is that of elements only (Namespaces in XML 1.0, section 6.2).
  @Test func anAttributeWithoutAPrefixHasNoNamespace() throws {
    let content = String(decoding: sidecar("<p:a rdf:parseType=\"Resource\"/>"), as: UTF8.self)
      .replacing("rdf:about=\"\"", with: "about=\"\" xmlns=\"http://ns.adobe.com/xap/1.0/\" Rating=\"3\"")
    #expect(try XMPDocument(Array(content.utf8)).decisions.rating == nil)
  }

  @Test func adobesToolkitNoticesOtherChanges() throws {
    func document(_ properties: String) throws -> XMPDocument { try XMPDocument(sidecar(properties)) }
    let old = try document("<xmp:Rating>1</xmp:Rating><p:a rdf:parseType='Resource'><p:b>x</p:b></p:a>")
    for properties in ["", "<p:a rdf:parseType='Resource'><p:b>y</p:b></p:a>", "<p:a>x</p:a>"] {
      let new = try document("<xmp:Rating>2</xmp:Rating>" + properties)
      #expect(throws: SidecarFault.Damage.ambiguous) { try XMPToolkit.check(new, against: old, changed: [.rating]) }
    }
    let new = try document("<p:a rdf:parseType='Resource'><p:b>x</p:b></p:a>")
    try XMPToolkit.check(new, against: old, changed: [.rating])
    #expect(throws: SidecarFault.Damage.ambiguous) { try XMPToolkit.check(new, against: old, changed: [.label]) }
  }

  @Test func onlyTheCaptionInTheDefaultLanguageChanges() throws {
    let folder = try TestFolder()
    try folder.write(Sample.digikam.bytes)
    try Sidecars().apply(.caption("New"), to: folder.photo)
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(text.contains("<rdf:li xml:lang=\"pl-PL\">Morning, before the crowds 🌅</rdf:li>"))
    #expect(text.contains("<rdf:li xml:lang=\"x-default\">New</rdf:li>"))
    #expect(text.contains("Der Morgen"))
  }
}
