/// Texts of metadata, which cameras and programs write in different ways.
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
