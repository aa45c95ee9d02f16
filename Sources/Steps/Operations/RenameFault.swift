import Gallery

/// A reason why a photo can't be renamed.
enum RenameFault: Error, Equatable {
  case invalid, tooLong, gone
  /// The disk's file system forbids a character.
  case forbidden(String)
  /// There is another file at the path.
  case taken(FilePath)
  /// Another photo of the request gets the same name.
  case twice(FilePath)

  var message: String {
    switch self {
    case .invalid: localized("A name has no slash, and begins with no dot.")
    case .tooLong: localized("The name is too long.")
    case .gone: localized("The photo is no longer there.")
    case .forbidden(let character): localized("This disk allows no “\(character.printable)” there.")
    case .taken(let path): localized("There is another file called \(path.printableName). Choose another name.")
    case .twice(let path): localized("Another photo gets the name \(path.printableName), too.")
    }
  }
}
