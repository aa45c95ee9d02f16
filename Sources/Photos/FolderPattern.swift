import Gallery

/// The folders that photos get, as the user writes them: `{date:%Y/%m/%d}` or `{camera}/{date:%Y}`. The fields are those of a
/// ``NamePattern``.
public struct FolderPattern: Hashable, Sendable {
  private let pattern: NamePattern

  /// Reads a pattern.
  public init(_ text: String) throws(NamePattern.Fault) {
    pattern = try NamePattern(text, allowsSlashes: true)
    if text.hasPrefix("/") { throw .absoluteFolder }
  }

  /// Returns the folder of a photo below another folder. Names that are empty, because the photo lacks the value, are left out.
  public func folder(of photo: NamePattern.Values, in folder: FilePath) -> FilePath {
    let names = pattern.bytes(of: photo).split(separator: UInt8(ascii: "/"))
    return names.reduce(folder) { folder, name in
      // A dot would hide the folder, and two would lead out of it.
      folder.appending(name.first == UInt8(ascii: ".") ? Array("_".utf8) + name.dropFirst() : Array(name))
    }
  }
}
