import Foundation
import Gallery
import TestLimit
import Testing

@testable import Finding
@testable import ViewModels

@MainActor
@Suite(.limited) struct FoundTextTests {
  private static let photo = Photo(
    id: 1, name: "Harbour", description: "Boats at the quay, and a long way behind them the old lighthouse",
    createdAt: Date(timeIntervalSince1970: 0), imageURL: "https://a.org/2017/IMG_1234.jpg",
    image: .web("https://a.org/2017/IMG_1234.jpg"), isForSale: nil, camera: "X100", author: "N", license: "L",
    metadata: metadata(lens: "XF35mm", keywords: ["sea", "summer evening"]))

  private static func metadata(lens: String, keywords: [String]) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    (metadata.lens, metadata.keywords) = (lens, keywords)
    return metadata
  }

  /// The matches are in brackets.
  @Test(arguments: [
    ("harb", nil), ("x100", nil), ("boats", "[Boats] at the quay, and a long way behind them the old lighthouse"),
    ("lighthouse", "…the old [lighthouse]"), ("1234", "IMG_[1234].jpg"), ("jpg", "IMG_1234.[jpg]"),
    ("evening", "sea, summer [evening]"), ("author:n", "[N]"), ("lens:35", "XF[35]mm"),
    ("2017", nil), ("has:keywords", nil), ("zebra", nil),
    // The excerpt shows a word that is not visible elsewhere.
    ("harb 1234", "IMG_[1234].jpg"), ("img 1234", "[IMG]_[1234].jpg"), ("harb -zebra", nil),
  ])
  func theExcerptShowsAMatchThatIsNotVisible(query: String, expected: String?) throws {
    var context = PhotoRow.Context()
    context.query = try PhotoQuery(query, now: CalendarTime(clock: 0))
    let row = PhotoRow([Self.photo], context)
    let shown = row.finding(besideName: "Harbour", subtitle: "X100").map { finding in
      var (lit, end) = ("", finding.text.startIndex)
      for range in finding.ranges(in: finding.text) {
        lit += finding.text[end..<range.lowerBound] + "[" + finding.text[range] + "]"
        end = range.upperBound
      }
      return lit + finding.text[end...]
    }
    #expect(shown == expected)
  }

  /// A row that contains only one of the words doesn't match.
  @Test func inTheListOfAllPhotosOnlyMatchesAreHighlighted() async throws {
    let fixture = PhotoListFixture()
    try await fixture.load(.all("red barn", "red boat", "blue boat", "a boat, red"))
    try await fixture.rows { fixture.viewModel.search.find("red boat") }
    try await fixture.rows { fixture.viewModel.search.toggleListsAll() }
    let rows = fixture.viewModel.rows
    #expect(rows.map(\.name) == ["red barn", "red boat", "blue boat", "a boat, red"])
    #expect(rows.map { !$0.found(inName: $0.name).isEmpty } == [false, true, false, true])
  }
}
