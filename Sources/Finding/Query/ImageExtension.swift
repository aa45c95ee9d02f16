import Photos

/// The extension of an image file's name, as the end of a folded word.
enum ImageExtension {
  static let dot = UInt8(ascii: ".")
  /// The length of the longest extension in bytes, with the dot.
  static let longest = 5

  /// The known extensions, each packed into a number because millions of words are compared with them.
  private static let known = Set(PhotoName.suffixes.map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } })

  /// Returns the number of bytes before the dot, or nil if the word does not end with an extension or is nothing else.
  @inline(__always)
  static func stem(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    var (index, number, shift) = (word.count - 1, UInt32(0), UInt32(0))
    while index > 0, word.count - index < longest, word[index] != dot {
      number |= UInt32(word[index]) << shift
      index = index - 1
      shift = shift + 8
    }
    guard index > 0, word[index] == dot, known.contains(number) else { return nil }
    return index
  }
}
