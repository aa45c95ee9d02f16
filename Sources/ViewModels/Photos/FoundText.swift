import Finding
import Gallery

/// An excerpt of a photo's text that matches a search, such as a keyword or a file name.
public struct FoundText: Sendable {
  /// The excerpt in one line. It begins with an ellipsis if the match is far from the beginning of the text.
  public let text: String
  private let field: PhotoQuery.SearchedText
  private let query: PhotoQuery

  /// The largest number of characters before the match.
  private static let mostBefore = 12

  /// Creates an excerpt of the first field of a photo that matches a word.
  ///
  /// - Parameters:
  ///   - word: The word of the query that the excerpt contains.
  ///   - query: The query whose matches ``ranges(in:)`` returns.
  /// - Returns: nil if no field matches the word.
  init?(_ word: PhotoQuery, in photo: Photo, query: PhotoQuery) {
    for field in PhotoQuery.SearchedText.all {
      guard let text = photo.text(of: field), let first = word.ranges(in: text, of: field).first else { continue }
      self.field = field
      self.query = query
      self.text = Self.excerpt(of: text, from: first.lowerBound)
      return
    }
    return nil
  }

  /// Returns the ranges of the matches in the excerpt or in a prefix of it.
  public func ranges(in text: String) -> [Range<String.Index>] { query.ranges(in: text, of: field) }

  /// Returns the text from a word shortly before the match on, so that no word is cut in two.
  private static func excerpt(of text: String, from match: String.Index) -> String {
    guard text.distance(from: text.startIndex, to: match) > mostBefore,
      let space = text[..<match].lastIndex(where: \.isWhitespace), space > text.startIndex
    else { return text }
    let near = text.index(match, offsetBy: -mostBefore)
    let start = text[near..<match].firstIndex(where: \.isWhitespace) ?? space
    return "…" + text[text.index(after: start)...]
  }
}

extension Photo {
  /// Returns the text of a field in one printable line, or nil if the photo has none.
  fileprivate func text(of field: PhotoQuery.SearchedText) -> String? {
    switch field {
    case .name: name
    case .description: description?.printable
    case .camera: camera
    case .author: author
    case .folder: PhotoQuery.folder(of: imageURL).printable
    case .file: PhotoQuery.fileName(of: imageURL).printable
    case .metadata(let words): metadata.map { words.texts(of: $0).map(\.printable).joined(separator: ", ") }
    case .guess(let guess): metadata.flatMap { own in own.nearestCity.flatMap { guess.text(for: own, near: $0) } }
    }
  }
}
