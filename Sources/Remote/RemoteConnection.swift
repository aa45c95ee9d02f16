import CSystem
import Foundation
import Gallery
import ImageWire
import Images
import Services
import Synchronization
import WorkerPool

/// The connection to the gallery on another machine, through the user's own ssh. If it breaks, it is tried again with growing pauses.
///
/// ``call(_:_:)`` repeats a request until it is answered, however often the connection breaks. A request that changes something has a
/// token, by which the other side knows that it has carried it out already.
public final class RemoteConnection: Sendable {
  /// An event that concerns a request.
  enum Event: Sendable {
    /// An answer, or a part of an image.
    case answer(RemoteCoding.IncomingAnswer, isWhole: Bool)
    /// The connection has broken. No answer follows.
    case broken
  }

  struct State {
    var link: RemoteLink?
    var isConnected = false
    var lastChannel = photosChannel
    var handlers: [RemoteLink.Channel: @Sendable (Event) -> Void] = [:]
    /// The calls that wait until there is a connection again.
    var waiting: [CheckedContinuation<Void, Never>] = []
    var opened: RemoteOpened?
    /// The photos that were asked for with the opening, until they are used.
    var photos: AsyncStream<Event>?
    /// The number of attempts since there was a connection.
    var attempts = 0
    /// Whether it is not tried again.
    var isEnded = false
    /// Whether it is not tried again when it breaks.
    var endsWithOutage = false
    /// Whether the other machine was silent for too long, so that a connection which ssh shares is dead, too. The next attempt does
    /// not use it.
    var wasSilent = false
  }

  /// The folder or the photo that is open.
  public let address: RemoteAddress
  private let opening: RemoteOpening
  private let fetchesPhotos: Bool
  private let installCommand: String
  private let clock: any Clock<Duration>
  let state = Mutex(State())

  private static let openChannel: RemoteLink.Channel = 1
  static let photosChannel: RemoteLink.Channel = 2
  /// The pauses before attempts; the last one is that before all others.
  private static let pauses: [Duration] = [
    .milliseconds(200), .seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30),
  ]

  /// Creates a connection that is not open yet.
  ///
  /// - Parameters:
  ///   - fetchesPhotos: Whether the photos are asked for with the opening, which saves a round trip.
  ///   - installCommand: The line of the shell that installs Tintype on the other machine.
  public init(
    _ address: RemoteAddress, opening: RemoteOpening, fetchesPhotos: Bool = true, installCommand: String,
    clock: any Clock<Duration>
  ) {
    self.address = address
    self.fetchesPhotos = fetchesPhotos
    self.opening = opening
    self.installCommand = installCommand
    self.clock = clock
  }

  /// Whether there is a connection at the moment.
  public var isConnected: Bool { state.withLock { $0.isConnected } }

  /// The base of the images.
  var base: RemoteBase? {
    state.withLock { state in state.opened.map { RemoteBase(root: $0.root, machine: address.machine) } }
  }

  // MARK: - Opening

  /// Connects, and opens the source.
  ///
  /// - Parameter asks: Whether ssh may ask for a password in the terminal.
  /// - Throws: The reason why that is impossible.
  public func open(asks: Bool) async throws(RemoteFault) -> RemoteOpened {
    let fault: RemoteFault? = await withCheckedContinuation { continuation in
      connect(asks: asks) { continuation.resume(returning: $0) }
    }
    if let fault {
      end()
      throw fault
    }
    guard let opened = state.withLock({ $0.opened }) else { throw .invalidMessage(machine: address.machine) }
    return opened
  }

  /// Ends the connection.
  public func end() {
    let (link, waiting) = state.withLock { state in
      defer { state.waiting = [] }
      state.isEnded = true
      return (state.link, state.waiting)
    }
    link?.end()
    for call in waiting { call.resume() }
  }

  /// Ends the connection when it can't be used, at once or later.
  public func endWithNextOutage() {
    let isConnected = state.withLock { state in
      state.endsWithOutage = true
      return state.isConnected
    }
    if !isConnected { end() }
  }

  /// Starts ssh, and sends the opening at once, before the other side has answered.
  private func connect(asks: Bool, then: @escaping @Sendable (RemoteFault?) -> Void) {
    // The attempt after it may use the shared connection again, as only that may need no password.
    let isShared = state.withLock { state in
      defer { state.wasSilent = false }
      return !state.wasSilent
    }
    let process: RemoteProcess
    do throws(RemoteFault) {
      process = try RemoteProcess(address, asks: asks, isShared: isShared)
    } catch {
      return then(error)
    }
    let attempt = Attempt(then)
    let link = RemoteLink(input: process.input, output: process.output, greeting: nil, mayWait: asks) {
      [weak self] event in
      self?.receive(event, attempt, process)
    }
    let (photos, continuation) = AsyncStream.makeStream(of: Event.self)
    state.withLock { state in
      state.link = link
      state.photos = fetchesPhotos ? photos : nil
      state.handlers = fetchesPhotos ? [Self.photosChannel: { continuation.yield($0) }] : [:]
    }
    link.start()
    link.send(RemoteCoding.bytes(.open(opening)), on: Self.openChannel, .urgent, isRequest: true)
    if fetchesPhotos { link.send(RemoteCoding.bytes(.fetch), on: Self.photosChannel, .urgent) }
  }

  /// An attempt to connect, which succeeds or fails once.
  private final class Attempt: Sendable {
    private let then: Mutex<(@Sendable (RemoteFault?) -> Void)?>
    let isGreeted = Atomic(false)
    let hasOpened = Atomic(false)

    init(_ then: @escaping @Sendable (RemoteFault?) -> Void) { self.then = Mutex(then) }

    /// Ends it, unless it has ended before.
    func end(_ fault: RemoteFault?) {
      let body = then.withLock { then in
        defer { then = nil }
        return then
      }
      body?(fault)
    }
  }

  private func receive(_ event: RemoteLink.Event, _ attempt: Attempt, _ process: RemoteProcess) {
    switch event {
    case .greeting(let line):
      attempt.isGreeted.store(true, ordering: .relaxed)
      process.isQuiet.store(true, ordering: .relaxed)
      guard let versions = RemoteGreeting.versions(in: line), versions.messages != protocolVersion else { return }
      refuse(attempt, .otherVersion(machine: address.machine, version: versions.program, command: installCommand))
    case .message(Self.openChannel, let bytes, true): didOpen(bytes, attempt)
    case .message(let channel, let bytes, let isWhole): answer(bytes, isWhole: isWhole, channel)
    case .canceled: break
    case .silent:
      state.withLock { $0.wasSilent = true }
      lose(attempt, .notConnected(machine: address.machine, reason: ""), process)
    case .malformed: lose(attempt, .invalidMessage(machine: address.machine), process)
    case .ended:
      let status = process.wait()
      let isMissing = !attempt.isGreeted.load(ordering: .relaxed) && status == Self.commandNotFound
      lose(
        attempt,
        isMissing
          ? .notInstalled(machine: address.machine, command: installCommand)
          : .notConnected(machine: address.machine, reason: process.lastWords), process)
    }
  }

  /// The exit status of a shell that does not find a command.
  private static let commandNotFound: Int32 = 127

  private func didOpen(_ bytes: [UInt8], _ attempt: Attempt) {
    guard case .answer(let answer)? = try? RemoteCoding.answer(bytes, isWhole: true) else {
      return refuse(attempt, .invalidMessage(machine: address.machine))
    }
    switch answer {
    case .opened(let opened):
      let (link, waiting) = state.withLock { state in
        defer { state.waiting = [] }
        state.opened = opened
        state.attempts = 0
        state.isConnected = true
        return (state.link, state.waiting)
      }
      link?.isAnswered(Self.openChannel)
      attempt.hasOpened.store(true, ordering: .relaxed)
      attempt.end(nil)
      for call in waiting { call.resume() }
    case .refused(let message): refuse(attempt, .told(message))
    default: refuse(attempt, .invalidMessage(machine: address.machine))
    }
  }

  /// Ends an attempt whose other side can't be used, and the connection with it.
  private func refuse(_ attempt: Attempt, _ fault: RemoteFault) {
    attempt.end(fault)
    state.withLock { $0.link }?.end()
  }

  private func answer(_ bytes: [UInt8], isWhole: Bool, _ channel: RemoteLink.Channel) {
    let handler = state.withLock { $0.handlers[channel] }
    guard let handler else { return }
    do throws(WireError) {
      guard let answer = try RemoteCoding.answer(bytes, isWhole: isWhole) else { return }
      if isWhole, case .image = answer { forget(channel) }
      handler(.answer(answer, isWhole: isWhole))
    } catch {
      state.withLock { $0.link }?.end()
    }
  }

  /// Takes note that the connection has ended.
  private func lose(_ attempt: Attempt, _ fault: RemoteFault, _ process: RemoteProcess) {
    process.end()
    let (handlers, isEnded) = state.withLock { state in
      defer { state.handlers = [:] }
      state.link = nil
      state.isConnected = false
      state.isEnded = state.isEnded || state.endsWithOutage
      return (Array(state.handlers.values), state.isEnded)
    }
    for handler in handlers { handler(.broken) }
    // If it has never been open, the caller of the attempt tries again.
    if attempt.hasOpened.load(ordering: .relaxed), !isEnded { retry() } else { attempt.end(fault) }
  }

  /// Connects again after a pause.
  private func retry() {
    let pause = state.withLock { state in
      defer { state.attempts += 1 }
      return Self.pauses[min(state.attempts, Self.pauses.count - 1)]
    }
    Task(executorPreference: WorkerPool.shared) { [weak self, clock] in
      try? await clock.sleep(for: pause)
      guard let self, !state.withLock({ $0.isEnded }) else { return }
      connect(asks: false) { [weak self] fault in if fault != nil { self?.retry() } }
    }
  }
}
