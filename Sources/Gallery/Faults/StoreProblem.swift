/// A reason why nothing is stored in a file, or why a new one was created. The program continues.
public struct StoreProblem: Hashable, Sendable {
  /// The contents of a file of the store.
  public enum Contents: Hashable, Sendable {
    /// The followed members, the basket, the visitor’s name, the saved searches and the marks.
    case state
    case guestbook
    /// The steps that can be undone.
    case journal
    /// Anything else.
    case other
  }

  /// The lost contents.
  public let contents: Contents
  /// The path of the file, or nil if there is no folder for it.
  public let path: String?
  /// The fault of the file.
  public let fault: StoreFault
  /// The new path of a damaged file, or nil if it was not moved and nothing is stored.
  public let setAside: String?

  /// Creates a problem.
  public init(contents: Contents, path: String?, fault: StoreFault, setAside: String? = nil) {
    self.contents = contents
    self.path = path
    self.fault = fault
    self.setAside = setAside
  }
}

/// A fault of a file of the store.
public enum StoreFault: Error, Hashable, Sendable {
  /// There is no folder for the file.
  case noPlace
  /// The folder of the file cannot be created.
  case noFolder
  /// The file is damaged, or has values that Tintype does not write.
  case damaged
  /// A newer version of Tintype wrote the file.
  case newer
  /// The file cannot be opened.
  case unopenable
  /// The file, or its folder, cannot be written.
  case readOnly
  /// The disk is full.
  case full
  /// Another program has locked the file.
  case held
  /// SQLite reports another error, in its own words.
  case other(reason: String)
}
