import Gallery
import TestLimit
import Testing

@testable import Finding
@testable import Photos

@Suite(.limited) struct PhotoTimelineTests {
  private func timeline(_ dates: [(year: Int, month: Int, day: Int)]) async throws -> PhotoTimeline {
    let photos = try dates.enumerated().map { id, date in
      let time = try #require(CalendarTime(year: date.year, month: date.month, day: date.day))
      return findable(id, "\(id)", createdAt: time.clock)
    }
    return await PhotoTimeline(of: PhotoTable(photos))
  }

  @Test func eachYearComesBeforeItsMonthsTheLatestFirst() async throws {
    let timeline = try await timeline([
      (2017, 6, 30), (2017, 11, 1), (2016, 1, 1), (2017, 11, 30), (2016, 12, 31), (2017, 11, 2),
    ])
    #expect(
      timeline.periods.map { "\($0.query) \($0.count)" } == [
        "date:2017 4", "date:2017-11 3", "date:2017-06 1", "date:2016 2", "date:2016-12 1", "date:2016-01 1",
      ])
    #expect(timeline.mostInMonth == 3)
  }

  @Test func anEmptyTableHasNoPeriods() async throws {
    let timeline = try await timeline([])
    #expect(timeline.periods.isEmpty && timeline.mostInMonth == 0)
  }

  /// The queries of the timeline find what it counts.
  @Test func theQueriesFindThePhotos() async throws {
    let timeline = try await timeline([(2017, 6, 30), (2017, 7, 1), (2016, 2, 29)])
    for period in timeline.periods {
      #expect(throws: Never.self) { try PhotoQuery(period.query, now: CalendarTime(clock: 1_500_000_000)) }
    }
  }
}
