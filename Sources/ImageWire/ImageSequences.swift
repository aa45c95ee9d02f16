import FoundationEssentials

/// The control sequences of images. A worker that a hostile file has taken over could send others, so the gallery checks all
/// bytes that are meant for the terminal.
///
/// The same keys of a sequence could make the terminal save a file, read or delete another one, or answer as if keys were
/// pressed. So a sequence has to begin exactly as one of ours does.
enum ImageSequences {
  /// The beginning of a sequence, in which `#` is any number, and its end. Between them are printable ASCII characters.
  private struct Form {
    let head: [UInt8]
    let tail: [UInt8]

    init(_ head: String, _ tail: String) {
      self.head = Array(head.utf8)
      self.tail = Array(tail.utf8)
    }

    /// Returns the form of a kitty sequence with some keys, and the same form for a multiplexer.
    static func kitty(_ keys: String) -> [Form] {
      let escape = PassthroughEnvelope.escape
      return [
        Form("\u{1B}_Gq=2,\(keys);", "\u{1B}\\"),
        Form(
          PassthroughEnvelope.head + "\(escape)_Gq=2,\(keys);", "\(escape)\\" + PassthroughEnvelope.tail),
      ]
    }
  }

  /// The keys that make kitty store an image, or show it in placeholders.
  private static let actions = ["a=t", "a=T,U=1,c=#,r=#"]

  /// Sequences with an image or a part of it: kitty's, which ask for no answer, sixels, and iTerm2's.
  private static let forms =
    Form.kitty("m=#")
    + actions.flatMap { Form.kitty("f=100,i=#,\($0),m=#") }
    + [
      Form("\u{1B}P0;0;0q\"1;1;#;#", "\u{1B}\\"),
      Form(
        "\u{1B}]1337;File=inline=1;size=#;width=#px;height=#px;preserveAspectRatio=#;doNotMoveCursor=1:", "\u{7}"),
    ]

  /// Sequences with the name of a file that the terminal reads and deletes.
  private static let fileForms = actions.flatMap { Form.kitty("f=24,i=#,s=#,v=#,\($0),t=t") }

  /// Whether bytes consist of sequences of images, or of one that names this file.
  ///
  /// - Parameter file: The file that the gallery deletes if the terminal has not read it; empty if there is none.
  static func isValid(_ bytes: [UInt8], file: String) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      guard file.isEmpty else {
        let name = Data(file.utf8).base64EncodedData()
        return isTerminalFile(file) && takeSequence(from: &rest, fileForms)?.elementsEqual(name) == true && rest.isEmpty
      }
      while !rest.isEmpty { guard takeSequence(from: &rest, forms) != nil else { return false } }
      return true
    }
  }

  /// Whether a path is one of the files in memory that pass images to the terminal.
  private static func isTerminalFile(_ path: String) -> Bool {
    let start = "/dev/shm/tintype-tty-graphics-protocol-".utf8
    return path.utf8.starts(with: start)
      && path.utf8.dropFirst(start.count).allSatisfy { "0123456789-".utf8.contains($0) }
  }

  /// Removes a sequence of one of the forms from the bytes, and returns what is between its beginning and its end.
  private static func takeSequence(
    from bytes: inout Slice<UnsafeRawBufferPointer>, _ forms: [Form]
  ) -> Slice<UnsafeRawBufferPointer>? {
    for form in forms {
      guard var rest = after(form.head, in: bytes) else { continue }
      let content = rest.prefix(printableCount(UnsafeRawBufferPointer(rebasing: rest)))
      rest = rest[content.endIndex...]
      guard rest.starts(with: form.tail) else { return nil }
      bytes = rest.dropFirst(form.tail.count)
      return content
    }
    return nil
  }

  /// Returns the bytes after a beginning, in which `#` is any number, or nil if there is another one.
  private static func after(
    _ head: [UInt8], in bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer>? {
    var rest = bytes
    for byte in head {
      if byte == UInt8(ascii: "#") {
        let end = rest.firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        rest = rest[end...]
      } else {
        guard rest.popFirst() == byte else { return nil }
      }
    }
    return rest
  }

  /// Returns the number of printable ASCII characters before the first other byte. An image has up to some millions, so
  /// eight are checked at once.
  private static func printableCount(_ bytes: UnsafeRawBufferPointer) -> Int {
    let (ones, high) = (UInt64(0x0101_0101_0101_0101), UInt64(0x8080_8080_8080_8080))
    var count = 0
    while count + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: count, as: UInt64.self)
      // Of a byte that is not printable, one of these has the highest bit: it is over 127, under 32, or 127.
      guard (word | (word &- 0x20 * ones) | (word &+ ones)) & high == 0 else { break }
      count += 8
    }
    while count < bytes.count, (0x20...0x7E).contains(bytes[count]) { count += 1 }
    return count
  }
}
