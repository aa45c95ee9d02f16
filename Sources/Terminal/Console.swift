import CTerminalGuard
import Dispatch
import Foundation
import Gallery
import ImageWire

/// The user's terminal, lent to the program: full screen, keys and mouse in, frames out.
///
/// ``leave()`` gives the terminal back. If the program ends or stops in another way, the guard (`CTerminalGuard`) does.
/// ``FramePacing`` decides when a frame is drawn, ``Questioning`` what the terminal is asked, and ``LineQuestioner`` measures
/// the line.
@MainActor
public final class Console {
  /// Called with the events that arrived together. What they change is drawn once, after the last.
  public var onEvents: ([InputEvent]) -> Void = { _ in }
  /// Called to draw a frame.
  public var onDraw: (Surface) -> Void = { _ in }
  /// Called once when the terminal has gone away.
  public var onHangUp: () -> Void = {}
  /// Called after a signal that asks the program to end, such as that of Ctrl-C. The terminal has been given back, and
  /// ``end()`` ends the program. If it is not called in time, the program is ended.
  public var onEnding: (() -> Void)? {
    didSet { if onEnding != nil { signals.letProgramEnd() } }
  }
  /// Called when the terminal has lost images that it was sent, so that they have to be rendered again.
  public var onImagesLost: () -> Void = {}
  /// Called when the terminal has taken all of a frame.
  public var onFrameLeft: () -> Void = {}

  private let teletype: Teletype
  private let curses: Curses
  private let environment: [String: String]
  private var kind: TerminalKind
  private let signals: GuardSignals
  private let questioner: Questioner
  private let input = InputReader()
  private var theme: Theme {
    didSet { if theme != oldValue { setNeedsDisplay() } }
  }
  private var pacing = FramePacing()
  private let lineQuestioner: LineQuestioner
  /// The command with which the guard deletes the images that have been sent.
  private var deletion: [UInt8] = [] {
    didSet { if deletion != oldValue { setFarewell() } }
  }
  /// Called with the terminal's answer to an image for the clipboard; nil if none is due.
  private var onClipboardAnswer: ((ClipboardAnswer) -> Void)?
  /// Runs while a key's answer waits behind an image.
  private let holdUpAlarm = Alarm()

  /// The longest time for which an image on its way is awaited before a coarser one is shown.
  private static let shortWait = Duration.milliseconds(250)
  /// The time between two keys in which the user may have gone to another terminal.
  private static let timeToReturn = Duration.seconds(2)

  /// Takes the terminal.
  /// - Parameters:
  ///   - colors: The depth that the user insists on; nil for the terminal's own.
  ///   - scheme: The colors of the interface.
  ///   - isOutputElsewhere: Whether the standard output need not be the terminal, since something else goes there.
  /// - Throws: ``TerminalError`` if there is no terminal on which the gallery can be shown.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, colors: ColorDepth? = nil,
    scheme: ColorScheme = .standard, isOutputElsewhere: Bool = false
  ) throws(TerminalError) {
    self.environment = environment
    kind = try TerminalKind(environment: environment, colors: colors)
    let teletype = try Teletype(isOutputElsewhere: isOutputElsewhere)
    self.teletype = teletype
    theme = Theme(brightness: kind.brightness, depth: kind.depth, scheme: scheme)
    questioner = Questioner(environment: environment, aboutColors: kind.colorQuestion) { bytes in
      teletype.send { $0.send(bytes) }
      teletype.onQuestion()
    }
    lineQuestioner = LineQuestioner(environment: environment, teletype: teletype, questioner: questioner)
    // Before ncurses, which would take the signals for itself.
    signals = try GuardSignals(guarding: teletype.descriptor, original: try teletype.attributes())
    curses = try Curses(kind, size: teletype.size)
    setFarewell()
    try signals.enter()
    connect()
    open()
  }

  /// The colors of the interface.
  public var scheme: ColorScheme {
    get { theme.scheme }
    set { theme = theme.with(newValue) }
  }
  /// The terminal's size in cells.
  public var size: Size { curses.size }
  /// The time between the last two keys.
  public var keyInterval: Duration { pacing.keyInterval }
  /// The state of the line to the terminal.
  public var line: LineModel { lineQuestioner.line }
  /// Whether the line has carried everything that the screen shows.
  public var isLineIdle: Bool { line.isIdle && !curses.hasRest }
  /// The terminal's capabilities, as far as it has answered.
  public var capabilities: Capabilities { questioner.capabilities }
  /// Whether the terminal has answered, or has had its time to.
  public var isQuestioned: Bool { questioner.isFinished }

  /// Gives the terminal back.
  public func leave() {
    // Another frame would send the images again that are deleted here.
    teletype.onSent = { _ in }
    let unsent = teletype.send { outbox in
      _ = outbox.breakOff()
      return outbox.discardImages()
    }
    teletype.sendLast(curses.graphics.deleteAll(except: unsent) + lastQuestion())
    terminal_guard_leave()
    stopListening()
  }

  /// Ends the program by the signal that has asked it to, if there was one.
  public func end() { signals.end() }

  /// Lends the terminal to another program, found by PATH, until it ends. Keys that are typed meanwhile are the program's.
  /// - Parameter receive: Called with the number of the error (errno) if the program could not be started, or else with the
  ///   program's status (wait(2)), when the gallery is there again.
  public func run(_ arguments: [[UInt8]], then receive: @escaping @MainActor (_ error: Int32, _ status: Int32) -> Void)
  {
    teletype.isReading = false
    terminal_guard_leave()
    ChildProcess.run(arguments, environment: environment, in: teletype.descriptor) { [self] error, status in
      teletype.isReading = true
      receiveSignals(hasContinued: true)
      receive(error, status)
    }
  }

  /// Copies a text to the user's clipboard if the terminal lets programs do so.
  /// - Returns: Whether the text was sent. Terminals take no more than some 74 kB of base64.
  public func copy(_ text: String) -> Bool {
    guard let bytes = Clipboard.copying(text, through: capabilities.multiplexer) else { return false }
    send(bytes)
    return true
  }

  /// Copies an image to the user's clipboard, behind all that is shown. What is left of an earlier image is not sent.
  /// - Parameter onAnswer: Called with the terminal's answer, which comes when it has all of the image.
  public func copy(_ image: ClipboardImage, onAnswer: @escaping (ClipboardAnswer) -> Void) {
    onClipboardAnswer = onAnswer
    teletype.send { $0.upload(Transmission(image.bytes)) }
  }

  /// Returns whether the terminal stores an image, or will soon have been sent all of it.
  public func isStored(_ graphic: UInt32) -> Bool {
    if !curses.graphics.isStored(graphic) || hasArrived(graphic) { return hasArrived(graphic) }
    return (line.time(of: teletype.outbox.rest(of: graphic)) ?? .zero) < Self.shortWait
  }

  /// Returns whether the terminal has all of an image that it stores.
  public func hasArrived(_ graphic: UInt32) -> Bool { curses.graphics.hasArrived(graphic) }

  /// Makes the terminal release images that will not be shown again.
  public func forget(_ graphics: [UInt32]) { curses.graphics.forget(graphics) }

  /// Draws every cell of the screen again, in case another program has changed it.
  public func redraw() {
    curses.invalidate()
    setNeedsDisplay()
  }

  /// Requests a frame. Several requests in one turn of the event loop lead to one frame.
  public func setNeedsDisplay() {
    guard pacing.requestFrame() else { return }
    DispatchQueue.main.async { [self] in
      MainActor.assumeIsolated {
        pacing.endTurn()
        drawIfDue()
      }
    }
  }

  /// Returns a question to which the terminal answers after all others, if it still has to answer to an image for the clipboard.
  private func lastQuestion() -> [UInt8] {
    guard onClipboardAnswer != nil, capabilities.multiplexer == nil else { return [] }
    terminal_guard_await_answers(true)
    return Array(Questions.end.utf8)
  }

  private func connect() {
    curses.onImagesLost = { [unowned self] in onImagesLost() }
    questioner.onImagesLost = { [unowned self] in
      lineQuestioner.forgetQuestion()
      // The end of an image may have been dropped, too. It is ended by the first of these commands.
      let deletion = curses.graphics.deletionOfAll
      teletype.send { outbox in
        lose(outbox.dropImages() + outbox.cutImages(except: []))
        outbox.send(deletion + curses.graphics.reset())
      }
    }
    questioner.onFinish = { [unowned self] in
      curses.graphics.cellSize = capabilities.cellSize
      curses.graphics.wipesFirst = capabilities.synchronizesUpdates
      adoptColors()
      lineQuestioner.askIfWorthwhile()
      setNeedsDisplay()
    }
    lineQuestioner.onChange = { [unowned self] in setNeedsDisplay() }
    signals.onSignals = { [unowned self] in receiveSignals(hasContinued: $0) }
    signals.onEnding = { [unowned self] in
      stopListening()
      onEnding?()
    }
    input.onEvents = { [unowned self] in deliver($0) }
    input.expectsAnswer = { [unowned self] in questioner.expectsAnswer }
    input.hasMore = { [unowned self] in teletype.hasInput }
    teletype.onInput = { [unowned self] in input.receive($0) }
    teletype.onSent = { [unowned self] in receive($0) }
    teletype.onHangUp = { [unowned self] in
      questioner.stop()
      onHangUp()
    }
  }

  /// Draws in 24-bit colors from now on if the terminal turns out to have them.
  private func adoptColors() {
    guard let better = kind.withTruecolor(capabilities.truecolorSource), curses.change(to: better) else { return }
    kind = better
    theme = theme.with(better.depth)
  }

  /// The program may go on for a while after it has given the terminal back, to save the last changes.
  private func stopListening() {
    // A SIGCONT that comes now would take the terminal again, for good.
    signals.onSignals = { _ in }
    // Keys are the next program's.
    teletype.isReading = false
    questioner.stop()
  }

  private func open() {
    signals.start()
    // To the alternate screen first: some terminals print the questions that they do not know.
    send(curses.frame().cells)
    curses.invalidate()
    send(enteringModes(isAlternateScreenSet: true))
    questioner.start(kernelCellSize: teletype.cellSize)
    teletype.start()
  }

  private func enteringModes(isAlternateScreenSet isSet: Bool) -> [UInt8] {
    Modes.enter(isAlternateScreenSet: isSet, isSimple: kind.isSimple, reportsFocus: capabilities.hasOuterTerminal)
  }

  private func send(_ bytes: [UInt8]) { teletype.send { $0.send(bytes) } }

  private func setFarewell() { signals.setFarewell(Modes.leave(isSimple: kind.isSimple, deletion: deletion)) }
}

// MARK: - Frames

extension Console {
  private func drawIfDue() {
    drawFrame()
    watchForHoldUp()
  }

  private func drawFrame() {
    // After Ctrl-Z another program has the terminal. The frame then waits for ``resume()``.
    let isReady = teletype.outbox.isDrained && terminal_guard_is_entered()
    guard let isAnswer = pacing.beginFrame(isReady: isReady) else { return }
    curses.renewPairsIfNeeded()
    let hadRest = curses.hasRest
    curses.beginFrame(background: theme.background, mayPostpone: isAnswer, mostBytes: line.mostBytesOfFrame)
    onDraw(Surface(curses, theme: theme))
    // In one step: a piece of an image that left meanwhile would be cut by the frame's commands.
    teletype.send { enqueueFrame(in: &$0, isAnswer: isAnswer) }
    if teletype.outbox.isDrained { onFrameLeft() }
    // After the rest of an image, one more frame finds the line idle.
    if curses.hasPostponed || curses.hasRest || hadRest { setNeedsDisplay() }
  }

  private func enqueueFrame(in outbox: inout Outbox, isAnswer: Bool) {
    // Images that the frame no longer shows need not be sent.
    let wanted = curses.graphics.wanted
    lose(outbox.dropImages(except: wanted) + outbox.cutImages(except: wanted))
    let frame = curses.frame()
    // A command may not come in the middle of an image. That image is sent again.
    if frame.hasCommands { lose(outbox.cutImages(except: [])) }
    let transmissions = curses.graphics.transmissions()
    if !curses.graphics.deletionOfAll.isEmpty { deletion = curses.graphics.deletionOfAll }
    // The frame goes first, so that no answer waits for an image that the same frame shows.
    if !frame.isEmpty {
      let (begin, end) = kind.isSimple ? ([], []) : (Modes.beginUpdate, Modes.endUpdate)
      if frame.hasCommands, capabilities.losesHeldCommands {
        // Only the cells are held back.
        let cells = begin + frame.cells + end
        outbox.send(
          frame.before + cells + frame.placements, images: frame.images, end: frame.covering, isAnswer: isAnswer)
      } else {
        outbox.send(
          begin + frame.before + frame.cells + frame.placements, images: frame.images, end: frame.covering + end,
          isAnswer: isAnswer)
      }
    }
    outbox.transmit(transmissions + [Transmission(frame.deletions)])
  }

  private func lose(_ images: [UInt32]) {
    for id in images { curses.graphics.lose(id) }
  }

  private func receive(_ event: Outbox.Event) {
    switch event {
    // On a slow terminal, frames that became outdated in the meantime are skipped.
    case .frameLeft:
      drawIfDue()
      if teletype.outbox.isDrained { onFrameLeft() }
    case .imageLeft(let id):
      lineQuestioner.imageHasLeft()
      // The frame that shows the image goes on with the next one.
      if curses.graphics.arrive(id) { setNeedsDisplay() } else { teletype.send { $0.transmit() } }
    case .questionLeft: lineQuestioner.questionHasLeft()
    }
    lineQuestioner.askIfWorthwhile()
  }

  /// Over a slow line a large image would keep the user waiting for many seconds.
  private func watchForHoldUp() {
    let rest = pacing.isAnswerDue ? teletype.outbox.unsentImages : nil
    switch pacing.watch(isHeldUp: rest != nil) {
    case .start:
      holdUpAlarm.set(after: pacing.longestHoldUp(rest: rest ?? 0, on: line)) { [unowned self] in breakOff() }
    case .stop: holdUpAlarm.cancel()
    case nil: break
    }
  }

  private func breakOff() {
    pacing.timeIsUp()
    guard pacing.isAnswerDue, let sent = teletype.send({ $0.breakOff() }) else { return }
    curses.graphics.loseDrawn(after: sent)
    setNeedsDisplay()
  }
}

// MARK: - Input and signals

extension Console {
  private func deliver(_ events: [InputEvent]) {
    var forProgram: [InputEvent] = []
    for event in events {
      if case .reply(let reply) = event { receive(reply) } else { forProgram.append(event) }
    }
    guard !forProgram.isEmpty else { return }
    pacing.receiveKeys(at: .now)
    if keyInterval > Self.timeToReturn { questioner.userHasReturned() }
    onEvents(forProgram)
  }

  private func receive(_ reply: TerminalReply) {
    if reply == .focus { return questioner.userHasReturned() }
    if case .clipboard(let answer) = reply {
      onClipboardAnswer?(answer)
      onClipboardAnswer = nil
      return
    }
    if lineQuestioner.receive(reply) { return }
    questioner.receive(reply)
    if teletype.outbox.isEmpty { lineQuestioner.askIfWorthwhile() }
    guard case .background(let red, let green, let blue) = reply else { return }
    theme = Theme(red: red, green: green, blue: blue, depth: theme.depth, scheme: theme.scheme)
  }

  private func receiveSignals(hasContinued: Bool) {
    if hasContinued { resume() }
    questioner.windowMayHaveChanged(kernelCellSize: teletype.cellSize)
    curses.graphics.cellSize = capabilities.cellSize
    if curses.size != teletype.size {
      curses.resize(to: teletype.size)
      setFarewell()
    }
    setNeedsDisplay()
  }

  /// Takes the terminal again after Ctrl-Z and `fg`, as the shell has had it in the meantime.
  private func resume() {
    // The terminal is not left: it may show the shell's output, and keys typed in the meantime are for the gallery.
    terminal_guard_notice()
    var isAlternateScreenSet = false
    // If this fails, another program still has the terminal. The next SIGCONT tries again.
    guard terminal_guard_enter(&isAlternateScreenSet) == 0 else { return }
    // Unsent bytes stay if the terminal was not given away, or if the last SIGCONT has already taken it again.
    if !isAlternateScreenSet {
      teletype.send { $0.removeAll() }
      // The answer to the last question may have gone to another program.
      lineQuestioner.forgetQuestion()
    }
    // Ends a sequence that was cut off in the middle. No frame comes before all of this.
    let end = isAlternateScreenSet || kind.isSimple ? [] : Array("\u{1B}\\".utf8)
    let images = curses.resetGraphics()
    curses.invalidate()
    // Some terminals forget where the shell's cursor was if the alternate screen is set twice.
    send(end + enteringModes(isAlternateScreenSet: isAlternateScreenSet) + images)
  }
}
