import Glibc

/// The state that a session shares with its reader thread and its waiter thread.
///
/// `@unchecked Sendable`: all stored variables and the emulator are used only with `monitor` held.
final class SessionCore: @unchecked Sendable {
  /// The monitor that guards the state. Every change is broadcast.
  let monitor = Monitor()
  let child: ChildProcess
  let initialAttributes: TerminalAttributes
  private let emulator: Emulator
  private let pixelsPerCell: (Int, Int)?
  private let answersQueries: Bool
  private let wake: WakeDescriptor
  private var terminal: PseudoTerminal
  private var lastAttributes: TerminalAttributes
  private var buffer = [UInt8](repeating: 0, count: 65536)
  private var unsent: [UInt8] = []
  /// The answers that are still on their way over a slow line, in the order of their arrival.
  private var delayed: [(arrival: ContinuousClock.Instant, bytes: [UInt8])] = []
  /// The bytes on their way over a slow line; nil if nothing lies between the program and the terminal.
  private var line: (down: LineDirection, up: LineDirection)?
  private var isPaused: Bool
  private var isHangUpWanted = false
  private var isReaped = false
  private var reapedStatus: ExitStatus?

  /// Every byte that has arrived from the program.
  private(set) var output: [UInt8] = []
  /// The images of the terminal; nil if it shows none.
  private(set) var graphics: GraphicsTerminal?
  /// The status of the program after its end; set when all of its output has been read.
  private(set) var exitStatus: ExitStatus?
  /// The number of changes so far.
  private(set) var generation = 0
  /// Whether the session is over.
  private(set) var isClosed = false

  init(
    size: Size, pixelsPerCell: (Int, Int)?, answersQueries: Bool, readsOutput: Bool, graphics: GraphicsTerminal?,
    line: Line?, spawn: (PseudoTerminal) throws -> ChildProcess
  ) throws {
    precondition(size.isUsable, "a terminal needs 2 columns and 1 row at least, not \(size)")
    wake = try WakeDescriptor()
    var terminal = try PseudoTerminal(size: size, pixelsPerCell: pixelsPerCell)
    do {
      guard let attributes = TerminalAttributes(descriptor: terminal.slave) else {
        throw HarnessError.systemCall("tcgetattr", errno)
      }
      initialAttributes = attributes
      child = try spawn(terminal)
    } catch {
      terminal.close()
      throw error
    }
    self.terminal = terminal
    self.pixelsPerCell = pixelsPerCell
    self.answersQueries = answersQueries
    lastAttributes = initialAttributes
    isPaused = !readsOutput
    self.graphics = graphics
    self.line = line.map { (LineDirection($0, at: .now), LineDirection($0, at: .now)) }
    emulator = Emulator(size: size)
  }

  // MARK: State, with the monitor held

  /// The screen that the terminal shows now.
  var screen: Screen { emulator.screen() }

  /// Whether the program is inside a synchronized update (mode 2026), which a terminal does not show.
  var isUpdating: Bool { emulator.modes[2026] == true && exitStatus == nil }

  /// The settings of the terminal, or the last ones before it hung up.
  var attributes: TerminalAttributes {
    lastAttributes = TerminalAttributes(descriptor: terminal.slave) ?? lastAttributes
    return lastAttributes
  }

  /// Forgets what the program has written.
  func discardOutput() { output = [] }

  /// Removes and returns the typed bytes that no program has read.
  func takeInput() -> [UInt8] {
    var settings = termios()
    guard terminal.slave >= 0, tcgetattr(terminal.slave, &settings) == 0 else { return [] }
    defer { tcsetattr(terminal.slave, TCSANOW, &settings) }
    var raw = settings
    cfmakeraw(&raw)
    tcsetattr(terminal.slave, TCSANOW, &raw)
    var count: Int32 = 0
    guard ioctl(terminal.slave, UInt(FIONREAD), &count) == 0, count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let taken = read(terminal.slave, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, taken)))
  }

  /// The process group in the foreground of the terminal; nil if the terminal is closed or has none.
  var foregroundGroup: pid_t? {
    let group = tcgetpgrp(terminal.master)
    return group > 0 ? group : nil
  }

  /// The living processes of the session.
  var members: [pid_t] {
    // The number of a leader that has been reaped may be reused, so only the terminal identifies the session.
    SessionMembers.find(leader: child.identifier, device: isReaped && terminal.slave >= 0 ? terminal.device : nil)
  }

  /// Types as many bytes as the terminal takes now, and the rest as soon as it takes more.
  func send(_ bytes: [UInt8]) {
    guard terminal.master >= 0, !isClosed else { return }
    guard line == nil else {
      line?.up.put(bytes, at: .now)
      return wake.signal()
    }
    unsent += bytes
    sendUnsent()
    if !unsent.isEmpty { wake.signal() }
  }

  /// Stops the line in both directions for a time.
  func stall(for time: Duration) {
    line?.down.stall(for: time, at: .now)
    line?.up.stall(for: time, at: .now)
    wake.signal()
  }

  /// Types bytes after `delay`, as if they came over a slow line.
  func send(_ bytes: [UInt8], after delay: Duration) {
    delayed.append((.now + delay, bytes))
    delayed.sort { $0.arrival < $1.arrival }
    wake.signal()
  }

  /// Whether all bytes have arrived at the terminal.
  var isLineEmpty: Bool { delayed.isEmpty && unsent.isEmpty && line?.up.isEmpty ?? true }

  /// Types the bytes that `key` sends.
  func press(_ key: Key, modifiers: KeyModifiers) { send(emulator.bytes(of: key, modifiers: modifiers)) }

  /// Types the bytes that pasting `text` sends.
  func paste(_ text: String) { send(emulator.bytes(ofPaste: text)) }

  /// Changes the size of the emulator and of the terminal, in this order.
  func resize(to size: Size) {
    precondition(size.isUsable, "a terminal needs 2 columns and 1 row at least, not \(size)")
    emulator.resize(to: size)
    terminal.resize(to: size, pixelsPerCell: pixelsPerCell)
    changed()
  }

  /// Changes the size of the terminal, but not of the emulator.
  func tell(_ size: Size) { terminal.resize(to: size, pixelsPerCell: pixelsPerCell) }

  /// Stops or continues reading.
  func setPaused(_ paused: Bool) {
    isPaused = paused
    wake.signal()
  }

  /// Closes both ends of the terminal.
  func hangUp() {
    guard !isClosed else { return }
    _ = attributes
    isHangUpWanted = true
    wake.signal()
    let deadline = Deadline(after: TerminalSession.defaultTimeout)
    while terminal.master >= 0, !isClosed, monitor.wait(until: deadline) {}
  }

  /// Sends a signal to the program unless it has been reaped.
  func kill(_ signal: Int32) {
    if !isReaped { _ = Glibc.kill(child.identifier, signal) }
  }

  /// Kills every process of the session and stops the reader. Returns false if an earlier call has done so.
  func beginClosing() -> Bool {
    if isClosed { return false }
    var killed: Set<pid_t> = []
    // The search is repeated until it finds no new process, because a process may have forked meanwhile.
    while case let found = members.filter({ !killed.contains($0) }), !found.isEmpty {
      SessionMembers.end(found)
      killed.formUnion(found)
    }
    kill(SIGKILL)
    _ = attributes
    isClosed = true
    wake.signal()
    changed()
    return true
  }

  // MARK: Threads

  /// Waits for the program to end, and reaps it.
  func runWaiter() {
    child.waitForEnd()
    monitor.withLock {
      reapedStatus = child.reap()
      isReaped = true
      wake.signal()
    }
  }

  /// Moves bytes between the terminal and the emulator until the session is closed.
  func runReader() {
    while true {
      var (descriptors, timeout) = monitor.withLock { (pollDescriptors, pollTimeout) }
      _ = poll(&descriptors, nfds_t(descriptors.count), timeout)
      let isReadable = descriptors[0].revents & ~Int16(POLLOUT) != 0
      let goesOn = monitor.withLock { step(isReadable: isReadable) }
      if !goesOn { return }
    }
  }

  /// Whether output of the program is read now.
  private var isReading: Bool { !isPaused && line?.down.timeToRoom(at: .now) ?? .zero <= .zero }

  private var pollDescriptors: [pollfd] {
    let events = (isReading ? POLLIN : 0) | (unsent.isEmpty ? 0 : POLLOUT)
    return [
      pollfd(fd: events == 0 ? -1 : terminal.master, events: Int16(events), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
  }

  /// The timeout of the next `poll` in milliseconds: 0 if the end of the program is still to be reported, otherwise the
  /// time until the next delayed bytes arrive or the line takes more, or -1 if there is nothing to wait for.
  private var pollTimeout: Int32 {
    if isReaped, exitStatus == nil, line?.down.isEmpty ?? true { return 0 }
    var times = delayed.first.map { [$0.arrival - .now] } ?? []
    if let line {
      times += [line.down, line.up].compactMap { $0.nextArrival.map { $0 - .now } }
      if !isPaused, !isReading { times.append(line.down.timeToRoom(at: .now)) }
    }
    return times.min().map { Int32(max(.zero, $0) / .milliseconds(1)) + 1 } ?? -1
  }

  private func step(isReadable: Bool) -> Bool {
    wake.drain()
    if isClosed {
      terminal.close()
      return false
    }
    if isHangUpWanted, terminal.master >= 0 {
      terminal.close()
      unsent = []
      changed()
    }
    // A read that finds nothing makes the kernel deliver everything that was written before, so no output is missed.
    var isDrained = true
    if isReading, terminal.master >= 0, isReadable || isReaped { isDrained = !readChunk() }
    carry()
    if let arrival = delayed.first?.arrival, arrival <= .now {
      unsent += delayed.removeFirst().bytes
      changed()
    }
    sendUnsent()
    if isDrained, line?.down.isEmpty ?? true, exitStatus == nil, let reapedStatus {
      exitStatus = reapedStatus
      changed()
    }
    return true
  }

  private func readChunk() -> Bool {
    let count = read(terminal.master, &buffer, buffer.count)
    guard count > 0 else { return false }
    if line == nil { receive(Array(buffer[..<count])) } else { line?.down.put(buffer[..<count], at: .now) }
    return true
  }

  /// Delivers what has arrived over the line.
  private func carry() {
    guard line != nil else { return }
    if let bytes = line?.down.take(at: .now), !bytes.isEmpty { receive(bytes) }
    unsent += line?.up.take(at: .now) ?? []
  }

  /// Shows bytes on the terminal, and sends its answers.
  private func receive(_ bytes: [UInt8]) {
    output += bytes
    if let answers = graphics?.receive(bytes, write: emulator.write) {
      if !answers.isEmpty { send(answers) }
    } else {
      let answers = emulator.feed(bytes)
      if answersQueries { send(answers) }
    }
    changed()
  }

  private func sendUnsent() {
    while !unsent.isEmpty, terminal.master >= 0 {
      let count = write(terminal.master, unsent, unsent.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      unsent.removeFirst(count)
    }
  }

  private func changed() {
    generation += 1
    monitor.broadcast()
  }

  /// Wakes all waits, so that a canceled one can end.
  func wakeWaits() { changed() }
}
