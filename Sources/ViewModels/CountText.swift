extension Int {
  /// The number with commas between the thousands from 10,000 on.
  public var grouped: String {
    guard abs(self) >= 10_000 else { return String(self) }
    var (rest, groups) = (magnitude, [String]())
    while rest >= 1000 {
      groups.insert(String(rest % 1000 + 1000).dropFirst().description, at: 0)
      rest /= 1000
    }
    return (self < 0 ? "-" : "") + ([String(rest)] + groups).joined(separator: ",")
  }

  /// The number of photos in words, such as `1 photo` or `10,000 photos`.
  public var photosText: String { "\(grouped) \(self == 1 ? "photo" : "photos")" }
}
