/// What sends or deletes a picture, on its way to the terminal behind the frames.
struct Transmission {
  /// The picture that the terminal has when all has left; nil where none.
  let id: UInt32?
  private let isWhole: Bool
  private var rest: ArraySlice<UInt8>

  /// - Parameter isWhole: Whether nothing may come between its sequences. kitty takes no other command for pictures in
  ///   the middle of one, but any text.
  init(id: UInt32? = nil, _ bytes: [UInt8], isWhole: Bool = false) {
    self.id = id
    self.isWhole = isWhole
    rest = bytes[...]
  }

  var isEmpty: Bool { rest.isEmpty }
  var hasBegun: Bool { rest.startIndex > 0 }

  /// Takes off what must be sent in one piece: whole escape sequences.
  mutating func takePiece() -> ArraySlice<UInt8> {
    let end = isWhole ? rest.endIndex : endOfSequence
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  private var endOfSequence: Int {
    let escape: UInt8 = 0x1B
    var index = rest.startIndex
    while let found = rest[index...].firstIndex(of: escape), found + 1 < rest.endIndex {
      if rest[found + 1] == UInt8(ascii: "\\") { return found + 2 }
      // Inside what tmux passes on, every Escape is doubled.
      index = found + 2
    }
    return rest.endIndex
  }
}
