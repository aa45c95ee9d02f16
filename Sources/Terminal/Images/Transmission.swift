/// An image for the terminal to store, or a command that deletes one. It is sent piece by piece.
struct Transmission {
  /// The id of the image; nil for a command.
  let id: UInt32?
  private var rest: ArraySlice<UInt8>

  init(id: UInt32? = nil, _ bytes: [UInt8]) {
    self.id = id
    rest = bytes[...]
  }

  /// The number of bytes that have not been taken.
  var count: Int { rest.count }
  /// Whether all of it has been taken.
  var isEmpty: Bool { rest.isEmpty }
  /// Whether a part of it has been taken.
  var hasBegun: Bool { rest.startIndex > 0 }

  /// The sequence that ends an image of kitty's protocol before it is complete.
  var end: [UInt8] {
    KittyCommands(isPassedThrough: Passthrough.isWrapped(rest)).abortion
  }

  /// Removes and returns the next piece, which consists of whole escape sequences.
  mutating func takePiece() -> ArraySlice<UInt8> {
    let end = rest.endOfSequence
    defer { rest = rest[end...] }
    return rest[..<end]
  }
}

extension ArraySlice<UInt8> {
  /// The index after the first escape sequence that ends with ESC \; the end if there is none.
  fileprivate var endOfSequence: Int {
    let escape: UInt8 = 0x1B
    var index = startIndex
    while let found = self[index...].firstIndex(of: escape), found + 1 < endIndex {
      if self[found + 1] == UInt8(ascii: "\\") { return found + 2 }
      // In a sequence that is passed through, every Escape is doubled.
      index = found + 2
    }
    return endIndex
  }
}
