extension XMPDocument {
  /// The decisions that the sidecar holds. `XMPEditor+Decisions.swift` says how other programs write them.
  var decisions: PhotoDecisions {
    var decisions = PhotoDecisions()
    decisions.rating = rating
    decisions.label = label
    decisions.keywords = value(of: .keywords)?.items ?? digiKamKeywords
    decisions.hierarchicalKeywords = value(of: .hierarchicalKeywords)?.items
    decisions.caption = value(of: .caption)?.text ?? firstCaption
    decisions.orientation = number(.orientation).flatMap { (1...8).contains($0) ? $0 : nil }
    return decisions
  }

  /// The rating. A photo that another program has rejected without a rating is rejected, too; stars count more.
  private var rating: Int? {
    let rating = number(.rating).flatMap { (-1...5).contains($0) ? $0 : nil }
    if (rating ?? 0) == 0, number(.digiKamPick) == 1 || number(.lightroomPick) == -1 { return -1 }
    return rating ?? (number(.microsoftRating) ?? number(.exifToolRating)).flatMap(Ratings.stars)
  }

  /// The last levels of digiKam's tags, for a sidecar in which digiKam has written no other keywords.
  private var digiKamKeywords: [String]? {
    value(of: .digiKamTags)?.items.compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  private var label: String? {
    if let label = value(of: .label)?.text { return label.isEmpty ? nil : label }
    let darktable = value(of: .darktableLabels)?.items.lazy.compactMap { Int($0) }.first {
      Labels.darktable.indices ~= $0
    }
    if let darktable { return Labels.darktable[darktable] }
    return number(.digiKamLabel).flatMap { (1..<Labels.digiKam.count) ~= $0 ? Labels.digiKam[$0] : nil }
  }

  /// The first caption of any language, for a sidecar that lacks the default language.
  private var firstCaption: String? {
    descriptions.lazy.flatMap(\.children).first { $0.name == SidecarProperty.caption.name }?.array?.element.children
      .first?
      .text
  }

  /// Returns the value of a property as an integer. Some programs write `3.0`.
  private func number(_ property: SidecarProperty) -> Int? {
    value(of: property)?.text.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
  }
}
