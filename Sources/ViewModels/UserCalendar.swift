import Foundation
import Gallery

/// Formats dates as the user's clock shows them.
public struct UserCalendar: Sendable {
  /// Returns the user's offset from UTC at a date, in seconds, positive east of Greenwich.
  public let secondsFromUTC: @Sendable (Date) -> Int

  /// The calendar in the time zone of the system.
  public static let system = UserCalendar(secondsFromUTC: LocalClock.secondsFromUTC)

  /// The calendar in UTC. It formats `Photo.clock`, which already contains the camera's own offset.
  static let utc = UserCalendar { _ in 0 }

  /// Creates a calendar.
  ///
  /// - Parameter secondsFromUTC: Returns the offset from UTC at a date, in seconds, positive east of Greenwich.
  public init(secondsFromUTC: @escaping @Sendable (Date) -> Int) {
    self.secondsFromUTC = secondsFromUTC
  }

  /// Returns the day of a date in the format yyyy-MM-dd.
  public func day(of date: Date) -> String {
    style(for: date).year().month().day().format(date)
  }

  /// Returns the day and the minute of a date in the format yyyy-MM-dd HH:mm.
  public func minute(of date: Date) -> String {
    let time = style(for: date).time(includingFractionalSeconds: false).format(date)
    return "\(day(of: date)) \(time.prefix(5))"
  }

  private func style(for date: Date) -> Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(timeZone: TimeZone(secondsFromGMT: secondsFromUTC(date)) ?? .gmt)
  }
}
