/// The names of cameras, which metadata has in two parts.
public enum CameraName {
  /// Returns the name of a camera: the model, with the brand before it unless the model starts with the brand.
  ///
  /// Cameras often give a company's name as their maker, such as `OLYMPUS IMAGING CORP.` or `NIKON CORPORATION`. Only the
  /// brand is kept.
  public static func joined(make: String?, model: String?) -> String? {
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
