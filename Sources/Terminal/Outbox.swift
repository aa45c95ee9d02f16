/// What is on its way to the terminal: frames, and images that are sent beforehand.
///
/// What has been begun goes on. Of the images that wait, at most one piece goes before the next frame. Nothing is
/// written here: who writes asks for ``front`` and tells how much of it has left.
struct Outbox {
  enum Event: Equatable {
    /// There is none but images under way.
    case frameLeft
    /// All of an image has left.
    case imageLeft(UInt32)
  }

  /// An image of which the terminal has not got all.
  enum Loss: Equatable {
    /// Of a frame's own images so many bytes have left.
    case drawn(sent: Int)
    /// One that was sent beforehand.
    case transmitted(UInt32)
  }

  private enum Kind: Equatable {
    case cells
    /// The images of a frame, a sequence for each at its place: they can be ended anywhere.
    case drawn
    case frameEnd(isAnswer: Bool)
    /// A part of an image, or the last or only one.
    case piece
    case lastPiece(UInt32?)
  }

  private struct Part {
    let kind: Kind
    let count: Int
    var bytes: ArraySlice<UInt8>

    init(_ kind: Kind, _ bytes: ArraySlice<UInt8>) {
      (self.kind, count, self.bytes) = (kind, bytes.count, bytes)
    }
  }

  private var parts: [Part] = []
  private var transmissions: [Transmission] = []

  var isEmpty: Bool { parts.isEmpty }

  /// Whether all frames have left.
  var isDrained: Bool {
    !parts.contains { if case .frameEnd = $0.kind { true } else { false } }
  }

  /// The next bytes to be written, so many at most; empty when nothing is on its way.
  func front(_ most: Int) -> ArraySlice<UInt8> {
    if let first = parts.first?.bytes, first.count >= most || parts.count == 1 { return first.prefix(most) }
    var bytes: [UInt8] = []
    for part in parts where bytes.count < most { bytes += part.bytes.prefix(most - bytes.count) }
    return bytes[...]
  }

  /// - Parameters:
  ///   - images: What is drawn behind the cells, and can be broken off.
  ///   - isAnswer: Whether the person waits for it.
  mutating func send(_ cells: [UInt8], images: [UInt8] = [], end: [UInt8] = [], isAnswer: Bool = false) {
    parts.append(Part(.cells, cells[...]))
    if !images.isEmpty { parts.append(Part(.drawn, images[...])) }
    parts.append(Part(.frameEnd(isAnswer: isAnswer), end[...]))
  }

  mutating func transmit(_ more: [Transmission]) {
    transmissions += more.filter { !$0.isEmpty }
    if parts.isEmpty { takePiece() }
  }

  /// Says that so many bytes have left.
  mutating func remove(_ count: Int) -> [Event] {
    var (left, events): (Int, [Event]) = (count, [])
    while let part = parts.first, part.bytes.count <= left {
      left -= part.bytes.count
      parts.removeFirst()
      switch part.kind {
      case .frameEnd: if isDrained { events.append(.frameLeft) }
      case .lastPiece(let id?): events.append(.imageLeft(id))
      case .cells, .drawn, .piece, .lastPiece: break
      }
    }
    if left > 0 { parts[0].bytes.removeFirst(left) }
    // Before anybody hears of it, and sends a frame: images get their turn.
    if parts.isEmpty { takePiece() }
    return events
  }

  private mutating func takePiece() {
    guard !transmissions.isEmpty else { return }
    let piece = transmissions[0].takePiece()
    let isLast = transmissions[0].isEmpty
    parts.append(Part(isLast ? .lastPiece(transmissions[0].id) : .piece, piece))
    if isLast { transmissions.removeFirst() }
  }

  /// Drops the images of which nothing has left, but those of some numbers. What deletes images stays.
  /// - Returns: Their numbers.
  mutating func dropImages(except kept: Set<UInt32> = []) -> [UInt32] {
    let dropped = transmissions.filter { !$0.hasBegun }.compactMap(\.id).filter { !kept.contains($0) }
    transmissions.removeAll { transmission in transmission.id.map(dropped.contains) ?? false }
    return dropped
  }

  /// Drops all images, and what is left of those on their way.
  /// - Returns: Those of which nothing has left.
  mutating func discardImages() -> [UInt32] {
    defer { transmissions.removeAll { $0.id != nil } }
    return dropImages()
  }

  mutating func removeAll() {
    (parts, transmissions) = ([], [])
  }

  /// Which part keeps an answer waiting, and could be ended sooner.
  /// - Parameter isAnswerDue: Whether an answer waits to be drawn, which it is when the last frame has left.
  private func obstacle(isAnswerDue: Bool) -> Int? {
    parts.indices.first { index in
      switch parts[index].kind {
      case .drawn: isAnswerDue
      case .lastPiece(_?):
        parts[index].bytes.endOfSequence < parts[index].bytes.endIndex
          && parts[(index + 1)...].contains { $0.kind == .frameEnd(isAnswer: true) }
      case .cells, .frameEnd, .piece, .lastPiece: false
      }
    }
  }

  func isHeldUp(isAnswerDue: Bool) -> Bool { obstacle(isAnswerDue: isAnswerDue) != nil }

  /// Breaks off the image that keeps an answer waiting.
  /// - Returns: nil where none does.
  mutating func breakOff(isAnswerDue: Bool) -> Loss? {
    guard let index = obstacle(isAnswerDue: isAnswerDue) else { return nil }
    let part = parts[index]
    switch part.kind {
    case .drawn:
      let sent = part.count - part.bytes.count
      // Whatever was cut through ends; and the cursor is where it was before, where ESC 7 has left, the first two bytes.
      parts[index] = Part(.cells, sent == 0 ? [] : Array((sent < 2 ? "\u{1B}\\" : "\u{1B}\\\u{1B}8").utf8)[...])
      return .drawn(sent: sent)
    case .lastPiece(let id?):
      // kitty drops an image that ends too soon (kitty graphics protocol, m=0).
      let rest = part.bytes[..<part.bytes.endOfSequence] + Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8)
      parts[index] = Part(.piece, rest)
      return .transmitted(id)
    case .cells, .frameEnd, .piece, .lastPiece: return nil
    }
  }
}

/// An image, or what deletes one, of which the terminal is sent one piece after another.
struct Transmission {
  /// The image that the terminal has when all has left; nil where none.
  let id: UInt32?
  private let isWhole: Bool
  private var rest: ArraySlice<UInt8>

  /// - Parameter isWhole: Whether nothing may come between its sequences. kitty takes no other command for images in
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
    let end = isWhole ? rest.endIndex : rest.endOfSequence
    defer { rest = rest[end...] }
    return rest[..<end]
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
