/// A program that runs in a pseudo-terminal behind a terminal emulator.
///
/// The session ends, and every process of it is killed, when it is closed or released.
///
/// It is `Sendable` because all its state is in `SessionCore`, which guards it by a monitor.
public final class TerminalSession: Sendable {
  /// How long waits last unless they say otherwise.
  public static let defaultTimeout: Duration = .seconds(60)

  let core: SessionCore
  private let reader: HarnessThread
  private let waiter: HarnessThread

  /// Starts the program at the absolute path `executable`, with exactly the given environment.
  ///
  /// `pixelsPerCell` is the width and height of a cell that the kernel reports; nil reports none. Without
  /// `answersQueries`, what the emulator answers is thrown away. Without `readsOutput`, reading starts paused.
  public init(
    _ executable: String, _ arguments: [String] = [], size: Size, environment: [String: String],
    workingDirectory: String? = nil, pixelsPerCell: (Int, Int)? = nil, answersQueries: Bool = true,
    readsOutput: Bool = true
  ) throws {
    FewAtOnce.check()
    let core = try SessionCore(
      size: size, pixelsPerCell: pixelsPerCell, answersQueries: answersQueries, readsOutput: readsOutput
    ) { terminal in
      try ChildProcess(
        executable: executable, arguments: arguments, environment: environment, workingDirectory: workingDirectory,
        terminalPath: terminal.path)
    }
    self.core = core
    // The threads hold the core and not the session, so that the session is released when its owner lets go.
    reader = HarnessThread { core.runReader() }
    waiter = HarnessThread { core.runWaiter() }
  }

  deinit { close() }

  /// Kills every process of the session, closes the terminal and ends the threads; does nothing the second time.
  public func close() {
    guard core.monitor.withLock({ core.beginClosing() }) else { return }
    waiter.join()
    reader.join()
  }

  /// The number of the program's process, which is also that of its session and first group.
  public var processID: Int32 { core.child.identifier }

  /// The living processes of the program's session, jobs in the background included.
  public var sessionProcessIDs: [Int32] { core.monitor.withLock { core.members } }

  /// The process group in the foreground of the terminal; nil after a hang-up.
  public var foregroundProcessGroup: Int32? { core.monitor.withLock { core.foregroundGroup } }

  /// Every byte that the program has written so far.
  public var output: [UInt8] { core.monitor.withLock { core.output } }

  /// Forgets what the program has written so far, of which a long day makes much.
  public func discardOutput() { core.monitor.withLock { core.discardOutput() } }

  /// What the terminal shows now, even inside a synchronized update.
  public var screen: Screen { core.monitor.withLock { core.screen } }

  /// The last state of each private mode that the program has set or reset, by its number.
  public var modes: [Int: Bool] { core.monitor.withLock { core.screen.modes } }

  /// How the program has ended; nil while it runs.
  public var exitStatus: ExitStatus? { core.monitor.withLock { core.exitStatus } }

  /// The settings of the terminal before the program was started.
  public var initialAttributes: TerminalAttributes { core.initialAttributes }

  /// The settings of the terminal now, also after the program has ended; after a hang-up, those before it.
  public var attributes: TerminalAttributes { core.monitor.withLock { core.attributes } }

  /// Takes what has been typed and nobody has read, lines that are not ended included.
  public func takeInput() -> [UInt8] { core.monitor.withLock { core.takeInput() } }

  /// Changes the size of the terminal, upon which the kernel sends SIGWINCH to the foreground processes.
  public func resize(to size: Size) { core.monitor.withLock { core.resize(to: size) } }

  /// Tells the program a size that the emulator, which stays as it is, cannot have.
  public func tell(_ size: Size) { core.monitor.withLock { core.tell(size) } }

  /// Stops reading what the program writes, so that its writes block once the kernel's buffer is full.
  public func pauseReading() { core.monitor.withLock { core.setPaused(true) } }

  /// Goes on reading after `pauseReading`.
  public func resumeReading() { core.monitor.withLock { core.setPaused(false) } }

  /// Closes the terminal under the program, upon which the kernel sends SIGHUP to it.
  public func hangUp() { core.monitor.withLock { core.hangUp() } }

  /// Sends a signal to the program, unless it has ended.
  public func kill(_ signal: Int32) { core.monitor.withLock { core.kill(signal) } }
}
