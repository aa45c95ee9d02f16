import Finding
import Gallery

/// An album's cover, with the track that led to it.
public final class CoverRow: RowViewModel, Pressable {
  public let id: AnyHashable
  public let album: String
  public let track: String
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

  /// The cover for a place of so many pixels on its longer side; characters want the smallest there is.
  public func artwork(pixels: Int = 0) -> ImageLocation { found.artwork(pixels: pixels) }

  /// - Parameter pixels: See ``artwork(pixels:)``.
  public func detail(pixels: Int) -> PhotoDetail {
    PhotoDetail(
      name: album, author: artist, fields: [PhotoDetail.Field("Track", track)], image: artwork(pixels: pixels))
  }

  /// Tells which album and track it is.
  public func press() { onPress() }
}
