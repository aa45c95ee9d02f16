/// The recognition of pages for browsers (HTML, XML) among answers that should be data.
public enum WebMarkup {
  /// The number of bytes that are examined at most.
  public static let longestLead = 1 << 10

  /// Whether a body begins like markup: with "<" after an optional byte order mark and white space.
  ///
  /// JSON never does, and of the image formats only SVG.
  public static func begins(_ body: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = body.starts(with: mark) ? body.dropFirst(mark.count) : body[...]
    return text.prefix(longestLead).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
  }
}
