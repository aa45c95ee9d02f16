/// A program that runs in a pseudo-terminal behind a terminal emulator.
///
/// When the session is closed or released, all of its processes are killed.
///
/// The session is `Sendable` because all of its state is in `SessionCore`, which guards it with a monitor.
public final class TerminalSession: Sendable {
  /// The default timeout of waits.
  public static let defaultTimeout: Duration = .seconds(180)

  let core: SessionCore
  private let reader: HarnessThread
  private let waiter: HarnessThread

  /// Starts the program at the absolute path `executable`, with exactly the given environment.
  ///
  /// `pixelsPerCell` is the width and height of a cell that the kernel reports; with nil it reports none. Without
  /// `answersQueries`, the emulator's answers are dropped. Without `readsOutput`, reading starts paused. With `graphics`,
  /// the terminal shows images and answers the questions about them. `line` lies between the program and the terminal.
  public init(
    _ executable: String, _ arguments: [String] = [], size: Size, environment: [String: String],
    workingDirectory: String? = nil, pixelsPerCell: (Int, Int)? = nil, answersQueries: Bool = true,
    readsOutput: Bool = true, graphics: GraphicsTerminal.Kind? = nil, line: Line? = nil
  ) throws {
    FewAtOnce.check()
    let core = try SessionCore(
      size: size, pixelsPerCell: pixelsPerCell, answersQueries: answersQueries, readsOutput: readsOutput,
      graphics: graphics.map { GraphicsTerminal($0) }, line: line
    ) { terminal in
      try ChildProcess(
        executable: executable, arguments: arguments, environment: environment, workingDirectory: workingDirectory,
        terminalPath: terminal.path)
    }
    self.core = core
    // The threads retain the core and not the session, so that the session is released by its owner.
    reader = HarnessThread { core.runReader() }
    waiter = HarnessThread { core.runWaiter() }
  }

  deinit { close() }

  /// Kills all processes of the session, closes the terminal and ends the threads. A second call does nothing.
  public func close() {
    guard core.monitor.withLock({ core.beginClosing() }) else { return }
    waiter.join()
    reader.join()
  }

  /// The program's process ID, which is also the ID of its session and of its first process group.
  public var processID: Int32 { core.child.identifier }

  /// The living processes of the program's session, including jobs in the background.
  public var sessionProcessIDs: [Int32] { core.monitor.withLock { core.members } }

  /// The process group in the foreground of the terminal; nil after a hang-up.
  public var foregroundProcessGroup: Int32? { core.monitor.withLock { core.foregroundGroup } }

  /// Every byte that has arrived from the program so far.
  public var output: [UInt8] { core.monitor.withLock { core.output } }

  /// Drops the output so far. A long test would otherwise collect too much of it.
  public func discardOutput() { core.monitor.withLock { core.discardOutput() } }

  /// The screen that the terminal has now, even inside a synchronized update.
  public var screen: Screen { core.monitor.withLock { core.screen } }

  /// The images that the terminal has; nil if it was started without graphics.
  public var graphics: GraphicsTerminal? { core.monitor.withLock { core.graphics } }

  /// Stops the slow line in both directions for a time.
  public func stallLine(for time: Duration) { core.monitor.withLock { core.stall(for: time) } }

  /// The last state of each private mode that the program has set or reset, by its number.
  public var modes: [Int: Bool] { core.monitor.withLock { core.screen.modes } }

  /// The status of the program after its end; nil while it runs.
  public var exitStatus: ExitStatus? { core.monitor.withLock { core.exitStatus } }

  /// The settings of the terminal before the program was started.
  public var initialAttributes: TerminalAttributes { core.initialAttributes }

  /// The settings of the terminal now, also after the program has ended; after a hang-up, those before it.
  public var attributes: TerminalAttributes { core.monitor.withLock { core.attributes } }

  /// Removes and returns the typed bytes that no program has read, including incomplete lines.
  public func takeInput() -> [UInt8] { core.monitor.withLock { core.takeInput() } }

  /// Changes the size of the terminal, and the kernel sends SIGWINCH to the foreground processes.
  public func resize(to size: Size) { core.monitor.withLock { core.resize(to: size) } }

  /// Reports a size to the program, but leaves the emulator's size, for sizes that the emulator can't have.
  public func tell(_ size: Size) { core.monitor.withLock { core.tell(size) } }

  /// Stops reading the program's output, so that its writes block when the kernel's buffer is full.
  public func pauseReading() { core.monitor.withLock { core.setPaused(true) } }

  /// Continues reading after `pauseReading`.
  public func resumeReading() { core.monitor.withLock { core.setPaused(false) } }

  /// Closes the program's terminal, and the kernel sends SIGHUP to the program.
  public func hangUp() { core.monitor.withLock { core.hangUp() } }

  /// Sends a signal to the program, unless it has ended.
  public func kill(_ signal: Int32) { core.monitor.withLock { core.kill(signal) } }
}
