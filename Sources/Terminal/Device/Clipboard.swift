import Foundation
import Gallery

/// The user's clipboard, as far as the terminal lets programs write to it: texts (OSC 52, XTerm Control Sequences), and
/// data of any type (OSC 5522, kitty, "Copying all data types to the clipboard").
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

  /// The most bytes of data in one sequence, before they are encoded (OSC 5522).
  private static let pieceLength = 4096

  /// Returns the sequences that copy data: the first one, the data in pieces, and the last one, to which the terminal answers.
  ///
  /// - Parameters:
  ///   - type: The MIME type of the data.
  ///   - isPassedThrough: Whether a multiplexer passes the sequences on.
  static func copying(_ data: [UInt8], as type: String, isPassedThrough: Bool) -> [UInt8] {
    func sequence(_ text: String) -> [UInt8] {
      Passthrough.wrapped("\u{1B}]5522;\(text)\u{1B}\\", isPassedThrough: isPassedThrough)
    }
    let head = "type=wdata:mime=\(Data(type.utf8).base64EncodedString());"
    var bytes = sequence("type=write")
    bytes.reserveCapacity(data.count / 2 * 3)
    for start in stride(from: 0, to: data.count, by: pieceLength) {
      let piece = data[start..<min(start + pieceLength, data.count)]
      bytes += sequence(head + Data(piece).base64EncodedString())
    }
    return bytes + sequence("type=wdata")
  }

  /// Returns the answer in the text of a sequence, such as `5522;type=write:status=DONE`, or nil if it is about something else.
  static func answer(_ text: String) -> ClipboardAnswer? {
    let fields = text.dropFirst("5522;".count).prefix { $0 != ";" }.split(separator: ":")
    guard fields.contains("type=write"), let status = fields.first(where: { $0.hasPrefix("status=") }) else {
      return nil
    }
    switch status.dropFirst("status=".count) {
    case "DONE": return .done
    case "EPERM": return .denied
    case let name: return .failed(String(name.prefix(20)).printable)
    }
  }
}

/// An image for the user's clipboard, encoded for the terminal.
public struct ClipboardImage: Sendable {
  let bytes: [UInt8]

  /// Encodes a PNG, which takes some milliseconds for each megabyte.
  /// - Parameter capabilities: The terminal's capabilities.
  public init(png: [UInt8], on capabilities: Capabilities) {
    bytes = Clipboard.copying(png, as: "image/png", isPassedThrough: capabilities.multiplexer != nil)
  }

  /// Returns about how many bytes are sent for an image of `count` bytes.
  public static func encodedCount(_ count: Int) -> Int { count / 3 * 4 }
}
