import TestLimit
import Testing

@testable import Gallery

@Suite(.limited) struct ClockZoneTests {
  private func clock(_ text: String) throws -> Double { try #require(CaptureTime(metadata: text)).clock }

  /// Offsets in minutes, from the time zone database: summer time in both halves of the Earth, half and quarter hours, years before and
  /// after the list of the file, and the days on which clocks are changed.
  @Test(arguments: [
    ("Europe/Berlin", "2026-01-15T12:00", 60), ("Europe/Berlin", "2026-07-15T12:00", 120),
    ("Europe/Berlin", "2026-03-29T01:59", 60), ("Europe/Berlin", "2026-03-29T03:00", 120),
    // The clock skips the hour after two.
    ("Europe/Berlin", "2026-03-29T02:30", 60),
    // It shows it twice, and the first one is meant.
    ("Europe/Berlin", "2026-10-25T02:30", 120), ("Europe/Berlin", "2026-10-25T03:00", 60),
    ("Europe/Berlin", "2060-07-15T12:00", 120), ("Europe/Berlin", "2060-12-15T12:00", 60),
    ("America/New_York", "2026-07-04T12:00", -240), ("America/New_York", "2026-11-01T00:59", -240),
    ("America/New_York", "2026-11-01T02:00", -300), ("America/St_Johns", "2026-07-01T12:00", -150),
    ("Asia/Kolkata", "2026-07-01T12:00", 330), ("Asia/Kathmandu", "2026-07-01T12:00", 345),
    ("Australia/Lord_Howe", "2026-01-01T12:00", 660), ("Australia/Lord_Howe", "2026-07-01T12:00", 630),
    ("Australia/Sydney", "2050-01-01T12:00", 660), ("Pacific/Chatham", "2026-01-01T12:00", 825),
    ("Pacific/Apia", "2026-06-01T12:00", 780), ("Africa/Casablanca", "2026-07-01T12:00", 60),
    ("Europe/Dublin", "2060-01-15T12:00", 0), ("Europe/Dublin", "2060-07-15T12:00", 60),
    ("Asia/Tokyo", "1965-07-01T12:00", 540), ("UTC", "2026-07-01T12:00", 0), ("+05:30", "2026-07-01T12:00", 330),
    ("-03", "2026-07-01T12:00", -180), ("+0845", "2026-07-01T12:00", 525), ("Z", "2026-07-01T12:00", 0),
  ])
  func zonesHaveTheOffsetsOfTheirDays(name: String, time: String, minutes: Int) throws {
    let zone = try #require(ClockZone(name))
    let clock = try clock(time)
    #expect(zone.offset(ofClock: clock) == minutes * 60)
    // The moment of that time has the same offset, unless the clock skips it.
    if time != "2026-03-29T02:30" { #expect(zone.offset(at: clock - Double(minutes * 60)) == minutes * 60) }
  }

  @Test(arguments: [
    "", "Berlin", "Europe/", "Europe/Atlantis", "../../../etc/passwd", "/etc/passwd", "Europe/../Berlin", "+15:00",
    "+2:60",
    "+1:00:00", "tzdata.zi", "zone.tab", "+", "--02:00", "Europe",
  ])
  func otherTextsAreNoZones(text: String) {
    #expect(ClockZone(text) == nil)
  }

  /// A damaged file of the database is refused, whatever is cut off or changed.
  @Test func damagedRulesAreRefusedOrRead() throws {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4]
    let types: [UInt8] = [0, 0, 14, 16, 0, 0, 65, 66, 67, 0]
    let numbers: [UInt8] = [0, 0, 0, 0, 0x40, 0, 0, 0, 0]
    let second = header + counts + numbers + types
    let first = header + counts + Array(numbers.dropFirst(4)) + types
    let file = first + second + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    #expect(ZoneRules(file: file)?.offset(at: 2e9) == 7200)
    #expect(ZoneRules(file: file)?.offset(at: 0) == 3600)
    for footer in ["AAA1BBB,/,M10.5.0", "CET-1CEST,M3.5.0", "<", "A", "CET-1CEST,M3.9.0,M10.5.0", "CET-1CEST,,"] {
      #expect(ZoneRules(file: first + second + Array("\n\(footer)\n".utf8))?.offset(at: 2e9) == 3600)
    }
    for count in 0..<(first.count + second.count) { #expect(ZoneRules(file: Array(file.prefix(count))) == nil) }
    for place in file.indices {
      for byte: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = file
        damaged[place] = byte
        _ = ZoneRules(file: damaged)?.offset(at: 2e9)
      }
    }
  }

  @Test(arguments: [
    ("+1:00:00", 3600, "+1:00:00"), ("1:00", 3600, "+1:00:00"), ("-0:05", -300, "−0:05:00"), ("90s", 90, "+0:01:30"),
    ("+2d 3:00", 183_600, "+2d 3:00:00"), ("-2d", -172_800, "−2d 0:00:00"), ("−1h 30m", -5400, "−1:30:00"),
    ("+0:00:00.25", 0.25, "+0:00:00.25"), ("+ 5m", 300, "+0:05:00"), ("+100:00", 360_000, "+4d 4:00:00"),
  ])
  func differencesAreReadAsUsersWriteThem(text: String, seconds: Double, shown: String) {
    #expect(ClockDifference(text)?.seconds == seconds)
    #expect(ClockDifference(seconds: seconds).text == shown)
    #expect(ClockDifference(shown)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "+", "1", "1:60", "1:00:60", "h", "1:2:3:4", "+-1:00", "1e3s", "99999999999d", "one hour", "1:00 x",
  ])
  func otherTextsAreNoDifferences(text: String) { #expect(ClockDifference(text) == nil) }

  /// A time in the file, the difference, the zone of the clock and that of the photos, and the right time.
  @Test(arguments: [
    ("2026-05-03T13:03:20", 3600.0, "", "", "2026-05-03T14:03:20"),
    ("2026-05-03T13:03:20+02:00", -86_400.0, "", "", "2026-05-02T13:03:20+02:00"),
    // The zone of the clock becomes known, with that day's offset.
    ("2026-01-03T13:03:20", 0, "Europe/Berlin", "", "2026-01-03T13:03:20+01:00"),
    ("2026-07-03T13:03:20", 0, "Europe/Berlin", "", "2026-07-03T13:03:20+02:00"),
    // The clock has stayed at home, and the photos were taken far away, on the next day.
    ("2026-07-03T18:03:20", 0, "Europe/Berlin", "Asia/Tokyo", "2026-07-04T01:03:20+09:00"),
    ("2026-07-03T18:03:20+02:00", 0, "", "Asia/Kathmandu", "2026-07-03T21:48:20+05:45"),
    ("2026-07-03T18:03:20+02:00", 60, "", "UTC", "2026-07-03T16:04:20Z"),
    // Nobody has set the clock of the camera to summer time.
    ("2026-07-03T12:00:00", 0, "+01:00", "Europe/Berlin", "2026-07-03T13:00:00+02:00"),
    // The difference leads over the change to summer time.
    ("2026-03-29T01:30:00", 7200, "Europe/Berlin", "", "2026-03-29T03:30:00+02:00"),
    ("2026-07-03T18:03:20", 0, "", "Asia/Tokyo", ""), ("9999-12-31T23:00:00", 7200, "", "", ""),
    ("0001-01-01T00:00:00Z", 0, "", "-12", "0000-12-31T12:00:00-12:00"),
  ])
  func clocksAreCorrected(old: String, difference: Double, clock: String, zone: String, new: String) throws {
    var correction = ClockCorrection()
    correction.difference = difference
    correction.cameraZone = ClockZone(clock)
    correction.zone = ClockZone(zone)
    #expect((correction.cameraZone == nil) == clock.isEmpty && (correction.zone == nil) == zone.isEmpty)
    let time = try #require(CaptureTime(metadata: old))
    #expect(correction.corrected(time)?.iso8601 ?? "" == new)
  }

  /// What XMP says of a position is read as it was written.
  @Test(arguments: [0, 0.000_000_1, 59.913_868_8, 89.999_999_99, 90, 12.999_999_999])
  func positionsKeepTheirDigits(degrees: Double) throws {
    for value in [degrees, -degrees] {
      let north = try #require(XMPPosition.latitude(XMPPosition.latitude(value)))
      #expect(abs(north - value) < 0.000_000_02)
      let east = try #require(XMPPosition.longitude(XMPPosition.longitude(value * 2)))
      #expect(abs(east - value * 2) < 0.000_000_02)
    }
    #expect(XMPPosition.altitude("9e99/1") == nil && XMPPosition.altitude("1/0") == nil)
    #expect(XMPPosition.altitude(1e300) == "10000000/10" && XMPPosition.altitude("-35/10") == -3.5)
    #expect(XMPPosition.latitude("91,0N") == nil && XMPPosition.longitude("181,0.0E") == nil)
  }
}
