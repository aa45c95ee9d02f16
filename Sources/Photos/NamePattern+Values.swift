import Gallery

// The values of a ``NamePattern`` as parts of a file's name.

extension [UInt8] {
  /// The name of an existing file without control characters. It need not be UTF-8.
  var inName: [UInt8] { map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "-") : $0 } }

  /// Returns the first bytes, at most `count`, without cutting a character of UTF-8.
  func first(_ count: Int) -> [UInt8] {
    var end = Swift.min(count, self.count)
    for _ in 0..<3 where (1..<self.count).contains(end) && self[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(self[..<end])
  }
}

extension String? {
  /// The text without characters that some file system forbids, as those of memory cards do.
  var inName: [UInt8] {
    let printable = (self ?? "").printable.map { "/\\:*?\"<>|\u{FFFD}".contains($0) ? "-" : $0 }
    return Array(String(printable.trimmingPrefix { $0 == " " }.reversed().trimmingPrefix { $0 == " " }.reversed()).utf8)
  }
}

extension FilePath {
  /// The file's name without its suffix. A name such as `.jpg` is all there is.
  var stemName: [UInt8] {
    let stem = PhotoName.stem(FilePath(Array(name))).bytes
    return stem.isEmpty ? Array(name) : stem
  }

  /// The number that a camera has given the file: the last three digits or more in a row, otherwise the last digits.
  var number: String {
    let runs = stemName.split { !$0.isDigit }
    return (runs.last { $0.count >= 3 } ?? runs.last).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension PhotoMetadata {
  /// The stars as a number, or the word for a rejected photo, which is the same in every language.
  var ratingInName: [UInt8] {
    Array((rating == PhotoDecisions.rejected ? "rejected" : String(rating ?? 0)).utf8)
  }
}

extension NamePattern.Format {
  /// Returns a number with at least as many digits as the format says.
  func digits(of number: String) -> [UInt8] {
    guard case .digits(let count) = self, !number.isEmpty else { return Array(number.utf8) }
    return Array(repeating: UInt8(ascii: "0"), count: max(0, count - number.utf8.count)) + number.utf8
  }

  /// Returns a time as the format says, or its day.
  func time(_ time: CalendarTime) -> [UInt8] {
    guard case .date(let format) = self else { return Array(time.dayText.utf8) }
    var (text, rest) = ("", format[...])
    while let character = rest.popFirst() {
      text += character == "%" ? rest.popFirst().flatMap { Self.codes[$0] }?(time) ?? "" : String(character)
    }
    return Array(text.utf8)
  }

  /// Returns whether each percent sign of a text begins a code of a time, and the rest can be in a name.
  static func isTime(_ format: Substring) -> Bool {
    var rest = format
    while let character = rest.popFirst() {
      if character == "%", rest.popFirst().flatMap({ codes[$0] }) == nil { return false }
    }
    return !format.isEmpty && format.utf8.count <= 50 && !format.unicodeScalars.contains(where: \.isForbidden)
  }

  /// The codes of a time's parts, as those of `strftime` (POSIX.1-2017).
  private static let codes: [Character: @Sendable (CalendarTime) -> String] = [
    "Y": { $0.yearText }, "y": { String($0.yearText.suffix(2)) }, "m": { String($0.monthText.suffix(2)) },
    "d": { String($0.dayText.suffix(2)) }, "H": { String($0.clockText.prefix(2)) },
    "M": { String($0.clockText.suffix(2)) }, "S": { String($0.iso8601(offset: nil).dropFirst(17).prefix(2)) },
    "%": { _ in "%" },
  ]
}

extension Unicode.Scalar {
  /// Whether a pattern can't have the character outside of its fields.
  var isForbidden: Bool { self == "/" || self != " " && !isVisible }
}
