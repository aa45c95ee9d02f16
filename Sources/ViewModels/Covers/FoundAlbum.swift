import Gallery

/// An album with its tracks that were found.
struct FoundAlbum {
  /// The name of the album.
  let name: String
  /// The tracks in the order in which they were found. There is at least one.
  private(set) var tracks: [Track]

  /// The artist of the first track.
  var artist: String { tracks[0].artistName }

  /// The separators behind the parts that track names repeat, such as the work in `Suite: Prelude`.
  private static let separators = [": ", " – ", " — ", " - "]

  /// The names of the tracks without the parts that all of them begin with, and without the name of the album.
  var shortNames: [String] {
    let names = tracks.map(\.trackName)
    let shared = names.dropFirst().reduce(names[0]) { shared, name in
      String(zip(shared, name).prefix { $0 == $1 }.map(\.0))
    }
    // A single track has no part in common with others. A word is no part: "The Sun" and "The Moon" stay as they are.
    let end = names.count == 1 ? nil : Self.separators.compactMap { shared.ranges(of: $0).last?.upperBound }.max()
    let repeated = end.map { String(shared[..<$0]) } ?? ""
    return names.map { name in
      let rest = name.dropFirst(repeated.count)
      let album = Self.separators.map { self.name + $0 }.first(where: rest.hasPrefix) ?? ""
      return rest.count > album.count ? String(rest.dropFirst(album.count)) : name
    }
  }

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
