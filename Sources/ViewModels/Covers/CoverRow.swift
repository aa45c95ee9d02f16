import Gallery

/// A row of a found track. An album's first track has a ``CoverRow``, and its further tracks have a ``TrackRow`` each.
@MainActor
public protocol FoundTrackRow: RowViewModel, Pressable {
  /// The name of the track without the parts that it repeats.
  var track: String { get }

  /// Returns the detail of the album with all tracks that were found.
  ///
  /// - Parameter pixels: The length of the cover's longer side on the screen. See ``CoverRow/artwork(pixels:)``.
  func detail(pixels: Int) -> PhotoDetail
}

/// An album with its cover and the first track that was found.
public final class CoverRow: FoundTrackRow {
  public let id: AnyHashable
  /// The name of the album.
  public let album: String
  /// The name of the artist.
  public let artist: String
  public let track: String
  public var words: [String] { [artist, track] }

  private let found: FoundAlbum
  private let onPress: () -> Void

  init(_ found: FoundAlbum, track: String, onPress: @escaping () -> Void) {
    self.found = found
    id = found.tracks[0].id
    album = found.name
    artist = found.artist
    self.track = track
    self.onPress = onPress
  }

  /// Returns the location of the cover in the smallest size that is large enough.
  ///
  /// - Parameter pixels: The length of the longer side on the screen; 0, for symbols, gets the smallest size.
  public func artwork(pixels: Int = 0) -> ImageLocation { found.artwork(pixels: pixels) }

  public func detail(pixels: Int) -> PhotoDetail { found.detail(pixels: pixels) }

  /// Shows the names of the album and the track in an alert.
  public func press() { onPress() }
}
