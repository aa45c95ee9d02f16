// The decisions as properties, and the properties of other programs that are kept in step with them.
//
// A program that finds its own property reads that one first. So a property that a sidecar already has is updated, or the
// program would go on showing the old decision. A property that a sidecar does not have is never added: the standard ones are
// read by all of these programs.
//
// - darktable writes a rejected photo as `xmp:Rating` -1. It reads `xmp:Label` first, and its own `darktable:colorlabels`
//   (several numbers are possible) if that is missing. It reads `lr:hierarchicalSubject` before `dc:subject`.
// - digiKam reads `digiKam:ColorLabel` and `digiKam:TagsList` first. It rejects a photo with `digiKam:PickLabel` 1, which is
//   independent of the stars.
// - Lightroom Classic marks a rejected photo with `xmpDM:pick` -1 and `xmpDM:good` false, also independent of the stars.
//   Bridge writes `xmp:Rating` -1.
// - digiKam, nomacs and Windows write the stars also as `MicrosoftPhoto:Rating` in percent, and digiKam for ACDSee.
// - Capture One, Bridge, ON1 and RawTherapee use the standard properties alone. Capture One and Nikon's programs write the
//   color of a label also as `photoshop:Urgency`, each with other numbers. It is the editorial urgency of IPTC to others, so
//   it is left alone.
extension XMPEditor {
  /// Applies a change: first its fields, then the exact former values that it restores.
  mutating func apply(_ change: SidecarChange) {
    if let rating = change.rating.edit { setRating(rating) }
    if let label = change.label.edit { setLabel(label) }
    if let caption = change.caption.edit { set(.caption, to: caption.map { .array([$0], .alternative) }) }
    if let orientation = change.orientation.edit { set(.orientation, to: orientation.map { .text("\($0)") }) }
    if change.keywords != .keep || change.hierarchicalKeywords != .keep { setKeywords(change) }
    for (property, value) in change.formerValues { set(property, to: value) }
  }

  /// Sets a property of another program if the sidecar has it.
  private mutating func follow(_ property: SidecarProperty, _ value: (XMPValue) -> XMPValue?) {
    if let former = formerValue(of: property) { set(property, to: value(former)) }
  }

  private mutating func setRating(_ rating: Int?) {
    set(.rating, to: rating.map { .text("\($0)") })
    let stars = rating.map { max(0, $0) }
    for property in [SidecarProperty.microsoftRating, .exifToolRating] {
      follow(property) { _ in stars.map { .text("\(Ratings.percent[$0])") } }
    }
    follow(.acdseeRating) { _ in stars.map { .text("\($0)") } }
    // A photo that is not rejected any more may be undecided or picked. Only the user of the other program knows.
    follow(.digiKamPick) { rating == -1 ? .text("1") : $0.text == "1" ? .text("0") : $0 }
    follow(.lightroomPick) { rating == -1 ? .text("-1") : $0.text == "-1" ? .text("0") : $0 }
    follow(.lightroomGood) { rating == -1 ? .text("false") : $0.text?.lowercased() == "false" ? nil : $0 }
  }

  private mutating func setLabel(_ label: String?) {
    set(.label, to: label.map { .text($0) })
    let name = label ?? ""
    follow(.darktableLabels) { former in
      Labels.darktable.firstIndex(of: name).map { .array(["\($0)"], former.form ?? .ordered) }
    }
    follow(.digiKamLabel) { _ in .text("\(Labels.digiKam.firstIndex(of: name) ?? 0)") }
  }

  private mutating func setKeywords(_ change: SidecarChange) {
    func set(_ property: SidecarProperty, _ items: [String]??) {
      guard let items else { return }
      self.set(property, to: items.map { .array($0, formerValue(of: property)?.form ?? .unordered) })
    }
    let former = formerDecisions
    let (flat, hierarchical) = (change.keywords.edit, change.hierarchicalKeywords.edit)
    set(.keywords, flat)
    set(.hierarchicalKeywords, hierarchical)
    let old = KeywordPaths(former.keywords, former.hierarchicalKeywords)
    let new = KeywordPaths(flat ?? former.keywords, hierarchical ?? former.hierarchicalKeywords)
    let separators: [SidecarProperty: Character] = [
      .digiKamTags: "/", .microsoftKeywords: "/", .exifToolKeywords: "/", .mediaProSets: "|",
    ]
    for (property, separator) in separators {
      follow(property) { former in
        .array(new.updating(former.items, from: old, separator: separator), former.form ?? .ordered)
      }
    }
  }
}

extension SidecarChange.Field {
  /// The new value, or nil to remove the field. The whole is nil if the field stays.
  fileprivate var edit: Value?? {
    switch self {
    case .keep: nil
    case .set(let value): .some(value)
    case .remove: .some(nil)
    }
  }
}
