import Gallery
import Photos
import ViewModels
import WorkerPool

// Ways to a photo: a step that is undone or made again leads to the one that the user may have left since, a new session to that
// of the last one, and an import to its first one.
extension PhotosScreen {
  /// A way back to a photo that the source may not have yet, as one that comes back from the trash.
  struct Return: Equatable {
    let photo: ImageLocation
    /// The photo that the user leaves for it; nil if none was chosen yet. If the user has gone on to another photo meanwhile,
    /// that one stays.
    var origin: Photo.ID?
    /// The photos that were rated again. If they are those of one shot, the next one follows.
    var rated: [ImageLocation] = []
  }

  /// Whether ``position`` is where the user leaves the list. While the photo of the last session is looked for, it is not.
  var hasPosition: Bool { !viewModel.rows.isEmpty && returning.map(isWanted) != true }

  /// The highlighted photo, or nil for the first one of the source.
  var position: ImageLocation? {
    highlighted == 0 && viewModel.search.query == nil ? nil : viewModel.rows.photo(at: highlighted).image
  }

  /// Shows the first photo of a step, unless one of its photos is shown.
  ///
  /// - Parameter movesOn: Whether the photo behind it follows.
  func returnToPhoto(of photos: [ImageLocation], movesOn: Bool) {
    guard let first = photos.first else { return }
    let rated = movesOn ? photos : []
    if shownImages.contains(where: photos.contains) {
      returning = nil
      moveOn(after: rated)
    } else {
      returnToPhoto(of: Return(photo: first, origin: shownPhoto?.id, rated: rated))
    }
  }

  /// Moves on from a shot that was rated again, so that the next key is not about it.
  private func moveOn(after rated: [ImageLocation]) {
    guard !rated.isEmpty, Set(shownImages).isSuperset(of: rated) else { return }
    if let viewer {
      if viewer.canTurn(by: 1) { viewer.turn(by: 1) }
    } else if choosing.marks.count == 0 {
      moveOn()
    }
  }

  /// Shows a photo as soon as the source has it, unless the user goes on to another one before.
  func showWhenThere(_ photo: ImageLocation) {
    destination = nil
    returnToPhoto(of: Return(photo: photo, origin: shownPhoto?.id))
  }

  /// Shows a photo as soon as the source has it.
  func returnToPhoto(of new: Return) {
    returning = isWanted(new) ? new : nil
    guard returning != nil else { return }
    Task.onMainActor { [weak self] in
      guard let shot = await self?.choosing.shot(of: new.photo), let self, returning == new, isWanted(new)
      else { return }
      // The rows may follow later than the source.
      guard show(shot) else { return }
      returning = nil
      moveOn(after: new.rated)
    }
  }

  private func isWanted(_ way: Return) -> Bool { way.origin.map { $0 == shownPhoto?.id } ?? isUntouched }

  /// The photo in the viewer or else the highlighted one.
  private var shownPhoto: Photo? {
    let rows = viewer?.cull == nil ? viewModel.rows : choosing.culledRows
    let row = viewer == nil ? highlighted : viewer?.row
    return row.flatMap { rows.indices.contains($0) ? rows.photo(at: $0) : nil }
  }

  /// The images of that photo, and of the others that a decision about it is about.
  private var shownImages: [ImageLocation] { shownPhoto.map { choosing.files(of: [$0]).map(\.image) } ?? [] }

  /// - Returns: Whether the shot has a row.
  private func show(_ shot: Photo.ID) -> Bool {
    let row =
      viewer?.cull == nil ? viewModel.rows.index(ofPhoto: shot, guess: highlighted) : choosing.culledRow(of: shot)
    guard let row else { return false }
    if let viewer {
      viewer.show(row: row)
    } else {
      isUntouched = false
      pane.highlight(row)
      choosing.approach(row: row)
    }
    host.setNeedsDisplay()
    return true
  }
}
