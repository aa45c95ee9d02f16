import Gallery
import TestLimit
import Testing
import Torture

@testable import Sidecars

@Suite(.limited) struct HistoryTests {
  private func randomChange(_ generator: inout some RandomNumberGenerator) -> SidecarChange {
    func field(_ values: [DecisionValue], _ generator: inout some RandomNumberGenerator) -> DecisionEdit {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: .keep
      case 1: .remove
      default: .set(values.randomElement(using: &generator)!)
      }
    }
    var change = SidecarChange()
    change[.rating] = field((-1...5).map(DecisionValue.number), &generator)
    change[.label] = field(["Red", "Purple", "Orange", "", "To print", "é\t<"], &generator)
    change[.keywords] = field([[], ["fjord"], ["Norway", "sea", "sea"], ["a|b", "c/d"]], &generator)
    change[.hierarchicalKeywords] = field([[], ["Places|Norway"], ["a|b|c", "fjord"]], &generator)
    change[.caption] = field(["", " ", "A\r\nB", "]]> & \"'", "🌅"], &generator)
    change[.orientation] = field((1...8).map(DecisionValue.number), &generator)
    change[.crop] = field(["0.100000 0.200000 0.900000 0.800000", "0.000000 0.000000 0.500000 1.000000"], &generator)
    change[.takenAt] = field(
      ["2026-05-03T14:03:20", "2026-05-03T14:03:20.25+05:30", "1999-12-31T23:59:59Z"], &generator)
    change[.latitude] = field(["59,54.812300N", "0,0.000001S", "90,0.000000S"], &generator)
    change[.longitude] = field(["10,45.250000E", "179,59.999999W"], &generator)
    change[.altitude] = field(["1234/10", "-35/10", "0/10"], &generator)
    for text in IPTCText.all where Bool.random(using: &generator) {
      change[text.decision] = field(["", "Ana", "Ana; Björn", "A\nB", "<&>\"", "© 2026 é"], &generator)
    }
    return change
  }

  /// Any sequence of changes, undone in reverse order, gives back the folder as it was.
  @Test(arguments: Sample.allCases.map(Optional.some) + [nil], [1, 2])
  func undoingEverythingGivesBackTheFolder(sample: Sample?, seed: Int) throws {
    var generator = SplitMix(seed: seed)
    let folder = try TestFolder()
    if let sample { try folder.write(sample.bytes) }
    let sidecars = Sidecars()
    var inverses: [SidecarChange] = []
    var redone: [SidecarChange] = []
    for step in 0..<30 {
      // Some steps undo and redo.
      if step % 5 == 4, let inverse = inverses.popLast() {
        redone.append(try sidecars.apply(inverse, to: folder.photo).inverse)
      } else if step % 5 == 0, let change = redone.popLast() {
        inverses.append(try sidecars.apply(change, to: folder.photo).inverse)
      } else {
        redone = []
        inverses.append(try sidecars.apply(randomChange(&generator), to: folder.photo).inverse)
      }
    }
    while let inverse = inverses.popLast() { try sidecars.apply(inverse, to: folder.photo) }
    if let sample {
      try expectSame(folder, Graph(sample.bytes))
      #expect(try folder.names == ["a.jpg", "a.jpg.xmp"])
    } else {
      #expect(try folder.names == ["a.jpg"])
    }
  }

  /// Of a scan, the other times are those of scanning. And no altitude of a sidecar is too large for the program.
  @Test(arguments: [("1985-07-01T10:00:00", true), ("2020-03-04T10:00:00", false)])
  func timesThatSaidTheSameFollow(other: String, follows: Bool) throws {
    let folder = try TestFolder()
    try folder.write(
      sidecar(
        """
        <e:DateTimeOriginal xmlns:e="http://ns.adobe.com/exif/1.0/">1985-07-01T10:00:00</e:DateTimeOriginal>
        <e:GPSAltitude xmlns:e="http://ns.adobe.com/exif/1.0/">9e99/1</e:GPSAltitude>
        <xmp:CreateDate>\(other)</xmp:CreateDate>
        """))
    var change = SidecarChange()
    change[.takenAt] = .set("1985-07-01T11:00:00")
    try Sidecars().apply(change, to: folder.photo)
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(text.contains("<xmp:CreateDate>\(follows ? "1985-07-01T11:00:00" : other)<"), "\(text)")
    #expect(try Sidecars().decisions(of: folder.photo)?.altitude == nil)
  }

  /// Each text has the form that the specification gives it, and is read as it was written.
  @Test func textsAreWrittenInTheirForms() throws {
    let folder = try TestFolder()
    var change = SidecarChange()
    for text in IPTCText.all {
      change[text.decision] = .set(.text(text.form == .names ? "Ana; Björn" : "<\(text.property)>"))
    }
    let inverse = try Sidecars().apply(change, to: folder.photo).inverse
    let decisions = try #require(try Sidecars().decisions(of: folder.photo))
    for text in IPTCText.all {
      #expect(DecisionEdit(decisions[text.decision]) == change[text.decision], "\(text.property)")
    }
    let xml = String(decoding: try folder.bytes(), as: UTF8.self).filter { !"\n ".contains($0) }
    for part in [
      "<dc:creator><rdf:Seq><rdf:li>Ana</rdf:li><rdf:li>Björn</rdf:li></rdf:Seq></dc:creator>",
      "<dc:rights><rdf:Alt><rdf:lixml:lang=\"x-default\">&lt;dc:rights&gt;</rdf:li></rdf:Alt></dc:rights>",
      ">&lt;photoshop:City&gt;</photoshop:City>",
    ] {
      #expect(xml.contains(part), "\(xml)")
    }
    try Sidecars().apply(inverse, to: folder.photo)
    #expect(try folder.names == ["a.jpg"])
  }

  @Test func aSidecarIsNotDeletedIfAnotherProgramHasAddedToIt() throws {
    let folder = try TestFolder()
    let inverse = try Sidecars().apply(.rating(1), to: folder.photo).inverse
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    try folder.write(
      text.replacing("</rdf:Description>", with: "<dc:format>image/jpeg</dc:format></rdf:Description>").utf8)
    try Sidecars().apply(inverse, to: folder.photo)
    #expect(try Sidecars().decisions(of: folder.photo) == PhotoDecisions())
    #expect(String(decoding: try folder.bytes(), as: UTF8.self).contains("image/jpeg"))
  }

  @Test func aChangeThatAltersNothingWritesNothing() throws {
    let folder = try TestFolder()
    var removal = SidecarChange()
    removal[.rating] = .remove
    #expect(try Sidecars().apply(removal, to: folder.photo).inverse.isEmpty)
    #expect(try folder.names == ["a.jpg"])
    try folder.write(Sample.digikam.bytes)
    #expect(try Sidecars().apply(.rating(4), to: folder.photo).inverse.isEmpty)
    #expect(try folder.bytes() == Sample.digikam.bytes)
  }

  @Test func theInverseNamesTheFormerDecisions() throws {
    let folder = try TestFolder()
    try folder.write(Sample.digikam.bytes)
    var change = SidecarChange.rating(1)
    change[.orientation] = .remove
    let inverse = try Sidecars().apply(change, to: folder.photo).inverse
    #expect(inverse[.rating] == .set(4) && inverse[.orientation] == .set(6) && inverse[.caption] == .keep)
  }
}
