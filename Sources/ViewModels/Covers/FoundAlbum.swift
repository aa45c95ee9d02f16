import Gallery

/// An album with its tracks that were found.
struct FoundAlbum {
  /// The name of the album.
  let name: String
  /// The tracks in the order in which they were found. There is at least one.
  private(set) var tracks: [Track]

  /// The artist of the first track.
  var artist: String { tracks[0].artistName }

  /// Returns the albums of tracks, in the order of their first tracks. Tracks with the same album name and the same
  /// cover are on the same album.
  static func albums(of tracks: [Track]) -> [FoundAlbum] {
    struct Key: Hashable {
      let name: String
      let cover: ImageLocation
    }
    var albums: [FoundAlbum] = []
    var indices: [Key: Int] = [:]
    for track in tracks {
      let key = Key(name: track.collectionName, cover: track.artwork)
      if let index = indices[key] {
        albums[index].tracks.append(track)
      } else {
        indices[key] = albums.count
        albums.append(FoundAlbum(name: track.collectionName, tracks: [track]))
      }
    }
    return albums
  }

  /// Returns the location of the cover in the smallest size that is large enough.
  ///
  /// - Parameter pixels: The length of the longer side on the screen; 0, for symbols, gets the smallest size.
  func artwork(pixels: Int) -> ImageLocation { tracks[0].artwork(pixels: pixels) }

  /// Returns the detail of the album, with all tracks that were found.
  ///
  /// - Parameter pixels: The length of the cover's longer side on the screen. See ``artwork(pixels:)``.
  func detail(pixels: Int) -> PhotoDetail {
    let fields = tracks.enumerated().map { index, track in
      PhotoDetail.Field(index > 0 ? " " : localized("Track", plural: "Tracks", count: tracks.count), track.trackName)
    }
    return PhotoDetail(name: name, author: artist, fields: fields, image: artwork(pixels: pixels))
  }
}
