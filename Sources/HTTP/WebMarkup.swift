/// Pages for browsers (HTML, XML), where data was asked for.
public enum WebMarkup {
  /// How many bytes are looked at, at most.
  public static let longestLead = 1 << 10

  /// Whether a body begins as markup does: with "<", behind a byte order mark and white space. JSON and the image formats
  /// other than SVG never do.
  public static func begins(_ body: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = body.starts(with: mark) ? body.dropFirst(mark.count) : body[...]
    return text.prefix(longestLead).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }
}
