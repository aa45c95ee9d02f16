import FoundationEssentials
import Glibc

/// The clock of the system's time zone (`TZ`, otherwise the machine's).
///
/// It asks the C library: Foundation's named time zones come with ICU, which a statically linked program leaves out.
public enum LocalClock {
  /// Returns how far the clock is ahead of UTC at a moment, in seconds.
  public static func secondsFromUTC(at date: Date) -> Int {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }

  /// Returns the moment at which the clock shows a time, which is given in seconds since 1970-01-01 00:00:00 of the
  /// same clock.
  public static func date(showing clock: Double) -> Date {
    var seconds = time_t(clock.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    parts.tm_isdst = -1
    return Date(timeIntervalSince1970: Double(mktime(&parts)))
  }
}
