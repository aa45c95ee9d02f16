import Finding
import Foundation
import Gallery
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// The calendar of a list of photos, by the history of what it shows.
@MainActor @Suite(.limited) struct CalendarViewModelTests {
  private let fixture = PhotoListFixture()
  private let history = History()

  private func photo(_ name: String, _ day: String, stars: Int? = nil) throws -> Photo {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let time = try #require(CalendarTime(year: parts[0], month: parts[1], day: parts[2]))
    var metadata = PhotoMetadata()
    metadata.rating = stars
    return Photo(
      id: name.hashValue, name: name, createdAt: Date(timeIntervalSince1970: time.clock), imageURL: name,
      image: .file(FilePath("/\(name)")), metadata: metadata)
  }

  /// Loads photos, and returns the calendar at a row with the history of what it shows.
  private func calendar(at row: RowIndex? = 0, _ photos: [Photo]) async throws -> CalendarViewModel {
    try await fixture.load(.all(photos))
    let calendar = CalendarViewModel(fixture.viewModel, at: row)
    calendar.onChange = { [unowned calendar, history] in history.add(Self.text(calendar)) }
    calendar.recount()
    try await history.wait(for: 1)
    return calendar
  }

  /// The cursor, the number of photos, and the cells with photos.
  private static func text(_ calendar: CalendarViewModel) -> String {
    let cells = calendar.cells.compactMap(\.self).filter { ($0.count ?? 0) > 0 }
    let days = cells.map { "\($0.title): \($0.count ?? -1) \($0.best?.name ?? "none")" }
    return "\(calendar.title ?? "all") @\(calendar.cursor.text) \(calendar.count ?? -1) \(days)"
  }

  private func album() throws -> [Photo] {
    try [
      photo("a", "2024-12-30"), photo("b", "2026-04-02", stars: 1), photo("c", "2026-04-02", stars: 3),
      photo("d", "2026-05-31"),
    ]
  }

  @Test func itOpensAtTheMonthOfTheRowAndGoesThroughTheLevels() async throws {
    let calendar = try await calendar(at: 1, album())
    #expect(history.entries == [#"April 2026 @2026-04-02 2 ["2: 2 c"]"#])
    // April 2026 begins on a Wednesday.
    #expect(calendar.cells.prefix(3).allSatisfy { $0?.title == [nil, nil, "1"][$0 == nil ? 0 : 2] })
    #expect(calendar.cells.count == 2 + 30 && calendar.cursorIndex == 3 && calendar.columns == 7)
    calendar.goUp()
    #expect(Self.text(calendar) == #"2026 @2026-04 3 ["April: 2 c", "May: 1 d"]"#)
    calendar.goUp()
    #expect(Self.text(calendar) == #"all @2026 4 ["2024: 1 a", "2026: 3 c"]"#)
    #expect(!calendar.canGoUp && calendar.canGoDown)
    calendar.move(by: -1)
    calendar.goDown()
    // April has no photos in that year, so the cursor goes to the first month that has.
    #expect(Self.text(calendar) == #"2024 @2024-12 1 ["December: 1 a"]"#)
    calendar.goDown()
    #expect(Self.text(calendar) == #"December 2024 @2024-12-30 1 ["30: 1 a"]"#)
    #expect(calendar.chosen?.best?.name == "a" && !calendar.canGoDown)
  }

  @Test func movesLeadOverTheEdgesAndSkipYearsWithoutPhotos() async throws {
    let calendar = try await calendar(at: 3, album())
    var cursors: [String] = []
    func note(_ move: () -> Void) {
      move()
      cursors.append(calendar.cursor.text)
    }
    note { calendar.move(by: 1) }
    note { calendar.turn(by: -1) }
    note { calendar.turn(by: -1) }
    note { calendar.move(by: -7) }
    note { calendar.turn(by: -1) }
    note { calendar.turn(by: -1) }
    note { calendar.turn(by: -1) }
    note { calendar.move(by: 28) }
    note { calendar.move(by: 7) }
    #expect(
      cursors == [
        // June and May have 30 and 31 days.
        "2026-06-01", "2026-05-01", "2026-04-01", "2026-03-25", "2026-02-25", "2026-01-25", "2024-12-31",
        "2026-01-01", "2026-01-08",
      ])
    cursors = []
    note { calendar.moveToPhotos() }
    note { calendar.moveToPhotos() }
    note { calendar.moveToPhotos() }
    note { calendar.moveToPhotos(isBackwards: true) }
    note { calendar.move(toLast: false) }
    note { calendar.move(toLast: true) }
    #expect(cursors == ["2026-04-02", "2026-05-31", "2026-05-31", "2026-04-02", "2024-12-30", "2026-05-31"])
    calendar.turn(by: -3)
    // February has no 31st.
    #expect(calendar.cursor.text == "2026-02-28")
    calendar.goUp()
    cursors = []
    note { calendar.move(by: -4) }
    note { calendar.move(by: 1) }
    note { calendar.turn(by: -5) }
    note { calendar.moveCursor(toCell: 2) }
    #expect(cursors == ["2024-12", "2026-01", "2024-01", "2024-03"])
  }

  /// Beyond the first and the last year with photos, there is nothing.
  @Test func theCursorStaysInTheYearsWithPhotos() async throws {
    let calendar = try await calendar(at: 0, [photo("a", "2026-12-31"), photo("b", "2026-01-01")])
    calendar.move(by: 1)
    #expect(calendar.cursor.text == "2026-12-31")
    calendar.move(toLast: false)
    calendar.turn(by: -1)
    calendar.move(by: -1)
    #expect(calendar.cursor.text == "2026-01-01")
  }

  @Test func theCountsFollowTheSearchWithoutItsDates() async throws {
    let calendar = try await calendar(at: 1, album())
    try await fixture.rows { fixture.viewModel.search.find("rating:>=3 date:2024") }
    calendar.recount()
    try await history.wait(for: 2)
    #expect(history.entries.last == #"April 2026 @2026-04-02 1 ["2: 1 c"]"#)
    #expect(calendar.query == "date:2026-04-02 rating:>=3" && calendar.filter == "rating:>=3")
    calendar.goUp()
    #expect(calendar.query == "date:2026-04 rating:>=3")
    let names = try await fixture.rows { fixture.viewModel.search.find(calendar.query) }
    #expect(names == ["c"])
  }

  /// The text for a server takes all that follows.
  @Test func aSearchOnTheServerStaysLast() async throws {
    let calendar = try await calendar(at: 1, album())
    fixture.viewModel.search.find("smart:a dog on 5 legs")
    #expect(calendar.query == "date:2026-04-02 smart:a dog on 5 legs")
  }

  @Test func newPhotosAreCountedWhenTheListHasThem() async throws {
    let photos = try album()
    let calendar = try await calendar(at: 1, photos)
    try await fixture.rows { fixture.service.give(.all(photos + [try! photo("e", "2026-04-03")])) }
    // Two requests at once lead to two counts at most.
    calendar.recount()
    calendar.recount()
    try await history.wait(for: 3)
    #expect(history.entries.last == #"April 2026 @2026-04-02 3 ["2: 2 c", "3: 1 e"]"#)
  }

  @Test func withoutARowItOpensAtTheLastPhoto() async throws {
    let calendar = try await calendar(at: nil, album())
    #expect(calendar.cursor.text == "2026-05-31" && calendar.level == .days)
  }
}
