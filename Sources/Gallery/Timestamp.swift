import FoundationEssentials

/// A moment as ISO 8601 writes it, with any offset from UTC: `2014-03-31T17:40:12-04:00`, also with a fraction of a
/// second, with `Z` for no offset, and in the basic form of the offset (`-0400`, `-04`).
public struct Timestamp: Hashable, Sendable {
  public let date: Date
  /// In seconds ahead of UTC.
  public let offset: Int

  public static func date(_ text: String) -> Date? {
    text.utf8Moment.map { Date(timeIntervalSince1970: $0.seconds) }
  }

  /// Returns the moment that `text`, in UTF-8, writes: in seconds since 1970, and how far the clock by which it is
  /// written is ahead of UTC, in seconds.
  public static func moment(_ text: UnsafeBufferPointer<UInt8>) -> (seconds: Double, offset: Int)? {
    var fields = Fields(bytes: text)
    guard let (day, time) = fields.dayAndTime(), let offset = fields.offset(), fields.isAtEnd else { return nil }
    return (Double(day * 86_400 - offset) + time, offset)
  }

  /// The time of a clock that `text`, in UTF-8, writes, of which it need not say how that stood to UTC.
  public static func captureTime(_ text: UnsafeBufferPointer<UInt8>) -> CaptureTime? {
    var fields = Fields(bytes: text)
    guard let (day, time) = fields.dayAndTime() else { return nil }
    let offset = fields.isAtEnd ? nil : fields.offset()
    guard fields.isAtEnd else { return nil }
    return CaptureTime(clock: Double(day * 86_400) + time, offset: offset)
  }

  private struct Fields {
    let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
      guard index + digits <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[index..<index + digits] {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
      }
      index += digits
      return range.contains(value) ? value : nil
    }

    mutating func dayAndTime() -> (day: Int, seconds: Double)? {
      guard let day = day(), take("T") || take("t") || take(" "), let time = time() else { return nil }
      return (day, time)
    }

    /// yyyy-MM-dd, as days from 1970-01-01.
    private mutating func day() -> Int? {
      guard let year = number(digits: 4, in: 0...9999), take("-"), let month = number(digits: 2, in: 1...12),
        take("-"), let day = number(digits: 2, in: 1...Self.days(in: month, of: year))
      else { return nil }
      // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that the leap day
      // is their last. One era of 400 years is added, which keeps every term positive.
      let shifted = (month <= 2 ? year - 1 : year) + 400
      let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
      let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
      return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(in month: Int, of year: Int) -> Int {
      switch month {
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    }

    /// HH:mm, with seconds or without, as seconds; a leap second is the one after.
    private mutating func time() -> Double? {
      guard let hour = number(digits: 2, in: 0...23), take(":"), let minute = number(digits: 2, in: 0...59) else {
        return nil
      }
      var seconds = Double(hour * 3600 + minute * 60)
      guard take(":") else { return seconds }
      guard let second = number(digits: 2, in: 0...60) else { return nil }
      seconds += Double(second)
      guard take(".") || take(",") else { return seconds }
      var (fraction, unit) = (0.0, 1.0)
      let first = index
      while let digit = number(digits: 1, in: 0...9) {
        // Of more digits a Double would not be exact, and none is meant so.
        if unit < 1e9 { (fraction, unit) = (fraction * 10 + Double(digit), unit * 10) }
      }
      return index > first ? seconds + fraction / unit : nil
    }

    /// `Z`, or the hours and minutes ahead of UTC, as seconds.
    mutating func offset() -> Int? {
      if take("Z") || take("z") { return 0 }
      let isBehind = take("-")
      guard isBehind || take("+"), let hours = number(digits: 2, in: 0...23) else { return nil }
      var seconds = hours * 3600
      if take(":") || !isAtEnd {
        guard let minutes = number(digits: 2, in: 0...59) else { return nil }
        seconds += minutes * 60
      }
      return isBehind ? -seconds : seconds
    }
  }
}

extension String {
  fileprivate var utf8Moment: (seconds: Double, offset: Int)? {
    var text = self
    return text.withUTF8(Timestamp.moment)
  }
}
