import CTerminalGuard

/// The questions that the terminal and tmux are asked at the start, and the state of their answers.
///
/// A value that neither writes nor waits: its functions return what has to be done. Images wait for the answers, but not
/// for ever; an answer that comes later still counts.
struct Questioning {
  enum Action: Equatable {
    /// Write these questions. Answers are due from now on.
    case send([UInt8])
    /// All questions that have been written are answered.
    case expectNoAnswer
    /// Ask tmux about its terminal, and pass its answer to `receive(_:)`.
    case askTmux
    /// Ask tmux whether it shows the program, and pass its answer to `receive(_:)`.
    case askForVisibility
    /// Report after this many milliseconds that time is up.
    case wake(milliseconds: Int)
    /// Remove the file that the terminal was asked to read.
    case remove(file: String)
    /// The terminal may have none of the images.
    case loseImages
    /// Images can be drawn now, or can be drawn better.
    case finish
  }

  private(set) var capabilities: Capabilities
  /// Whether the terminal has answered, or has had its time to.
  private(set) var isFinished = false

  private let asksPalette: Bool
  private let makeFile: () -> String?
  private var file: String?
  private var isAskingTmux = false
  /// Whether tmux's answer, which is due, may be outdated when it comes.
  private var mustAskTmuxAgain = false
  /// The process that attached tmux to the terminal that was last known.
  private var attacher: Int?
  private var answersDue: ContinuousClock.Instant?
  /// The wait until an answer shows that tmux passes images on; nil if no image waits for that.
  private var wait: Wait?
  /// Whether tmux may have dropped images.
  private var mayHaveLostImages = false
  /// The process that attached a terminal that never answered through tmux.
  private var silentAttacher: Int?

  private struct Wait {
    /// The number of pauses after which tmux is asked again whether it shows the program.
    var pauses = 0
    /// The number of questions to tmux's terminal.
    var questions = 0
  }

  /// After this many pauses, about 2 minutes, nothing but a change of the window or the user's return ends the wait.
  private static let mostPauses = 17
  /// After this many questions without an answer, the terminal counts as one that never answers.
  private static let mostQuestions = 3
  /// The first and the longest pause, in milliseconds.
  private static let (firstPause, longestPause) = (1000, 8000)
  /// The time after which answers are no longer expected.
  private static let answerTime = Duration.milliseconds(TERMINAL_GUARD_ANSWER_MILLISECONDS)

  /// - Parameters:
  ///   - asksPalette: Whether the first 16 colors are needed.
  ///   - makeFile: Makes a file for the terminal to read and returns its path; nil if the terminal can't read it.
  init(environment: [String: String], asksPalette: Bool, makeFile: @escaping () -> String?) {
    capabilities = Capabilities(environment: environment)
    self.asksPalette = asksPalette
    self.makeFile = makeFile
  }

  /// Asks the first questions.
  mutating func start(at now: ContinuousClock.Instant, kernelCellSize: CellSize? = nil) -> [Action] {
    capabilities.kernelCellSize = kernelCellSize
    return askTmux() + ask(at: now)
  }

  /// Takes in an answer of the terminal.
  mutating func receive(_ reply: TerminalReply, at now: ContinuousClock.Instant) -> [Action] {
    capabilities.add(reply)
    if reply == .windowPixels, let wait {
      mayHaveLostImages = false
      // Of several questions, all may still be answered.
      return (wait.questions == 1 ? [.expectNoAnswer] : []) + endWait()
    }
    guard case .deviceAttributes = reply, capabilities.missingAnswers == 0 else { return [] }
    return [.expectNoAnswer] + ask(at: now) + finishIfComplete()
  }

  /// Takes in tmux's answer; nil if it did not answer.
  mutating func receive(_ client: TmuxClient?) -> [Action] {
    isAskingTmux = false
    capabilities.add(client)
    return loseImagesIfElsewhere() + (mustAskTmuxAgain ? askTmux() : []) + finishIfComplete()
  }

  /// Takes note that images have waited for as long as they may.
  mutating func timeIsUp() -> [Action] {
    guard let wait else { return finish() }
    guard wait.questions >= Self.mostQuestions else { return [.askForVisibility] }
    // A terminal that never answers gets its images, too, and is not asked again.
    (silentAttacher, mayHaveLostImages) = (attacher, false)
    return endWait()
  }

  /// Takes note of how tmux shows the program.
  mutating func receive(_ visibility: TmuxClient.Visibility) -> [Action] {
    guard wait != nil else { return [] }
    switch visibility {
    case .active:
      wait?.questions += 1
      return [.send(Questions.presenceInTmux)] + pause()
    // The answer would be typed into another program. When the user returns, the terminal is asked.
    case .visible: return endWait()
    case .hidden: return pause()
    }
  }

  /// Takes note that images were sent while tmux may not have shown the program, so that it dropped them.
  mutating func imagesMayBeLost() -> [Action] {
    guard capabilities.tmuxClient?.passesThroughAlways == false, attacher != silentAttacher else { return [] }
    mayHaveLostImages = true
    return askTmux()
  }

  /// Takes note that the window may have another size, or that tmux may be in another terminal.
  mutating func windowMayHaveChanged(kernelCellSize: CellSize?) -> [Action] {
    capabilities.kernelCellSize = kernelCellSize
    return askTmux()
  }

  /// Takes note that tmux may be in another terminal.
  mutating func terminalMayHaveChanged() -> [Action] { askTmux() }

  /// Ends the questioning with the program.
  mutating func stop() -> [Action] { removeFile() }

  /// Returns whether bytes that come now may be an answer.
  func expectsAnswer(at now: ContinuousClock.Instant) -> Bool {
    guard capabilities.missingAnswers > 0, let answersDue else { return false }
    return now < answersDue
  }

  private mutating func ask(at now: ContinuousClock.Instant) -> [Action] {
    var newFile: String?
    let questions = capabilities.nextQuestions(
      file: { [makeFile] in
        newFile = makeFile()
        return newFile
      }, asksPalette: asksPalette)
    file = newFile ?? file
    guard let questions else { return [] }
    answersDue = now + Self.answerTime
    return [.send(questions)]
  }

  private mutating func askTmux() -> [Action] {
    guard capabilities.multiplexer == .tmux else { return [] }
    mustAskTmuxAgain = isAskingTmux
    guard !isAskingTmux else { return [] }
    isAskingTmux = true
    return [.askTmux]
  }

  private mutating func loseImagesIfElsewhere() -> [Action] {
    guard let client = capabilities.tmuxClient, !client.name.isEmpty else { return [] }
    let isElsewhere = attacher.map { $0 != client.attacher } ?? false
    attacher = client.attacher
    // tmux drops what it should pass on while it shows another window, and until it has drawn all of this one.
    guard capabilities.passesThroughTmux, capabilities.knowsPlaceholders else {
      (wait, mayHaveLostImages) = (nil, false)
      return isElsewhere ? [.loseImages] : []
    }
    mayHaveLostImages = mayHaveLostImages || isElsewhere
    guard mayHaveLostImages else { return [] }
    (wait, isFinished) = (Wait(questions: wait?.questions ?? 0), false)
    return [.askForVisibility]
  }

  private mutating func pause() -> [Action] {
    guard let pauses = wait?.pauses, pauses < Self.mostPauses else { return [] }
    wait?.pauses += 1
    return [.wake(milliseconds: min(Self.firstPause << pauses, Self.longestPause))]
  }

  private mutating func endWait() -> [Action] {
    wait = nil
    return [.loseImages] + finish()
  }

  private mutating func finishIfComplete() -> [Action] { capabilities.isComplete && wait == nil ? finish() : [] }

  private mutating func finish() -> [Action] {
    isFinished = true
    // While an answer is due, the terminal may still read the file.
    return (capabilities.missingAnswers == 0 ? removeFile() : []) + [.finish]
  }

  private mutating func removeFile() -> [Action] {
    defer { file = nil }
    return file.map { [.remove(file: $0)] } ?? []
  }
}
