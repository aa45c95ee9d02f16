import Catalog
import FoundationEssentials
import Gallery

/// The JSON form of found music, which is the answer of the iTunes Search API (`wrapperType` is `track`). Unknown
/// fields are ignored.
public struct MusicAnswer: Decodable {
  private let results: [Result]

  /// Decodes an answer and returns its tracks.
  /// - Parameter folder: The absolute path that a relative `artworkUrl100` starts from.
  public static func decode(_ json: Data, folder: FilePath) throws(ContentFault) -> [Track] {
    try JSONAnswer.decode(MusicAnswer.self, from: json).results.enumerated().compactMap { index, result in
      result.track(folder: folder, number: index)
    }
  }

  private struct Result: Decodable {
    let trackId: WireInteger?
    let trackName: String?
    let collectionName: String?
    let artistName: String?
    let artworkUrl100: String?

    /// Returns the track, or nil if it has no name or no cover and so cannot be shown.
    func track(folder: FilePath, number: Int) -> Track? {
      guard let trackName, let artworkUrl100 else { return nil }
      return Track(
        id: trackId?.value ?? -1 - number, trackName: trackName.printable,
        collectionName: collectionName?.printable ?? "", artistName: artistName?.printable ?? "",
        artwork: ImageLocation(artworkUrl100, relativeTo: folder))
    }
  }
}
