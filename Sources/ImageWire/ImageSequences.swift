/// The control sequences of images. A worker that a hostile file has taken over could send others, so the gallery checks all
/// bytes that are meant for the terminal.
enum ImageSequences {
  /// The beginning and the end of a sequence. Between them are printable ASCII characters.
  private struct Form {
    let head: [UInt8]
    let tail: [UInt8]

    init(_ head: String, _ tail: String) { (self.head, self.tail) = (Array(head.utf8), Array(tail.utf8)) }
  }

  /// The forms of kitty's sequences, which ask for no answer, also within tmux; of sixels; and of iTerm2's.
  private static let forms = [
    Form("\u{1B}_Gq=2,", "\u{1B}\\"), Form("\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,", "\u{1B}\u{1B}\\\u{1B}\\"),
    Form("\u{1B}P0;0;0q", "\u{1B}\\"), Form("\u{1B}]1337;File=inline=1;", "\u{7}"),
  ]

  /// Whether bytes consist of sequences of images.
  static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        guard let form = forms.first(where: { rest.starts(with: $0.head) }) else { return false }
        rest = rest.dropFirst(form.head.count)
        rest = rest.dropFirst(printableCount(UnsafeRawBufferPointer(rebasing: rest)))
        guard rest.starts(with: form.tail) else { return false }
        rest = rest.dropFirst(form.tail.count)
      }
      return true
    }
  }

  /// Whether a path is one of the files in memory that pass images to the terminal. The gallery deletes those that the
  /// terminal has not read.
  static func isTerminalFile(_ path: String) -> Bool {
    let start = "/dev/shm/tintype-tty-graphics-protocol-".utf8
    return path.utf8.starts(with: start)
      && path.utf8.dropFirst(start.count).allSatisfy { "0123456789-".utf8.contains($0) }
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
