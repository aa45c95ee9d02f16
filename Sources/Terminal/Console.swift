import CTerminalGuard
import Dispatch
import Foundation
import ImageWire

/// The person's terminal, lent to the program: full screen, keys and mouse in, frames out.
///
/// It is given back by ``leave()``, and by the guard (`CTerminalGuard`) however else the program ends or stops.
@MainActor
public final class Console {
  /// Called with the events that arrived together; what they change is drawn once, behind the last.
  public var onEvents: ([InputEvent]) -> Void = { _ in }
  /// Draws a frame.
  public var onDraw: (Surface) -> Void = { _ in }
  /// Called once when the terminal has gone away.
  public var onHangUp: () -> Void = {}

  /// What the terminal can do beyond characters, as far as it has answered.
  public private(set) var capabilities: Capabilities
  /// Whether it has had its time to answer.
  public private(set) var isQuestioned = false
  /// Called when the terminal has lost images that it was sent, and would need them anew.
  public var onImagesLost: () -> Void = {}

  private let teletype: Teletype
  private let curses: Curses
  private let kind: TerminalKind
  private let signals: Int32
  private lazy var signalSource = DispatchSource.makeReadSource(fileDescriptor: signals, queue: .main)
  private var theme: Theme
  private var parser = InputParser()
  private var waitTimer: (any DispatchSourceTimer)?
  /// Ends the time in which images wait for the answers to the questions; nil when that is over.
  private var answerTimer: (any DispatchSourceTimer)?
  /// Until when answers may come.
  private var answersDue = ContinuousClock.now
  private var environment: [String: String] = [:]
  private var isAskingTmux = false
  /// Whether the terminal may be on this machine.
  private var isLocal = false
  /// The file by which the terminal is asked whether it reads this machine's.
  private var questionFile: String?
  /// What deletes the images that have been sent.
  private var deletion: [UInt8] = []
  private var isFrameDue = false
  private var isFrameScheduled = false
  /// Whether the next frame answers the person.
  private var isAnswerDue = false
  /// Runs while an answer waits behind an image.
  private var holdUpTimer: (any DispatchSourceTimer)?

  /// How long an Escape may be the beginning of a key's sequence, and of an answer's, as a slow line may split them.
  private static let keyDelay = DispatchTimeInterval.milliseconds(25)
  private static let answerDelay = DispatchTimeInterval.milliseconds(200)
  /// How long images wait for the terminal, and for tmux, which has to start a process and may just have been started.
  private static let questionTime = DispatchTimeInterval.milliseconds(200)
  private static let tmuxTime = DispatchTimeInterval.seconds(1)
  /// In bytes, as they are sent.
  private static let mostCopied = 74_000
  /// How long a key's answer waits for an image before that is broken off: who has a fast line never waits so long.
  private static let longestHoldUp = DispatchTimeInterval.milliseconds(200)
  /// How long what has begun may take to go on before it is given up.
  private static let endDelay = DispatchTimeInterval.seconds(1)

  /// Takes the terminal.
  /// - Parameters:
  ///   - colors: The depth that the person insists on, nil for what the terminal has.
  ///   - isOutputElsewhere: Whether the standard output need not be the terminal, since something else goes there.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, colors: ColorDepth? = nil,
    isOutputElsewhere: Bool = false
  ) throws(TerminalError) {
    kind = try TerminalKind(environment: environment, colors: colors)
    teletype = try Teletype(isOutputElsewhere: isOutputElsewhere)
    capabilities = Capabilities(environment: environment)
    theme = Theme(brightness: kind.brightness, depth: kind.depth)

    // Before ncurses, which would take the signals for itself.
    var original = try teletype.attributes()
    var raw = original.raw
    signals = terminal_guard_start(teletype.descriptor, &original, &raw)
    guard signals >= 0 else { throw .systemCallFailed("pipe2", reason: String(cString: strerror(errno))) }
    curses = try Curses(kind, size: teletype.size)
    setFarewell()
    guard terminal_guard_enter() == 0 else {
      throw .systemCallFailed("tcsetattr", reason: String(cString: strerror(errno)))
    }
    connect(environment)
  }

  /// Gives the terminal back.
  public func leave() {
    // No frame may follow, which would send the images again that are deleted here.
    teletype.onSent = { _ in }
    let unsent = teletype.send { outbox in
      _ = outbox.breakOff(isAnswerDue: true)
      return outbox.discardImages()
    }
    teletype.sendLast(curses.graphics.deleteAll(except: unsent))
    terminal_guard_leave()
    removeQuestionFile()
  }

  /// Hands a text to the person's clipboard, where the terminal lets programs do so (OSC 52, XTerm Control Sequences).
  /// - Returns: Whether it was sent; terminals take no more than some 74 kB.
  public func copy(_ text: String) -> Bool {
    let encoded = Data(text.utf8).base64EncodedString()
    guard encoded.utf8.count < Self.mostCopied else { return false }
    let sequence = "\u{1B}]52;c;\(encoded)\u{7}"
    switch capabilities.multiplexer {
    case nil: send(Array(sequence.utf8))
    // It takes the one or passes on the other, by its options set-clipboard and allow-passthrough.
    case .tmux: send(Array(sequence.utf8) + Passthrough.wrapped(sequence))
    case .screen: send(Array("\u{1B}P\(sequence)\u{1B}\\".utf8))
    }
    return true
  }

  /// Has the terminal let go of images that will not be shown again.
  public func forget(_ graphics: [UInt32]) {
    curses.graphics.forget(graphics)
  }

  /// Draws the whole screen anew, whatever has happened to it.
  public func redraw() {
    curses.invalidate()
    setNeedsDisplay()
  }

  /// Asks for a frame. However often it is asked in one turn of the event loop, one is drawn.
  public func setNeedsDisplay() {
    isFrameDue = true
    guard !isFrameScheduled else { return }
    isFrameScheduled = true
    DispatchQueue.main.async { [self] in
      MainActor.assumeIsolated {
        isFrameScheduled = false
        drawIfDue()
      }
    }
  }

  private func connect(_ environment: [String: String]) {
    curses.onImagesLost = { [unowned self] in onImagesLost() }
    teletype.onInput = { [unowned self] in receive($0) }
    teletype.onSent = { [unowned self] event in
      switch event {
      // A terminal that takes its time skips the frames that were outdated before it was ready.
      case .frameLeft: drawIfDue()
      case .imageLeft(let id):
        if curses.graphics.arrive(id) { setNeedsDisplay() }
        watchForHoldUp()
      }
    }
    teletype.onHangUp = { [unowned self] in
      removeQuestionFile()
      onHangUp()
    }
    signalSource.setEventHandler { [unowned self] in MainActor.assumeIsolated { receiveSignals() } }
    signalSource.activate()
    // To the alternate screen first: some terminals print the questions they do not know.
    send(curses.frame().cells)
    curses.invalidate()
    send(Array(Modes.enter(isAlternateScreenSet: true, isSimple: kind.isSimple).utf8))
    capabilities.kernelCellSize = teletype.cellSize
    startQuestions(environment)
    teletype.start()
  }

  private func startQuestions(_ environment: [String: String]) {
    isLocal = QuestionFile.makesSense(environment)
    self.environment = environment
    askTmux()
    askNext()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + (capabilities.multiplexer == .tmux ? Self.tmuxTime : Self.questionTime))
    timer.setEventHandler { [unowned self] in MainActor.assumeIsolated { endQuestions() } }
    timer.activate()
    answerTimer = timer
  }

  private func askNext() {
    let questions = capabilities.nextQuestions(
      file: { [self] in
        if isLocal { questionFile = QuestionFile.make() }
        return questionFile.map { Data($0.utf8).base64EncodedString() }
      }, asksPalette: kind.depth.hasPalette)
    guard let questions else { return }
    terminal_guard_await_answers(true)
    answersDue = .now + .milliseconds(TERMINAL_GUARD_ANSWER_MILLISECONDS)
    send(questions)
  }

  /// Asks tmux which terminal it is in, at the start and when that may have changed.
  private func askTmux() {
    guard capabilities.multiplexer == .tmux, !isAskingTmux else { return }
    isAskingTmux = true
    TmuxClient.ask(environment: environment) { [unowned self] client in
      isAskingTmux = false
      capabilities.add(client)
      endQuestionsIfComplete()
    }
  }

  private func endQuestionsIfComplete() {
    // However late: a line may be slow, and better images are worth a second look.
    if capabilities.isComplete { endQuestions() }
  }

  private func endQuestions() {
    answerTimer?.cancel()
    answerTimer = nil
    isQuestioned = true
    // If its answer is still due, the file may not have been read.
    if capabilities.missingAnswers == 0 { removeQuestionFile() }
    curses.graphics.cellSize = capabilities.cellSize
    curses.graphics.wipesFirst = capabilities.synchronizesUpdates
    setNeedsDisplay()
  }

  private func removeQuestionFile() {
    if let questionFile { QuestionFile.remove(questionFile) }
    questionFile = nil
  }

  private func drawIfDue() {
    drawFrame()
    watchForHoldUp()
  }

  private func drawFrame() {
    // While another has the terminal (Ctrl-Z), the frame waits for ``resume()``.
    guard isFrameDue, teletype.outbox.isDrained, terminal_guard_is_entered() else { return }
    isFrameDue = false
    let isAnswer = isAnswerDue
    curses.renewPairsIfNeeded()
    curses.beginFrame(mayPostpone: isAnswer)
    isAnswerDue = false
    onDraw(Surface(curses, theme: theme))
    // What is no longer to be seen need not be sent.
    let dropped = teletype.send { $0.dropImages(except: curses.graphics.wanted) }
    for id in dropped { curses.graphics.lose(.transmitted(id)) }
    let transmissions = curses.graphics.transmissions()
    setFarewell(to: curses.graphics.deletionOfAll)
    let output = curses.frame()
    let (begin, end) = kind.isSimple ? ([], []) : (Modes.beginUpdate, Modes.endUpdate)
    teletype.send { outbox in
      // First, so that no answer waits for an image of its own frame.
      if !output.isEmpty {
        outbox.send(
          begin + output.before + output.cells + output.placements, images: output.images,
          end: output.covering + end,
          isAnswer: isAnswer)
      }
      outbox.transmit(transmissions + [Transmission(output.deletions)])
    }
    if curses.hasPostponed { setNeedsDisplay() }
  }

  private func send(_ bytes: [UInt8]) { teletype.send { $0.send(bytes) } }

  private var isHeldUp: Bool { teletype.outbox.isHeldUp(isAnswerDue: isFrameDue && isAnswerDue) }

  /// Over a slow line a large image would keep the person waiting for many seconds.
  private func watchForHoldUp() {
    guard isHeldUp else {
      holdUpTimer?.cancel()
      holdUpTimer = nil
      return
    }
    guard holdUpTimer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + Self.longestHoldUp)
    timer.setEventHandler { [unowned self] in MainActor.assumeIsolated { breakOff() } }
    timer.activate()
    holdUpTimer = timer
  }

  private func breakOff() {
    holdUpTimer = nil
    let isAnswerDue = isFrameDue && isAnswerDue
    guard let loss = teletype.send({ $0.breakOff(isAnswerDue: isAnswerDue) }) else { return }
    curses.graphics.lose(loss)
    setNeedsDisplay()
  }

  private func receive(_ bytes: [UInt8]) {
    deliver(parser.feed(bytes))
    waitTimer?.cancel()
    guard let wait = parser.wait else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + patience(for: wait))
    timer.setEventHandler { [unowned self] in MainActor.assumeIsolated { deliver(parser.flush()) } }
    timer.activate()
    waitTimer = timer
  }

  private func patience(for wait: InputParser.Wait) -> DispatchTimeInterval {
    switch wait {
    // A slow line may part an answer behind its Escape.
    case .sequence: capabilities.missingAnswers > 0 && .now < answersDue ? Self.answerDelay : Self.keyDelay
    case .end: Self.endDelay
    }
  }

  private func deliver(_ events: [InputEvent]) {
    var forProgram: [InputEvent] = []
    for event in events {
      if case .reply(let reply) = event { receive(reply) } else { forProgram.append(event) }
    }
    guard !forProgram.isEmpty else { return }
    isAnswerDue = true
    onEvents(forProgram)
  }

  private func receive(_ reply: TerminalReply) {
    capabilities.add(reply)
    switch reply {
    case .background(let red, let green, let blue):
      let told = Theme(red: red, green: green, blue: blue, depth: theme.depth)
      guard told != theme else { return }
      theme = told
      setNeedsDisplay()
    case .deviceAttributes:
      guard capabilities.missingAnswers == 0 else { return }
      terminal_guard_await_answers(false)
      askNext()
      endQuestionsIfComplete()
    default: break
    }
  }

  private func receiveSignals() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(signals, &bytes, bytes.count)
    guard count > 0 else { return }
    if bytes[..<count].contains(UInt8(TERMINAL_GUARD_CONTINUED)) { resume() }
    // A session of tmux may have been attached to another terminal.
    askTmux()
    capabilities.kernelCellSize = teletype.cellSize
    curses.graphics.cellSize = capabilities.cellSize
    if curses.size != teletype.size {
      curses.resize(to: teletype.size)
      setFarewell()
    }
    setNeedsDisplay()
  }

  /// After Ctrl-Z and `fg`: the shell has had the terminal meanwhile.
  private func resume() {
    // It is not left: what it shows may be the shell's, and what has been typed meanwhile is for the gallery.
    terminal_guard_notice()
    // Set twice, some terminals would forget where the shell's cursor was.
    let isAlternateScreenSet = terminal_guard_is_entered()
    // What is on its way goes on where the terminal was not given away, or was taken again by the last SIGCONT.
    if !isAlternateScreenSet { teletype.send { $0.removeAll() } }
    // Where that fails the terminal is another's still; the next SIGCONT tries again.
    guard terminal_guard_enter() == 0 else { return }
    // What was cut off in the middle ends; and no frame comes before all of this.
    let end = isAlternateScreenSet || kind.isSimple ? [] : Array("\u{1B}\\".utf8)
    let images = curses.resetGraphics()
    curses.invalidate()
    send(
      end + Array(Modes.enter(isAlternateScreenSet: isAlternateScreenSet, isSimple: kind.isSimple).utf8) + images)
  }

  /// Has whatever ends the program delete its images from now on, should there be any.
  private func setFarewell(to images: [UInt8]) {
    guard !images.isEmpty, images != deletion else { return }
    deletion = images
    setFarewell()
  }

  private func setFarewell() {
    let farewell = Modes.leave(isSimple: kind.isSimple, deletion: deletion)
    farewell.withUnsafeBytes { terminal_guard_set_farewell($0.baseAddress, $0.count) }
  }
}
