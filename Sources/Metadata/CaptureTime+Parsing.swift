import Gallery
import Glibc

extension CaptureTime {
  /// Reads a time as Exif writes it (`2003:12:14 12:01:44`) or as XMP does (ISO 8601, `2008-03-15T09:52:01-04:00`, from which
  /// the parts that are not known may be missing).
  ///
  /// Returns nil for anything else. A camera whose clock was not set writes zeros or spaces.
  ///
  /// - Parameter offset: The offset from UTC that applies if the text has none, such as `+09:00`.
  init?(_ text: String, offset: String? = nil) {
    var scanner = DigitScanner(Array(text.utf8))
    guard let year = scanner.number(digits: 4, in: 1...9999) else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(year - 1900), 0, 1)
    if scanner.take(":-") {
      guard let month = scanner.number(digits: 2, in: 1...12) else { return nil }
      time.tm_mon = Int32(month - 1)
      if scanner.take(":-") {
        guard let day = scanner.number(digits: 2, in: 1...31) else { return nil }
        time.tm_mday = Int32(day)
      }
    }
    var fraction = 0.0
    if scanner.take(" T"), let hour = scanner.number(digits: 2, in: 0...23), scanner.take(":"),
      let minute = scanner.number(digits: 2, in: 0...59)
    {
      (time.tm_hour, time.tm_min) = (Int32(hour), Int32(minute))
      if scanner.take(":"), let second = scanner.number(digits: 2, in: 0...60) {
        // A leap second becomes the second before it.
        time.tm_sec = Int32(min(second, 59))
      }
      if scanner.take(".") { fraction = scanner.fraction() }
    }
    let own = scanner.offset()
    let month = time.tm_mon
    let clock = timegm(&time)
    // `timegm` turns the 31st of a short month into a day of the next month.
    guard time.tm_mon == month else { return nil }
    self.init(clock: Double(clock) + fraction, offset: own ?? offset.flatMap(Self.offset))
  }

  /// Returns the seconds ahead of UTC of an offset such as `+09:00`, `-0400`, or `Z`.
  private static func offset(_ text: String) -> Int? {
    var scanner = DigitScanner(Array(text.utf8))
    return scanner.offset()
  }

  /// Reads a date and a time as IPTC writes them: `20031214` and `120144+0100` (IIM 4.2, 2:55 and 2:60).
  init?(date: String, time: String?) {
    let digits = Array(date)
    guard digits.count == 8 else { return nil }
    var text = "\(String(digits[0..<4])):\(String(digits[4..<6])):\(String(digits[6..<8]))"
    if let time = time.map(Array.init), time.count >= 6 {
      text += " \(String(time[0..<2])):\(String(time[2..<4])):\(String(time[4..<6]))\(String(time[6...]))"
    }
    self.init(text)
  }
}

/// Takes numbers with a fixed count of digits from the start of a text.
private struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: [UInt8]) { rest = text[...] }

  /// Takes the next character if it is one of `characters`, and returns whether it is.
  mutating func take(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a number of `digits` digits. Returns nil, and takes nothing, if there is none in the range.
  mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
    let part = rest.prefix(digits)
    guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let value = part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard range.contains(value) else { return nil }
    rest.removeFirst(digits)
    return value
  }

  /// Takes the digits behind a decimal point.
  mutating func fraction() -> Double {
    var (value, unit) = (0.0, 0.1)
    while let digit = number(digits: 1, in: 0...9) { (value, unit) = (value + Double(digit) * unit, unit / 10) }
    return value
  }

  /// Takes an offset from UTC, and returns it in seconds.
  mutating func offset() -> Int? {
    if take("Z") { return 0 }
    let isBehind = rest.first == UInt8(ascii: "-")
    guard take("+-"), let hours = number(digits: 2, in: 0...15) else { return nil }
    _ = take(":")
    let seconds = (hours * 60 + (number(digits: 2, in: 0...59) ?? 0)) * 60
    return isBehind ? -seconds : seconds
  }
}
