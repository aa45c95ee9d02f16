import Finding
import Foundation
import Gallery
import Photos

/// Writes moments as the person's clock showed them.
public struct PersonsCalendar: Sendable {
  /// How far the person's clock is ahead of UTC at a moment.
  public let secondsFromUTC: @Sendable (Date) -> Int

  /// The time zone of the system.
  public static let system = PersonsCalendar(secondsFromUTC: LocalClock.secondsFromUTC)

  /// Writes a clock's own time (see `Photo.clock`) with its digits, whatever the time zone of the person is.
  static let digits = PersonsCalendar { _ in 0 }

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
