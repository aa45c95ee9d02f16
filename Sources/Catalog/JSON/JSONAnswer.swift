import FoundationEssentials
import Gallery

extension ContentFault {
  /// Returns the fault of the value that these keys lead to.
  static func value(at keys: [any CodingKey], _ fault: ValueFault) -> ContentFault {
    .value(path: path(keys), fault)
  }

  /// Translates the error that `JSONDecoder` threw for `json`.
  fileprivate init(_ error: DecodingError, in json: Data) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .value(at: context.codingPath + [key], .missing)
    case .valueNotFound(_, let context):
      self = .value(at: context.codingPath, .null)
    case .typeMismatch(let type, let context):
      self = .value(at: context.codingPath, .isNot(Self.kind(of: type)))
    case .dataCorrupted(let context):
      // The decoder does not report the place at which the text stops being JSON.
      if context.codingPath.isEmpty, let fault = JSONSyntax.firstFault(in: json) {
        self = .syntax(line: fault.line, column: fault.column, fault.reason)
      } else {
        self = .value(at: context.codingPath, .senseless)
      }
    @unknown default:
      self = .value(path: "", .senseless)
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func kind(of type: any Any.Type) -> ValueFault.Kind {
    switch type {
    case is String.Type: .text
    case is Int.Type: .integer
    case is Bool.Type: .truth
    case is any Collection.Type: type is any RandomAccessCollection.Type ? .list : .object
    default: .object
    }
  }
}

/// Decoding of the small JSON answers of services, as opposed to catalogs of any size.
public enum JSONAnswer {
  /// Decodes a service's answer from UTF-8 with or without a byte order mark.
  ///
  /// - Throws: The fault, with its place in the text.
  public static func decode<Answer: Decodable>(_: Answer.Type, from json: Data) throws(ContentFault) -> Answer {
    var json = json
    if json.starts(with: [0xEF, 0xBB, 0xBF]) {
      // Some editors put a byte order mark before UTF-8.
      json.removeFirst(3)
    } else if json.starts(with: [0xFE, 0xFF]) || json.starts(with: [0xFF, 0xFE]) {
      throw .utf16
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: json)
    } catch let error as DecodingError {
      throw ContentFault(error, in: json)
    } catch {
      throw (error as? ContentFault) ?? .system(reason: "\(error)")
    }
  }
}
