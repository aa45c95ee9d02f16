import Gallery
import TestLimit
import Testing

@testable import Finding
@testable import Photos

@Suite(.limited) struct PhotoCalendarTests {
  private func photo(
    _ id: Int, _ year: Int, _ month: Int, _ day: Int, stars: Int? = nil, hour: Int = 12
  ) throws -> Photo {
    let time = try #require(CalendarTime(year: year, month: month, day: day, secondOfDay: Double(hour * 3600)))
    var metadata = PhotoMetadata()
    metadata.lens = "A lens"
    metadata.keywords = ["sea", "boat"]
    metadata.rating = stars
    return findable(id, "\(id)", createdAt: time.clock, metadata: stars == nil ? nil : metadata)
  }

  private func lines(_ calendar: PhotoCalendar) -> [String] {
    calendar.periods.map { period in
      let tally = calendar[period]
      return "\(period.query) \(tally?.count ?? 0) \(tally.map { calendar.photos.id(at: $0.best) } ?? -1)"
    }
  }

  @Test func eachYearMonthAndDayHasItsPhotosAndTheBestOne() async throws {
    let photos = try [
      photo(1, 2017, 6, 30), photo(2, 2017, 11, 1, stars: 3), photo(3, 2016, 1, 1, stars: -1),
      photo(4, 2017, 11, 30, stars: 2), photo(5, 2017, 11, 1, stars: 2),
    ]
    #expect(
      await lines(PhotoCalendar(of: PhotoTable(photos))) == [
        "date:2016 1 3", "date:2016-01 1 3", "date:2016-01-01 1 3", "date:2017 4 2", "date:2017-06 1 1",
        "date:2017-06-30 1 1", "date:2017-11 3 2", "date:2017-11-01 2 2", "date:2017-11-30 1 4",
      ])
  }

  @Test func aRejectedPhotoIsTheBestOneOnlyIfThereIsNoOther() async throws {
    let photos = try [photo(1, 2017, 6, 1, stars: -1, hour: 1), photo(2, 2017, 6, 1), photo(3, 2017, 6, 2, stars: -1)]
    let calendar = await PhotoCalendar(of: PhotoTable(photos))
    let bests = [1, 2].map { calendar[.init(year: 2017, month: 6, day: $0)].map { calendar.photos.id(at: $0.best) } }
    #expect(bests == [2, 3])
  }

  /// A photo that was not measured comes after one that is known to be less sharp than another.
  @Test func theSharpestOfEquallyRatedPhotosIsTheBestOneAndThenTheEarliest() async throws {
    let photos = try [
      photo(1, 2017, 6, 1, hour: 9), photo(2, 2017, 6, 1, hour: 8), photo(3, 2017, 6, 1, hour: 10),
      photo(4, 2017, 6, 1, stars: 1, hour: 11),
    ]
    func best(_ count: Int, _ sharpness: [Int: Int]) async -> Int? {
      let calendar = await PhotoCalendar(of: PhotoTable(photos.prefix(count)), sharpness: sharpness)
      return calendar[.init(year: 2017)].map { calendar.photos.id(at: $0.best) }
    }
    #expect(await best(3, [:]) == 2)
    #expect(await best(3, [1: 90, 3: 100]) == 3)
    #expect(await best(3, [1: 5]) == 1)
    #expect(await best(4, [1: 100]) == 4)
  }

  @Test func onlyTheFoundPhotosAreCountedAndFilesOfAShotOnce() async throws {
    var table = try PhotoTable([photo(1, 2017, 6, 1), photo(2, 2017, 6, 1, stars: 4), photo(3, 2018, 1, 1)])
    table.groups = PhotoGroups([[0, 1]], photoCount: 3)
    #expect(
      await PhotoCalendar(of: table).periods.map(\.text) == [
        "2017", "2017-06", "2017-06-01", "2018", "2018-01", "2018-01-01",
      ])
    #expect(await PhotoCalendar(of: table)[.init(year: 2017)]?.count == 1)
    let found = await PhotoCalendar(of: table, among: [2])
    #expect(found[.init(year: 2017)] == nil && found[.init(year: 2018)]?.count == 1)
    // The rating of any of its files is that of the shot.
    #expect(table.stars(ofShot: 0) == 4)
    #expect(await PhotoCalendar(of: PhotoTable()).periods.isEmpty)
  }

  /// The queries of the calendar find what it counts.
  @Test func theQueriesFindThePhotos() async throws {
    let photos = try PhotoTable([photo(1, 2017, 6, 30, hour: 0), photo(2, 2017, 7, 1), photo(3, 2016, 2, 29, hour: 23)])
    let calendar = await PhotoCalendar(of: photos)
    for period in calendar.periods {
      let query = try PhotoQuery(period.query, now: CalendarTime(clock: 1_500_000_000))
      #expect(try await PhotoFinder().find(query, in: photos).count == calendar[period]?.count)
      #expect(PhotoCalendar.Period(query: period.query) == period)
    }
    for other in ["date:june", "date:2017..2018", "-date:2017", "date:2017-13", "date:17", "date:", "year:2017", "x"] {
      #expect(PhotoCalendar.Period(query: other) == nil)
    }
  }

  @Test func weeksBeginOnMonday() throws {
    let day = try #require(CalendarTime(year: 2026, month: 2, day: 28))
    #expect(day.dayOfWeek == 5 && day.daysInMonth == 28 && day.weekdayText == "Saturday, 2026-02-28")
    #expect(CalendarTime(clock: 0).dayOfWeek == 3 && CalendarTime(clock: -86_400 * 4).dayOfWeek == 6)
  }
}
