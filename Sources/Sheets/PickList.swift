import Gallery

/// A list of names that a client has picked, one a line, matched with photos. Nothing is guessed: a name that is the end of two
/// paths picks neither.
public struct PickList: Hashable, Sendable {
  /// The indices of the photos that are picked, in the order of the list.
  public private(set) var picked: [Int] = []
  /// The names that no photo has.
  public private(set) var unknown: [String] = []
  /// The names of several photos, with these.
  public private(set) var ambiguous: [Ambiguity] = []

  /// A name that several photos have.
  public struct Ambiguity: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The indices of the photos.
    public let photos: [Int]
  }

  /// Matches a list with photos.
  ///
  /// - Parameters:
  ///   - text: The list. Spaces around a name don't count, and empty lines are left out.
  ///   - names: The names of the photos.
  ///   - shown: Returns the photo that is shown in place of a photo, such as the JPEG of a raw file.
  public init(_ text: String, _ names: SheetNames, shownAs shown: (Int) -> Int = { $0 }) {
    var seen: (names: Set<String>, photos: Set<Int>) = ([], [])
    for name in Self.names(in: text) where seen.names.insert(name).inserted {
      let photos = names.photos(named: name).map(shown).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
      switch photos.count {
      case 0: unknown.append(name)
      case 1: if seen.photos.insert(photos[0]).inserted { picked.append(photos[0]) }
      default: ambiguous.append(Ambiguity(name: name, photos: photos))
      }
    }
  }

  /// Returns the names in a list, as text that can be printed.
  static func names(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { line in
      let line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      let end = line.lastIndex { !$0.isWhitespace }
      return String(end.map { line[...$0] } ?? "").printable
    }.filter { !$0.isEmpty }
  }
}
