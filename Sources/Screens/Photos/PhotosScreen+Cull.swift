import Gallery
import Photos
import Terminal
import ViewModels

// The cull that the user makes in the viewer.
extension PhotosScreen {
  func beginCull() {
    choosing.marks.cancelRange()
    let first = viewModel.rows.indices.contains(highlighted) ? viewModel.rows[highlighted].photoID : nil
    cull { [unowned self] cull in view(cull, at: cull.firstUndecided(from: first)) }
  }

  /// Begins a cull, and calls `then` when its photos are counted.
  ///
  /// If the user has opened something else meanwhile, nothing is called: keys that are typed there must not decide about photos.
  func cull(then: @escaping (PhotoCull) -> Void) {
    choosing.beginCull { [unowned self] cull in
      if host.isTopmost(self), !isTyping { then(cull) }
    }
  }

  private func view(_ cull: PhotoCull, at place: PlaceIndex) {
    let rows: @MainActor () -> PhotoRows = { [choosing] in choosing.culledRows }
    // A photo whose file is gone has no row.
    let row = choosing.culledRow(at: place) ?? 0
    guard let viewer = ViewerViewModel(row, among: rows, clock: host.clock, cull: cull) else { return }
    viewer.onTurn = { [unowned self] in look(atRow: $0) }
    look(atRow: row)
    self.viewer = viewer
    host.view(
      viewer, summary: { [unowned self] in summary(of: cull, leave: $0) },
      photos: actions(among: rows))
  }

  private func look(atRow row: RowIndex) {
    let id = choosing.culledRows[row].photoID
    if let place = viewModel.rows.index(ofPhoto: id, guess: row) { pane.highlight(place) }
    choosing.look(at: id)
  }

  /// Makes the popup that ends a cull.
  private func summary(of cull: PhotoCull, leave: @escaping () -> Void) -> ChoicePopup {
    let (picked, rejected, undecided) = (cull.pickedCount, cull.rejectedCount, cull.undecidedCount)
    func search(_ query: String) -> () -> Void {
      { [self] in
        leave()
        find(query)
      }
    }
    // The marks stay as they are, so that the next key is not about the picks.
    func withPicks(refusal: String? = nil, _ next: @escaping ([Photo]) -> Void) -> () -> Void {
      { [self] in
        leave()
        if let refusal { host.note(refusal) } else { next(choosing.pickedPhotos) }
      }
    }
    let trashRejects = { [self] in
      leave()
      askToTrash(choosing.rejectedPhotos)
    }
    let markPicks = { [self] in
      leave()
      choosing.markPicks()
    }
    let steps: [(key: String, text: String, count: Int?, run: () -> Void)] = [
      ("p", localized("Show the picks"), picked, search("is:picked")),
      ("x", localized("Show the rejects"), rejected, search("is:rejected")),
      ("u", localized("Show the undecided"), undecided, search("is:unrated")),
      ("t", localized("Move the rejects to the trash"), rejected, trashRejects),
      ("m", localized("Mark the picks"), picked, markPicks),
      (
        "o", localized("Open the picks in other programs"), picked,
        withPicks(refusal: unopenable) { [self] in openOutside($0) }
      ),
      ("y", localized("Copy the paths of the picks"), picked, withPicks { [self] in copyPaths(of: $0.count, $0) }),
      ("M", localized("Move the picks to a folder"), picked, withPicks(refusal: unmovable) { [self] in move($0) }),
      ("E", localized("Export the picks"), picked, withPicks(refusal: unexportable) { [self] in export($0) }),
      ("e", localized("Save the picks as a catalog"), picked, withPicks { [self] in saveAsCatalog($0) }),
      ("c", localized("Continue culling"), nil, {}),
      ("d", localized("Done"), nil, leave),
    ]
    let possible = steps.filter { $0.count != 0 }
    let choices = possible.map { ChoicePopup.Choice(key: $0.key, text: $0.text, note: $0.count?.grouped ?? "") }
    let counts = [
      localized("\(picked.grouped) picked"), localized("\(rejected.grouped) rejected"),
      localized("\(undecided.grouped) undecided"),
    ].joined(separator: " · ")
    let unseen = cull.unseenShotCount
    let note = localized(
      "\(unseen.grouped) shot inside a stack was skipped.",
      plural: "\(unseen.grouped) shots inside stacks were skipped.", count: unseen)
    return ChoicePopup(
      title: localized("Cull summary"), text: [counts] + (unseen > 0 ? [note] : []), choices: choices
    ) { possible[$0].run() }
  }
}
