import CTerminalGuard

/// The questions that the terminal and a multiplexer are asked at the start, and the state of their answers.
///
/// A value that neither writes nor waits: its functions return what has to be done. Images wait for the answers, but not
/// for ever; an answer that comes later still counts.
struct Questioning {
  enum Effect: Equatable {
    /// Write these questions. Answers are due from now on.
    case send([UInt8])
    /// All questions that have been written are answered.
    case expectNoAnswer
    /// Ask the multiplexer about its terminal, and pass its answer to `receive(_:)`.
    case askForOuterTerminal
    /// Ask the multiplexer whether it shows the program, and pass its answer to `receive(_:)`.
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

  private let colorQuestion: ColorQuestion?
  private let makeFile: () -> String?
  private var file: String?
  private var isAskingForOuterTerminal = false
  /// Whether the multiplexer's answer, which is due, may be outdated when it comes.
  private var mustAskAgain = false
  /// The process that attached the outer terminal that was last known.
  private var attacher: Int?
  private var answersDue: ContinuousClock.Instant?
  /// The wait until an answer shows that images pass; nil if no image waits for that.
  private var wait: Wait?
  /// Whether the multiplexer may have dropped images.
  private var mayHaveLostImages = false
  /// The process that attached a terminal that never answered.
  private var silentAttacher: Int?

  private struct Wait {
    /// The number of pauses after which the multiplexer is asked again whether it shows the program.
    var pauses = 0
    /// The number of questions to the outer terminal.
    var questions = 0
  }

  /// After this many pauses, about 2 minutes, nothing but a change of the window or the user's return ends the wait.
  private static let mostPauses = 17
  /// After this many questions without an answer, the terminal counts as one that never answers.
  private static let mostQuestions = 3
  /// The first pause, in milliseconds. Each other one is twice as long as the one before, up to ``longestPause``.
  private static let firstPause = 1000
  /// The longest pause, in milliseconds.
  private static let longestPause = 8000
  /// The time after which answers are no longer expected.
  private static let answerTime = Duration.milliseconds(TERMINAL_GUARD_ANSWER_MILLISECONDS)

  /// - Parameters:
  ///   - aboutColors: The question about colors.
  ///   - makeFile: Makes a file for the terminal to read and returns its path; nil if the terminal can't read it.
  init(environment: [String: String], aboutColors: ColorQuestion?, makeFile: @escaping () -> String?) {
    capabilities = Capabilities(environment: environment)
    colorQuestion = aboutColors
    self.makeFile = makeFile
  }

  /// Asks the first questions.
  mutating func start(at now: ContinuousClock.Instant, kernelCellSize: CellSize? = nil) -> [Effect] {
    capabilities.kernelCellSize = kernelCellSize
    return askForOuterTerminal() + ask(at: now)
  }

  /// Takes in an answer of the terminal.
  mutating func receive(_ reply: TerminalReply, at now: ContinuousClock.Instant) -> [Effect] {
    capabilities.add(reply)
    if reply == .windowPixels, let wait {
      mayHaveLostImages = false
      // Of several questions, all may still be answered.
      return (wait.questions == 1 ? [.expectNoAnswer] : []) + endWait()
    }
    guard case .deviceAttributes = reply, capabilities.missingAnswers == 0 else { return [] }
    return [.expectNoAnswer] + ask(at: now) + finishIfComplete()
  }

  /// Takes in the multiplexer's answer about its terminal; nil if it did not answer.
  mutating func receive(_ terminal: OuterTerminal?) -> [Effect] {
    isAskingForOuterTerminal = false
    capabilities.add(terminal)
    return loseImagesIfElsewhere() + (mustAskAgain ? askForOuterTerminal() : []) + finishIfComplete()
  }

  /// Takes note that images have waited for as long as they may.
  mutating func timeIsUp() -> [Effect] {
    guard let wait else { return finish() }
    guard wait.questions >= Self.mostQuestions else { return [.askForVisibility] }
    // A terminal that never answers gets its images, too, and is not asked again.
    silentAttacher = attacher
    mayHaveLostImages = false
    return endWait()
  }

  /// Takes note of how the multiplexer shows the program.
  mutating func receive(_ visibility: OuterTerminal.Visibility) -> [Effect] {
    guard wait != nil else { return [] }
    switch visibility {
    case .active:
      wait?.questions += 1
      return [.send(Passthrough.presenceQuestion)] + pause()
    // The answer would be typed into another program. When the user returns, the terminal is asked.
    case .visible: return endWait()
    case .hidden: return pause()
    }
  }

  /// Takes note that images were sent while the program may not have been shown, so that they were dropped.
  mutating func imagesMayBeLost() -> [Effect] {
    guard capabilities.outerTerminal?.passesThroughAlways == false, attacher != silentAttacher else { return [] }
    mayHaveLostImages = true
    return askForOuterTerminal()
  }

  /// Takes note that the window may have another size, or that the outer terminal may be another one.
  mutating func windowMayHaveChanged(kernelCellSize: CellSize?) -> [Effect] {
    capabilities.kernelCellSize = kernelCellSize
    return askForOuterTerminal()
  }

  /// Takes note that the outer terminal may be another one.
  mutating func terminalMayHaveChanged() -> [Effect] { askForOuterTerminal() }

  /// Ends the questioning with the program.
  mutating func stop() -> [Effect] { removeFile() }

  /// Returns whether bytes that come now may be an answer.
  func expectsAnswer(at now: ContinuousClock.Instant) -> Bool {
    guard capabilities.missingAnswers > 0, let answersDue else { return false }
    return now < answersDue
  }

  private mutating func ask(at now: ContinuousClock.Instant) -> [Effect] {
    var newFile: String?
    let questions = capabilities.nextQuestions(
      file: { [makeFile] in
        newFile = makeFile()
        return newFile
      }, aboutColors: colorQuestion)
    file = newFile ?? file
    guard let questions else { return [] }
    answersDue = now + Self.answerTime
    return [.send(questions)]
  }

  private mutating func askForOuterTerminal() -> [Effect] {
    guard capabilities.hasOuterTerminal else { return [] }
    mustAskAgain = isAskingForOuterTerminal
    guard !isAskingForOuterTerminal else { return [] }
    isAskingForOuterTerminal = true
    return [.askForOuterTerminal]
  }

  private mutating func loseImagesIfElsewhere() -> [Effect] {
    guard let terminal = capabilities.outerTerminal, !terminal.name.isEmpty else { return [] }
    let isElsewhere = attacher.map { $0 != terminal.attacher } ?? false
    attacher = terminal.attacher
    // What should pass is dropped while another window is shown, and until all of this one is drawn.
    guard capabilities.passesThrough, capabilities.knowsPlaceholders else {
      wait = nil
      mayHaveLostImages = false
      return isElsewhere ? [.loseImages] : []
    }
    mayHaveLostImages = mayHaveLostImages || isElsewhere
    guard mayHaveLostImages else { return [] }
    wait = Wait(questions: wait?.questions ?? 0)
    isFinished = false
    return [.askForVisibility]
  }

  private mutating func pause() -> [Effect] {
    guard let pauses = wait?.pauses, pauses < Self.mostPauses else { return [] }
    wait?.pauses += 1
    return [.wake(milliseconds: min(Self.firstPause << pauses, Self.longestPause))]
  }

  private mutating func endWait() -> [Effect] {
    wait = nil
    return [.loseImages] + finish()
  }

  private mutating func finishIfComplete() -> [Effect] { capabilities.isComplete && wait == nil ? finish() : [] }

  private mutating func finish() -> [Effect] {
    isFinished = true
    // While an answer is due, the terminal may still read the file.
    return (capabilities.missingAnswers == 0 ? removeFile() : []) + [.finish]
  }

  private mutating func removeFile() -> [Effect] {
    defer { file = nil }
    return file.map { [.remove(file: $0)] } ?? []
  }
}
