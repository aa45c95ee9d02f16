/// A named, ordered set of photos, which may be in any folders.
public struct PhotoCollection: Hashable, Sendable {
  /// The name. Two collections have names that differ in more than case.
  public let name: String
  /// The number of files.
  public let count: Int

  /// Creates a collection.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }

  /// The longest name, in characters.
  public static let longestName = 100

  /// Returns a name without blanks at its ends, or nil if it can't be that of a collection.
  public static func name(_ text: String) -> String? {
    let name = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    // Quotes end a name in a search.
    let isValid = !name.isEmpty && name.count <= longestName && name.printable == name && !name.contains("\"")
    return isValid ? name : nil
  }
}

/// A change of a collection, which doesn't depend on what else has changed in it.
///
/// ```swift
/// var edit = CollectionEdit("Portfolio")
/// edit.insert(["/a.jpg", "/b.jpg"], at: .last)
/// edit.applied(to: ["/c.jpg"])           // /c.jpg, /a.jpg, /b.jpg
/// edit.inverse(on: ["/c.jpg"])           // removes /a.jpg and /b.jpg
/// ```
public struct CollectionEdit: Hashable, Codable, Sendable {
  /// A place in a collection.
  public enum Place: Hashable, Codable, Sendable {
    case first, last
    /// Behind another file, or the last place if that is not in the collection.
    case after(FilePath)
  }

  /// A file that comes to a place.
  public struct Insertion: Hashable, Codable, Sendable {
    /// The path of the file.
    public let file: FilePath
    /// The place, when the insertions before are made.
    public let place: Place
  }

  /// The name of the collection. It is created if there is none.
  public let collection: String
  /// The files that are removed.
  public private(set) var removed: [FilePath] = []
  /// The files that are inserted, or moved to another place.
  public private(set) var inserted: [Insertion] = []
  /// Whether the collection is deleted if it has no files then, because it was created for those.
  public private(set) var isDeletedIfEmpty = false

  /// Creates an edit that changes nothing.
  public init(_ collection: String) { self.collection = collection }

  /// Creates an edit that deletes a collection with these files.
  public static func deletion(of collection: String, with files: [FilePath]) -> CollectionEdit {
    var edit = CollectionEdit(collection)
    edit.removed = files
    edit.isDeletedIfEmpty = true
    return edit
  }

  /// Removes files.
  public mutating func remove(_ files: [FilePath]) { removed += files }

  /// Inserts files one after the other, or moves them there.
  public mutating func insert(_ files: [FilePath], at place: Place) {
    var place = place
    for file in files {
      inserted.append(Insertion(file: file, place: place))
      place = .after(file)
    }
  }

  /// Returns the files of a collection after the change. Made twice, it changes no more than once.
  public func applied(to files: [FilePath]) -> [FilePath] {
    let affected = Set(removed).union(inserted.map(\.file))
    var new = files.filter { !affected.contains($0) }
    // Files that follow each other are inserted at once.
    var (run, start): ([FilePath], Int) = ([], 0)
    for insertion in inserted {
      if case .after(let file) = insertion.place, file == run.last {
        run.append(insertion.file)
        continue
      }
      new.insert(contentsOf: run, at: start)
      run = [insertion.file]
      start =
        switch insertion.place {
        case .first: 0
        case .last: new.count
        case .after(let file): new.firstIndex(of: file).map { $0 + 1 } ?? new.count
        }
    }
    new.insert(contentsOf: run, at: start)
    return new
  }

  /// Returns the edit that takes this one back.
  /// - Parameter files: The files of the collection before the change; nil if there is no such collection.
  public func inverse(on files: [FilePath]?) -> CollectionEdit {
    let affected = Set(removed).union(inserted.map(\.file))
    var inverse = CollectionEdit(collection)
    inverse.isDeletedIfEmpty = files == nil
    let files = files ?? []
    let known = Set(files)
    inverse.removed = inserted.map(\.file).filter { !known.contains($0) }
    for (index, file) in files.enumerated() where affected.contains(file) {
      inverse.inserted.append(Insertion(file: file, place: index == 0 ? .first : .after(files[index - 1])))
    }
    return inverse
  }
}

/// A change of a collection as the user has made it, with the one that takes it back.
public struct CollectionChange: Hashable, Codable, Sendable {
  /// The change.
  public let edit: CollectionEdit
  /// The change that takes it back.
  public let inverse: CollectionEdit

  /// Creates a change.
  /// - Parameter files: The files of the collection before it; nil if there is no such collection.
  public init(_ edit: CollectionEdit, on files: [FilePath]?) {
    self.init(edit, inverse: edit.inverse(on: files))
  }

  /// Creates a change with the one that takes it back.
  public init(_ edit: CollectionEdit, inverse: CollectionEdit) {
    self.edit = edit
    self.inverse = inverse
  }

  /// Returns the change of named photos in words, such as `Add Dune to Portfolio`.
  public func title(for name: String) -> String {
    if edit.isDeletedIfEmpty { return localized("Delete the collection \(edit.collection)") }
    if edit.inserted.isEmpty { return localized("Take \(name) out of \(edit.collection)") }
    return inverse.inserted.isEmpty
      ? localized("Add \(name) to \(edit.collection)") : localized("Move \(name) in \(edit.collection)")
  }
}

/// A file that has got another path.
public struct MovedFile: Hashable, Sendable {
  /// The path before and the path now.
  public let source, target: FilePath

  /// Creates a move.
  public init(from source: FilePath, to target: FilePath) {
    self.source = source
    self.target = target
  }
}
