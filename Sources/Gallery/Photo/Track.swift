/// A piece of music and the album that it is on.
public struct Track: Identifiable, Hashable, Sendable {
  /// The number of the track.
  public let id: Int
  /// The title of the track.
  public let trackName: String
  /// The title of the album.
  public let collectionName: String
  /// The name of the artist.
  public let artistName: String
  /// The cover of the album. If its address contains the size `100x100`, there are larger ones: see
  /// ``artwork(pixels:)``.
  public let artwork: ImageLocation

  /// Creates a track.
  public init(id: Int, trackName: String, collectionName: String, artistName: String, artwork: ImageLocation) {
    self.id = id
    self.trackName = trackName
    self.collectionName = collectionName
    self.artistName = artistName
    self.artwork = artwork
  }

  /// Returns the cover for a box whose longer side has `pixels` pixels.
  ///
  /// There are only three sizes, so a slightly larger window does not fetch every cover again.
  public func artwork(pixels: Int) -> ImageLocation {
    guard case .web(let url) = artwork, pixels > 100 else { return artwork }
    let size = pixels > 300 ? 600 : 300
    let (folder, name) = url.lastIndex(of: "/").map { (url[...$0], url[url.index(after: $0)...]) } ?? ("", url[...])
    return .web("\(folder)\(name.replacing("100x100", with: "\(size)x\(size)", maxReplacements: 1))")
  }
}
