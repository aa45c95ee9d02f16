import CSystem
import Foundation
import Synchronization
import WorkerPool

/// A connection to the gallery on another machine, which carries many messages at once through two descriptors.
///
/// Each message belongs to a channel, as a request and its answers do. A message is sent in pieces, and before each piece the most
/// urgent message goes first, so that the image after a key overtakes one that is on its way. That only helps if little is
/// on its way: ssh and the network take megabytes, through which nothing can overtake. So no more bytes are sent than the line
/// takes in about a round trip, which the other side's acknowledgments tell (``LineEstimate``).
///
/// A piece begins with the channel (four bytes), its kind (one), and the number of its bytes (four), with the lowest byte first.
public final class RemoteLink: Sendable {
  /// The number of a request and of its answers.
  public typealias Channel = UInt32

  /// The urgency of a message; the most urgent one first.
  public enum Priority: Int, Sendable {
    /// Messages of few bytes, for which a user waits.
    case urgent
    /// The images in view.
    case visible
    /// The list of photos.
    case list
    /// The images that may come into view.
    case ahead
  }

  /// An event on the connection.
  public enum Event: Sendable {
    /// The line with which the other side has begun, if one was awaited.
    case greeting([UInt8])
    /// The first bytes of a message, and whether they are all of them.
    case message(Channel, [UInt8], isWhole: Bool)
    /// The other side no longer wants answers on a channel.
    case canceled(Channel)
    /// The connection has ended. Nothing follows.
    case ended
    /// The other side has not answered for so long that the connection is thought to be dead. Nothing follows.
    case silent
    /// The bytes are no pieces. Nothing follows.
    case malformed
  }

  enum Kind {
    static let (part, last): (UInt8, UInt8) = (0, 1)
    static let (acknowledgment, cancellation, dropped): (UInt8, UInt8, UInt8) = (2, 3, 4)
  }

  private struct Message {
    let channel: Channel
    let priority: Priority
    let number: Int
    var rest: ArraySlice<UInt8>

    /// The place among the messages that wait.
    var order: (Int, Int) { (priority.rawValue, number) }
    /// Whether nothing of it has been sent.
    var isUnsent: Bool { rest.startIndex == 0 }
  }

  private struct State {
    var waiting: [Message] = []
    var nextNumber = 0
    /// The number of received bytes that is to be acknowledged, or nil if it is already.
    var toAcknowledge: UInt64?
    /// The pieces without bytes that wait: the channels that are canceled, and those whose message is not sent to its end.
    var notices: [(channel: Channel, kind: UInt8)] = []
    var estimate = LineEstimate()
    /// The watch on the other side, or nil if it may be silent for any time.
    var silence: SilenceWatch?
    /// The channels on which the other side owes an answer. It may take its time for it, but not be gone meanwhile.
    var owed: Set<Channel> = []
    var isEnded = false
    /// Whether the input is open.
    var isReading = true

    /// Drops what waits on a channel.
    mutating func drop(_ channel: Channel) {
      if waiting.contains(where: { $0.channel == channel && !$0.isUnsent }) { notices.append((channel, Kind.dropped)) }
      waiting.removeAll { $0.channel == channel }
      owed.remove(channel)
    }

    /// Returns the time until the silence of the other side is measured again, or nil. If an answer is awaited and nothing is on its way,
    /// which would be acknowledged, a notice without a meaning is sent.
    mutating func restOfSilence(at now: ContinuousClock.Instant) -> Duration? {
      let isMeasured = estimate.inFlight > 0
      guard let partCount = silence?.partCount else { return nil }
      let rest = silence?.rest(isWaiting: isMeasured || !owed.isEmpty, at: now)
      if !isMeasured, let silence, silence.partCount > partCount { notices.append((0, Kind.cancellation)) }
      return rest
    }

    mutating func add(_ bytes: [UInt8], on channel: Channel, _ priority: Priority) {
      nextNumber += 1
      waiting.append(Message(channel: channel, priority: priority, number: nextNumber, rest: bytes[...]))
    }
  }

  /// The longest message in bytes.
  static let longestMessage = 64 << 20
  /// The most bytes of the messages of which parts have come.
  static let mostIncoming = 128 << 20
  /// The most messages of which parts have come.
  static let mostUnfinished = 4096
  static let headerCount = 9
  private static let smallestPiece = 1024
  static let largestPiece = 1 << 15
  /// The time, in seconds, for which a piece keeps the line busy.
  private static let pieceTime = 0.02

  private let input: Int32
  private let output: Int32
  private let condition = MonotonicCondition()
  private let state = Mutex(State())
  private let receive: @Sendable (Event) -> Void
  private let greeting: [UInt8]?
  private let patience: Duration

  /// Creates a link, which takes over the descriptors, and sends and receives on two threads of its own.
  ///
  /// - Parameters:
  ///   - greeting: The line that is sent first, or nil to await that of the other side.
  ///   - mayWait: Whether the greeting of the other side may take any time, as ssh asks for a password before it. After it, a silence
  ///     ends the connection. The side that greets may wait for ever: a gallery can be stopped and go on.
  ///   - patience: A third of the time for which the other side may be silent.
  ///   - receive: Called on one thread with what comes, in its order.
  init(
    input: Int32, output: Int32, greeting: [UInt8]?, mayWait: Bool = true, patience: Duration = .seconds(15),
    receive: @escaping @Sendable (Event) -> Void
  ) {
    self.input = input
    self.output = output
    self.greeting = greeting
    self.patience = patience
    self.receive = receive
    if !mayWait { state.withLock { $0.silence = SilenceWatch(part: patience) } }
  }

  /// Starts to send and to receive. Messages may wait already.
  public func start() {
    Self.detachThread(named: "remote input") { self.readAll() }
    Self.detachThread(named: "remote output") { self.writeAll() }
  }

  /// Sends a message after those of its channel, and after more urgent ones.
  /// - Parameter isRequest: Whether the other side owes an answer from now on, until ``isAnswered(_:)``.
  public func send(_ bytes: [UInt8], on channel: Channel, _ priority: Priority, isRequest: Bool = false) {
    change { state in
      state.add(bytes, on: channel, priority)
      if isRequest { state.owed.insert(channel) }
    }
  }

  /// Takes note that the other side owes no more answers on a channel.
  func isAnswered(_ channel: Channel) { change { $0.owed.remove(channel) } }

  /// Sends a message in place of those of its channel of which nothing has been sent.
  func replace(_ bytes: [UInt8], on channel: Channel, _ priority: Priority) {
    change { state in
      state.waiting.removeAll { $0.channel == channel && $0.isUnsent }
      state.add(bytes, on: channel, priority)
    }
  }

  /// Drops the messages of a channel, and asks the other side for no more.
  public func cancel(_ channel: Channel) {
    change { state in
      state.drop(channel)
      state.notices.append((channel, Kind.cancellation))
    }
  }

  /// Drops the messages of a channel that the other side no longer wants.
  public func drop(_ channel: Channel) { change { $0.drop(channel) } }

  /// Ends the connection.
  public func end() {
    change { end(&$0) }
  }

  private func end(_ state: inout State) {
    state.isEnded = true
    // The number of a descriptor that is closed may be that of another file by now.
    if state.isReading { _ = shutdown(input, Int32(SHUT_RDWR)) }
  }

  /// The bytes that the line takes in a second, or 0 if that is not known.
  public var throughput: Int { state.withLock { Int($0.estimate.rate) } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    condition.lock()
    condition.signal()
    condition.unlock()
  }

  private static func detachThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      name_thread(name)
      body()
    }
  }
}

// MARK: - Sending

extension RemoteLink {
  private func writeAll() {
    if let greeting, !write(greeting) { return finish() }
    while let piece = nextPiece() {
      guard write(piece) else { break }
    }
    finish()
  }

  private func finish() {
    state.withLock { $0.isEnded = true }
    // The other side ends when its input does.
    close(output)
  }

  /// Returns what is sent next, and waits for it; nil at the end.
  private func nextPiece() -> [UInt8]? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let (piece, isEnded, rest) = state.withLock { state in
        let rest = state.restOfSilence(at: .now)
        let piece = Self.piece(of: &state)
        if state.silence?.isTooLong == true { end(&state) }
        return (piece, state.isEnded, rest)
      }
      if isEnded { return nil }
      if let piece { return piece }
      if let rest { condition.wait(for: rest) } else { condition.wait() }
    }
  }

  private static func piece(of state: inout State) -> [UInt8]? {
    if !state.notices.isEmpty {
      let notice = state.notices.removeFirst()
      let piece = header(notice.channel, notice.kind, 0)
      state.estimate.send(piece.count, at: .now)
      return piece
    }
    // After the notices, as each piece that comes is acknowledged, also those of a message that is canceled.
    if let count = state.toAcknowledge {
      state.toAcknowledge = nil
      return header(0, Kind.acknowledgment, 8) + withUnsafeBytes(of: count.littleEndian, Array.init)
    }
    guard state.estimate.hasRoom,
      let index = state.waiting.indices.min(by: { state.waiting[$0].order < state.waiting[$1].order })
    else { return nil }
    let most = min(max(smallestPiece, Int(state.estimate.rate * pieceTime)), largestPiece)
    let part = state.waiting[index].rest.prefix(most)
    state.waiting[index].rest = state.waiting[index].rest.dropFirst(part.count)
    let isLast = state.waiting[index].rest.isEmpty
    let channel = state.waiting[index].channel
    if isLast { state.waiting.remove(at: index) }
    let piece = header(channel, isLast ? Kind.last : Kind.part, part.count) + part
    state.estimate.send(piece.count, at: .now, isMore: !state.waiting.isEmpty)
    return piece
  }

  private static func header(_ channel: Channel, _ kind: UInt8, _ count: Int) -> [UInt8] {
    withUnsafeBytes(of: channel.littleEndian, Array.init) + [kind]
      + withUnsafeBytes(of: UInt32(count).littleEndian, Array.init)
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        let sent = send_without_signal(output, bytes.baseAddress, bytes.count)
        return sent < 0 && errno == ENOTSOCK ? Foundation.write(output, bytes.baseAddress, bytes.count) : sent
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

// MARK: - Receiving

extension RemoteLink {
  private func readAll() {
    if greeting == nil {
      guard let line = readGreeting() else { return finish(endOfInput) }
      change { [patience] in $0.silence = SilenceWatch(part: patience) }
      receive(.greeting(line))
    }
    var incoming = Incoming()
    var acknowledged: UInt64 = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      state.withLock { $0.silence?.heard() }
      incoming.append(chunk[..<count])
      while let piece = incoming.next() {
        guard accept(piece, &incoming) else {
          finish(.malformed)
          return
        }
      }
      if incoming.isMalformed { return finish(.malformed) }
      incoming.report(receive)
      // An acknowledgment is not acknowledged, or there would be no end.
      if incoming.total > acknowledged {
        acknowledged = incoming.total
        change { [acknowledged] in $0.toAcknowledge = acknowledged }
      }
    }
    finish(endOfInput)
  }

  private var endOfInput: Event { state.withLock { $0.silence?.isTooLong } == true ? .silent : .ended }

  /// Reads lines up to the other side's greeting, byte by byte, as what follows it are pieces.
  private func readGreeting() -> [UInt8]? {
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    for _ in 0..<Self.mostNoise {
      guard read(input, &byte, 1) == 1 else { return nil }
      if byte != UInt8(ascii: "\n") {
        line.append(byte)
      } else if RemoteGreeting.versions(in: line) != nil {
        return line
      } else {
        line = []
      }
    }
    return nil
  }

  /// The most bytes that the shell of the other machine may print.
  private static let mostNoise = 1 << 16

  private func finish(_ event: Event) {
    change { state in
      state.isEnded = true
      state.isReading = false
      close(input)
    }
    receive(event)
  }

  /// Returns false if the piece is none.
  private func accept(_ piece: Incoming.Piece, _ incoming: inout Incoming) -> Bool {
    switch piece.kind {
    case Kind.part, Kind.last: return incoming.add(piece, isLast: piece.kind == Kind.last)
    case Kind.acknowledgment:
      guard piece.bytes.count == 8 else { return false }
      let count = piece.bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      change { $0.estimate.acknowledge(count, at: .now) }
      return true
    case Kind.dropped:
      incoming.drop(piece.channel)
      return true
    case Kind.cancellation:
      incoming.report(receive)
      receive(.canceled(piece.channel))
      return true
    default: return false
    }
  }
}
