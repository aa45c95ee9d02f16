import Gallery

/// A path that is being typed: a folder, and the start of a name in it.
struct TypedPath {
  /// The text of the folder, up to its last slash; empty for the folder in which relative paths begin.
  let parent: String
  /// The start of the name, in lowercase.
  let start: String
  /// The folder.
  let folder: FilePath

  /// - Parameters:
  ///   - base: The folder in which relative paths begin.
  ///   - home: The folder that `~` stands for.
  init(_ text: String, in base: FilePath, home: FilePath?) {
    let end = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    parent = String(text[..<end])
    start = text[end...].lowercased()
    folder = parent.isEmpty ? base : FilePath(typed: parent, in: base, home: home)
  }

  /// Returns whether a folder in ``folder`` has the start of the name.
  func goesOn(to folder: FilePath) -> Bool { folder.printableName.lowercased().hasPrefix(start) }

  /// Returns the text of a folder in ``folder``.
  func text(of folder: FilePath) -> String { parent + folder.printableName }
}
