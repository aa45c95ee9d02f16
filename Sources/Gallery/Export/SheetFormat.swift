/// The formats of contact sheets.
public enum SheetFormat: String, CaseIterable, Codable, Sendable {
  case pdf, html, png

  /// The format of a file by the suffix of its name, or nil if it is none of them.
  public init?(ofFile name: String) {
    let name = name.lowercased()
    guard let format = Self.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else { return nil }
    self = format
  }
}
