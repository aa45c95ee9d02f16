import Gallery

/// The dates of HTTP headers (RFC 9110, section 5.6.7).
public enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, or nil if it is none.
  public static func seconds(_ text: String) -> Int? {
    let words = text.split { " ,".contains($0) }
    guard words.count == 6, let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int(words[3])
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
    let second = Double(clock[0] * 3600 + clock[1] * 60 + clock[2])
    return CalendarTime(year: year, month: month + 1, day: day, secondOfDay: second).map { Int($0.clock) }
  }
}
