/// How a terminal shows images as pixels.
public enum GraphicsProtocol: Hashable, Sendable {
  /// The kitty graphics protocol; `isLocal` where the terminal reads this machine's files.
  case kitty(hasPlaceholders: Bool, isLocal: Bool, isInTmux: Bool)
  /// Sixels, in so many colors.
  case sixel(colors: Int)
  case iterm
}

/// What the terminal answered to the program's questions, and what follows from it.
public struct Capabilities: Hashable, Sendable {
  /// What is between the program and the terminal; nil if nothing is.
  public let multiplexer: Multiplexer?
  /// A cell's size according to the kernel.
  var kernelCellSize: CellSize?
  /// The window's background, 0xRRGGBB; nil if the terminal has not reported it.
  public private(set) var background: UInt32?
  /// The terminal's first 16 colors, 0xRRGGBB.
  public private(set) var palette: [UInt32]
  /// Name and version (XTVERSION), tmux's own in tmux.
  private var version = ""
  private var deviceAttributes: [[Int]] = []
  private var acceptsKitty = false
  private var readsFiles = false
  private var knowsITerm = false
  private var cellPixels: CellSize?
  private var sixelColors = 256
  /// Whether what is drawn may be wiped out and drawn again without anybody seeing it.
  private(set) var synchronizesUpdates = false
  private var tmux = TmuxAnswer.due
  private var batchCount = 0
  private var hasAskedAll = false
  private let type: String

  private enum TmuxAnswer: Hashable {
    case due
    /// tmux did not answer: it runs on another machine, or is not installed here.
    case none
    case client(TmuxClient)
  }

  init(environment: [String: String]) {
    multiplexer = Multiplexer(environment: environment)
    // iTerm2 says so in the environment, over SSH too.
    let isITerm = environment["LC_TERMINAL"] == "iTerm2" || environment["TERM_PROGRAM"] == "iTerm.app"
    knowsITerm = multiplexer == nil && isITerm
    type = environment["TERM"] ?? "dumb"
    palette = type.hasPrefix("linux") ? Palettes.linux : Palettes.xterm
  }

  /// The capabilities of an output that is not a terminal.
  public static let unknown = Capabilities(environment: [:])

  /// Takes in an answer.
  mutating func add(_ reply: TerminalReply) {
    switch reply {
    case .deviceAttributes(let attributes): deviceAttributes.append(attributes)
    case .version(let version): self.version = version
    case .kitty(id: Questions.pixelsID, let isAccepted): acceptsKitty = isAccepted
    case .kitty(id: Questions.fileID, let isAccepted): readsFiles = isAccepted
    case .cellPixels(let width, let height):
      let size = CellSize(width: width, height: height)
      if size.isPlausible { cellPixels = size }
    case .sixelColors(let count): if (2...65_536).contains(count) { sixelColors = count }
    case .synchronizesUpdates(let does): synchronizesUpdates = does
    case .itermCellSize: knowsITerm = multiplexer == nil
    case .background(let red, let green, let blue): background = UInt32(red: red, green: green, blue: blue)
    case .paletteColor(let index, let red, let green, let blue):
      if palette.indices.contains(index) { palette[index] = UInt32(red: red, green: green, blue: blue) }
    case .kitty, .other: break
    }
  }

  /// Takes in what tmux answered; nil if it did not.
  mutating func add(_ client: TmuxClient?) { tmux = client.map { .client($0) } ?? .none }

  private var isInTmux: Bool { multiplexer == .tmux }

  private var tmuxClient: TmuxClient? {
    if case .client(let client) = tmux { client } else { nil }
  }

  /// Name and version of the terminal that draws, even if tmux is in between.
  private var drawingTerminal: String { isInTmux ? tmuxClient?.version ?? "" : version }

  /// The terminal's own answer before the kernel's, which may include the window's borders.
  public var cellSize: CellSize { cellPixels ?? kernelCellSize ?? .standard }

  public var cellSizeSource: String {
    cellPixels != nil ? "as the terminal says" : kernelCellSize != nil ? "as the kernel says" : "supposed"
  }

  /// What shows images best; nil for characters. With the reason, as a clause about the terminal.
  public var best: (GraphicsProtocol?, reason: String) {
    switch multiplexer {
    case .screen: return (nil, "GNU screen passes no images on")
    case .tmux: return bestInTmux
    case nil: break
    }
    if acceptsKitty {
      return (kitty, hasPlaceholders ? "it knows kitty's images and their placeholders" : "it knows kitty's images")
    }
    if knowsITerm, version.hasPrefix("iTerm2") || !hasSixel { return (.iterm, "it is known to show iTerm2's images") }
    if hasSixel { return (sixel, "it reports sixels") }
    return (nil, deviceAttributes.isEmpty ? "it has not answered" : "it reports no graphics protocol")
  }

  /// What the user can do for better images; nil if nothing is known that would help.
  public var advice: String? {
    guard isInTmux, let client = tmuxClient, !client.isNested else { return nil }
    if hasPlaceholders {
      if !client.passesThrough { return "put “set -g allow-passthrough on” into tmux's configuration" }
      if !client.hasTruecolor {
        return "put “set -as terminal-features ',\(client.name):RGB'” into tmux's configuration, and attach again"
      }
    } else if client.features.contains("sixel") {
      return "--pictures sixel tries sixels, which tmux may draw slowly or lose"
    }
    return nil
  }

  /// Sixels are left to the user: tmux loses them or lets them pile up, and can take minutes for one.
  private var bestInTmux: (GraphicsProtocol?, reason: String) {
    switch tmux {
    case .due: return (nil, "tmux has not answered yet")
    case .none: return (nil, "tmux does not say which terminal it is in; it may run on another machine")
    case .client(let client):
      if client.name.isEmpty { return (nil, "tmux is not attached to a terminal") }
      if client.isNested { return (nil, "tmux runs in another multiplexer") }
      if client.version.isEmpty { return (nil, "tmux does not know the version of its terminal, \(client.name)") }
      guard hasPlaceholders else {
        return (nil, "in tmux only kitty (since 0.28) and Ghostty keep images in their place, not \(client.version)")
      }
      guard client.passesThrough else { return (nil, "tmux passes no images on") }
      guard client.hasTruecolor else { return (nil, "tmux takes its terminal, \(client.name), to have few colors") }
      return (kitty, "tmux passes images on, and its terminal knows kitty's placeholders")
    }
  }

  /// Name and version of the terminal (XTVERSION), and of tmux if that is in between; nil if neither is known.
  public var terminalName: String? {
    let client = tmuxClient.map { $0.version.isEmpty ? $0.name : $0.version } ?? ""
    let names = [version, client].filter { !$0.isEmpty }
    return names.isEmpty ? nil : names.joined(separator: ", in ")
  }

  /// The protocols as they are used if the user insists on one. In tmux nothing but placeholders can work.
  public var kitty: GraphicsProtocol {
    .kitty(hasPlaceholders: hasPlaceholders || isInTmux, isLocal: readsFiles, isInTmux: isInTmux)
  }
  public var sixel: GraphicsProtocol { .sixel(colors: sixelColors) }

  private var hasSixel: Bool {
    // 4 is sixels (DEC STD 070).
    !TerminalKind.isSimple(type) && deviceAttributes.contains { $0.contains(4) }
  }

  private var hasPlaceholders: Bool {
    if drawingTerminal.hasPrefix("ghostty") { return true }
    guard drawingTerminal.hasPrefix("kitty(") else { return false }
    // Since kitty 0.28.
    let numbers = drawingTerminal.drop { !$0.isNumber }.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0] > 0 || numbers[1] >= 28)
  }

  /// Whether it draws sextants (Unicode 13) itself, whatever its font has.
  public var drawsSextants: Bool {
    ["kitty(", "foot(", "ghostty", "WezTerm", "VTE(", "contour"].contains(where: drawingTerminal.hasPrefix)
  }
}

// MARK: - Asking

extension Capabilities {
  /// The number of batches whose last question, which every terminal answers, has not been answered.
  var missingAnswers: Int { max(0, batchCount - deviceAttributes.count) }

  /// Whether nothing more is to be expected.
  var isComplete: Bool { batchCount > 0 && missingAnswers == 0 && !mustAskMore && !(isInTmux && tmux == .due) }

  /// The questions to send next: at the start, and whenever ``missingAnswers`` has come down to 0.
  ///
  /// Some terminals print questions that they do not know as text. So the first batch has only what such terminals
  /// take, unless TERM says more of them, and the answers show whether there is a second batch.
  /// - Parameters:
  ///   - file: Makes the file for the terminal to read; called only if it is asked about that.
  ///   - asksPalette: Whether the first 16 colors are needed.
  /// - Returns: nil if there is nothing left to ask.
  mutating func nextQuestions(file: () -> String?, asksPalette: Bool) -> [UInt8]? {
    guard batchCount == 0 || missingAnswers == 0 && mustAskMore else { return nil }
    let isFirst = batchCount == 0
    batchCount += 1
    var questions = ""
    if isFirst != TerminalKind.isSimple(type) {
      questions += Questions.window
      if multiplexer != .screen { questions += Questions.sizes + (asksPalette ? Questions.palette : "") }
    }
    if !isFirst || takesAllQuestions {
      hasAskedAll = true
      if !TerminalKind.isSimple(type) { questions += Questions.graphics(file: file()) }
    }
    return Array((questions + Questions.end).utf8)
  }

  private var mustAskMore: Bool {
    guard multiplexer == nil, !hasAskedAll, batchCount > 0 else { return false }
    if TerminalKind.isSimple(type) {
      // From the VT200s on (62) terminals recognize OSC, and pass over those that they do not know. An emulator may call
      // itself vt100; the Linux console answers with 6.
      return deviceAttributes.contains { (62..<100).contains($0.first ?? 0) }
    }
    // Neovim's terminal prints the questions about graphics. Terminals that tell their names (XTVERSION) do not, and of
    // these some have none of what is asked.
    return !version.isEmpty && !["XTerm(", "VTE(", "libvterm"].contains(where: version.hasPrefix)
  }

  /// Whether TERM alone tells that the terminal prints no question.
  private var takesAllQuestions: Bool {
    multiplexer == nil
      && ["xterm-kitty", "xterm-ghostty", "ghostty", "foot", "wezterm", "konsole", "contour"]
        .contains(where: type.hasPrefix)
  }
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
  /// 0xRRGGBB of parts from 0 to 1.
  init(red: Double, green: Double, blue: Double) {
    self = [red, green, blue].reduce(0) { $0 << 8 | UInt32((Swift.min(1, Swift.max(0, $1)) * 255).rounded()) }
  }
}
