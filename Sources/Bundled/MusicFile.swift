import Foundation
import Gallery
import Services
import Web

/// The bundled music, which is searched on this machine. Its JSON file has the form of an iTunes Search API answer.
public struct MusicFile: MusicServiceProtocol {
  private let file: JSONFile

  /// Creates the service.
  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - delay: The time that passes before an answer, as with a distant server.
  ///   - clock: The clock that measures the delay.
  public init(path: String, delay: Duration = .zero, clock: any Clock<Duration>) {
    file = JSONFile(path: path, delay: delay, clock: clock)
  }

  /// Returns the tracks whose name, album, or artist contains each word of the term, without regard to case and
  /// accents. An empty term returns all tracks.
  public func search(_ term: String, onRetry _: @escaping @Sendable (APIError) -> Void) async throws(APIError)
    -> [Track]
  {
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
