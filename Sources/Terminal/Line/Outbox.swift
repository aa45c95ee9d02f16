/// The bytes that have not been written to the terminal yet: frames, and images that the terminal is to store.
///
/// Bytes leave in the order in which they were begun. At most one piece of a waiting image goes before the next frame, and
/// after an image the next one waits for ``transmit(_:)``.
/// The outbox writes nothing: its owner asks for ``front(_:)``, and reports how much of it has left.
struct Outbox {
  enum Event: Equatable {
    /// All frames have left.
    case frameLeft
    /// The last byte of an image has left.
    case imageLeft(UInt32)
    /// The question whether everything before it has arrived has left.
    case questionLeft
  }

  private enum Kind: Equatable {
    case cells
    /// The drawn images of a frame. Each is a sequence that can be ended anywhere.
    case drawn
    case frameEnd(isAnswer: Bool)
    /// A piece of a stored image that is not its last.
    case piece
    /// The last or only piece of a stored image, or of a command without an image.
    case lastPiece(UInt32?)
    case question
  }

  private struct Part {
    let kind: Kind
    let count: Int
    var bytes: ArraySlice<UInt8>
    private let isWrapped: Bool

    init(_ kind: Kind, _ bytes: ArraySlice<UInt8>) {
      self.kind = kind
      count = bytes.count
      self.bytes = bytes
      isWrapped = Passthrough.isWrapped(bytes)
    }

    /// Whether the beginning has left, and the rest must not wait, because the sequence is passed
    /// through (``Passthrough/isWrapped(_:)``).
    var isHurried: Bool { isWrapped && bytes.count < count }
  }

  private var parts: [Part] = []
  private var transmissions: [Transmission] = []
  /// The data for the terminal's clipboard that has not been taken. Images go before it.
  private var upload: Transmission?

  /// Whether nothing is to be written now.
  var isEmpty: Bool { parts.isEmpty }

  /// Whether all frames have left.
  var isDrained: Bool {
    !parts.contains { if case .frameEnd = $0.kind { true } else { false } }
  }

  /// Whether the next bytes leave at once, also on a slow line: a question, whose time is measured, the rest of a
  /// sequence that passes through a multiplexer, or the cells of a frame that answers a key and what is before them.
  var isUrgent: Bool {
    guard let first = parts.first else { return false }
    return first.kind == .question || first.isHurried
      || first.kind != .drawn && parts.contains { $0.kind == .frameEnd(isAnswer: true) }
  }

  /// Appends a question whether everything before it has arrived.
  mutating func ask(_ question: [UInt8]) { parts.append(Part(.question, question[...])) }

  /// Returns the next bytes to be written, at most `most` of them; none if everything has left.
  func front(_ most: Int) -> ArraySlice<UInt8> {
    if let first = parts.first?.bytes, first.count >= most || parts.count == 1 { return first.prefix(most) }
    var bytes: [UInt8] = []
    for part in parts where bytes.count < most { bytes += part.bytes.prefix(most - bytes.count) }
    return bytes[...]
  }

  /// Appends a frame.
  /// - Parameters:
  ///   - images: The bytes that draw images after the cells, and that can be broken off.
  ///   - isAnswer: Whether the frame answers a key.
  mutating func send(_ cells: [UInt8], images: [UInt8] = [], end: [UInt8] = [], isAnswer: Bool = false) {
    parts.append(Part(.cells, cells[...]))
    if !images.isEmpty { parts.append(Part(.drawn, images[...])) }
    parts.append(Part(.frameEnd(isAnswer: isAnswer), end[...]))
  }

  /// Appends images for the terminal to store, or commands about them, and goes on with the images that wait.
  mutating func transmit(_ more: [Transmission] = []) {
    transmissions += more.filter { !$0.isEmpty }
    if parts.isEmpty { takePiece() }
  }

  /// Begins to send data for the terminal's clipboard, piece by piece, in place of what is left of earlier data.
  mutating func upload(_ data: Transmission) {
    upload = data
    if parts.isEmpty { takePiece() }
  }

  /// Removes bytes that have left.
  mutating func remove(_ count: Int) -> [Event] {
    var left = count
    var events: [Event] = []
    while let part = parts.first, part.bytes.count <= left {
      left -= part.bytes.count
      parts.removeFirst()
      switch part.kind {
      case .frameEnd: if isDrained { events.append(.frameLeft) }
      case .lastPiece(let id?): events.append(.imageLeft(id))
      case .question: events.append(.questionLeft)
      case .cells, .drawn, .piece, .lastPiece: break
      }
    }
    if left > 0 { parts[0].bytes.removeFirst(left) }
    // Before the caller learns of the events and sends another frame, an image gets its turn. Only a frame that shows an
    // image by a command goes before the next image, which the command would cut.
    let isImageLeft = events.contains { if case .imageLeft = $0 { true } else { false } }
    if parts.isEmpty, !isImageLeft { takePiece() }
    return events
  }

  private mutating func takePiece() {
    guard !transmissions.isEmpty else { return takePieceOfUpload() }
    let piece = transmissions[0].takePiece()
    let isLast = transmissions[0].isEmpty
    parts.append(Part(isLast ? .lastPiece(transmissions[0].id) : .piece, piece))
    if isLast { transmissions.removeFirst() }
  }

  private mutating func takePieceOfUpload() {
    guard let piece = upload?.takePiece() else { return }
    parts.append(Part(.piece, piece))
    if upload?.isEmpty == true { upload = nil }
  }

  /// Drops the images of which nothing has left, except those with the ids in `kept`. Commands that delete images stay.
  /// - Returns: The ids of the dropped images.
  mutating func dropImages(except kept: Set<UInt32> = []) -> [UInt32] {
    let dropped = transmissions.filter { !$0.hasBegun }.compactMap(\.id).filter { !kept.contains($0) }
    transmissions.removeAll { transmission in transmission.id.map(dropped.contains) ?? false }
    return dropped
  }

  /// Returns the number of bytes that have to leave until all of an image has left.
  func rest(of id: UInt32) -> Int {
    guard let index = transmissions.firstIndex(where: { $0.id == id }) else { return 0 }
    return transmissions[...index].reduce(0) { $0 + $1.count }
  }

  /// The number of bytes of stored images and of data for the clipboard that have not been taken.
  var waitingBytes: Int { transmissions.reduce(upload?.count ?? 0) { $0 + $1.count } }

  /// Ends the images of which a part has left, except those with the ids in `kept`, before anything else that has not left.
  /// The terminal drops an image that ends too soon.
  /// - Returns: The ids of the dropped images.
  mutating func cutImages(except kept: Set<UInt32>) -> [UInt32] {
    guard let first = transmissions.first, first.hasBegun, let id = first.id, !kept.contains(id) else { return [] }
    transmissions.removeFirst()
    parts.append(Part(.piece, first.end[...]))
    return [id]
  }

  /// Drops all images and the data for the clipboard, and ends the image that has been begun.
  /// - Returns: The ids of the images of which nothing has left.
  mutating func discardImages() -> [UInt32] {
    upload = nil
    _ = cutImages(except: [])
    return dropImages()
  }

  /// Drops everything, as when another program has the terminal.
  mutating func removeAll() {
    parts = []
    transmissions = []
    upload = nil
  }

  /// The index of the drawn images of a frame, which keep the next frame waiting and can be ended early.
  private var drawnImages: Int? { parts.firstIndex { $0.kind == .drawn } }

  /// The number of bytes of a frame's drawn images that have not left, so that the next frame waits for them; nil if there are
  /// none.
  var unsentImages: Int? { drawnImages.map { parts[$0].bytes.count } }

  /// Breaks off the drawn images of a frame.
  /// - Returns: The number of their bytes that have left, or nil if there are none.
  mutating func breakOff() -> Int? {
    guard let index = drawnImages else { return nil }
    let sent = parts[index].count - parts[index].bytes.count
    // ESC \ ends the sequence that was cut through. If ESC 7, the first two bytes, has left, ESC 8 restores the cursor.
    parts[index] = Part(.cells, sent == 0 ? [] : Array((sent < 2 ? "\u{1B}\\" : "\u{1B}\\\u{1B}8").utf8)[...])
    return sent
  }
}
