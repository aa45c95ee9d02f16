import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos

@Suite(.limited) struct MetadataTemplateTests {
  private let all = Set(Decision.allCases)

  private func template(_ lines: [(String, [String])]) throws -> MetadataTemplate {
    var template = MetadataTemplate(name: "press")
    for (field, values) in lines { try template.set(field, to: values) }
    return template
  }

  private func photo(_ change: (inout PhotoMetadata) -> Void = { _ in }) -> NamePattern.Values {
    var metadata = PhotoMetadata()
    change(&metadata)
    return NamePattern.Values(path: "/shoot/oslo/DSC_0042.jpg", clock: 1_700_000_000, metadata: metadata, sequence: 7)
  }

  @Test func textsHaveTheValuesOfThePhoto() throws {
    let template = try template([
      ("copyright", ["© {date:%Y} Ana"]), ("caption", ["{folder}/{name} with {lens}, {{{seq:3}}}"]),
      ("keywords", ["{camera}", "news", "{city}"]),
    ])
    let values = photo {
      $0.lens = "EF 24-70mm f/2.8"
      $0.camera = "Z 6"
    }
    let edits = template.edits(of: values, PhotoDecisions(), possible: all)
    #expect(edits[.copyright] == .set("© 2023 Ana"))
    #expect(edits[.caption] == .set("oslo/DSC_0042 with EF 24-70mm f/2.8, {007}"))
    // A city is not known.
    #expect(edits[.keywords] == .set(["Z 6", "news"]))
    #expect(edits.changed == [.keywords, .caption, .copyright])
  }

  @Test func textsAreReplacedAndKeywordsAdded() throws {
    var shown = PhotoDecisions(keywords: ["sea", "news"], caption: "A boat")
    shown[.city] = "Oslo"
    let lines = [("caption", ["Harbor"]), ("city", ["Bergen"]), ("keywords", ["news", "boat"])]
    let edits = try template(lines).edits(of: photo(), shown, possible: all)
    #expect(edits[.caption] == .set("Harbor") && edits[.city] == .set("Bergen"))
    #expect(edits[.keywords] == .set(["sea", "news", "boat"]))
    let other = try template(lines + [("append", ["caption", "city"])]).edits(of: photo(), shown, possible: all)
    #expect(other[.caption] == .set("A boat\nHarbor") && other[.city] == .set("Oslo; Bergen"))
    #expect(other[.keywords] == .set(["news", "boat"]))
  }

  /// So a template can be applied again after more photos have come.
  @Test func nothingChangesTheSecondTime() throws {
    for append in [[], ["caption", "keywords", "creator"]] {
      let template = try template([
        ("caption", ["Harbor, \n{lens} "]), ("creator", ["Ana ;  Ben;"]), ("keywords", [" boat"]), ("title", ["A\nB"]),
        ("append", append),
      ])
      let first = template.edits(of: photo(), PhotoDecisions(keywords: ["sea"]), possible: all)
      #expect(first[.caption] == .set("Harbor,") && first[.creator] == .set("Ana; Ben"))
      // Sources make texts printable.
      var shown = PhotoDecisions(keywords: ["sea"]).applying(first)
      shown[.title] = (shown[.title]?.text?.printable).map(DecisionValue.text)
      #expect(!first.isEmpty && template.edits(of: photo(), shown, possible: all).isEmpty)
    }
  }

  @Test func aTextIsAddedUnlessThePhotoHasAllOfIt() throws {
    let template = try template([("city", ["Oslo"]), ("append", ["city"])])
    for (former, new) in [("Oslofjord", "Oslofjord; Oslo"), ("Bergen; Oslo", nil), ("", "Oslo")] {
      var shown = PhotoDecisions()
      shown[.city] = .text(former)
      let edit = template.edits(of: photo(), shown, possible: all)[.city]
      #expect(edit == (new.map { .set(.text($0)) } ?? .keep), "\(former)")
    }
  }

  @Test func whatTheSourceCannotKeepIsLeftOut() throws {
    let template = try template([("caption", ["Harbor"]), ("creator", ["Ana"])])
    #expect(template.edits(of: photo(), PhotoDecisions(), possible: [.caption]).changed == [.caption])
    #expect(template.edits(of: photo(), PhotoDecisions(), possible: []).isEmpty)
  }
}
