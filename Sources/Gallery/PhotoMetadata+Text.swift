// The texts of metadata in a photo's details.

extension PhotoMetadata {
  /// The known parts of the exposure, such as `1/250 s, f/2.8, 35 mm, ISO 400`.
  public var exposureText: String? { exposureParts.isEmpty ? nil : exposureParts.joined(separator: ", ") }

  /// The known parts of ``exposureText``.
  public var exposureParts: [String] {
    let parts: [String?] = [
      exposureTime.flatMap { $0 > 0 ? ($0 < 0.3 ? "1/\(Int((1 / $0).rounded())) s" : "\($0.short) s") : nil },
      fNumber.map { "f/\($0.short)" }, focalLength.map { "\($0.short) mm" }, iso.map { "ISO \($0)" },
    ]
    return parts.compactMap(\.self)
  }

  var pixelsText: String? { width > 0 && height > 0 ? "\(width)×\(height)" : nil }

  /// The stars of the photo, or the word for a rejected photo.
  public var ratingText: String? {
    switch rating {
    case .some(1...5): String(repeating: "★", count: rating ?? 0)
    case .some(-1): "rejected"
    default: nil
    }
  }

  var keywordsText: String? {
    keywords.isEmpty ? nil : keywords.map(\.printable).joined(separator: ", ")
  }
}

extension PhotoMetadata.Place {
  /// The place in degrees, exact to about ten meters.
  var text: String {
    func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
      let parts = Int((abs(value) * 10_000).rounded())
      let fraction = String(parts % 10_000 + 10_000).dropFirst()
      return "\(parts / 10_000).\(fraction)° \(value < 0 ? negative : positive)"
    }
    return "\(degrees(latitude, "N", "S")), \(degrees(longitude, "E", "W"))"
  }
}

extension Double {
  /// The number with one digit after the decimal point, or without any if that digit is 0.
  var short: String {
    guard abs(self) < 1e9 else { return "?" }
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
