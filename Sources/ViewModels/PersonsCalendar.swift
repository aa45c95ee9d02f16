import Foundation

/// Writes moments as the person's clock showed them.
public struct PersonsCalendar: Sendable {
  /// How far the person's clock is ahead of UTC at a moment.
  public let secondsFromUTC: @Sendable (Date) -> Int

  /// The time zone of the system (`TZ`, else the machine's).
  ///
  /// Asked of the C library: Foundation's named time zones come with ICU, which a statically linked program leaves out.
  public static let system = PersonsCalendar { date in
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }

  /// - Parameter secondsFromUTC: How far the person's clock is ahead of UTC at a moment.
  public init(secondsFromUTC: @escaping @Sendable (Date) -> Int) {
    self.secondsFromUTC = secondsFromUTC
  }

  /// yyyy-MM-dd
  public func day(of date: Date) -> String {
    style(for: date).year().month().day().format(date)
  }

  /// yyyy-MM-dd HH:mm
  public func minute(of date: Date) -> String {
    let time = style(for: date).time(includingFractionalSeconds: false).format(date)
    return "\(day(of: date)) \(time.prefix(5))"
  }

  private func style(for date: Date) -> Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(timeZone: TimeZone(secondsFromGMT: secondsFromUTC(date)) ?? .gmt)
  }
}
