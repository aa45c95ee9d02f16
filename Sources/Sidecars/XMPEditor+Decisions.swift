import Gallery

// The decisions as properties, and the properties of other programs that are kept in step with them.
//
// A program that finds its own property reads that one first. So a property that a sidecar already has is updated, or the
// program would go on showing the old decision. A property that a sidecar does not have is added only for a rejection, which
// digiKam and Lightroom Classic do not see in the standard one.
//
// - darktable writes a rejected photo as `xmp:Rating` -1. It reads `xmp:Label` first, and its own `darktable:colorlabels`
//   (several numbers are possible) if that is missing. It reads `lr:hierarchicalSubject` before `dc:subject`.
// - digiKam reads `digiKam:ColorLabel` and `digiKam:TagsList` first. It rejects a photo with `digiKam:PickLabel` 1, which is
//   independent of the stars.
// - Lightroom Classic marks a rejected photo with `xmpDM:pick` -1 and `xmpDM:good` false, also independent of the stars.
//   Bridge writes `xmp:Rating` -1.
// - digiKam, nomacs and Windows write the stars also as `MicrosoftPhoto:Rating` in percent, and digiKam for ACDSee.
// - Lightroom, Bridge and Photo Mechanic write a crop as the settings of Camera Raw, in fractions of the stored image. darktable
//   takes it over from Lightroom's `a.xmp` when it imports the photo.
// - Capture One, Bridge, ON1 and RawTherapee use the standard properties alone. Capture One and Nikon's programs write the
//   color of a label also as `photoshop:Urgency`, each with other numbers. It is the editorial urgency of IPTC to others, so
//   it is left alone.
extension XMPEditor {
  /// Applies a change: the exact former values that it restores, or its edits if it undoes nothing.
  mutating func apply(_ change: SidecarChange) {
    for (property, value) in change.formerValues {
      set(property, to: value.restored(over: formerValue(of: property), written: change.writtenLists?[property]))
    }
    guard change.formerValues.isEmpty else { return }
    let old = formerDecisions
    let new = old.applying(change.edits)
    for decision in change.edits.changed where decision != .crop {
      guard let property = SidecarProperty(decision) else { continue }
      set(property, to: new[decision].map { $0.xmp(property, former: formerValue(of: property)?.form) })
    }
    // What else says the same follows.
    let changed = Set(change.edits.changed)
    if changed.contains(.crop) { setCrop(new.crop) }
    if changed.contains(.rating) { followRating(new.rating) }
    if changed.contains(.takenAt) { followTime(new[.takenAt]?.text, from: old.takenAt) }
    if changed.contains(.altitude) { followAltitude(new.altitude) }
    if changed.contains(.label) { followLabel(new.label) }
    if !changed.isDisjoint(with: [.keywords, .hierarchicalKeywords]) { followKeywords(new, from: old) }
  }

  /// Sets the properties of Camera Raw. A sidecar that has some says that there is no crop.
  private mutating func setCrop(_ crop: PhotoCrop?) {
    let texts: [String?] = (crop?.edgeTexts ?? [nil, nil, nil, nil]) + [crop == nil ? nil : "0"]
    let properties = [SidecarProperty.cropLeft, .cropTop, .cropRight, .cropBottom, .cropAngle]
    for (property, text) in zip(properties, texts) { set(property, to: text.map { .text($0) }) }
    let had = formerValue(of: .hasCrop) != nil
    if crop != nil { set(.alreadyApplied, to: nil) }
    set(.hasCrop, to: crop != nil ? .text("True") : had ? .text("False") : nil)
  }

  /// Sets a property of another program if the sidecar has it.
  private mutating func follow(_ property: SidecarProperty, _ value: (XMPValue) -> XMPValue?) {
    if let former = formerValue(of: property) { set(property, to: value(former)) }
  }

  private mutating func followRating(_ rating: Int?) {
    let stars = rating.map { max(0, $0) }
    for property in [SidecarProperty.microsoftRating, .exifToolRating] {
      follow(property) { _ in stars.map { .text("\(PhotoDecisions.percentages[$0])") } }
    }
    follow(.acdseeRating) { _ in stars.map { .text("\($0)") } }
    // A photo that is not rejected any more may be undecided or picked. Only the user of the other program knows.
    if rating == -1 {
      set(.digiKamPick, to: .text("1"))
      set(.lightroomPick, to: .text("-1"))
      set(.lightroomGood, to: .text("false"))
    } else {
      follow(.digiKamPick) { $0.text == "1" ? .text("0") : $0 }
      follow(.lightroomPick) { $0.text == "-1" ? .text("0") : $0 }
      follow(.lightroomGood) { $0.text?.lowercased() == "false" ? nil : $0 }
    }
  }

  /// Sets the other times that programs read, if they have said the same: digiKam reads the second one, and Lightroom Classic shows the
  /// first. Of a scan, they can be that of scanning.
  private mutating func followTime(_ time: String?, from old: CaptureTime?) {
    for property in [SidecarProperty.dateCreated, .createDate] {
      follow(property) { former in
        let said = former.text.flatMap { CaptureTime(metadata: $0) }
        return said != nil && said?.clock == old?.clock ? time.map { .text($0) } : former
      }
    }
  }

  private mutating func followAltitude(_ altitude: Double?) {
    guard let altitude else { return set(.isBelowSea, to: nil) }
    set(.isBelowSea, to: .text(altitude < 0 ? "1" : "0"))
    set(.altitude, to: .text(XMPPosition.altitude(abs(altitude))))
  }

  private mutating func followLabel(_ label: String?) {
    let label = label.flatMap(ColorLabel.init(rawValue:))
    follow(.darktableLabels) { former in
      label?.darktableNumber.map { .array(["\($0)"], former.form ?? .ordered) }
    }
    follow(.digiKamLabel) { _ in .text("\(label?.digiKamNumber ?? 0)") }
  }

  private mutating func followKeywords(_ decisions: PhotoDecisions, from former: PhotoDecisions) {
    let old = KeywordPaths(former.keywords, former.hierarchicalKeywords)
    let new = KeywordPaths(decisions.keywords, decisions.hierarchicalKeywords)
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

extension XMPValue? {
  /// Returns this former value of a property with what another program has added to a list, or removed from it, since the
  /// list was written.
  fileprivate func restored(over current: XMPValue?, written: XMPValue?) -> XMPValue? {
    guard let current, let written, current != written, case .array(let items, let form) = current,
      form != .alternative
    else { return self }
    let (former, lost) = (self?.items ?? [], written.items)
    let kept = items.filter { !lost.contains($0) || former.contains($0) }
    let new = kept + former.filter { !lost.contains($0) && !kept.contains($0) }
    return new.isEmpty ? nil : .array(new, form)
  }
}

extension DecisionValue {
  /// Returns the value of a property.
  /// - Parameter form: The former form of the array. The specification wants an unordered one of keywords.
  fileprivate func xmp(_ property: SidecarProperty, former form: XMPValue.Form?) -> XMPValue {
    switch self {
    case .number(let number): .text("\(number)")
    case .text(let text) where property.hasLanguages: .array([text], .alternative)
    case .text(let text) where property.iptcText?.form == .names: .array(IPTCText.names(in: text), form ?? .ordered)
    case .text(let text): .text(text)
    case .list(let items): .array(items, form ?? .unordered)
    }
  }
}
