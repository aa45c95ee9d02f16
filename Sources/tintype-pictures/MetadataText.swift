import Gallery
import Glibc

/// Texts and times of metadata, of which writers have their own ideas.
enum MetadataText {
  /// In bytes; what is beyond is cut off.
  private static let longest = 1 << 16

  /// UTF-8, or Latin-1 where it is none, without white space around it; nil if nothing is left.
  static func decode(_ bytes: some Collection<UInt8>) -> String? {
    let bytes = bytes.prefix(longest)
    let text =
      String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return trim(text)
  }

  static func trim(_ text: some StringProtocol) -> String? {
    var rest = text[...]
    while let last = rest.last, last.isWhitespace || last == "\0" { rest.removeLast() }
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    return rest.isEmpty ? nil : String(rest)
  }

  /// The name of a camera: its model, after its maker's brand unless the model starts with it.
  ///
  /// A maker is often written as a company, such as `OLYMPUS IMAGING CORP.` or `NIKON CORPORATION`. Only the brand is kept.
  static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let words = make.split(separator: " ")
    let brand = words.prefix { !companyWords.contains($0.lowercased().filter(\.isLetter)) }
    guard !brand.isEmpty else { return "\(make) \(model)" }
    let isNamed = brand.contains { model.lowercased().hasPrefix($0.lowercased()) }
    return isNamed ? model : "\(brand.joined(separator: " ")) \(model)"
  }

  /// The words with which the part of a company's name that is no brand begins.
  private static let companyWords: Set<String> = [
    "ag", "camera", "co", "company", "corp", "corporation", "electric", "electronics", "gmbh", "imaging", "inc", "ltd",
    "optical",
    "technologies",
  ]
}

extension CaptureTime {
  /// A time as Exif writes it (`2003:12:14 12:01:44`) or XMP (ISO 8601, `2008-03-15T09:52:01-04:00`, also without what
  /// is not known). Nil where it is none: cameras whose clock was not set write zeros or blanks.
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
        // A leap second is shown as the one before.
        time.tm_sec = Int32(min(second, 59))
      }
      if scanner.take(".") { fraction = scanner.fraction() }
    }
    let own = scanner.offset()
    let month = time.tm_mon
    let clock = timegm(&time)
    // The 31st of a short month has become a day of the next.
    guard time.tm_mon == month else { return nil }
    self.init(clock: Double(clock) + fraction, offset: own ?? offset.flatMap(Self.offset))
  }

  /// Seconds ahead of UTC, from `+09:00`, `-0400` or `Z`.
  private static func offset(_ text: String) -> Int? {
    var scanner = DigitScanner(Array(text.utf8))
    return scanner.offset()
  }

  /// A date and a time as IPTC writes them: `20031214`, `120144+0100` (IIM 4.2, 2:55 and 2:60).
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

/// Takes numbers of so many digits from a text.
private struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: [UInt8]) { rest = text[...] }

  /// Takes one character if it is one of these.
  mutating func take(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
    let part = rest.prefix(digits)
    guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let value = part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard range.contains(value) else { return nil }
    rest.removeFirst(digits)
    return value
  }

  mutating func fraction() -> Double {
    var (value, unit) = (0.0, 0.1)
    while let digit = number(digits: 1, in: 0...9) { (value, unit) = (value + Double(digit) * unit, unit / 10) }
    return value
  }

  mutating func offset() -> Int? {
    if take("Z") { return 0 }
    let isBehind = rest.first == UInt8(ascii: "-")
    guard take("+-"), let hours = number(digits: 2, in: 0...15) else { return nil }
    _ = take(":")
    let seconds = (hours * 60 + (number(digits: 2, in: 0...59) ?? 0)) * 60
    return isBehind ? -seconds : seconds
  }
}
