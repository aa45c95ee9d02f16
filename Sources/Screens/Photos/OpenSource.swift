import Gallery

/// The photos' source that is open.
public struct OpenSource: Sendable {
  /// The place that leads to it.
  let place: Place
  /// The folder whose photos are shown, or the one that contains them; nil for another source.
  let folder: FilePath?

  /// Creates the description of a source.
  public init(place: Place, folder: FilePath? = nil) {
    self.place = place
    self.folder = folder
  }

  /// The printable name.
  var name: String { place.name }
  /// The printable name of the folder around a folder; nil for another source.
  var parent: String? { folder.flatMap { ($0.remote?.path ?? $0) == "/" ? nil : Place(folder: $0.folder).name } }
  /// Whether the user has named the source, so that the header shows it in place of the rooms.
  var isOwn: Bool { !place.arguments.isEmpty }
}
