import Gallery

/// A source that the user has named.
public struct NamedSource: Equatable, Sendable {
  /// The name in the list of folders.
  public let name: String
  /// The argument of the command line that leads to the source: an absolute path, or an address.
  public let source: String
  /// The path of the file with the token for the server; nil if it requires none.
  public let tokenFile: String?
  /// The command that prints the token, or nil.
  public let tokenCommand: String?

  /// The place that leads to the source.
  public var place: Place { Place(arguments: [Array(source.utf8)], name: name) }
}
