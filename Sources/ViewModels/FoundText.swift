import Finding
import Gallery

/// The text of a photo in which a search found it, such as a keyword or the file's name.
public struct FoundText: Sendable {
  /// One line. Where the match is far behind the beginning, an ellipsis stands for what comes before.
  public let text: String
  private let field: PhotoQuery.TextField
  private let query: PhotoQuery

  /// The characters that may come before the match.
  private static let mostBefore = 12

  /// - Parameters:
  ///   - word: The word of the query that the text is to have.
  ///   - query: All that is to be lit in it.
  /// - Returns: nil where no text of the photo has the word.
  init?(_ word: PhotoQuery, in photo: Photo, query: PhotoQuery) {
    for field in PhotoQuery.TextField.allCases {
      guard let text = photo.text(of: field), let first = word.ranges(in: text, of: field).first else { continue }
      (self.field, self.query) = (field, query)
      self.text = Self.excerpt(of: text, from: first.lowerBound)
      return
    }
    return nil
  }

  /// What was searched for and is in the text, or in the beginning of it.
  public func ranges(in text: String) -> [Range<String.Index>] { query.ranges(in: text, of: field) }

  /// Begins with a whole word, so that the rest of a word isn't taken for one.
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
  /// What the search looks at in a field, in one printable line.
  fileprivate func text(of field: PhotoQuery.TextField) -> String? {
    switch field {
    case .name: name
    case .description: description?.printable
    case .camera: camera
    case .lens: metadata?.lens?.printable
    case .keyword: metadata.map { $0.keywords.map(\.printable).joined(separator: ", ") }
    case .author: author
    case .file: PhotoQuery.fileName(of: imageURL).printable
    }
  }
}
