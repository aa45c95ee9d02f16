import FoundationEssentials
import Photos

/// The reason why a service's JSON could not be decoded, with its place in the text.
public enum AnswerFault: Error, Hashable, CustomStringConvertible {
  /// The text is not JSON. The line and the column (in bytes) count from 1.
  case syntax(line: Int, column: Int, reason: String)
  /// A value is not what the answer needs. `path` names it as in `items[3].created_at`.
  case field(path: String, reason: String)
  /// The photos of the answer have a problem.
  case catalog(CatalogProblem)
  /// The path does not lead to a regular file.
  case notAFile(String)

  /// The place and the reason as a clause.
  public var description: String {
    switch self {
    case .syntax(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .field("", let reason): "it \(reason)"
    case .field(let path, let reason): "\(path) \(reason)"
    case .catalog(let problem): problem.description
    case .notAFile(let reason): reason
    }
  }

  /// Returns the fault of the value that these keys lead to.
  public static func field(at keys: [any CodingKey], reason: String) -> AnswerFault {
    .field(path: path(keys), reason: reason)
  }

  /// Translates the error that `JSONDecoder` threw for `json`.
  fileprivate init(_ error: DecodingError, in json: Data) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .field(at: context.codingPath + [key], reason: "is missing")
    case .valueNotFound(_, let context):
      self = .field(at: context.codingPath, reason: "is null")
    case .typeMismatch(let type, let context):
      self = .field(at: context.codingPath, reason: "is not \(Self.noun(for: type))")
    case .dataCorrupted(let context):
      // The decoder does not report the place at which the text stops being JSON.
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

/// Decoding of the small JSON answers of services, as opposed to catalogs of any size.
public enum JSONAnswer {
  /// Decodes a service's answer from UTF-8 with or without a byte order mark.
  ///
  /// - Throws: `AnswerFault` with the place of the error.
  public static func decode<Answer: Decodable>(_: Answer.Type, from json: Data) throws -> Answer {
    var json = json
    if json.starts(with: [0xEF, 0xBB, 0xBF]) {
      // Some editors put a byte order mark before UTF-8.
      json.removeFirst(3)
    } else if json.starts(with: [0xFE, 0xFF]) || json.starts(with: [0xFF, 0xFE]) {
      throw AnswerFault.field(path: "", reason: "is written in UTF-16; save it as UTF-8")
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: json)
    } catch let error as DecodingError {
      throw AnswerFault(error, in: json)
    }
  }
}
