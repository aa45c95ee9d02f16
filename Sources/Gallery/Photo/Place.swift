/// A folder or another source of photos that one can go to.
///
/// Two places are equal if they have the same arguments. Their names may differ.
public struct Place: Hashable, Sendable {
  /// The arguments that name the source on the command line: absolute paths, or an address; none for the bundled gallery.
  public let arguments: [[UInt8]]
  /// The printable name, such as that of a folder.
  public let name: String

  /// Creates a place.
  public init(arguments: [[UInt8]], name: String) {
    self.arguments = arguments
    self.name = name
  }

  public static func == (one: Place, other: Place) -> Bool { one.arguments == other.arguments }

  public func hash(into hasher: inout Hasher) { hasher.combine(arguments) }

  /// The path of the folder or file; nil for several, for an address and for the bundled gallery.
  public var folder: FilePath? {
    guard arguments.count == 1, arguments[0].first == UInt8(ascii: "/") else { return nil }
    return FilePath(arguments[0])
  }

  /// Whether the place can be visited again, unlike the standard input, and is not the bundled gallery.
  public var isLasting: Bool { !arguments.isEmpty && arguments != [Array("-".utf8)] }

  /// The beginning of the argument that names a collection.
  public static let collectionScheme = "collection://"

  /// Creates the place of a collection.
  public init(collection: String) {
    self.init(arguments: [Array((Self.collectionScheme + collection).utf8)], name: collection)
  }

  /// The name of the collection; nil for another place.
  public var collection: String? {
    guard arguments.count == 1, arguments[0].starts(with: Self.collectionScheme.utf8) else { return nil }
    return String(decoding: arguments[0].dropFirst(Self.collectionScheme.utf8.count), as: UTF8.self)
  }

  /// Creates the place of a folder.
  public init(folder: FilePath) {
    self.init(arguments: [folder.bytes], name: folder == "/" ? "/" : folder.printableName)
  }
}
