/// Texts in metadata, which programs write in different ways.
enum MetadataText {
  /// The longest text in bytes. The rest of a longer one is cut off.
  private static let longest = 1 << 16

  /// Returns a text from UTF-8, or from Latin-1 if the bytes are not valid UTF-8. The text has no white space around it. Nil
  /// is returned for an empty text.
  static func decode(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
    let bytes = bytes.prefix(longest)
    let isEnd = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = bytes[...].drop(while: isEnd)
    while let last = rest.last, isEnd(last) || last == 0 { rest = rest.dropLast() }
    guard let first = rest.first, let last = rest.last else { return nil }
    let text =
      String(validating: rest, as: UTF8.self) ?? String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) }))
    // Other white space is not ASCII. Looking for it takes longer than all else.
    return first < 0x80 && last < 0x80 ? text : trim(text)
  }

  /// Removes the white space around a text. Returns nil if nothing is left.
  static func trim(_ text: some StringProtocol) -> String? {
    var rest = text[...]
    while let last = rest.last, last.isWhitespace || last == "\0" { rest.removeLast() }
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    return rest.isEmpty ? nil : String(rest)
  }

  /// Returns the name of a camera: the model, with the brand before it unless the model starts with the brand.
  ///
  /// Cameras often give a company's name as their maker, such as `OLYMPUS IMAGING CORP.` or `NIKON CORPORATION`. Only the
  /// brand is kept.
  static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let words = make.split(separator: " ")
    let brand = words.prefix { !isOfCompany($0) }
    guard !brand.isEmpty else { return "\(make) \(model)" }
    let isNamed = brand.contains { model.lowercased().hasPrefix($0.lowercased()) }
    return isNamed ? model : "\(brand.joined(separator: " ")) \(model)"
  }

  /// Whether a word can follow the brand in a company's name, such as `CORP.`
  private static func isOfCompany(_ word: Substring) -> Bool {
    // Looking for letters among characters takes longer than reading a directory, and nearly all makers are in ASCII.
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else {
      return companyWords.contains(word.lowercased().filter(\.isLetter))
    }
    let letters = word.utf8.map { $0 | 0x20 }.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return companyWords.contains(String(decoding: letters, as: UTF8.self))
  }

  /// The words that can follow the brand in a company's name.
  private static let companyWords: Set<String> = [
    "ag", "camera", "co", "company", "corp", "corporation", "electric", "electronics", "gmbh", "imaging", "inc", "ltd",
    "optical", "technologies",
  ]
}
