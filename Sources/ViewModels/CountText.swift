import Gallery

extension Int {
  /// The number with a sign between the thousands from 10,000 on, as the language writes it.
  public var grouped: String {
    guard abs(self) >= 10_000 else { return String(self) }
    var (rest, groups) = (magnitude, [String]())
    while rest >= 1000 {
      groups.insert(String(rest % 1000 + 1000).dropFirst().description, at: 0)
      rest /= 1000
    }
    return (self < 0 ? "-" : "") + ([String(rest)] + groups).joined(separator: Language.groupSign)
  }

  /// The number of photos in words, such as `1 photo` or `10,000 photos`.
  public var photosText: String { localized("\(grouped) photo", plural: "\(grouped) photos", count: self) }
}
