import Gallery

extension XMPDocument {
  /// The decisions that the sidecar holds. `XMPEditor+Decisions.swift` says how other programs write them.
  var decisions: PhotoDecisions {
    let values = { name in SidecarProperty(rawValue: name).flatMap { value(of: $0)?.items } }
    var decisions = PhotoDecisions(xmp: values)
    for decision in Decision.allCases where decision != .rating && decision != .label {
      guard let property = SidecarProperty(decision) else { continue }
      decisions[decision] = value(of: property).flatMap { value in
        if let text = decision.iptcText { return text.text(of: value.items).map(DecisionValue.text) }
        return value.decision(decision.form)
      }
      if property.hasLanguages {
        decisions[decision] = (decisions[decision]?.text ?? firstText(of: property))?.nonEmpty.map(DecisionValue.text)
      }
    }
    decisions.crop = PhotoCrop(xmp: values)
    if value(of: .isBelowSea)?.text == "1" { decisions.altitude = decisions.altitude.map { -abs($0) } }
    decisions.keywords = decisions.keywords ?? digiKamKeywords
    return decisions
  }

  /// The sidecar's value of each decision. An empty value hides that of the photo's own file.
  var edits: DecisionEdits {
    let decisions = decisions
    var edits = DecisionEdits()
    for decision in Decision.allCases {
      let isThere = SidecarProperty(decision).flatMap(value) != nil
      let empty = isThere ? decision.form.empty : nil
      if let value = decisions[decision] ?? empty { edits[decision] = .set(value) }
    }
    return edits
  }

  /// The last levels of digiKam's tags, for a sidecar in which digiKam has written no other keywords.
  private var digiKamKeywords: [String]? {
    value(of: .digiKamTags)?.items.compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// Returns the first text of any language, for a sidecar that lacks the default language.
  private func firstText(of property: SidecarProperty) -> String? {
    descriptions.lazy.flatMap(\.children).first { $0.name == property.name }?.array?.element.children.first?.text
  }
}

extension XMPValue {
  /// Returns the value of a decision, or nil if this is none of that form. Some programs write `3.0`.
  fileprivate func decision(_ form: Decision.Form) -> DecisionValue? {
    switch form {
    case .number: text.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }.map(DecisionValue.number)
    case .text: text.map(DecisionValue.text)
    case .list: .list(items)
    }
  }
}
