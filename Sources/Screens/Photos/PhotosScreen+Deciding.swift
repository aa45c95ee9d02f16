import Gallery
import Photos
import Services
import Terminal
import ViewModels

// The decisions about the marked photos, or about the highlighted one if none is marked.
extension PhotosScreen {
  @ActionList var decidingActions: [Action] {
    let impossible = noPhoto ?? (choosing.canDecide ? nil : Action.cannotDecide(about: pane.list.highlightedRow))
    let refusal = impossible ?? (choosing.marks.count == 0 ? exchange.refusal : nil)
    let highlightedPhoto = pane.list.highlightedRow as? any Decidable
    let isRejected = choosing.marks.count == 0 && highlightedPhoto?.decisions.isRejected == true
    // The keys are about the marked photos, which may be out of view.
    let marked = choosing.marks.count > 0 ? choosing.marks.count.grouped : nil
    let shots = shotsInSet?.grouped
    Action.ratings(
      of: { [self] in decisions }, isRejected: isRejected,
      rateLabel: marked.map { localized("Rate \($0)") } ?? shots.map { localized("Rate \($0) shots") },
      rejectLabel: (marked ?? shots).map { localized("Reject \($0)") },
      refusal: refusal, by: choosing.deciding, decide: { [self] in rate($0) })
    let isDuplicate = choosing.isDuplicate(row: highlighted)
    Action(.keepBest, refusal: impossible ?? (isDuplicate ? nil : localized("Search for is:duplicate first."))) {
      [self] in
      if let next = choosing.keepBest(ofRow: highlighted), choosing.deciding.advances { pane.highlight(next) }
    }
    Action(.cull, refusal: impossible) { [self] in beginCull() }
    Action(.label, refusal: refusal ?? cannotKeep(.label)) { [self] in
      host.open(.label(highlightedPhoto?.decisions.label) { [self] in rate(.label($0)) })
    }
    Action(.keywords, refusal: refusal ?? cannotKeep(.keywords) ?? notRead) { [self] in editKeywords() }
    Action(.caption, refusal: refusal ?? cannotKeep(.caption)) { [self] in editCaption() }
    Action(.template, refusal: refusal) { [self] in chooseTemplate() }
    Action(.correctTime, refusal: impossible ?? cannotKeep(.takenAt) ?? notRead) { [self] in correctTime() }
    Action(.geotag, refusal: impossible ?? cannotKeep(.latitude) ?? notRead) { [self] in addPositions() }
    Action(.rotate, refusal: refusal ?? cannotKeep(.orientation) ?? notRead) {
      [self] in
      decide(.rotation(quarters: 1))
    }
    let unmovable = noPhoto ?? unmovable ?? (choosing.marks.count == 0 ? exchange.refusal : nil)
    Action.trashing(highlightedPhoto, refusal: unmovable, label: marked.map { localized("Trash \($0)") }) {
      [self] in trash()
    }
    Action(.trashRejects, refusal: unmovable) { [self] in trashRejects() }
    Action(.rename, refusal: unmovable) { [self] in rename() }
    Action(.moveTo, refusal: unmovable) { [self] in move(chosenPhotos()) }
    Action(.copyTo, refusal: choosing.canCopyFiles ? noPhoto : unmovable) { [self] in
      chooseDestination(
        of: chosenPhotos(), localized("Copy"), title: { localized("Copy \($0) to") }, button: localized("Copy here"),
        nothing: localized("Copy nothing")
      ) { .copy(to: $0, isSkipping: $1) }
    }
    Action(.exportPhotos, label: marked.map { localized("Export \($0)…") }, refusal: noPhoto ?? unexportable) {
      [self] in
      export(chosenPhotos())
    }
    Action(.makeSheet, refusal: noPhoto ?? noLibraries) { [self] in makeSheet() }
    Action(.importPhotos) { [self] in importPhotos() }
    Action.stepping(choosing.deciding) { [self] in host.open($0) }
  }

  /// The reason why files can't be moved, or nil if they can.
  var unmovable: String? { choosing.canMoveFiles ? nil : Action.cannotMove(pane.list.highlightedRow) }

  private func cannotKeep(_ decision: Decision) -> String? { Action.cannotKeep(decision, by: choosing.deciding) }

  /// The reason why nothing can be exported, or nil if it can.
  var unexportable: String? {
    if !choosing.canExport { return localized("Photos of this source can't be exported.") }
    return noLibraries
  }

  private var noLibraries: String? {
    host.exportPresets.isEmpty ? localized("Exports need the image libraries. Install Tintype with them.") : nil
  }

  private func file(_ photos: [Photo], by change: FileChange) {
    choosing.changeFiles(of: photos, change)
  }

  /// Moves the marked photos to the trash, or the highlighted one if none is marked. Asks first if they are several or out of view.
  func trash() {
    let photos = chosenPhotos()
    let preview = choosing.filePreview(of: photos)
    if preview.photoCount > 1 || preview.remark != nil { askToTrash(photos) } else { file(photos, by: .trash) }
  }

  func askToTrash(_ photos: [Photo]) {
    host.open(.trashing(choosing.filePreview(of: photos)) { [self] in file(photos, by: .trash) })
  }

  /// Asks whether the listed photos that are rejected go to the trash, shots of closed stacks too. The marks stay.
  private func trashRejects() {
    cull { [unowned self] cull in
      if cull.rejectedCount == 0 { return host.note(localized("No listed photo is rejected.")) }
      // Even one photo may be out of view, as a shot of a closed stack is.
      askToTrash(choosing.rejectedPhotos)
    }
  }

  /// The number of shots that a decision about the highlighted row is about: those of a closed bracket, which belong together;
  /// nil for one.
  private var shotsInSet: Int? {
    guard choosing.marks.count == 0, let stack = stackOfHighlighted, !stack.isOpen, stack.kind.isSet else { return nil }
    return stack.count
  }

  /// The decisions about the marked photos, or about the highlighted one if none is marked.
  private var decisions: [PhotoDecisions] {
    choosing.decisions(about: choosing.markedPhotos(orRow: highlighted))
  }

  private var notRead: String? {
    choosing.marks.count == 0 ? (pane.list.highlightedRow as? any Decidable)?.notReadRefusal : nil
  }

  private func decide(_ change: DecisionChange, remark: String? = nil) {
    endRange()
    choosing.decide(change, orRow: highlighted, remark: remark)
  }

  /// Rates or labels the photos. After a rating, moves on to the next photo if none is marked, and says so the first time.
  private func rate(_ change: DecisionChange) {
    let movesOn = change.isRating && choosing.marks.count == 0 && choosing.deciding.advances
    // In a low window, the note would take the place of the way back.
    let hasRoom = WindowLayout(of: Rect(context.images.display.size))?.upperFooter != nil
    let hasNext = viewModel.rows.contains(row: highlighted + 1)
    decide(change, remark: movesOn && hasNext && hasRoom && !hasMovedOn ? localized("the next photo follows") : nil)
    guard movesOn else { return }
    if hasNext { hasMovedOn = true }
    moveOn()
  }

  private func editKeywords() {
    // The list may change while the popup is open.
    let photos = chosenPhotos()
    let popup = KeywordsPopup(of: choosing.decisions(about: photos)) { [self] in choosing.decide($0, about: photos) }
    popup.offerKeywords(of: choosing.deciding) { [host] in host.setNeedsDisplay() }
    host.open(popup)
  }

  private func editCaption() {
    let photos = chosenPhotos()
    host.open(.caption(of: choosing.decisions(about: photos)) { [self] in choosing.decide($0, about: photos) })
  }
}

// MARK: - Other names and folders

extension PhotosScreen {
  /// Asks for the new name of the marked photo, or of the highlighted one, and for the pattern of several names.
  private func rename() {
    let photos = chosenPhotos()
    if photos.count > 1 {
      let popup = RenamePopup(choosing.renaming(photos))
      popup.onChange = { [host] in host.setNeedsDisplay() }
      return host.open(popup)
    }
    let preview = choosing.filePreview(of: photos)
    host.open(
      FieldPopup(
        title: localized("Rename \(preview.names)"), label: localized("New name, without the suffix"),
        text: preview.stem,
        button: localized("Rename")
      ) { [unowned self] in file(photos, by: .rename(to: $0)) })
  }

  /// Moves photos to a folder that the user chooses.
  func move(_ photos: [Photo]) {
    chooseDestination(
      of: photos, localized("Move"), title: { localized("Move \($0) to") }, button: localized("Move here"),
      nothing: localized("Move nothing"), { .move(to: $0, isSkipping: $1) })
  }

  /// Asks for the folder that photos go to.
  private func chooseDestination(
    of photos: [Photo], _ verb: String, title: (String) -> String, button: String, nothing: String,
    _ change: @escaping (_ folder: FilePath, _ isSkipping: Bool) -> FileChange
  ) {
    let preview = choosing.filePreview(of: photos)
    askForFolder(title: title(preview.subject), button: button) { [unowned self] in
      confirm(photos, preview, verb, orElse: nothing, in: $0, change)
    }
  }

  /// The open folder, or that of the open archive, or else the home folder.
  var folderOfFiles: FilePath? { choosing.canMoveFiles ? source.folder : source.folder?.folder ?? .home }

  /// Asks for a folder that the user names or chooses.
  func askForFolder(title: String, button: String, _ onEnter: @escaping (FilePath) -> Void) {
    guard let folder = folderOfFiles else { return }
    let popup = DestinationPopup(title: title, button: button, host.destination(from: folder), onEnter: onEnter)
    popup.onChange = { [host] in host.setNeedsDisplay() }
    host.open(popup)
  }

  /// Shows why photos can't go to a folder.
  func refuse(_ verb: String, _ reason: String) { host.show(Alert(title: verb, message: reason), from: self) }

  /// Opens a popup for which something had to be read. The layers that the user has opened meanwhile stay over it: what is typed into
  /// them must not answer it.
  func openLate(_ popup: any Popup) { host.open(popup, over: self) }

  /// Carries out a change of files; asks first if there are several photos, if names are taken, or if there is no room.
  private func confirm(
    _ photos: [Photo], _ preview: FilePreview, _ verb: String, orElse nothing: String, in folder: FilePath,
    _ change: @escaping (_ folder: FilePath, _ isSkipping: Bool) -> FileChange
  ) {
    choosing.forecast(change(folder, false), of: photos) { [unowned self] forecast in
      if let refusal = forecast.refusal { return refuse(verb, refusal) }
      let lacksRoom = forecast.free.map { $0 < forecast.size } ?? false
      if preview.photoCount == 1, forecast.takenCount == 0, !lacksRoom {
        return file(photos, by: change(folder, false))
      }
      openLate(
        .placing(preview, forecast, verb, orElse: nothing, in: folder) { [unowned self] in
          file(photos, by: change(folder, $0))
        })
    }
  }
}

extension Popup where Self == ChoicePopup {
  /// Asks whether photos go to a folder, with what they meet there.
  @MainActor
  fileprivate static func placing(
    _ preview: FilePreview, _ forecast: FileForecast, _ verb: String, orElse nothing: String, in folder: FilePath,
    _ place: @escaping (_ isSkipping: Bool) -> Void
  ) -> ChoicePopup {
    let files = localized("\(preview.fileCount) file", plural: "\(preview.fileCount) files", count: preview.fileCount)
    let free = forecast.free.map { localized("\($0.fileSizeText) free") }
    let taken = forecast.takenCount
    let takenText = localized(
      "\(taken) name is taken there. Equal files are left alone.",
      plural: "\(taken) names are taken there. Equal files are left alone.", count: taken)
    let text = [
      preview.names, ["\(files), \(forecast.size.fileSizeText)", free].compactMap(\.self).joined(separator: " · "),
    ]
    let choices: [ChoicePopup.Choice] =
      [.init(key: "n", text: nothing)]
      + (taken == 0
        ? [.init(key: "y", text: verb)]
        : [
          .init(key: "y", text: localized("\(verb), with numbers where names are taken")),
          .init(key: "s", text: localized("\(verb), but skip those whose names are taken")),
        ])
    return ChoicePopup(
      title: localized("\(verb) to \(folder.printable)?"), text: text + (taken > 0 ? [takenText] : []), choices: choices
    ) { if $0 > 0 { place($0 == 2) } }
  }

  /// Asks whether photos are moved to the trash.
  @MainActor
  fileprivate static func trashing(_ preview: FilePreview, _ trash: @escaping () -> Void) -> ChoicePopup {
    let files = localized("\(preview.fileCount) file", plural: "\(preview.fileCount) files", count: preview.fileCount)
    return ChoicePopup(
      title: localized("Move \(preview.amount) to the trash?"),
      text: [preview.names, localized("\(files), with all sidecars. This can be undone.")],
      choices: [
        .init(key: "n", text: localized("Move nothing")), .init(key: "y", text: localized("Move to the trash")),
      ]
    ) { if $0 == 1 { trash() } }
  }
}
