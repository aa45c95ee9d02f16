import Gallery
import Photos
import ViewModels
import WorkerPool

// A step that is undone or made again leads to its photo, which the user may have left since.
extension PhotosScreen {
  /// A way back to a photo that the source may not have yet, as one that comes back from the trash.
  struct Return {
    let file: FilePath
    /// The photo that the user leaves for it. If the user has gone on to another photo meanwhile, that one stays.
    let origin: Photo.ID?
  }

  /// Shows the first photo of a step, unless one of its photos is shown.
  func returnToPhoto(of files: [FilePath]) {
    guard let first = files.first else { return }
    let shown = shownPhoto.map { choosing.files(of: [$0]).compactMap(\.file) } ?? []
    if shown.contains(where: files.contains) {
      returning = nil
    } else {
      returnToPhoto(of: Return(file: first, origin: shownPhoto?.id))
    }
  }

  /// Shows a photo as soon as the source has it.
  func returnToPhoto(of new: Return) {
    returning = new.origin == shownPhoto?.id ? new : nil
    guard returning != nil else { return }
    Task.onMainActor { [weak self] in
      guard let shot = await self?.choosing.shot(of: new.file), let self, new.origin == shownPhoto?.id else { return }
      returning = nil
      show(shot)
    }
  }

  /// The photo in the viewer or else the highlighted one.
  private var shownPhoto: Photo? {
    let rows = viewer?.cull == nil ? viewModel.rows : choosing.culledRows
    let row = viewer == nil ? highlighted : viewer?.row
    return row.flatMap { rows.indices.contains($0) ? rows.photo(at: $0) : nil }
  }

  private func show(_ shot: Photo.ID) {
    let row =
      viewer?.cull == nil ? viewModel.rows.index(ofPhoto: shot, guess: highlighted) : choosing.culledRow(of: shot)
    guard let row else { return }
    if let viewer {
      viewer.show(row: row)
    } else {
      isUntouched = false
      pane.highlight(row)
      choosing.approach(row: row)
    }
    host.setNeedsDisplay()
  }
}
