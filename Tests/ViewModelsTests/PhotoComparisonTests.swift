import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// Photos side by side, and the candidates that move in.
@MainActor
@Suite(.limited) struct PhotoComparisonTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var choosing: PhotoChoosingViewModel { fixture.choosing }

  private func folder(_ names: String) -> PhotoSnapshot {
    PhotoSnapshot.all(names.map { photo(String($0), at: .file(FilePath("/\($0).jpg"))) }).with {
      $0.capabilities = .folder
    }
  }

  private func comparison(of names: String, row: RowIndex = 0, marking: [RowIndex] = []) async throws -> PhotoComparison
  {
    try await fixture.load(folder(names))
    for row in marking { choosing.marks.toggle(row: row, in: viewModel.rows) }
    return try #require(choosing.comparison(orRow: row))
  }

  /// Returns the names in the panes, the one at the cursor in brackets.
  private func panes(_ comparison: PhotoComparison) -> String {
    comparison.rows.enumerated().map { place, row in
      let name = row?.name ?? "-"
      return place == comparison.cursor ? "[\(name)]" : name
    }.joined()
  }

  @Test func theHighlightedPhotoIsComparedWithTheNextOnes() async throws {
    let middle = try await comparison(of: "ABCDE", row: 2)
    #expect(panes(middle) == "[C]D" && middle.count == 3)
    #expect(panes(try #require(choosing.comparison(orRow: 4))) == "D[E]")
    try await fixture.give(folder("A"))
    #expect(choosing.comparison(orRow: 0) == nil && choosing.comparison(orRow: 7) == nil)
  }

  @Test func markedPhotosAreComparedFourAtATime() async throws {
    let comparison = try await comparison(of: "ABCDEFG", row: 6, marking: [5, 0, 2, 3, 4])
    #expect(panes(comparison) == "[A]CDE" && comparison.remainingCount == 1)
    choosing.marks.toggle(row: 5, in: viewModel.rows)
    choosing.marks.toggle(row: 4, in: viewModel.rows)
    #expect(panes(try #require(choosing.comparison(orRow: 6))) == "[A]CD")
    // The cursor begins at the highlighted photo if it is marked.
    #expect(panes(try #require(choosing.comparison(orRow: 3))) == "AC[D]")
    // One mark is not enough.
    for row: RowIndex in [0, 2] { choosing.marks.toggle(row: row, in: viewModel.rows) }
    #expect(panes(try #require(choosing.comparison(orRow: 1))) == "[B]C")
  }

  @Test func theHighlightedPhotoTakesTheLastPaneIfItIsBehindTheFirstOnes() async throws {
    let comparison = try await comparison(of: "ABCDEFG", row: 6, marking: [0, 1, 2, 3, 4, 5, 6])
    #expect(panes(comparison) == "ABC[G]" && comparison.remainingCount == 3)
    comparison.choose()
    #expect(panes(comparison) == "[G]DEF" && comparison.remainingCount == 0)
  }

  /// The list shows one of them.
  @Test func markedPhotosAreComparedThatASearchHides() async throws {
    _ = try await comparison(of: "ABCD", marking: [3, 0, 2])
    try await fixture.rows { viewModel.search.find("D") }
    #expect(panes(try #require(choosing.comparison(orRow: 0))) == "AC[D]")
  }

  @Test func theChosenPhotoStaysAndTheNextCandidatesMoveIn() async throws {
    let comparison = try await comparison(of: "ABCDE")
    comparison.moveCursor(by: 1)
    comparison.choose()
    #expect(panes(comparison) == "[B]C")
    comparison.choose()
    #expect(panes(comparison) == "[B]D")
    comparison.moveCursor(by: -1)
    comparison.choose()
    #expect(panes(comparison) == "[D]E" && !comparison.isDecided)
    comparison.choose()
    #expect(panes(comparison) == "[D]" && comparison.isDecided && comparison.remainingCount == 0)
  }

  @Test func ofFourPanesTheOtherThreeChange() async throws {
    let comparison = try await comparison(of: "ABCDEF", marking: [0, 1, 2, 3, 4, 5])
    comparison.moveCursor(to: 2)
    comparison.choose()
    #expect(panes(comparison) == "[C]EF")
    comparison.moveCursor(by: 2)
    comparison.choose()
    #expect(panes(comparison) == "[F]")
  }

  private static let rejection = DecisionChange.rating(PhotoDecisions.rejected)

  @Test func aRejectedPhotoMakesRoomForTheNextOne() async throws {
    let comparison = try await comparison(of: "ABCD", marking: [0, 1, 2, 3])
    comparison.addPane()
    #expect(panes(comparison) == "[A]B")
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[C]B")
    comparison.moveCursor(by: 1)
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "C[D]" && comparison.remainingCount == 0)
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[C]")
    // The last one stays, and the others don't come back.
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[C]")
    comparison.addPane()
    #expect(panes(comparison) == "[C]")
  }

  /// The names of the marked photos.
  private var marked: String { viewModel.rows.filter(\.isMarked).map(\.name).joined() }

  @Test func theMarksSayWhichPhotosAreLeft() async throws {
    let comparison = try await comparison(of: "ABCDE", marking: [0, 1, 2, 3])
    comparison.addPane()
    #expect(panes(comparison) == "[A]B" && marked == "ABCD")
    comparison.choose()
    #expect(panes(comparison) == "[A]C" && marked == "ACD")
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[D]C" && marked == "CD")
    // A photo that stays in its pane keeps its mark.
    choosing.deciding.toggleAdvance()
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[D]C" && marked == "CD")
    comparison.moveCursor(by: 1)
    comparison.choose()
    #expect(panes(comparison) == "[C]" && marked == "C")
    for expected in ["CD", "CD", "ACD", "ABCD"] {
      comparison.undo()
      #expect(marked == expected)
    }
    for expected in ["ACD", "CD", "CD", "C"] {
      comparison.redo()
      #expect(marked == expected)
    }
    // A mark that the user has set since stays.
    comparison.undo()
    try #require(comparison.row(of: photo("A").id)).toggleMark()
    #expect(marked == "ACD")
  }

  @Test func aComparisonOfOtherPhotosLeavesTheMarks() async throws {
    let comparison = try await comparison(of: "ABC", row: 0, marking: [1])
    #expect(panes(comparison) == "[A]B")
    comparison.choose()
    #expect(panes(comparison) == "[A]C" && marked == "B")
    comparison.moveCursor(by: 1)
    comparison.decide(Self.rejection)
    #expect(marked == "B")
  }

  @Test func theBeatenPhotosAreRejectedInOneStep() async throws {
    let comparison = try await comparison(of: "ABCDE", marking: [0, 1, 2, 3, 4])
    func beaten() -> String { comparison.beaten.map(\.name).joined() }
    #expect(!comparison.hasBeaten && beaten() == "")
    comparison.rejectBeaten()
    #expect(!comparison.canUndo, "there is nothing to reject")
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[E]BCD" && comparison.hasBeaten && beaten() == "", "A is rejected already")
    comparison.choose()
    #expect(panes(comparison) == "[E]" && beaten() == "BCD")
    comparison.rejectBeaten()
    #expect(beaten() == "" && viewModel.rows.map(\.decisions.isRejected) == [true, true, true, true, false])
    #expect(panes(comparison) == "[E]" && comparison.kept == photo("E").id && marked == "E")
    comparison.undo()
    comparison.undo()
    #expect(panes(comparison) == "[E]BCD" && marked == "BCDE")
    for request in 0..<3 {
      try await fixture.decisions.steps.waitUntilAsked(request + 1)
      try await fixture.decisions.steps.answer(request, .success(nil))
    }
    let asked = ["Rejected: [\"/A.jpg\"]", "Rejected: [\"/B.jpg\", \"/C.jpg\", \"/D.jpg\"]", "undo"]
    #expect(await fixture.decisions.steps.requests == asked)
  }

  @Test func theBeatenPhotosAreKnownAfterTheComparison() async throws {
    let comparison = try await comparison(of: "ABC")
    #expect(choosing.lastComparison == nil)
    comparison.choose()
    _ = choosing.end(comparison)
    #expect(choosing.lastComparison?.beaten.map(\.name) == ["B"])
    choosing.lastComparison?.rejectBeaten()
    #expect(choosing.lastComparison?.beaten.isEmpty == true)
  }

  @Test func aRejectedPhotoIsNoLongerTheKeptOne() async throws {
    let comparison = try await comparison(of: "ABCD")
    comparison.choose()
    #expect(panes(comparison) == "[A]C" && comparison.kept == photo("A").id)
    // Rejecting another photo changes nothing about the kept one.
    comparison.moveCursor(by: 1)
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "A[D]" && comparison.kept == photo("A").id)
    comparison.moveCursor(by: -1)
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[D]" && comparison.kept == nil)
    comparison.undo()
    #expect(panes(comparison) == "[A]D" && comparison.kept == photo("A").id)
  }

  @Test func whatWasDoneInTheComparisonIsUndone() async throws {
    let comparison = try await comparison(of: "ABCDE", marking: [0, 1, 2, 3, 4])
    comparison.addPane()
    #expect(!comparison.canUndo)
    comparison.decide(.rating(3))
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[C]B")
    comparison.moveCursor(by: 1)
    comparison.choose()
    #expect(panes(comparison) == "[B]D" && comparison.kept == photo("B").id && comparison.remainingCount == 1)
    // Keeping a photo is no decision about it: nothing is undone but the choice.
    comparison.undo()
    #expect(panes(comparison) == "C[B]" && comparison.kept == nil)
    comparison.redo()
    #expect(panes(comparison) == "[B]D")
    for _ in 0..<3 { comparison.undo() }
    #expect(panes(comparison) == "[A]B" && !comparison.canUndo && comparison.canRedo)
    for request in 0..<4 {
      try await fixture.decisions.steps.waitUntilAsked(request + 1)
      try await fixture.decisions.steps.answer(request, .success(nil))
    }
    let asked = ["3 stars on [\"/A.jpg\"]", "Rejected: [\"/A.jpg\"]", "undo", "undo"]
    #expect(await fixture.decisions.steps.requests == asked)
    comparison.redo()
    comparison.turn(by: 1)
    comparison.decide(.rating(1))
    #expect(!comparison.canRedo)
  }

  /// A decision that changes nothing is not in the journal, whose last step may be one of an earlier session.
  @Test func onlyWhatIsInTheJournalIsUndone() async throws {
    let comparison = try await comparison(of: "ABC")
    comparison.decide(.rating(3))
    comparison.decide(.rating(3))
    comparison.undo()
    comparison.undo()
    let path = FilePath("/A.jpg")
    let steps = [true, false].map {
      Step(title: "", parts: [Step.Part(.file(path), $0 ? .done : .needless)])
    }
    for (request, step) in steps.enumerated() {
      try await fixture.decisions.steps.waitUntilAsked(request + 1)
      try await fixture.decisions.steps.answer(request, .success(step))
    }
    try await fixture.decisions.steps.waitUntilAsked(3)
    try await fixture.decisions.steps.answer(2, .success(nil))
    try await end(of: choosing.deciding.jobs.last)
    #expect(await fixture.decisions.steps.requests == ["3 stars on [\"/A.jpg\"]", "3 stars on [\"/A.jpg\"]", "undo"])
  }

  @Test func undoingADecisionLeavesThePanesAsTheUserHasArrangedThem() async throws {
    let comparison = try await comparison(of: "ABCDEF")
    comparison.decide(.rating(1))
    comparison.addPane()
    comparison.turn(by: 1)
    #expect(panes(comparison) == "[D]BC")
    comparison.undo()
    #expect(panes(comparison) == "[D]BC")
    comparison.decide(Self.rejection)
    #expect(panes(comparison) == "[E]BC")
    comparison.addPane()
    comparison.undo()
    #expect(panes(comparison) == "[D]BCE")
  }

  @Test func aBeatenPhotoDoesNotComeBack() async throws {
    let comparison = try await comparison(of: "ABCDE", marking: [0, 1, 2, 3, 4])
    comparison.addPane()
    comparison.turn(by: 1)
    #expect(panes(comparison) == "[C]B")
    comparison.choose()
    #expect(panes(comparison) == "[C]D" && comparison.remainingCount == 2)
    // A was not beaten, but only turned away.
    comparison.turn(by: -1)
    #expect(panes(comparison) == "[A]D" && !comparison.canTurn(by: -1))
    comparison.turn(by: 1)
    comparison.choose()
    #expect(panes(comparison) == "[C]E")
    comparison.choose()
    #expect(panes(comparison) == "[C]A")
  }

  @Test func candidatesAreTurnedThrough() async throws {
    let comparison = try await comparison(of: "ABCD")
    comparison.moveCursor(by: 1)
    comparison.turn(by: 1)
    #expect(panes(comparison) == "A[C]")
    comparison.turn(by: 1)
    comparison.turn(by: 1)
    #expect(panes(comparison) == "A[D]" && !comparison.canTurn(by: 1))
    comparison.turn(by: -1)
    comparison.turn(by: -1)
    #expect(panes(comparison) == "A[B]" && !comparison.canTurn(by: -1))
  }

  @Test func theNumberOfPanesGoesRound() async throws {
    let comparison = try await comparison(of: "ABCDE")
    var seen: [String] = []
    for _ in 0..<4 {
      comparison.addPane()
      seen.append(panes(comparison))
    }
    #expect(seen == ["[A]BC", "[A]BCD", "[A]B", "[A]BC"])
    comparison.moveCursor(by: 2)
    comparison.addPane()
    comparison.addPane()
    // The photo at the cursor stays.
    #expect(panes(comparison) == "A[C]")
  }

  @Test func panesFollowChangesOfTheFolder() async throws {
    let comparison = try await comparison(of: "ABC")
    try await fixture.give(folder("XAC"))
    #expect(panes(comparison) == "[A]-")
    comparison.choose()
    #expect(panes(comparison) == "[A]C")
    comparison.undo()
    comparison.moveCursor(by: 1)
    comparison.turn(by: 1)
    #expect(panes(comparison) == "A[C]")
    comparison.chosenRow?.decide(.rating(2))
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["2 stars on [\"/C.jpg\"]"])
  }
}
