import Gallery

/// An error in a query.
public enum QueryError: Error, Hashable, Sendable {
  /// There is no field with this name. `nearest` is the name of a field that is like it, or nil if none is.
  case unknownField(String, nearest: String? = nil)
  /// The photos are on no server that finds them by what they show.
  case noServer
  /// The field does not take this value.
  case wrongValue(String, field: String, expected: String)

  /// A printable message that names the error and says what can be written instead.
  public var message: String {
    switch self {
    case .unknownField(let name, let nearest?):
      localized("Unknown field “\(name.printable)”. Did you mean \(nearest):? Put text with a colon in quotes.")
    case .unknownField(let name, nil):
      localized(
        """
        Unknown field “\(name.printable)”. Fields: \(QueryField.all.map(\.name).joined(separator: ", ")). \
        Put text with a colon in quotes.
        """)
    case .noServer: localized("smart: is for servers that know what photos show, such as Immich.")
    case .wrongValue(let value, let field, let expected):
      localized("\(field): unknown value “\(value.printable)”. Use \(expected).")
    }
  }
}
