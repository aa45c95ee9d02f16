import Gallery
import Terminal
import ViewModels

/// The cull that the user makes in the viewer.
@MainActor
struct ViewerCull {
  /// The cull.
  let model: PhotoCull
  /// Returns the progress at a row, such as `37 of 300 · 12 picked · 9 rejected`.
  let progress: (_ row: Int) -> String
  /// Returns a popup with the outcome and the next steps, which leaves the viewer by a closure.
  let summary: (_ leave: @escaping () -> Void) -> any Popup
}

extension PhotosScreen {
  func beginCull() {
    choosing.marks.cancelRange()
    let first = viewModel.rows.indices.contains(highlighted) ? viewModel.rows[highlighted].photoID : nil
    choosing.beginCull { [unowned self] cull in view(cull, at: cull.firstUndecided(from: first)) }
  }

  private func view(_ cull: PhotoCull, at row: Int) {
    let progress = { (row: Int) in
      [
        localized("\((row + 1).grouped) of \(cull.count.grouped)"), localized("\(cull.pickedCount.grouped) picked"),
        localized("\(cull.rejectedCount.grouped) rejected"),
      ].joined(separator: " · ")
    }
    let look = { [unowned self] (row: Int) in
      let id = choosing.culledRows[row].photoID
      if let place = viewModel.rows.index(ofPhoto: id, guess: row) { pane.highlight(place) }
      choosing.look(at: id)
    }
    look(row)
    host.view(
      row, among: { [choosing] in choosing.culledRows }, slideshowSeconds: nil,
      cull: ViewerCull(model: cull, progress: progress, summary: { [unowned self] in summary(of: cull, leave: $0) }),
      onCompare: { [unowned self] in compare($0, among: { [choosing] in choosing.culledRows }, onEnd: $1) },
      onTurn: look)
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
    func withPicks(_ next: @escaping () -> Void) -> () -> Void {
      { [self] in
        leave()
        choosing.markPicks()
        next()
      }
    }
    let steps: [(key: String, text: String, count: Int?, run: () -> Void)] = [
      ("p", localized("Show the picks"), picked, search("is:picked")),
      ("x", localized("Show the rejects"), rejected, search("is:rejected")),
      ("u", localized("Show the undecided"), undecided, search("is:unrated")),
      ("m", localized("Mark the picks"), picked, withPicks {}),
      ("o", localized("Open the picks in other programs"), picked, withPicks { [self] in perform(.openOutside) }),
      ("y", localized("Copy the paths of the picks"), picked, withPicks { [self] in perform(.copyPlace) }),
      ("e", localized("Save the picks as a catalog"), picked, withPicks { [self] in perform(.export) }),
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
      "\(unseen.grouped) undecided shot in a stack was not shown.",
      plural: "\(unseen.grouped) undecided shots in stacks were not shown.", count: unseen)
    return ChoicePopup(
      title: localized("Cull summary"), text: [counts] + (unseen > 0 ? [note] : []), choices: choices
    ) { possible[$0].run() }
  }
}
