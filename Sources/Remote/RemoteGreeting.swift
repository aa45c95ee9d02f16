/// The version of the messages. Galleries of other versions don't understand each other.
let protocolVersion = 6

/// The line with which the other machine begins. What its shell prints before is skipped.
enum RemoteGreeting {
  private static let mark = "tintype-serve "

  /// Returns the line of a version of the program.
  static func line(version: String) -> [UInt8] { Array("\n\(mark)\(protocolVersion) \(version)\n".utf8) }

  /// Returns the versions of the messages and of the program in a line, or nil if it is another line.
  static func versions(in line: [UInt8]) -> (messages: Int, program: String)? {
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(mark) else { return nil }
    let parts = text.dropFirst(mark.count).split(separator: " ")
    return parts.count == 2 ? Int(parts[0]).map { ($0, String(parts[1])) } : nil
  }
}
