import Gallery
import Photos
import Terminal
import ViewModels

// The texts, times and positions of the marked photos, or of the highlighted one if none is marked.
extension PhotosScreen {
  func chooseTemplate() {
    chooseTemplate(of: choosing.withClosedBursts(chosenPhotos()))
  }

  /// Asks for a template, and shows what it changes of photos.
  func chooseTemplate(of photos: [Photo]) {
    let subject = choosing.filePreview(of: photos).subject
    let templates = host.templates
    let choices = templates.enumerated().map { index, template in
      ChoicePopup.Choice(
        key: index < 9 ? "\(index + 1)" : "", text: template.name.printable, note: template.decisions.namesText)
    }
    func writeTexts() {
      host.open(FormPopup(choosing.makeTextsForm(of: photos)) { [host] in host.setNeedsDisplay() })
    }
    if templates.isEmpty { return writeTexts() }
    let last = ChoicePopup.Choice(key: "e", text: localized("Write the texts…"))
    host.open(
      ChoicePopup(title: localized("Template for \(subject)"), choices: choices + [last]) { [unowned self] choice in
        if choice == templates.count { return writeTexts() }
        choosing.plan(templates[choice], of: photos) { [unowned self] in confirm($0, for: subject) }
      })
  }

  /// Asks for the right time of the highlighted photo, and corrects the clock of its camera.
  func correctTime() {
    endRange()
    choosing.makeClockForm(row: highlighted) { [unowned self] form in
      guard let form else { return host.note(localized("The camera has written no time into the photo.")) }
      openLate(FormPopup(form) { [host] in host.setNeedsDisplay() })
    }
  }

  /// Asks for the track of a receiver, and gives photos positions from it.
  func addPositions() {
    endRange()
    // Tracks are read from this machine.
    let folder = source.folder.flatMap { $0.isRemote ? nil : $0 }
    choosing.makeTrackForm(
      row: highlighted, in: folder, folders: host.destination(from: folder ?? .workingFolder, named: [])
    ) { [unowned self] form in
      if let form { openLate(FormPopup(form) { [host] in host.setNeedsDisplay() }) }
    }
  }

  private func confirm(_ plan: TemplatePlan, for subject: String) {
    guard plan.changes.isEmpty else {
      return openLate(.applying(plan, to: subject) { [unowned self] in choosing.apply(plan) })
    }
    if plan.leftOut == plan.template.decisions { return host.note(plan.leftOutText) }
    host.note(plan.unreadText ?? localized("Nothing changes: the photos have all of it."))
  }
}

extension TemplatePlan {
  fileprivate var leftOutText: String { localized("The server of the photos can't keep: \(leftOut.namesText)") }

  fileprivate var unreadText: String? {
    unreadCount > 0 ? localized("Not read yet: \(unreadCount.photosText)") : nil
  }
}

extension Popup where Self == ChoicePopup {
  /// Asks whether photos get the texts of a template, and shows those of the first photo.
  @MainActor
  fileprivate static func applying(
    _ plan: TemplatePlan, to subject: String, _ apply: @escaping () -> Void
  ) -> ChoicePopup {
    let notes = [
      plan.photoCount > 1 ? localized("This is what the first photo gets.") : nil,
      plan.replacedCount > 0
        ? localized(
          "\(plan.replacedCount) photo has another text, which is replaced.",
          plural: "\(plan.replacedCount) photos have other texts, which are replaced.", count: plan.replacedCount)
        : nil,
      plan.unchangedCount > 0 ? localized("Unchanged: \(plan.unchangedCount.photosText)") : nil,
      plan.unreadText,
      plan.leftOut.isEmpty ? nil : plan.leftOutText,
    ]
    return ChoicePopup(
      title: localized("Apply “\(plan.template.name.printable)” to \(subject)?"),
      text: (plan.changes.first?.edits.lines ?? []) + notes.compactMap(\.self),
      choices: [
        .init(key: "n", text: localized("Change nothing")),
        .init(key: "y", text: localized("Apply to \(plan.photoCount.photosText)")),
      ]
    ) { if $0 == 1 { apply() } }
  }
}
