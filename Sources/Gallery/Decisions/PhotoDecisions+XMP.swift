// How programs write ratings, labels and keywords in XMP. `Sidecars/XMPEditor+Decisions.swift` says which program writes what.

extension PhotoDecisions {
  /// The percentages of 0 to 5 stars, as Windows and digiKam write them.
  public static let percentages = [0, 1, 25, 50, 75, 99]

  /// The properties that ``init(xmp:)`` asks for.
  public static let xmpNames = [
    "xmp:Rating", "xmp:Label", "darktable:colorlabels", "digiKam:ColorLabel", "digiKam:PickLabel", "xmpDM:pick",
    "MicrosoftPhoto:Rating", "MicrosoftPhoto_1_:Rating",
  ]

  /// Creates the rating that an XMP packet contains. A property of another program counts if the standard one is missing.
  ///
  /// - Parameter values: Returns the values of a property, which are empty for an empty property, or nil if the packet
  ///   does not have it.
  public init(xmp values: (String) -> [String]?) {
    /// Some programs write `3.0`.
    func number(_ name: String) -> Int? {
      values(name)?.first.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
    }
    rating = number("xmp:Rating").flatMap { (-1...5).contains($0) ? $0 : nil }
    // A photo that another program has rejected without a rating is rejected, too. Stars count more.
    if (rating ?? 0) == 0, number("digiKam:PickLabel") == 1 || number("xmpDM:pick") == -1 {
      rating = Self.rejected
    } else if rating == nil {
      rating = (number("MicrosoftPhoto:Rating") ?? number("MicrosoftPhoto_1_:Rating")).flatMap(Self.stars(percent:))
    }
    if let standard = values("xmp:Label") {
      label = standard.first.flatMap(\.nonEmpty)
    } else {
      let darktable = values("darktable:colorlabels")?.lazy.compactMap { Int($0) }
        .compactMap(ColorLabel.init(darktable:)).first
      label = (darktable ?? number("digiKam:ColorLabel").flatMap(ColorLabel.init(digiKam:)))?.rawValue
    }
  }

  /// Returns the stars of a percentage, or nil if it is invalid.
  private static func stars(percent: Int) -> Int? {
    (0...100).contains(percent) ? percentages.lastIndex { $0 <= percent } : nil
  }
}
