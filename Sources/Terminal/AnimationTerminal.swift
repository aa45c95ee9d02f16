import CTerminalGuard
import Foundation

/// The terminal while a command plays an animation where the cursor is.
///
/// Only one frame is on its way at a time, so on a slow line frames are late rather than many. A key stops the animation, and
/// so does everything after which the cursor may be elsewhere.
@MainActor
public final class AnimationTerminal {
  /// The reason why an animation was stopped.
  public enum Stop: Sendable {
    /// A key, another size of the window, a stop of the process, or the end of the terminal.
    case event
    /// Ctrl-C, with which the user wants to end the whole command.
    case interrupt
  }

  /// The reason why the animation was stopped; nil while it plays.
  public private(set) var stop: Stop?

  /// The throughput of the line in bytes per second, by the last frame; nil if the terminal is not asked.
  public private(set) var throughput: Double?

  private let teletype: Teletype
  private let signals: GuardSignals
  private let input = InputReader()
  private let alarm = Alarm()
  /// Whether the terminal is asked whether a frame has arrived.
  private let asks: Bool
  /// The bytes before a frame.
  private let begin: [UInt8]
  /// The bytes after a frame.
  private let end: [UInt8]
  /// The time of the way to the terminal and back, as far as it is noticeable.
  private var roundTrip = Duration.zero
  private var hasStarted = false
  private var isOnItsWay = false
  private var waiter: CheckedContinuation<Void, Never>?

  /// The question after a frame, which every terminal answers (DA1).
  private static let question = Array("\u{1B}[c".utf8)
  /// The time from which on a frame on its way is worth measuring.
  private static let noticeableTime = Duration.milliseconds(100)
  /// The time after which an answer counts as lost.
  private static let longestAnswerTime = DispatchTimeInterval.seconds(60)

  /// Opens the terminal of the standard output. The object must live as long as the process, whose signals it handles.
  /// - Parameter capabilities: The terminal's capabilities. If it has not answered before, it is not asked.
  public init(_ capabilities: Capabilities) throws(TerminalError) {
    teletype = try Teletype()
    asks = capabilities.hasAnswered
    let isHeld = !TerminalKind.isSimple(capabilities.type) && !capabilities.losesHeldCommands
    begin = isHeld ? Modes.beginUpdate : []
    end = isHeld ? Modes.endUpdate : []
    let original = try teletype.attributes()
    signals = try GuardSignals(guarding: teletype.descriptor, original: original, raw: original.withoutLines)
    signals.onSignals = { [unowned self] _ in stopPlaying(.event) }
    input.onEvents = { [unowned self] in receive($0) }
    input.hasMore = { [unowned self] in teletype.hasInput }
    teletype.onInput = { [unowned self] in input.receive($0) }
    teletype.onSent = { [unowned self] in receive($0) }
    teletype.onHangUp = { [unowned self] in stopPlaying(.event) }
  }

  /// Whether the process may take the terminal. In the background, the kernel would stop it.
  public var isInForeground: Bool { teletype.isInForeground }

  /// Takes the terminal, on which the first frame has just been printed.
  /// - Parameters:
  ///   - rows: The height of the image in lines. The cursor is at the start of the line below it.
  ///   - sent: The bytes of the first frame, and the time that it took to write them.
  public func enter(rows: Int, sent: (bytes: Int, time: Duration)) async throws(TerminalError) {
    stop = nil
    signals.setFarewell([])
    try signals.enter()
    if hasStarted {
      teletype.isReading = true
    } else {
      hasStarted = true
      signals.start()
      teletype.start()
    }
    // Frames keep the cursor saved at the image's first line. From there the farewell finds the line below the image, also
    // if a frame is cut off in the middle.
    let start = ContinuousClock.now
    await show(Array("\u{1B}[?25l\u{1B}[\(rows)A\u{1B}7\u{1B}[\(rows)B".utf8))
    let arrival = ContinuousClock.now
    if arrival - start > Self.noticeableTime {
      // Nothing else is on its way now, so this takes as long as the way there and back.
      await show([])
      roundTrip = ContinuousClock.now - arrival
    }
    measure(sent.bytes, in: sent.time + (arrival - start))
    signals.setFarewell(Array("\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}8\u{1B}[\(rows)B\u{1B}[?25h".utf8))
  }

  /// Gives the terminal back, with the cursor at the start of the line below the image.
  /// - Parameters:
  ///   - bytes: The last bytes for the terminal.
  ///   - abortion: The bytes before them if only a part of the last frame was sent.
  public func leave(_ bytes: [UInt8], abortion: [UInt8]) {
    if teletype.outbox.isEmpty {
      teletype.sendLast(bytes)
    } else {
      teletype.send { $0.removeAll() }
      // A frame is cut off in the middle of a sequence, which ESC \ ends.
      teletype.sendLast(Array("\u{1B}\\".utf8) + abortion + bytes)
    }
    terminal_guard_leave()
    isOnItsWay = false
    waiter = nil
    alarm.cancel()
    teletype.isReading = false
  }

  /// Sends a frame, and waits until the terminal has drawn it or the animation is stopped.
  /// - Parameter frame: Bytes that leave the cursor where it was.
  public func show(_ frame: [UInt8]) async {
    isOnItsWay = true
    let start = ContinuousClock.now
    teletype.send { outbox in
      outbox.send(begin + frame + end)
      if asks { outbox.ask(Self.question) }
    }
    await wait { !self.isOnItsWay }
    measure(frame.count, in: ContinuousClock.now - start)
  }

  private func measure(_ bytes: Int, in time: Duration) {
    if asks { throughput = Double(bytes) / max(0.001, (time - roundTrip) / .seconds(1)) }
  }

  /// Waits until a time, or until the animation is stopped.
  public func wait(until time: ContinuousClock.Instant) async {
    let left = time - .now
    guard left > .zero else { return }
    alarm.set(after: .microseconds(Int(left / .microseconds(1)) + 1)) { [unowned self] in wake() }
    await wait { ContinuousClock.now >= time }
    alarm.cancel()
  }

  /// Waits until a condition is true, or until the animation is stopped. The condition is tested now and after each
  /// ``wake()``.
  public func wait(_ isTrue: () -> Bool) async {
    while stop == nil, !isTrue() {
      await withCheckedContinuation {
        // A task that prefers another executor may be suspended before this runs, and `wake()` called meanwhile.
        if stop == nil, !isTrue() { waiter = $0 } else { $0.resume() }
      }
    }
  }

  /// Makes the task that waits test its condition again.
  public func wake() {
    let waiter = waiter
    self.waiter = nil
    waiter?.resume()
  }

  private func stopPlaying(_ reason: Stop) {
    if stop == nil { stop = reason }
    wake()
  }

  private func receive(_ event: Outbox.Event) {
    switch event {
    case .frameLeft: if !asks { arrive() }
    case .questionLeft:
      terminal_guard_await_answers(true)
      alarm.set(after: Self.longestAnswerTime) { [unowned self] in arrive() }
    case .imageLeft: break
    }
  }

  private func receive(_ events: [InputEvent]) {
    for event in events {
      switch event {
      case .reply(.deviceAttributes):
        terminal_guard_await_answers(false)
        arrive()
      case .reply, .mouse: break
      case .key(.control("c")): stopPlaying(.interrupt)
      case .key, .paste: stopPlaying(.event)
      }
    }
  }

  private func arrive() {
    isOnItsWay = false
    alarm.cancel()
    wake()
  }
}

extension termios {
  /// These attributes, changed to input byte by byte and without echo. Ctrl-C is a key, and lines end as before.
  fileprivate var withoutLines: termios {
    var attributes = raw
    attributes.c_oflag = c_oflag
    attributes.c_lflag &= ~tcflag_t(ISIG)
    return attributes
  }
}
