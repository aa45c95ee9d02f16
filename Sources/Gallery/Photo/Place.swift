/// A folder or another source of photos that one can go to.
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

  /// Whether the place can be visited again, unlike the standard input, and is not the bundled gallery.
  public var isLasting: Bool { !arguments.isEmpty && arguments != [Array("-".utf8)] }

  /// Creates the place of a folder.
  public init(folder: FilePath) {
    self.init(arguments: [folder.bytes], name: folder == "/" ? "/" : folder.printableName)
  }
}
