import Foundation
import Gallery

/// The bundled music, of a JSON file in the form of the iTunes Search API's answer, searched here.
public struct MusicFile: MusicServiceProtocol {
  private let file: JSONFile

  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - delay: How long an answer is held back, as a server far away would.
  public init(path: String, delay: Duration = .zero, clock: any Clock<Duration>) {
    file = JSONFile(path: path, delay: delay, clock: clock)
  }

  /// The tracks that have each word of the term in their name, their album's or their artist's, whatever its case and
  /// accents; all for an empty term.
  public func search(_ term: String) async throws(APIError) -> [Track] {
    let words = term.split(whereSeparator: \.isWhitespace).map { String($0).folded }
    return try await file.read(MusicAnswer.decode)?.filter { track in
      let text = [track.trackName, track.collectionName, track.artistName].joined(separator: "\n").folded
      return words.allSatisfy(text.contains)
    } ?? []
  }
}

/// The wire form of found music: the iTunes Search API's answer (`wrapperType` is `track`). Unknown fields are ignored.
struct MusicAnswer: Decodable {
  let results: [Result]

  /// - Parameter folder: The absolute path that a relative `artworkUrl100` starts from.
  static func decode(_ json: Data, folder: FilePath) throws -> [Track] {
    try JSONFile.decode(MusicAnswer.self, from: json).results.enumerated().compactMap { index, result in
      result.track(folder: folder, number: index)
    }
  }

  struct Result: Decodable {
    let trackId: WireInteger?
    let trackName: String?
    let collectionName: String?
    let artistName: String?
    let artworkUrl100: String?

    /// Nil for what has no name or no cover, of which there is nothing to show.
    func track(folder: FilePath, number: Int) -> Track? {
      guard let trackName, let artworkUrl100 else { return nil }
      return Track(
        id: trackId?.value ?? -1 - number, trackName: trackName.printable,
        collectionName: collectionName?.printable ?? "", artistName: artistName?.printable ?? "",
        artwork: ImageLocation(artworkUrl100, relativeTo: folder))
    }
  }
}

extension String {
  fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
