import Gallery

extension PhotoQuery {
  /// A text of a photo that can be searched by itself.
  public enum SearchedText: Hashable, Sendable {
    case name, description, camera, author, folder, file
    /// The texts of a metadata field.
    case metadata(MetadataField.Words)
    /// A text that is guessed from the photo's position if it lacks the one of the field.
    case guess(PlaceGuess)

    /// The texts, in the order in which messages list them.
    public static let all: [SearchedText] =
      [.name, .description, .camera] + MetadataField.all.compactMap(Self.init) + [.author, .folder, .file]
      + PlaceGuess.allCases.map(guess)

    /// Creates the text of a metadata field, or returns nil if the field isn't searched for words.
    public init?(_ field: MetadataField) {
      guard case .words(let words) = field.search else { return nil }
      self = .metadata(words)
    }

    /// The name that the user writes before a colon.
    var queryName: String {
      switch self {
      case .name: "name"
      case .description: "description"
      case .camera: "camera"
      case .author: "author"
      case .folder: "folder"
      case .file: "file"
      case .metadata(let words): words.name
      case .guess(let guess): guess.fieldName
      }
    }

    /// The name by which `has:` finds photos with a word in this text, or nil if it can't.
    var feature: String? {
      switch self {
      case .description, .camera, .author: queryName
      case .name, .folder, .file: nil
      case .metadata(let words): words.feature
      // So `-has:city` still finds the photos whose own city is missing.
      case .guess: nil
      }
    }

    /// Whether words without a field are searched for in this text.
    var isSearchedByDefault: Bool {
      switch self {
      case .name, .description, .camera, .file: true
      case .author, .folder: false
      case .metadata(let words): words.isSearchedByDefault
      case .guess(let guess): guess.isSearchedByDefault
      }
    }

    /// The weight of this text among equal matches, from 0 to 3.
    var weight: UInt8 {
      switch self {
      case .name: 3
      case .camera, .author, .folder, .file: 1
      case .description: 0
      case .metadata(let words): words.weight
      case .guess: 0
      }
    }

    /// Whether the text is guessed.
    var isGuess: Bool { if case .guess = self { true } else { false } }

    /// Returns whether a word is searched for here, given the field that it was written with.
    func isSearched(by field: Self?) -> Bool {
      guard let field else { return isSearchedByDefault }
      return isGuess ? field.queryName == queryName : field == self
    }

    /// Returns the worst match that counts. All photos of a country have the same guess, so without a field, its scattered
    /// letters would find them all for nearly any word.
    func leastMatch(_ least: WordPattern.Match, searchedBy field: Self?) -> WordPattern.Match {
      isGuess && field == nil ? max(least, .start) : least
    }
  }
}
