import Foundation
import Gallery
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400), ("2017-11-06T14:48:50-05:00", 1_509_997_730),
    ("2017-11-06T14:48:50.25Z", 1_509_979_730.25), ("2017-11-06 14:48Z", 1_509_979_680), ("1969-12-31T23:59:59Z", -1),
    ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("2017-11-06T14:48:50+05", 1_509_961_730), ("2016-12-31T23:59:60Z", 1_483_228_800),
  ])
  func moment(text: String, seconds: Double) {
    #expect(Timestamp.date(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test func everyDayOfManyYearsFollowsTheOneBefore() {
    let days = (1890...2110).flatMap { year in
      (1...12).flatMap { month in
        (1...31).compactMap { day in
          let digits = [month, day].map { ($0 < 10 ? "0" : "") + "\($0)" }
          return Timestamp.date("\(year)-\(digits[0])-\(digits[1])T00:00:00Z")
        }
      }
    }
    #expect(days.count == 80_718)
    #expect(zip(days, days.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 86_400 })
  }

  @Test(arguments: [
    "", "now", "2017-11-06", "2017-11-06T14:48:50", "2017-11-06T14:48:50Zx", "2017-02-31T00:00:00Z",
    "2017-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "99999-01-01T00:00:00Z", "2017-13-01T00:00:00Z",
    "2017-11-06T24:00:00Z", "2017-11-06T14:60:00Z", "2017-11-06T14:48:50.Z", "2017-11-06T14:48:50+5",
    "２017-11-06T14:48:50Z",
  ])
  func noMoment(text: String) {
    #expect(Timestamp.date(text) == nil)
  }
}
