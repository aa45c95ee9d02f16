import FoundationEssentials

/// What is wrong with a catalog, and where.
enum CatalogFault: Error, Hashable, CustomStringConvertible {
  /// The text is no JSON; the line and the column (in bytes) count from 1.
  case syntax(line: Int, column: Int, reason: String)
  /// The JSON is no catalog; `path` is written as in `photos[3].created_at`.
  case field(path: String, reason: String)
  case notAFile(String)

  var description: String {
    switch self {
    case .syntax(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .field("", let reason): "it \(reason)"
    case .field(let path, let reason): "\(path) \(reason)"
    case .notAFile(let reason): reason
    }
  }

  static func field(at keys: [any CodingKey], reason: String) -> CatalogFault {
    .field(path: path(keys), reason: reason)
  }

  /// What `JSONDecoder` objected to in `json`.
  init(_ error: DecodingError, in json: Data) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .field(at: context.codingPath + [key], reason: "is missing")
    case .valueNotFound(_, let context):
      self = .field(at: context.codingPath, reason: "is null")
    case .typeMismatch(let type, let context):
      self = .field(at: context.codingPath, reason: "is not \(Self.noun(for: type))")
    case .dataCorrupted(let context):
      // The decoder does not say where the text stops being JSON.
      if context.codingPath.isEmpty, let fault = JSONSyntax.firstFault(in: json) {
        self = .syntax(line: fault.line, column: fault.column, reason: fault.reason)
      } else {
        self = .field(at: context.codingPath, reason: "does not make sense")
      }
    @unknown default:
      self = .field(path: "", reason: "\(error)")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func noun(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Int.Type: "an integer"
    case is Bool.Type: "true or false"
    case is any Collection.Type: type is any RandomAccessCollection.Type ? "a list" : "an object"
    default: "an object"
    }
  }
}
