import Foundation
import Gallery
import Synchronization
import TestLimit
import Testing

@testable import Remote

/// Two ends of a connection in one process.
@Suite(.limited) struct RemoteLinkTests {
  /// What an end has received, for which tests wait.
  private final class Inbox: Sendable {
    private let events = Mutex<[RemoteLink.Event]>([])
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    /// Called with each event before anything else is read.
    let handler = Mutex<(@Sendable (RemoteLink.Event) -> Void)?>(nil)

    func add(_ event: RemoteLink.Event) {
      var event = event
      handler.withLock { $0 }?(event)
      // Each part has the bytes of those before it: together, the parts of 8 MB have half a gigabyte.
      if case .message(let channel, _, isWhole: false) = event { event = .message(channel, [], isWhole: false) }
      events.withLock { [event] in $0.append(event) }
      arrivals.continuation.yield()
    }

    var all: [RemoteLink.Event] { events.withLock { $0 } }

    func wait(_ isDone: ([RemoteLink.Event]) -> Bool) async {
      for await _ in arrivals.stream where isDone(all) { return }
    }
  }

  private struct Pair {
    let near: RemoteLink
    let far: RemoteLink
    let nearInbox = Inbox()
    let farInbox = Inbox()

    /// - Parameter noise: What comes before the greeting.
    init(noise: String = "") throws {
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw POSIXError(.EIO) }
      let (nearInbox, farInbox) = (nearInbox, farInbox)
      _ = noise.utf8.withContiguousStorageIfAvailable { write(ends[1], $0.baseAddress, $0.count) }
      near = RemoteLink(input: ends[0], output: dup(ends[0]), greeting: nil) { nearInbox.add($0) }
      far = RemoteLink(input: ends[1], output: dup(ends[1]), greeting: RemoteGreeting.line(version: "1.2")) {
        farInbox.add($0)
      }
      near.start()
      far.start()
    }

    func end() {
      near.end()
      far.end()
    }
  }

  /// Each message of which a part has come takes memory, also without a byte.
  @Test func messagesWithoutAnEndAreLimited() {
    var incoming = RemoteLink.Incoming()
    func piece(_ channel: Int) -> RemoteLink.Incoming.Piece {
      .init(channel: RemoteLink.Channel(channel), kind: RemoteLink.Kind.part, bytes: [])
    }
    #expect((1...RemoteLink.mostUnfinished).allSatisfy { incoming.add(piece($0), isLast: false) })
    #expect(incoming.add(piece(1), isLast: false) && !incoming.add(piece(0), isLast: false))
  }

  /// The other machine may name any sizes.
  @Test func theSizesOfFilesHaveASum() {
    let file = RemoteFile(path: "/a", size: RemoteFile.mostBytes, modifiedAt: 0)
    #expect(Array(repeating: file, count: 10_000).size == RemoteFile.mostBytes)
    #expect([RemoteFile(path: "/a", size: 3, modifiedAt: 0), RemoteFile(path: "/b", size: 4, modifiedAt: 0)].size == 7)
  }

  private static func messages(_ events: [RemoteLink.Event]) -> [RemoteLink.Channel: [UInt8]] {
    events.reduce(into: [:]) { if case .message(let channel, let bytes, true) = $1 { $0[channel] = bytes } }
  }

  @Test(arguments: ["", "Welcome to nas!\nyou have mail\n\n"]) func theGreetingIsFoundAmongNoise(noise: String)
    async throws
  {
    let pair = try Pair(noise: noise)
    defer { pair.end() }
    await pair.nearInbox.wait { !$0.isEmpty }
    guard case .greeting(let line)? = pair.nearInbox.all.first else {
      Issue.record("there is no greeting")
      return
    }
    let versions = try #require(RemoteGreeting.versions(in: line))
    #expect(versions == (protocolVersion, "1.2"))
  }

  @Test func messagesOfAnyLengthArriveInBothDirections() async throws {
    let pair = try Pair()
    defer { pair.end() }
    let sizes = [0, 1, 9, 1000, 100_000, 3_000_000]
    for (index, size) in sizes.enumerated() {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
      pair.near.send(bytes, on: UInt32(index + 1), .visible)
      pair.far.send(bytes, on: UInt32(index + 1), .ahead)
    }
    for inbox in [pair.nearInbox, pair.farInbox] {
      await inbox.wait { Self.messages($0).count == sizes.count }
      for (index, size) in sizes.enumerated() {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
        #expect(Self.messages(inbox.all)[UInt32(index + 1)] == bytes)
      }
    }
  }

  @Test func anUrgentMessageOvertakesALongOne() async throws {
    let pair = try Pair()
    defer { pair.end() }
    pair.far.send([UInt8](repeating: 1, count: 8_000_000), on: 1, .ahead)
    pair.far.send([2], on: 2, .urgent)
    await pair.nearInbox.wait { Self.messages($0).count == 2 }
    let order = pair.nearInbox.all.compactMap { event in
      if case .message(let channel, _, true) = event { channel } else { nil }
    }
    #expect(order == [2, 1])
  }

  @Test func aCanceledMessageIsNotSentToItsEnd() async throws {
    let pair = try Pair()
    defer { pair.end() }
    let (near, far) = (pair.near, pair.far)
    pair.nearInbox.handler.withLock { $0 = { if case .message(1, _, _) = $0 { near.cancel(1) } } }
    pair.farInbox.handler.withLock { $0 = { if case .canceled(let channel) = $0 { far.drop(channel) } } }
    pair.far.send([UInt8](repeating: 1, count: 8_000_000), on: 1, .ahead)
    await pair.farInbox.wait { $0.contains { if case .canceled(1) = $0 { true } else { false } } }
    pair.far.send([2], on: 2, .ahead)
    await pair.nearInbox.wait { Self.messages($0)[2] != nil }
    #expect(Self.messages(pair.nearInbox.all)[1] == nil)
  }

  /// Otherwise, two idle galleries would talk without end.
  @Test func nothingIsSaidAboutAcknowledgments() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let link = RemoteLink(input: ends[0], output: dup(ends[0]), greeting: [10]) { _ in }
    link.start()
    link.send([1, 2, 3], on: 1, .urgent)
    func read(_ count: Int) -> [UInt8] {
      var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 64))
      while bytes.count < count {
        let more = Foundation.read(ends[1], &chunk, min(64, count - bytes.count))
        guard more > 0 else { break }
        bytes += chunk[..<more]
      }
      return bytes
    }
    #expect(read(13) == [10, 1, 0, 0, 0, 1, 3, 0, 0, 0, 1, 2, 3])
    let acknowledgment: [UInt8] = [0, 0, 0, 0, 2, 8, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0]
    let message: [UInt8] = [2, 0, 0, 0, 1, 1, 0, 0, 0, 7]
    for bytes in [acknowledgment, acknowledgment, message] {
      _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    }
    // The message alone is acknowledged: ten bytes.
    #expect(read(17) == [0, 0, 0, 0, 2, 8, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0])
    link.end()
    #expect(read(1).isEmpty)
    close(ends[1])
  }

  /// An answer may take any time as long as the other end acknowledges the notices that are sent meanwhile.
  @Test(arguments: [true, false]) func anOtherEndThatOwesAnAnswerMayNotBeGone(isThere: Bool) async throws {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw POSIXError(.EIO) }
    defer { close(ends[1]) }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
    let inbox = Inbox()
    let link = RemoteLink(
      input: ends[0], output: dup(ends[0]), greeting: nil, mayWait: false, patience: .milliseconds(20)
    ) { inbox.add($0) }
    link.start()
    link.send([1], on: 1, .urgent, isRequest: true)
    let greeting = RemoteGreeting.line(version: "1.2")
    _ = write(ends[1], greeting, greeting.count)
    var total: UInt64 = 0
    /// Receives a piece, and returns its channel and its kind.
    func receive() -> [UInt8] {
      var piece = [UInt8](repeating: 0, count: RemoteLink.headerCount)
      guard recv(ends[1], &piece, piece.count, Int32(MSG_WAITALL)) == piece.count else { return [] }
      var rest = [UInt8](repeating: 0, count: Int(piece[5]))
      // Without bytes, it would wait for the next ones.
      if !rest.isEmpty { _ = recv(ends[1], &rest, rest.count, Int32(MSG_WAITALL)) }
      total += UInt64(piece.count + rest.count)
      return Array(piece.prefix(5))
    }
    func acknowledge() {
      let number = withUnsafeBytes(of: total.littleEndian, Array.init)
      let piece: [UInt8] = [0, 0, 0, 0, RemoteLink.Kind.acknowledgment, 8, 0, 0, 0] + number
      _ = write(ends[1], piece, piece.count)
    }
    #expect(receive() == [1, 0, 0, 0, RemoteLink.Kind.last])
    acknowledge()
    for _ in 0..<(isThere ? 10 : 1) {
      #expect(receive() == [0, 0, 0, 0, RemoteLink.Kind.cancellation])
      if isThere { acknowledge() }
    }
    let isSilent = { (events: [RemoteLink.Event]) in events.contains { if case .silent = $0 { true } else { false } } }
    if !isThere { await inbox.wait(isSilent) }
    #expect(isSilent(inbox.all) != isThere)
    link.end()
  }

  @Test func theOtherEndLearnsOfTheEnd() async throws {
    let pair = try Pair()
    defer { pair.end() }
    pair.near.end()
    await pair.farInbox.wait { if case .ended? = $0.last { true } else { false } }
  }

  @Test(arguments: [
    // A kind that does not exist, and a piece that is too long.
    [1, 0, 0, 0, 9, 0, 0, 0, 0], [1, 0, 0, 0, 0, 255, 255, 255, 255], [0, 0, 0, 0, 2, 1, 0, 0, 0, 7],
  ]) func otherBytesEndTheConnection(bytes: [UInt8]) async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let inbox = Inbox()
    let link = RemoteLink(input: ends[0], output: dup(ends[0]), greeting: [10]) { inbox.add($0) }
    link.start()
    defer { link.end() }
    _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    await inbox.wait { if case .malformed? = $0.last { true } else { false } }
    close(ends[1])
  }
}

@Suite(.limited) struct LineEstimateTests {
  /// Sends as much as there is room for over a line in simulated time, and returns the estimate at the end.
  private func estimate(rate: Double, roundTrip: Double, seconds: Double) -> (estimate: LineEstimate, mostInFlight: Int)
  {
    var estimate = LineEstimate()
    let start = ContinuousClock.now
    func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }
    // The line is busy until a time; what it has taken is acknowledged later.
    var (now, free, total, most) = (0.0, 0.0, UInt64(0), 0)
    var acknowledgments: [(time: Double, count: UInt64)] = []
    while now < seconds {
      while estimate.hasRoom {
        estimate.send(1024, at: time(now), isMore: true)
        total += 1024
        free = max(now, free) + 1024 / rate
        acknowledgments.append((free + roundTrip, total))
      }
      most = max(most, now > seconds * 3 / 4 ? estimate.inFlight : 0)
      let next = acknowledgments.removeFirst()
      now = next.time
      estimate.acknowledge(next.count, at: time(now))
    }
    return (estimate, most)
  }

  @Test(arguments: [20_000.0, 200_000, 2_000_000], [0.02, 0.1, 0.6])
  func theRateOfALineIsFoundAndLittleWaitsInIt(rate: Double, roundTrip: Double) {
    let (estimate, most) = estimate(rate: rate, roundTrip: roundTrip, seconds: 40)
    #expect(abs(estimate.rate - rate) < 0.15 * rate)
    // An urgent byte waits for what is in the line beyond a round trip: a tenth of a second at most, or two pieces.
    #expect(Double(most) < rate * roundTrip * 1.15 + max(0.05 * rate, 4096))
  }

  @Test func anAcknowledgmentOfWhatWasNotSentIsIgnored() {
    var estimate = LineEstimate()
    estimate.send(100, at: .now)
    estimate.acknowledge(101, at: .now)
    #expect(estimate.inFlight == 100)
    estimate.acknowledge(100, at: .now)
    #expect(estimate.inFlight == 0)
  }
}
