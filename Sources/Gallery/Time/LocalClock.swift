import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A clock in the user's time zone, which writes moments as the user's calendar shows them.
public struct LocalClock: Sendable {
  /// Returns how far the clock is ahead of UTC at a moment, in seconds.
  public let secondsFromUTC: @Sendable (Date) -> Int

  /// The clock of the system's time zone: that of `TZ`, otherwise the machine's.
  ///
  /// It asks the C library. Foundation's named time zones come with ICU, which a statically linked program leaves out.
  public static let system = LocalClock { date in
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }

  /// Creates a clock that is `secondsFromUTC` ahead of UTC.
  public init(secondsFromUTC: @escaping @Sendable (Date) -> Int) {
    self.secondsFromUTC = secondsFromUTC
  }

  /// Returns the day and the minute that the calendar and the clock show: `2003-12-14 12:01`.
  public func minute(of date: Date) -> String { time(of: date).minuteText }

  /// Returns the day with its weekday, and the minute: `Sunday, 2003-12-14 at 12:01`.
  public func weekdayAndMinute(of date: Date) -> String {
    let time = time(of: date)
    return localized("\(time.weekdayText) at \(time.clockText)")
  }

  /// Returns what the calendar and the clock show.
  public func time(of date: Date) -> CalendarTime {
    CalendarTime(clock: date.timeIntervalSince1970 + Double(secondsFromUTC(date)))
  }
}
