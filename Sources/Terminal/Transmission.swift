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
  /// How its piece may be broken off, where it is so large that this is worth it.
  var breakable: Breakable? { isWhole ? id.map { Breakable(.transmitted($0), count: rest.startIndex) } : nil }
  var hasBegun: Bool { rest.startIndex > 0 }

  /// Takes off what must be sent in one piece: whole escape sequences.
  mutating func takePiece() -> ArraySlice<UInt8> {
    let end = isWhole ? rest.endIndex : endOfSequence
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  private var endOfSequence: Int { rest.endOfSequence }
}

/// Pictures on their way that hold up what is behind them, and can be ended before their end.
struct Breakable {
  enum Kind: Equatable {
    /// Of a frame: a sequence for each picture, at its place.
    case drawn
    /// To be placed when all of it is there, in several sequences.
    case transmitted(UInt32)
  }

  let kind: Kind
  /// In bytes.
  let count: Int

  init(_ kind: Kind, count: Int) {
    (self.kind, self.count) = (kind, count)
  }

  /// What is sent instead of `rest`, its last bytes; nil where that would save nothing.
  func ending(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch kind {
    case .drawn:
      // Whatever was cut through ends, and the cursor is where it was before: where ESC 7 has left, its first two bytes.
      let sent = count - rest.count
      return sent == 0 ? [] : Array((sent < 2 ? "\u{1B}\\" : "\u{1B}\\\u{1B}8").utf8)[...]
    case .transmitted:
      let end = rest.endOfSequence
      // kitty drops a picture that ends too soon (kitty graphics protocol, m=0).
      return end == rest.endIndex ? nil : rest[..<end] + Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8)
    }
  }
}

extension ArraySlice<UInt8> {
  /// The index behind the first escape sequence that ends with ESC \; the end where there is none.
  fileprivate var endOfSequence: Int {
    let escape: UInt8 = 0x1B
    var index = startIndex
    while let found = self[index...].firstIndex(of: escape), found + 1 < endIndex {
      if self[found + 1] == UInt8(ascii: "\\") { return found + 2 }
      // Inside what tmux passes on, every Escape is doubled.
      index = found + 2
    }
    return endIndex
  }
}
