import Foundation
import Gallery

/// The reason that a server gives for a refusal.
enum ServerReason {
  private static let longest = 200

  /// Returns the reason as a printable line, or nil if the body has none or is a page for browsers.
  static func read(_ body: [UInt8], type: String?) -> String? {
    let kind = type?.lowercased() ?? ""
    let text: String?
    if kind.contains("json") {
      text = (try? JSONSerialization.jsonObject(with: Data(body))).flatMap(sentence)
    } else if kind.hasPrefix("text/plain") {
      text = String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    } else {
      text = nil
    }
    let line = text?.trimmingCharacters(in: .whitespacesAndNewlines).printable ?? ""
    return line.isEmpty ? nil : String(line.prefix(longest))
  }

  /// Finds the reason under the names that servers use: those of problem details (RFC 9457), of OAuth, and common ones.
  private static func sentence(_ json: Any) -> String? {
    if let text = json as? String { return text }
    if let list = json as? [Any] { return list.first.flatMap(sentence) }
    guard let object = json as? [String: Any] else { return nil }
    return ["message", "detail", "error_description", "error", "errors", "title"].lazy.compactMap { object[$0] }
      .compactMap(sentence).first
  }
}
