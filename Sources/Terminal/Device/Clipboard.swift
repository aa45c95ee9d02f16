import Foundation

/// The user's clipboard, as far as the terminal lets programs write to it (OSC 52, XTerm Control Sequences).
enum Clipboard {
  /// The longest text that terminals take, in bytes of base64.
  private static let mostBytes = 74_000

  /// Returns the bytes that copy a text, or nil if it is longer than terminals take.
  static func copying(_ text: String, through multiplexer: Multiplexer?) -> [UInt8]? {
    let encoded = Data(text.utf8).base64EncodedString()
    guard encoded.utf8.count < mostBytes else { return nil }
    let sequence = "\u{1B}]52;c;\(encoded)\u{7}"
    return multiplexer?.clipboardBytes(sequence) ?? Array(sequence.utf8)
  }
}
