/// The terminal's answers to the program's questions.
///
/// ``OutputChoice`` derives from them how images are shown.
public struct Capabilities: Hashable, Sendable {
  /// The program between this one and the terminal; nil if there is none.
  public private(set) var multiplexer: Multiplexer?
  /// The terminal's type (TERM).
  let type: String
  /// A cell's size according to the kernel; nil if it doesn't know.
  var kernelCellSize: CellSize?
  /// The window's background, 0xRRGGBB; nil if the terminal has not reported it.
  public private(set) var background: UInt32?
  /// The terminal's first 16 colors, 0xRRGGBB.
  public private(set) var palette: [UInt32]
  /// The name and version that the program's own terminal reports (XTVERSION); the multiplexer's in one.
  private(set) var version = ""
  /// The device attributes (DA1), one list for each batch of questions that has been answered.
  private(set) var deviceAttributes: [[Int]] = []
  /// Whether the terminal accepts images of the kitty graphics protocol.
  private(set) var acceptsKitty = false
  /// Whether the terminal reads images from this machine's files.
  private(set) var readsFiles = false
  /// Whether the terminal is known to show sixels, although it has not been asked.
  private(set) var isSupposedToKnowSixels = false
  /// Whether the terminal is known to show iTerm2's images.
  private(set) var knowsITerm = false
  /// The number of colors that sixels may have.
  private(set) var sixelColors = 256
  /// Whether the terminal holds back what is drawn until the frame is complete.
  private(set) var synchronizesUpdates = false
  /// Whether the terminal has said that it shows 24-bit colors.
  private var reportsTruecolor = false
  /// Whether the terminal has said that it takes data of any type for the clipboard.
  private var takesClipboardData = false
  /// The answer of a multiplexer about its terminal.
  private(set) var outerAnswer = OuterTerminal.Answer.due
  private var reportedCellSize: CellSize?
  private var colorQuestion: ColorQuestion?
  private var batchCount = 0
  private var hasAskedWindow = false
  private var hasAskedAll = false

  /// - Parameter ancestors: Returns the names of the processes above this one.
  init(environment: [String: String], ancestors: () -> [String] = { Ancestors.names }) {
    multiplexer = Multiplexer(environment: environment, ancestors: ancestors)
    // iTerm2 says so in the environment, over SSH and mosh too.
    let isITerm = environment["LC_TERMINAL"] == "iTerm2" || environment["TERM_PROGRAM"] == "iTerm.app"
    knowsITerm = multiplexer == nil && isITerm
    type = environment["TERM"] ?? "dumb"
    palette = type.hasPrefix("linux") ? Palettes.linux : Palettes.xterm
  }

  /// The capabilities of an output that is not a terminal.
  public static let unknown = Capabilities(environment: [:], ancestors: { [] })

  /// Takes in an answer of the terminal.
  mutating func add(_ reply: TerminalReply) {
    switch reply {
    case .deviceAttributes(let attributes): deviceAttributes.append(attributes)
    case .version(let version):
      self.version = version
      if let other = multiplexer?.corrected(by: version) {
        multiplexer = other
        // It did not seem to be one that can be asked.
        outerAnswer = .none
      }
    case .kitty(id: Questions.pixelsID, let isAccepted): acceptsKitty = isAccepted
    case .kitty(id: Questions.fileID, let isAccepted): readsFiles = isAccepted
    case .cellPixels(let width, let height):
      let size = CellSize(width: width, height: height)
      if size.isPlausible { reportedCellSize = size }
    case .showsTruecolor: reportsTruecolor = true
    case .sixelColors(let count): if (2...65_536).contains(count) { sixelColors = count }
    case .synchronizesUpdates(let does): synchronizesUpdates = does
    case .takesClipboardData(let does): takesClipboardData = does
    case .itermCellSize: knowsITerm = multiplexer == nil
    case .background(let red, let green, let blue): background = UInt32(red: red, green: green, blue: blue)
    case .paletteColor(let index, let red, let green, let blue):
      if palette.indices.contains(index) { palette[index] = UInt32(red: red, green: green, blue: blue) }
    case .kitty, .status, .focus, .windowPixels, .clipboard, .other: break
    }
  }

  /// Takes in the multiplexer's answer about its terminal; nil if it did not answer.
  mutating func add(_ terminal: OuterTerminal?) { outerAnswer = terminal.map { .terminal($0) } ?? .none }

  /// Whether a multiplexer is in between that describes its terminal, and may pass sequences on to it.
  var hasOuterTerminal: Bool { multiplexer?.hasOuterTerminal ?? false }

  /// The name and version of the terminal that draws, even if a multiplexer is in between.
  var drawingTerminal: String { hasOuterTerminal ? outerTerminal?.version ?? "" : version }

  /// The terminal in which the multiplexer is shown; nil if it is not known.
  var outerTerminal: OuterTerminal? {
    if case .terminal(let terminal) = outerAnswer { terminal } else { nil }
  }

  /// Whether a multiplexer is in between and passes sequences on to its terminal.
  var passesThrough: Bool { outerTerminal?.takesSequences ?? false }

  /// Returns whether the terminal that draws is kitty of this version (0.minor) or a later one.
  func isKitty(since minor: Int) -> Bool {
    guard drawingTerminal.hasPrefix("kitty(") else { return false }
    let numbers = drawingTerminal.drop { !$0.isNumber }.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0] > 0 || numbers[1] >= minor)
  }

  /// Whether the terminal loses a command about images in a frame that it holds back, if the bytes of the command arrive in two parts:
  /// kitty 0.26 does; its parser was rewritten in 0.33.
  var losesHeldCommands: Bool { drawingTerminal.hasPrefix("kitty(") && !isKitty(since: 33) }

  /// The origin of the answer that the terminal has 24-bit colors, in words; nil if there is no such answer. In tmux, only
  /// tmux's answer about its terminal counts.
  public var truecolorSource: String? {
    if hasOuterTerminal { return outerTerminal?.hasTruecolor == true ? "from tmux" : nil }
    return multiplexer == nil && showsTruecolor ? "from terminal" : nil
  }

  /// Whether the answers show that the terminal has 24-bit colors. Konsole and VS Code's terminal don't report them. Alacritty
  /// reports nothing but that it holds back unfinished frames, which no terminal without 24-bit colors does.
  private var showsTruecolor: Bool {
    reportsTruecolor || ["Konsole", "xterm.js("].contains(where: version.hasPrefix)
      || version.isEmpty && synchronizesUpdates
  }

  /// Whether images can be copied to the clipboard through the terminal (OSC 5522). kitty takes them since 0.27, and says so
  /// since 0.45.
  public var takesClipboardImages: Bool {
    guard multiplexer == nil || passesThrough else { return false }
    return takesClipboardData || isKitty(since: 27)
  }

  /// The name and version of the terminal, and of a multiplexer if that is in between; nil if neither is known.
  public var terminalName: String? {
    let outer = outerTerminal.map { $0.version.isEmpty ? $0.name : $0.version } ?? ""
    let names = [version, outer].filter { !$0.isEmpty }
    return names.isEmpty ? nil : names.joined(separator: ", in ")
  }

  /// A cell's size. The terminal's own answer comes before the kernel's, which may include the window's borders.
  public var cellSize: CellSize { reportedCellSize ?? kernelCellSize ?? .standard }

  /// The origin of ``cellSize`` in words.
  public var cellSizeSource: String {
    reportedCellSize != nil ? "from terminal" : kernelCellSize != nil ? "from kernel" : "assumed"
  }
}

// MARK: - Without asking

extension Capabilities {
  /// Supposes what the terminal's name in the environment implies, for a terminal that can't be asked: another program
  /// reads its answers.
  ///
  /// TERM is the terminal's own, whereas other variables are also inherited from the terminal that started it.
  mutating func suppose(environment: [String: String]) {
    guard multiplexer == nil else { return }
    if ["xterm-kitty", "xterm-ghostty", "ghostty"].contains(where: type.hasPrefix) {
      acceptsKitty = true
      readsFiles = KittyProcess.isOnThisMachine(environment: environment)
    }
    isSupposedToKnowSixels = ["foot", "mlterm", "contour"].contains(where: type.hasPrefix)
    if type.hasPrefix("wezterm") || environment["TERM_PROGRAM"] == "WezTerm" { knowsITerm = true }
  }
}

// MARK: - Asking

extension Capabilities {
  /// The number of batches of questions whose last question has not been answered. Every terminal answers that one.
  var missingAnswers: Int { max(0, batchCount - deviceAttributes.count) }

  /// Whether the terminal has answered all that it was asked.
  var hasAnswered: Bool { batchCount > 0 && missingAnswers == 0 }

  /// Whether no more answers are expected.
  var isComplete: Bool {
    batchCount > 0 && missingAnswers == 0 && !mustAskMore && !(hasOuterTerminal && outerAnswer == .due)
  }

  /// Returns the questions to send next, or nil if there is nothing left to ask. Call it at the start, and whenever
  /// ``missingAnswers`` has come down to 0.
  ///
  /// Some terminals print questions that they do not know as text. So the first batch has only questions that such
  /// terminals understand, unless TERM says more about them, and the answers show whether there is a second batch.
  /// - Parameters:
  ///   - file: Makes the file for the terminal to read and returns its path; called only if the terminal is asked about
  ///     files.
  ///   - aboutColors: The question about colors.
  mutating func nextQuestions(file: () -> String?, aboutColors colorQuestion: ColorQuestion?) -> [UInt8]? {
    self.colorQuestion = colorQuestion
    guard batchCount == 0 || missingAnswers == 0 && mustAskMore else { return nil }
    let isFirst = batchCount == 0
    batchCount += 1
    var questions = ""
    if isFirst != TerminalKind.isSimple(type) || hasOuterTerminal {
      questions += Questions.version
      // GNU screen passes the question for the background on. The answer comes after its own ones, when no program expects
      // it any more.
      hasAskedWindow = multiplexer != .screen
      if hasAskedWindow { questions += Questions.background + Questions.sizes }
      if hasAskedWindow, colorQuestion == .palette { questions += Questions.palette }
    }
    if multiplexer == nil, !isFirst || takesAllQuestions {
      hasAskedAll = true
      if takesGraphicsQuestions { questions += Questions.graphics(file: file()) }
      if asksTruecolor { questions += isLikeAlacritty ? Questions.synchronization : Questions.truecolor }
    }
    return Array((questions + Questions.end).utf8)
  }

  private var mustAskMore: Bool {
    // What seemed to be GNU screen may turn out to be another multiplexer.
    if hasOuterTerminal { return batchCount > 0 && !hasAskedWindow }
    guard multiplexer == nil, !hasAskedAll, batchCount > 0 else { return false }
    if TerminalKind.isSimple(type) { return skipsStrings }
    return takesGraphicsQuestions || asksTruecolor && (skipsStrings || !version.isEmpty || isLikeAlacritty)
  }

  private var asksTruecolor: Bool { colorQuestion == .truecolor && !showsTruecolor }

  /// Whether TERM alone tells that the terminal prints no question.
  private var takesAllQuestions: Bool { multiplexer == nil && TerminalKind.isModern(type) }

  /// Whether the terminal prints no questions about graphics. Neovim's terminal does. Those that report their names (XTVERSION)
  /// don't, but some have nothing that is asked about.
  private var takesGraphicsQuestions: Bool {
    if TerminalKind.isSimple(type) { return false }
    return takesAllQuestions || !version.isEmpty && !["XTerm(", "VTE(", "libvterm"].contains(where: version.hasPrefix)
  }

  /// Whether the terminal says that it is a VT200 (62), a later one, or a modern one at the level of the VT100s (61). Those
  /// recognize control strings and skip the ones that they do not know. An emulator may call itself vt100. macOS's
  /// Terminal.app, which prints them, answers with 1, and the Linux console with 6.
  private var skipsStrings: Bool { deviceAttributes.contains { (61..<100).contains($0.first ?? 0) } }

  /// Whether the terminal may be Alacritty, or another with its parser. Those report no colors, but their modes. PuTTY answers in
  /// the same way, and skips the question.
  private var isLikeAlacritty: Bool { version.isEmpty && deviceAttributes.contains([6]) }
}

/// The first 16 colors of terminals that do not report theirs, 0xRRGGBB.
private enum Palettes {
  /// xterm's defaults.
  static let xterm: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
    0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
  /// The Linux console's, which are VGA's.
  static let linux: [UInt32] = [
    0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555, 0xFF5555, 0x55FF55,
    0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
  ]
}

extension UInt32 {
  /// Creates 0xRRGGBB from parts from 0 to 1.
  init(red: Double, green: Double, blue: Double) {
    self = [red, green, blue].reduce(0) { $0 << 8 | UInt32((Swift.min(1, Swift.max(0, $1)) * 255).rounded()) }
  }
}
