import Gallery

/// A further track of the album above.
public final class TrackRow: FoundTrackRow {
  public let id: AnyHashable
  public let track: String
  public var words: [String] { [track] }

  private let album: FoundAlbum
  private let onPress: () -> Void

  init(_ track: String, id: Track.ID, on album: FoundAlbum, onPress: @escaping () -> Void) {
    self.id = id
    self.track = track
    self.album = album
    self.onPress = onPress
  }

  public func detail(pixels: Int) -> PhotoDetail { album.detail(pixels: pixels) }

  /// Shows the names of the album and the track in an alert.
  public func press() { onPress() }
}
