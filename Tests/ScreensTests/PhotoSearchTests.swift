import Finding
import Gallery
import TestLimit
import Testing
import ViewModels

@testable import Screens

private final class Row: RowViewModel {
  let id: AnyHashable = 1
}

@MainActor @Suite(.limited) struct PhotoSearchTests {
  private let row = Row()
  private var search = PhotoSearch()

  private mutating func highlight(after query: String?, keepsWholeList: Bool = false) throws -> String {
    let query = try query.map { try PhotoQuery($0, now: CalendarTime(clock: 0)) }
    return switch search.rowsDidChange(query: query, keepsWholeList: keepsWholeList) {
    case .unchanged: "unchanged"
    case .bestMatch: "best match"
    case .origin(let row): row === self.row ? "origin" : "another row"
    }
  }

  @Test mutating func aSearchHighlightsItsBestMatchAndThenReturns() throws {
    search.begin(at: row)
    #expect(try highlight(after: "dune") == "best match")
    #expect(try highlight(after: "dune") == "unchanged")
    #expect(try highlight(after: "dunes") == "best match")
    #expect(try highlight(after: nil) == "origin")
  }

  @Test mutating func theHighlightStaysAtAVisitedResult() throws {
    search.begin(at: row)
    #expect(try highlight(after: "dune") == "best match")
    search.stayAtResult()
    #expect(try highlight(after: nil) == "unchanged")
  }

  @Test mutating func aSearchInTheWholeListStaysAtItsMatch() throws {
    search.begin(at: row)
    #expect(try highlight(after: "dune", keepsWholeList: true) == "best match")
    #expect(try highlight(after: nil, keepsWholeList: true) == "unchanged")
  }

  @Test mutating func commandsForTheRowsWaitForThem() {
    let held = [Command.press, .sort, .moveDown].map { search.holds($0, isArranging: true) }
    // Sorting needs no rows, but it was given after a command that does.
    #expect(held == [true, true, true])
    #expect(search.takeWaitingCommands() == [.press, .sort, .moveDown])
    #expect(search.takeWaitingCommands() == [])
  }

  @Test mutating func commandsThatNeedNoRowsDoNotWait() {
    let held = [Command.close, .search, .contactSheet].map { search.holds($0, isArranging: true) }
    #expect(held == [false, false, false])
  }

  @Test mutating func nothingWaitsForRowsThatAreThere() {
    let holds = search.holds(.press, isArranging: false)
    #expect(!holds)
  }
}
