/// How a terminal shows pictures as pixels.
public enum GraphicsProtocol: Hashable, Sendable {
  /// The kitty graphics protocol; `isLocal` where the terminal reads this machine's files.
  case kitty(hasPlaceholders: Bool, isLocal: Bool, isInTmux: Bool)
  /// Sixels, in so many colours.
  case sixel(colors: Int)
  case iterm
}

/// What the terminal answered to the program's questions, and what follows from it.
public struct Capabilities: Hashable, Sendable {
  /// What the terminal's questions and pictures have to go through; nil where it is asked itself.
  public let multiplexer: Multiplexer?
  /// What the kernel says of a cell's size.
  var kernelCellSize: CellSize?
  /// The names and versions given (XTVERSION): tmux's, then the terminal's.
  public private(set) var versions: [String] = []
  private var deviceAttributes: [[Int]] = []
  private var acceptsKitty = false
  private var readsFiles = false
  private var knowsITerm = false
  private var cellPixels: CellSize?
  private var sixelColors = 256
  /// Whether what is drawn may be wiped out and drawn again without anybody seeing it.
  private(set) var synchronizesUpdates = false

  init(environment: [String: String]) {
    multiplexer = Multiplexer(environment: environment)
    // iTerm2 says so to whoever asks the environment, over SSH too.
    let isITerm = environment["LC_TERMINAL"] == "iTerm2" || environment["TERM_PROGRAM"] == "iTerm.app"
    knowsITerm = multiplexer == nil && isITerm
  }

  /// Those of an output that is no terminal.
  public static let unknown = Capabilities(environment: [:])

  /// Takes in an answer.
  mutating func add(_ reply: TerminalReply) {
    switch reply {
    case .deviceAttributes(let attributes): deviceAttributes.append(attributes)
    case .version(let version): versions.append(version)
    case .kitty(id: Questions.pixelsID, let isAccepted): acceptsKitty = isAccepted
    case .kitty(id: Questions.fileID, let isAccepted): readsFiles = isAccepted
    case .cellPixels(let width, let height):
      let size = CellSize(width: width, height: height)
      if size.isPlausible { cellPixels = size }
    case .sixelColors(let count): if (2...65_536).contains(count) { sixelColors = count }
    case .synchronizesUpdates(let does): synchronizesUpdates = does
    case .itermCellSize: knowsITerm = multiplexer == nil
    case .kitty, .background, .other: break
    }
  }

  /// How often the last question, which every terminal answers, has not been answered yet: in tmux it is asked once
  /// more of the terminal behind it.
  var missingAnswers: Int { max(0, (isInTmux ? 2 : 1) - deviceAttributes.count) }

  private var isInTmux: Bool { multiplexer == .tmux }

  /// The terminal that draws, not tmux before it.
  private var terminal: String { versions.last { !$0.hasPrefix("tmux") } ?? "" }

  /// The terminal's own answer before the kernel's, which may count the window's borders in.
  public var cellSize: CellSize { cellPixels ?? kernelCellSize ?? .standard }

  public var cellSizeSource: String {
    cellPixels != nil ? "as the terminal says" : kernelCellSize != nil ? "as the kernel says" : "supposed"
  }

  /// What shows pictures best; nil for characters. With the reason, as a sentence about the terminal.
  public var best: (GraphicsProtocol?, reason: String) {
    if multiplexer == .screen { return (nil, "GNU screen passes no pictures on") }
    if acceptsKitty, !isInTmux || hasPlaceholders {
      return (kitty, hasPlaceholders ? "it knows kitty's pictures and their placeholders" : "it knows kitty's pictures")
    }
    if knowsITerm, terminal.hasPrefix("iTerm2") || !hasSixel {
      return (.iterm, "it is known to show iTerm2's pictures")
    }
    if hasSixel { return (sixel, "it says that it shows sixels") }
    if isInTmux, missingAnswers > 0 {
      return (nil, "tmux passes no pictures on; put “set -g allow-passthrough on” into its configuration")
    }
    return (nil, deviceAttributes.isEmpty ? "it has not answered" : "it says nothing of pictures")
  }

  /// The name and version that the terminal gives (XTVERSION), as printable text is to be made of it.
  public var terminalName: String? { versions.isEmpty ? nil : versions.joined(separator: ", in ") }

  /// The protocols as they would be used if the person insists on one.
  public var kitty: GraphicsProtocol {
    .kitty(hasPlaceholders: hasPlaceholders, isLocal: readsFiles, isInTmux: isInTmux)
  }
  public var sixel: GraphicsProtocol { .sixel(colors: sixelColors) }

  private var hasSixel: Bool {
    // 4 is sixels (DEC STD 070). tmux says so for itself: what counts is whether the terminal behind it says so too.
    missingAnswers == 0 && deviceAttributes.allSatisfy { $0.contains(4) }
  }

  private var hasPlaceholders: Bool {
    if terminal.hasPrefix("ghostty") { return true }
    guard terminal.hasPrefix("kitty(") else { return false }
    // Since kitty 0.28.
    let numbers = terminal.drop { !$0.isNumber }.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0] > 0 || numbers[1] >= 28)
  }

  /// Whether it draws sextants (Unicode 13) itself, whatever its font has.
  public var drawsSextants: Bool {
    ["kitty(", "foot(", "ghostty", "WezTerm", "VTE(", "contour"].contains(where: terminal.hasPrefix)
  }
}

/// What the terminal is asked at the start, in one batch.
enum Questions {
  static let pixelsID = 31
  static let fileID = 32

  /// The background's colour (OSC 11), name and version (XTVERSION), whether it knows kitty's pictures and (if there is
  /// a `file`) reads them from files, the number of sixel colours (XTSMGRAPHICS), a cell's pixels, whether it
  /// holds back unfinished frames (DECRQM). What every terminal
  /// answers, its attributes (DA1), comes last: behind it nothing is to be waited for.
  static func batch(through multiplexer: Multiplexer?, file: String?) -> [UInt8] {
    var kitty = "\u{1B}_Gi=\(pixelsID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    if let file { kitty += "\u{1B}_Gi=\(fileID),s=1,v=1,a=q,t=t,f=24;\(file)\u{1B}\\" }
    let own = "\u{1B}]11;?\u{1B}\\\u{1B}[>0q"
    let iterm = "\u{1B}]1337;ReportCellSize\u{07}"
    let rest = "\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[?2026$p"
    // To screen, what begins as a picture is a line of status, and the other's answers would say nothing of it.
    if multiplexer == .screen { return Array((own + "\u{1B}[c").utf8) }
    guard multiplexer == .tmux else { return Array((own + kitty + iterm + rest + "\u{1B}[c").utf8) }
    let others = ["\u{1B}[>0q"] + kitty.split(separator: "\u{1B}\\").map { "\($0)\u{1B}\\" } + ["\u{1B}[c"]
    // tmux's own first.
    return Array((own + rest + "\u{1B}[c").utf8) + others.flatMap { Passthrough.wrapped($0) }
  }
}
