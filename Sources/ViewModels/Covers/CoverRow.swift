import Gallery

/// The cover of an album, found by one of its tracks.
public final class CoverRow: RowViewModel, Pressable {
  public let id: AnyHashable
  /// The name of the album.
  public let album: String
  /// The name of the track that was found.
  public let track: String
  /// The name of the artist.
  public let artist: String

  private let found: Track
  private let onPress: () -> Void

  init(_ found: Track, onPress: @escaping () -> Void) {
    self.found = found
    id = found.id
    album = found.collectionName
    track = found.trackName
    artist = found.artistName
    self.onPress = onPress
  }

  /// Returns the location of the cover in the smallest size that is large enough.
  ///
  /// - Parameter pixels: The length of the longer side on the screen; 0, for symbols, gets the smallest size.
  public func artwork(pixels: Int = 0) -> ImageLocation { found.artwork(pixels: pixels) }

  /// Returns the detail of the album.
  ///
  /// - Parameter pixels: The length of the cover's longer side on the screen. See ``artwork(pixels:)``.
  public func detail(pixels: Int) -> PhotoDetail {
    PhotoDetail(
      name: album, author: artist, fields: [PhotoDetail.Field("Track", track)], image: artwork(pixels: pixels))
  }

  /// Shows the names of the album and the track in an alert.
  public func press() { onPress() }
}
