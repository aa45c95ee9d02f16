import Gallery

/// The rules for a name in the guestbook.
enum GuestName {
  /// The largest number of characters (extended grapheme clusters) in a name.
  static let longest = 64

  /// The reason why a name is invalid.
  enum Fault: Error, Hashable {
    case empty, onlySpaces
    case tooLong(Int)

    /// The reason as a sentence for the user.
    var message: String {
      switch self {
      case .empty: localized("Type your name first.")
      case .onlySpaces: localized("Enter a name.")
      case .tooLong(let count):
        localized("Names can be up to \(GuestName.longest) characters long (yours has \(count)).")
      }
    }
  }

  /// Returns a name as printable text without leading and trailing spaces, or the reason why it is invalid.
  static func validate(_ text: String) -> Result<String, Fault> {
    let name = text.printable.trimmed
    if name.isEmpty { return .failure(text.isEmpty ? .empty : .onlySpaces) }
    return name.count > longest ? .failure(.tooLong(name.count)) : .success(name)
  }
}
