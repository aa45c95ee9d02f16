import Finding
import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoMarksTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var choosing: PhotoChoosingViewModel { fixture.choosing }
  private var search: PhotoSearchViewModel { viewModel.search }
  private var marked: [String] { choosing.markedPhotos.map(\.name) }

  private func toggle(_ row: RowIndex) { choosing.marks.toggle(row: row, in: viewModel.rows) }
  private func markRange(_ row: RowIndex) { choosing.marks.markRange(to: row, in: viewModel.rows) }
  private func markAll() { choosing.marks.markAll(in: viewModel.rows, isSearch: viewModel.search.query != nil) }

  @Test func marksAreToggledAndCounted() async throws {
    let history = History()
    let subscription = choosing.marks.$count.bind { history.add("\($0) marked") }
    try await fixture.load(.all("A", "B", "C"))
    toggle(2)
    toggle(0)
    #expect(marked == ["A", "C"])
    #expect(viewModel.rows.map(\.isMarked) == [true, false, true])
    viewModel.rows[2].toggleMark()
    toggle(3)
    toggle(-1)
    #expect(marked == ["A"])
    toggle(0)
    #expect(history.entries == ["0 marked", "1 marked", "2 marked", "1 marked", "0 marked"])
    subscription.cancel()
  }

  /// A shot of a closed stack is marked, too, though no row shows that.
  @Test func photosThatNoRowShowsAreUnmarkedWithTheOthers() async throws {
    try await fixture.load(.all("A", "B"))
    toggle(0)
    choosing.marks.toggle(photo("Z").id)
    markAll()
    #expect(choosing.marks.count == 0)
    markAll()
    #expect(marked == ["A", "B"])
  }

  @Test(arguments: [(1, 3), (3, 1)])
  func aRangeIsMarkedInBothDirections(start: Int, end: Int) async throws {
    try await fixture.load(.all("A", "B", "C", "D", "E"))
    markRange(RowIndex(start))
    #expect(viewModel.rows.map(\.isInRange) == (0..<5).map { $0 == start })
    #expect(marked.isEmpty)
    choosing.approach(row: RowIndex(end))
    #expect(viewModel.rows.map(\.isInRange) == [false, true, true, true, false])
    markRange(RowIndex(end))
    #expect(marked == ["B", "C", "D"] && choosing.marks.range == nil)
  }

  @Test func aRangeCanBeCanceledAndBeginsAgainIfItsStartIsGone() async throws {
    try await fixture.load(.all("Ash", "Birch", "Beech"))
    markRange(0)
    choosing.marks.cancelRange()
    markRange(1)
    try await fixture.rows { search.find("beech") }
    markRange(0)
    #expect(marked.isEmpty && viewModel.rows[0].isInRange)
    toggle(0)
    #expect(marked == ["Beech"] && choosing.marks.range == nil)
  }

  @Test func allMatchesAreMarkedOrUnmarked() async throws {
    try await fixture.load(.all("Ash one", "Birch", "Ash two"))
    toggle(1)
    try await fixture.rows { search.find("ash") }
    markAll()
    #expect(marked == ["Ash one", "Birch", "Ash two"])
    markAll()
    #expect(marked == ["Birch"])
    // In the list of all photos, too, only the matches are marked.
    try await fixture.rows { search.toggleListsAll() }
    toggle(1)
    markAll()
    #expect(marked == ["Ash one", "Ash two"])
    // If some are marked, they are unmarked first, since an action on all photos is rarely meant.
    toggle(0)
    try await fixture.rows { search.find("") }
    markAll()
    #expect(choosing.marks.count == 0)
    markAll()
    #expect(choosing.marks.count == 3)
  }

  /// An action is about them, too.
  @Test func marksThatASearchLeavesOutAreCounted() async throws {
    let history = History()
    let subscription = choosing.$unlistedMarkCount.bind { history.add("\($0) not listed") }
    func count() async throws { if let counting = choosing.unlistedCounting { try await end(of: counting) } }
    try await fixture.load(.all("Ash one", "Birch", "Ash two", "Cedar"))
    for row in 1...3 { toggle(RowIndex(row)) }
    try await fixture.rows { search.find("ash") }
    try await count()
    // Only marks that the list shows are removed.
    toggle(1)
    try await count()
    #expect(choosing.filePreview(of: choosing.markedPhotos).subject == "2 photos (2 not listed)")
    choosing.marks.toggle(choosing.markedPhotos[0].id)
    try await count()
    #expect(choosing.filePreview(of: choosing.markedPhotos).remark == "not listed")
    // A list of all photos hides none.
    try await fixture.rows { search.toggleListsAll() }
    try await fixture.rows { search.toggleListsAll() }
    try await count()
    try await fixture.rows { search.find("") }
    #expect(choosing.filePreview(of: choosing.markedPhotos).remark == nil)
    #expect(history.entries == [0, 2, 1, 0, 1, 0].map { "\($0) not listed" })
    subscription.cancel()
  }

  @Test func marksStayAfterASearchASortAndAReload() async throws {
    try await fixture.load(.all("B", "A", "C"))
    toggle(0)
    #expect(try await fixture.rows { search.sort(by: .name) } == ["A", "B", "C"])
    #expect(viewModel.rows.map(\.isMarked) == [false, true, false])
    try await fixture.rows { search.find("a") }
    #expect(marked == ["B"])
    try await fixture.rows { search.find("") }
    try await fixture.load(.all("C", "B", "D"))
    try await end(of: search.running)
    #expect(viewModel.rows.filter(\.isMarked).map(\.name) == ["B"])
    #expect(marked == ["B"])
  }

  @Test func withoutMarksTheHighlightedRowCounts() async throws {
    try await fixture.load(.all("A", "B"))
    #expect(choosing.markedPhotos(orRow: 1).map(\.name) == ["B"])
    #expect(choosing.markedPhotos(orRow: 2).isEmpty)
    toggle(1)
    #expect(choosing.markedPhotos(orRow: 0).map(\.name) == ["B"])
    toggle(0)
    #expect(choosing.markedPhotos(orRow: 1).map(\.name) == ["A", "B"])
  }
}
