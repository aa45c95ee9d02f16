import Foundation
import Gallery
import Services
import Web

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

extension String {
  fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
