import Gallery

extension XMPDocument {
  /// The decisions that the sidecar holds. `XMPEditor+Decisions.swift` says how other programs write them.
  var decisions: SidecarDecisions {
    var decisions = SidecarDecisions()
    let known = PhotoDecisions { name in SidecarProperty(rawValue: name).flatMap { value(of: $0)?.items } }
    (decisions.rating, decisions.label) = (known.stars, known.label)
    decisions.keywords = value(of: .keywords)?.items ?? digiKamKeywords
    decisions.hierarchicalKeywords = value(of: .hierarchicalKeywords)?.items
    decisions.caption = (value(of: .caption)?.text ?? firstCaption)?.nonEmpty
    decisions.orientation = number(.orientation).flatMap { (1...8).contains($0) ? $0 : nil }
    return decisions
  }

  /// The last levels of digiKam's tags, for a sidecar in which digiKam has written no other keywords.
  private var digiKamKeywords: [String]? {
    value(of: .digiKamTags)?.items.compactMap { $0.split(separator: "/").last.map(String.init) }
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
