import Foundation
import TestLimit
import Testing

@testable import Gallery

@Suite(.limited) struct CalendarTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400), ("2017-11-06T14:48:50-05:00", 1_509_997_730),
    ("2017-11-06T14:48:50.25Z", 1_509_979_730.25), ("2017-11-06 14:48Z", 1_509_979_680), ("1969-12-31T23:59:59Z", -1),
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2017-11-06T14:48:50+05", 1_509_961_730), ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("2017-11-06t14:48:50,25z", 1_509_979_730.25), ("2017-11-06T14:48:50+0530", 1_509_959_930),
    ("2017-11-06T14:48:50-23:59", 1_510_066_070), ("2017-01-01T00:00:00Z", 1_483_228_800),
    ("2017-12-31T23:59Z", 1_514_764_740), ("2017-11-06T14:48:50.123456789876Z", 1_509_979_730.123456789),
  ])
  func timestampsAreTimesOfISO8601(text: String, seconds: Double) {
    #expect(Timestamp(text)?.seconds == seconds)
    #expect(Timestamp(text)?.date == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "now", "2017-11-06", "2017-11-06T14:48:50", "2017-11-06T14:48:50Zx", "2017-02-31T00:00:00Z",
    "2017-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "99999-01-01T00:00:00Z", "2017-13-01T00:00:00Z",
    "2017-11-06T24:00:00Z", "2017-11-06T14:60:00Z", "2017-11-06T14:48:50.Z", "2017-11-06T14:48:50+5",
    "2017-11-06T14:48:50+05:", "2017-11-06T14:48:50+05:3", "２017-11-06T14:48:50Z", "2017-00-06T14:48:50Z",
    "2017-11-00T14:48:50Z", "2017-11-31T14:48:50Z", "2017-12-32T14:48:50Z", "2017-11-06T14:48:61Z",
    "2017-11-06T14:48:5", "2017-11-06T14:48:50+24:00", "2017-11-06T14:48:50+05:60", "2017-11-06T14:4:50Z",
    "2017-11-06-14:48:50Z", "2017/11/06T14:48:50Z", "2017-11-06T14.48Z", "2017-11-06T14:48:50:Z", "2017-11-06T1:48Z",
    "2017-11-06T14:48:50.+1Z", "2017-11-0:T14:48:50Z", "2017-11-0/T14:48:50Z",
  ])
  func invalidTimestampsAreRejected(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func everyDayOfManyYearsFollowsTheOneBefore() {
    let days = (1890...2110).flatMap { year in
      (1...12).flatMap { month in (1...31).compactMap { CalendarTime(year: year, month: month, day: $0) } }
    }
    #expect(days.count == 80_718)
    #expect(zip(days, days.dropFirst()).allSatisfy { $1.clock - $0.clock == 86_400 })
    #expect(days.allSatisfy { CalendarTime(clock: $0.clock) == $0 })
  }

  @Test func timesAreReadAsTheyAreWritten() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      // In the years 1900 to 2100, a Double represents every microsecond.
      let clock = Double.random(in: -2_208_988_800...4_102_444_800, using: &random)
      let microsecond = (clock * 1e6).rounded() / 1e6
      let offset = Int.random(in: -900...900, using: &random) * 60
      var text = CaptureTime(clock: microsecond, offset: offset).iso8601
      let read = text.withUTF8(CaptureTime.init(iso8601:))
      #expect(read.map { ($0.clock * 1e6).rounded() } == (clock * 1e6).rounded() && read?.offset == offset, "\(text)")
      var local = CaptureTime(clock: microsecond.rounded()).iso8601
      #expect(local.withUTF8(CaptureTime.init(iso8601:)) == CaptureTime(clock: microsecond.rounded()), "\(local)")
    }
    #expect(CaptureTime(clock: 1_071_403_304.25, offset: -12_600).iso8601 == "2003-12-14T12:01:44.25-03:30")
  }

  @Test(arguments: [
    (1e300, "9999-12-31 23:59"), (-1e300, "0000-01-01 00:00"), (.nan, "0000-01-01 00:00"), (-1, "1969-12-31 23:59"),
    (-14_831_769_600, "1500-01-01 00:00"), (1_071_403_304.25, "2003-12-14 12:01"),
  ])
  func timesAreShownToTheMinute(clock: Double, text: String) {
    #expect(CalendarTime(clock: clock).minuteText == text)
    #expect(CalendarTime(clock: clock).dayText == text.prefix(10))
    #expect(CalendarTime(clock: clock).iso8601(offset: nil).hasPrefix(text.replacing(" ", with: "T")))
  }

  @Test(arguments: [
    ("2003:12:14 12:01:44", CaptureTime(clock: 1_071_403_304)),
    ("2003:12:14 12:01:44.25+01:00", CaptureTime(clock: 1_071_403_304.25, offset: 3600)),
    ("2003-12-14T12:01:44-0330", CaptureTime(clock: 1_071_403_304, offset: -12_600)),
    ("2003-12-14T12:01Z", CaptureTime(clock: 1_071_403_260, offset: 0)),
    ("2003-12-14", CaptureTime(clock: 1_071_360_000)), ("2003-12", CaptureTime(clock: 1_070_236_800)),
    ("2003", CaptureTime(clock: 1_041_379_200)), ("2003:12:14   :  :  ", CaptureTime(clock: 1_071_360_000)),
    ("2016-12-31T23:59:60Z", CaptureTime(clock: 1_483_228_799, offset: 0)),
    ("2003:12:14 12:01:44+99:00", CaptureTime(clock: 1_071_403_304)),
    ("0001:01:01", CaptureTime(clock: -62_135_596_800)), ("9999:12:31 23:59:59", CaptureTime(clock: 253_402_300_799)),
    ("2003:12:14 12:01:44+15:59", CaptureTime(clock: 1_071_403_304, offset: 57_540)),
    ("2003:12:14 12:01:44-16:00", CaptureTime(clock: 1_071_403_304)),
    ("2003:12:14 24:00:00", CaptureTime(clock: 1_071_360_000)), ("2003:12:14 23:60", CaptureTime(clock: 1_071_360_000)),
    ("2003:12:14 12:01:61", CaptureTime(clock: 1_071_403_260)),
    ("2003:12:14 12:01:44.", CaptureTime(clock: 1_071_403_304)),
    ("2003:12:14T12:01:44.5", CaptureTime(clock: 1_071_403_304.5)),
    ("2003:12 12:01", CaptureTime(clock: 1_070_280_060)),
  ])
  func metadataMayLeaveOutPartsOfATime(text: String, time: CaptureTime) {
    #expect(CaptureTime(metadata: text) == time)
  }

  @Test(arguments: [
    "", "0000:00:00 00:00:00", "    :  :     :  :  ", "2003:13:01 00:00:00", "2003:02:31 00:00:00", "14.12.2003",
    "0000:01:01", "2003:00:01", "2003:01:00", "2003:01:32", "203",
  ])
  func invalidTimesOfMetadataAreRejected(text: String) {
    #expect(CaptureTime(metadata: text) == nil)
  }

  @Test func anOffsetInTheTextTakesPrecedence() {
    #expect(CaptureTime(metadata: "2003:12:14 12:01:44", offset: "-04:00")?.offset == -14_400)
    #expect(CaptureTime(metadata: "2003:12:14 12:01:44Z", offset: "-04:00")?.offset == 0)
    #expect(CaptureTime(metadata: "2003:12:14 12:01:44", offset: "   :  ") == CaptureTime(clock: 1_071_403_304))
  }

  @Test func timesOfIPTCMayHaveSeparatorsInTheDate() {
    let time = CaptureTime(clock: 1_071_403_304, offset: 3600)
    #expect(CaptureTime(iptcDate: "20031214", time: "120144+0100") == time)
    #expect(CaptureTime(iptcDate: "20031214", time: nil) == CaptureTime(clock: 1_071_360_000))
    for date in ["2003-12-14", "2003:12:14"] { #expect(CaptureTime(iptcDate: date, time: "120144+0100") == time) }
    #expect(CaptureTime(iptcDate: "2003121", time: "120144") == nil)
    #expect(CaptureTime(iptcDate: "200312145", time: "120144") == nil)
    #expect(CaptureTime(iptcDate: "20031214", time: "12014") == CaptureTime(clock: 1_071_360_000))
    #expect(CaptureTime(iptcDate: "20031214", time: "120144") == CaptureTime(clock: 1_071_403_304))
  }

  @Test(arguments: [
    (0, "00:00:00Z"), (0.5, "00:00:00.5Z"), (59.000001, "00:00:59.000001Z"), (3599, "00:59:59Z"), (3600, "01:00:00Z"),
    (86_399.999999, "23:59:59.999999Z"), (36_610, "10:10:10Z"),
  ])
  func timesAreWrittenWithTheirSeconds(second: Double, text: String) throws {
    let time = try #require(CalendarTime(year: 33, month: 1, day: 9, secondOfDay: second))
    #expect(time.iso8601(offset: 0) == "0033-01-09T\(text)")
    #expect(time.iso8601(offset: -60).hasSuffix("-00:01") && time.iso8601(offset: 36_000).hasSuffix("+10:00"))
    #expect([time.yearText, time.monthText, time.dayText] == ["0033", "0033-01", "0033-01-09"])
    #expect(time.minuteText == "0033-01-09 \(text.prefix(5))")
  }

  @Test func otherDaysAreNoneOfTheCalendar() {
    for (year, month, day) in [(-1, 1, 1), (10_000, 1, 1), (1, 0, 1), (1, 13, 1), (1, 1, 0), (1, 4, 31), (2100, 2, 29)]
    {
      #expect(CalendarTime(year: year, month: month, day: day) == nil, "\(year)-\(month)-\(day)")
    }
    #expect(CalendarTime(year: 0, month: 2, day: 29) != nil && CalendarTime(year: 9999, month: 12, day: 31) != nil)
  }

  @Test func aLocalClockShowsItsTimeZone() {
    let clock = LocalClock { _ in -5 * 3600 }
    let date = Date(timeIntervalSince1970: 1_509_940_130)
    #expect(clock.minute(of: date) == "2017-11-05 22:48")
    #expect(clock.weekdayAndMinute(of: date) == "Sunday, 2017-11-05 at 22:48")
  }

  @Test(arguments: [
    ("1970-01-01", "Thursday"), ("1969-12-31", "Wednesday"), ("2000-02-29", "Tuesday"), ("2026-11-23", "Monday"),
    ("0000-01-01", "Saturday"), ("9999-12-31", "Friday"),
  ])
  func aDayHasItsWeekday(day: String, weekday: String) throws {
    let numbers = day.split(separator: "-").compactMap { Int($0) }
    let time = try #require(CalendarTime(year: numbers[0], month: numbers[1], day: numbers[2]))
    #expect(time.weekdayText == "\(weekday), \(day)")
  }
}
