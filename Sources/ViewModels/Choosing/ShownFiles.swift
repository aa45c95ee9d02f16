import Gallery

/// The files that the user has chosen to see instead of the first ones of their shots.
@MainActor
final class ShownFiles {
  private var files: [Photo.ID: Photo.ID] = [:]

  nonisolated init() {}

  /// The chosen file of a shot, or nil for its first one.
  subscript(shot: Photo.ID) -> Photo.ID? {
    get { files[shot] }
    set { files[shot] = newValue == shot ? nil : newValue }
  }
}
