extension RemoteLink {
  /// The bytes that have come, and the messages of which parts have come.
  struct Incoming {
    struct Piece {
      let channel: Channel
      let kind: UInt8
      let bytes: ArraySlice<UInt8>
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var messages: [Channel: [UInt8]] = [:]
    private var size = 0
    /// The channels of which parts have come since the last report. Many parts are reported once.
    private var news: [Channel] = []
    private(set) var isMalformed = false
    private var finished: [(Channel, [UInt8])] = []
    /// The number of all bytes but those of acknowledgments.
    private(set) var total: UInt64 = 0

    mutating func append(_ bytes: ArraySlice<UInt8>) {
      if start > 0 {
        buffer.removeFirst(start)
        start = 0
      }
      buffer += bytes
    }

    /// Returns the next piece; nil until all of it has come.
    mutating func next() -> Piece? {
      let rest = buffer.count - start
      guard rest >= headerCount else { return nil }
      func number(_ offset: Int) -> UInt32 {
        (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(buffer[start + offset + $1]) }
      }
      let (channel, kind, count) = (number(0), buffer[start + 4], Int(number(5)))
      guard count <= largestPiece else {
        isMalformed = true
        return nil
      }
      guard rest >= headerCount + count else { return nil }
      let end = start + headerCount + count
      let piece = Piece(channel: channel, kind: kind, bytes: buffer[(start + headerCount)..<end])
      start = end
      if kind != Kind.acknowledgment { total += UInt64(headerCount + count) }
      return piece
    }

    mutating func add(_ piece: Piece, isLast: Bool) -> Bool {
      messages[piece.channel, default: []] += piece.bytes
      size += piece.bytes.count
      guard let length = messages[piece.channel]?.count, length <= longestMessage, size <= mostIncoming,
        messages.count <= mostUnfinished
      else {
        return false
      }
      if isLast, let message = messages.removeValue(forKey: piece.channel) {
        size -= message.count
        news.removeAll { $0 == piece.channel }
        finished.append((piece.channel, message))
      } else if !news.contains(piece.channel) {
        news.append(piece.channel)
      }
      return true
    }

    mutating func drop(_ channel: Channel) {
      size -= messages.removeValue(forKey: channel)?.count ?? 0
      news.removeAll { $0 == channel }
    }

    mutating func report(_ receive: (Event) -> Void) {
      for (channel, message) in finished { receive(.message(channel, message, isWhole: true)) }
      for channel in news { receive(.message(channel, messages[channel] ?? [], isWhole: false)) }
      (finished, news) = ([], [])
    }
  }
}
