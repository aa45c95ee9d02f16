import Gallery
import Photos
import Terminal
import ViewModels

// The decisions about the marked photos, or about the highlighted one if none is marked.
extension PhotosScreen {
  @ActionList var decidingActions: [Action] {
    let impossible = noPhoto ?? (choosing.canDecide ? nil : Action.cannotDecide)
    let refusal = impossible ?? (choosing.marks.count == 0 ? exchange.refusal : nil)
    let highlightedPhoto = pane.list.highlightedRow as? any Decidable
    let isRejected = choosing.marks.count == 0 && highlightedPhoto?.decisions.isRejected == true
    // The keys are about the marked photos, which may be out of view.
    let marked = choosing.marks.count > 0 ? choosing.marks.count.grouped : nil
    Action.ratings(
      of: { [self] in decisions }, isRejected: isRejected, rateLabel: marked.map { localized("Rate \($0) marked") },
      rejectLabel: marked.map { localized("Reject \($0) marked") }, refusal: refusal, decide: { [self] in rate($0) })
    Action(.cull, refusal: impossible) { [self] in beginCull() }
    Action(.label, refusal: refusal) { [self] in
      host.open(.label(highlightedPhoto?.decisions.label) { [self] in rate(.label($0)) })
    }
    Action(.keywords, refusal: refusal ?? notRead) { [self] in editKeywords() }
    Action(.caption, refusal: refusal) { [self] in editCaption() }
    Action(.rotate, refusal: refusal ?? notRead) { [self] in decide(.rotation(quarters: 1)) }
    Action.trashing(
      highlightedPhoto,
      refusal: noPhoto ?? (choosing.canMoveFiles ? nil : Action.cannotMove)
        ?? (choosing.marks.count == 0 ? exchange.refusal : nil),
      label: marked.map { localized("Trash \($0) marked") }
    ) { [self] in
      trash()
    }
    Action.stepping(choosing.deciding) { [self] in host.open($0) }
  }

  /// Moves the marked photos to the trash, or the highlighted one if none is marked. Asks first if they are several.
  func trash() {
    endRange()
    let photos = choosing.markedPhotos(orRow: highlighted)
    let preview = choosing.trashPreview(of: photos)
    guard preview.photoCount > 1 else { return choosing.trash(photos) }
    host.open(.trashing(preview) { [self] in choosing.trash(photos) })
  }

  /// The decisions about the marked photos, or about the highlighted one if none is marked.
  private var decisions: [PhotoDecisions] {
    choosing.decisions(about: choosing.markedPhotos(orRow: highlighted))
  }

  private var notRead: String? {
    choosing.marks.count == 0 ? (pane.list.highlightedRow as? any Decidable)?.notReadRefusal : nil
  }

  private func decide(_ change: DecisionChange) {
    endRange()
    if choosing.marks.count == 0, let stack = stackOfHighlighted, !stack.isOpen, !stack.kind.isSet {
      noteEnding = localized("the shown one of \(stack.count) shots")
    }
    choosing.decide(change, orRow: highlighted)
    noteEnding = nil
  }

  /// Rates or labels the photos. After a rating, moves on to the next photo if none is marked.
  private func rate(_ change: DecisionChange) {
    decide(change)
    guard change.isRating, choosing.marks.count == 0, choosing.deciding.advances else { return }
    if showsSheet { pane.highlight(highlighted + 1) } else { pane.move(.rows(1)) }
  }

  private func editKeywords() {
    endRange()
    // The list may change while the popup is open.
    let photos = choosing.markedPhotos(orRow: highlighted)
    let popup = KeywordsPopup(of: choosing.decisions(about: photos)) { [self] in choosing.decide($0, about: photos) }
    popup.offerKeywords(of: choosing.deciding) { [host] in host.setNeedsDisplay() }
    host.open(popup)
  }

  private func editCaption() {
    endRange()
    let photos = choosing.markedPhotos(orRow: highlighted)
    host.open(.caption(of: choosing.decisions(about: photos)) { [self] in choosing.decide($0, about: photos) })
  }
}

extension Popup where Self == ChoicePopup {
  /// Asks whether several photos are moved to the trash.
  @MainActor
  fileprivate static func trashing(_ preview: FilePreview, _ trash: @escaping () -> Void) -> ChoicePopup {
    let files = localized("\(preview.fileCount) file", plural: "\(preview.fileCount) files", count: preview.fileCount)
    return ChoicePopup(
      title: localized("Move \(preview.photoCount.photosText) to the trash?"),
      text: [preview.names, localized("\(files), with their sidecars. Undo brings them back.")],
      choices: [
        .init(key: "n", text: localized("Keep them")), .init(key: "y", text: localized("Move to the trash")),
      ]
    ) { if $0 == 1 { trash() } }
  }
}
