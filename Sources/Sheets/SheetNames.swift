import Gallery

/// The names by which a contact sheet and a list of picks refer to photos: the shortest end of a path that no other photo has.
///
/// Of `a.jpg`, `x/b.jpg` and `y/b.jpg`, the names are `a.jpg`, `x/b.jpg` and `y/b.jpg`. If `b.jpg` is there, too, its name is
/// `./b.jpg`, since `b.jpg` would be the end of all three.
public struct SheetNames: Sendable {
  /// The components of each path from the folder on, behind a dot for the folder.
  private let components: [[String]]
  /// The indices of the photos with each last component.
  private let photos: [String: [Int]]
  private let folder: FilePath?

  /// Creates the names of photos.
  ///
  /// - Parameters:
  ///   - paths: The absolute paths of the photos.
  ///   - folder: The folder from which the names begin, or nil if there is none.
  public init(_ paths: [FilePath], in folder: FilePath?) {
    self.folder = folder
    components = paths.map { Self.components(of: $0, in: folder) }
    photos = Dictionary(grouping: components.indices) { [components] in components[$0].last ?? "" }
  }

  /// The shortest name of each photo, in the order of the paths.
  public var shortest: [String] { components.indices.map(shortestName) }

  private func shortestName(of photo: Int) -> String {
    let own = components[photo]
    let others = (photos[own.last ?? ""] ?? []).filter { components[$0] != own }
    let count = (1...own.count).first { count in
      !others.contains { components[$0].suffix(count).elementsEqual(own.suffix(count)) }
    }
    return own.suffix(count ?? own.count).joined(separator: "/")
  }

  /// Returns the indices of the photos to which a name refers: those whose paths end with it, or are it.
  public func photos(named name: String) -> [Int] {
    let wanted =
      name.hasPrefix("/")
      ? Self.components(of: FilePath(name), in: folder)
      : name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return (photos[wanted.last ?? ""] ?? []).filter { components[$0].suffix(wanted.count).elementsEqual(wanted) }
  }

  /// Returns the whole name of a photo, from the folder on.
  public func wholeName(of photo: Int) -> String { components[photo].joined(separator: "/") }

  private static func components(of path: FilePath, in folder: FilePath?) -> [String] {
    let slash = UInt8(ascii: "/")
    let names = path.bytes.split(separator: slash)
    let outer = folder?.bytes.split(separator: slash) ?? []
    let isInside = folder != nil && names.starts(with: outer) { $0.elementsEqual($1) }
    return [isInside ? "." : ""] + names.dropFirst(isInside ? outer.count : 0).map { FilePath(Array($0)).printable }
  }
}
