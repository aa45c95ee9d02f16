/// A piece of music on an album.
public struct Track: Identifiable, Hashable, Sendable {
  public let id: Int
  public let trackName: String
  public let collectionName: String
  public let artistName: String
  /// The album's cover. An address that names its size as `100x100` is to be had larger: see ``artwork(pixels:)``.
  public let artwork: ImageLocation

  public init(id: Int, trackName: String, collectionName: String, artistName: String, artwork: ImageLocation) {
    self.id = id
    self.trackName = trackName
    self.collectionName = collectionName
    self.artistName = artistName
    self.artwork = artwork
  }

  /// The cover for a place of so many pixels on its longer side.
  ///
  /// Of few sizes, so that a window a little larger does not fetch every cover anew.
  public func artwork(pixels: Int) -> ImageLocation {
    guard case .web(let url) = artwork, pixels > 100 else { return artwork }
    let size = pixels > 300 ? 600 : 300
    let (folder, name) = url.lastIndex(of: "/").map { (url[...$0], url[url.index(after: $0)...]) } ?? ("", url[...])
    return .web("\(folder)\(name.replacing("100x100", with: "\(size)x\(size)", maxReplacements: 1))")
  }
}
