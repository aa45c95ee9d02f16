import Foundation
import ImageWire
import Testing

@testable import Terminal

extension Capabilities {
  /// The format that the table chooses; nil for characters.
  var bestPixels: OutputFormat? {
    let format = OutputChoice.auto.format(on: self, depth: .truecolor, charset: .unicode)
    if case .symbols = format { return nil }
    return format
  }
}

/// What the answers of real terminals lead to.
@Suite struct CapabilitiesTests {
  private func capabilities(
    _ answers: [String], environment: [String: String] = ["TERM": "xterm-256color"]
  ) -> Capabilities {
    var capabilities = Capabilities(environment: environment)
    var parser = InputParser()
    for case .reply(let reply) in parser.feed(answers.joined().utf8) { capabilities.add(reply) }
    return capabilities
  }

  private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\"
  private static func kitty(hasPlaceholders: Bool) -> OutputFormat {
    .kitty(KittyTransfer(hasPlaceholders: hasPlaceholders, isLocal: false, isInTmux: false))
  }

  private static let file = "\u{1B}_Gi=32;OK\u{1B}\\"

  private static func version(_ name: String) -> String { "\u{1B}P>|\(name)\u{1B}\\" }

  @Test(
    arguments: [
      ([version("XTerm(379)"), "\u{1B}[?64;1;2;6;9;15c"], nil),
      ([version("XTerm(379)"), "\u{1B}[?1;0;1024S", "\u{1B}[?63;1;2;4;6c"], .sixel(colors: 1024)),
      (
        [version("kitty(0.26.5)"), kitty, file, "\u{1B}[6;20;9t", "\u{1B}[?62;c"],
        .kitty(KittyTransfer(hasPlaceholders: false, isLocal: true, isInTmux: false))
      ),
      (
        [version("kitty(0.41.1)"), kitty, "\u{1B}_Gi=32;EBADF:no\u{1B}\\", "\u{1B}[?62;c"],
        .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isInTmux: false))
      ),
      ([version("foot(1.13.1)"), "\u{1B}[?1;0;1024S", "\u{1B}[?62;4;22c"], .sixel(colors: 1024)),
      (["\u{1B}[?1;0;1024S", "\u{1B}[?63;1;2;3;4;6;7c"], .sixel(colors: 1024)),
      (
        [version("Konsole 22.12.3"), kitty, "\u{1B}]1337;ReportCellSize=21.0;9.0;1.0\u{07}", "\u{1B}[?62;1;4c"],
        .kitty(KittyTransfer(hasPlaceholders: false, isLocal: false, isInTmux: false))
      ),
      ([version("iTerm2 3.4"), "\u{1B}]1337;ReportCellSize=21.0;9.0;1.0\u{07}", "\u{1B}[?62;4c"], .iterm),
      // Placeholders came with 0.28.
      ([version("kitty(0.27.1)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: false)),
      ([version("kitty(0.28.0)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: true)),
      ([version("kitty(0.9.1)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: false)),
      ([version("kitty(1.0.0)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: true)),
      ([version("ghostty 1.0.0"), kitty, "\u{1B}[?62;22c"], Self.kitty(hasPlaceholders: true)),
      ([], nil), (["\u{1B}[?62;22c"], nil),
    ] as [([String], OutputFormat?)])
  func theBestFormatIsChosen(answers: [String], best: OutputFormat?) {
    #expect(capabilities(answers).bestPixels == best)
  }

  /// A terminal that is asked, and answers each batch of questions.
  private func asked(
    _ environment: [String: String], answers: [String], asksPalette: Bool = false
  ) -> (capabilities: Capabilities, batches: [String]) {
    var (capabilities, parser, answers) = (Capabilities(environment: environment), InputParser(), answers[...])
    var batches: [String] = []
    while let questions = capabilities.nextQuestions(file: { "QQ==" }, asksPalette: asksPalette) {
      batches.append(String(decoding: questions, as: UTF8.self))
      for case .reply(let reply) in parser.feed((answers.popFirst() ?? "").utf8) { capabilities.add(reply) }
    }
    return (capabilities, batches)
  }

  @Test func answersAreCompleteWithTheLastQuestion() {
    var capabilities = Capabilities(environment: ["TERM": "xterm-256color"])
    #expect(!capabilities.isComplete)
    #expect(capabilities.nextQuestions(file: { nil }, asksPalette: false) != nil)
    capabilities.add(.version("Konsole 22.12.3"))
    #expect(capabilities.missingAnswers == 1)
    #expect(capabilities.nextQuestions(file: { nil }, asksPalette: false) == nil)
    capabilities.add(.deviceAttributes([62, 1, 4]))
    #expect(capabilities.missingAnswers == 0 && !capabilities.isComplete)
    #expect(capabilities.nextQuestions(file: { nil }, asksPalette: false) != nil)
    #expect(capabilities.missingAnswers == 1)
    capabilities.add(.deviceAttributes([62, 1, 4]))
    #expect(capabilities.isComplete)
  }

  /// Neovim's terminal prints the questions of the kitty protocol, and does not tell its name.
  @Test(arguments: [
    ("xterm-256color", ["\u{1B}[?1;2c"], 1, false),
    ("xterm-256color", [version("XTerm(379)") + "\u{1B}[?64;1c"], 1, false),
    ("xterm-256color", [version("WezTerm 2024") + "\u{1B}[?65;4c", "\u{1B}[?65;4c"], 2, true),
    ("xterm-kitty", ["\u{1B}[?62;c"], 1, true), ("foot", ["\u{1B}[?62;4c"], 1, true),
    ("screen", ["\u{1B}[?1;2c"], 1, false),
  ])
  func whatTheTerminalMayPrintIsAskedOnlyIfItIsKnown(type: String, answers: [String], count: Int, asks: Bool) {
    let (capabilities, batches) = asked(["TERM": type], answers: answers)
    #expect(batches.count == count && capabilities.isComplete)
    #expect(batches.allSatisfy { $0.hasSuffix("\u{1B}[c") })
    #expect(batches.joined().contains("\u{1B}_G") == asks)
    for question in ["\u{1B}_G", "\u{1B}]1337", "$p"] where count == 2 { #expect(!batches[0].contains(question)) }
  }

  /// The Linux console prints what it does not know; an xterm that is called vt100 does not.
  @Test(arguments: [("linux", "\u{1B}[?6c", 1), ("vt100", "\u{1B}[?1;2c", 1), ("vt100", "\u{1B}[?64;1c", 2)])
  func simpleTerminalsAreAskedForTheirAttributesAlone(type: String, attributes: String, count: Int) {
    let second = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}]4;7;rgb:eeee/eeee/eeee\u{1B}\\\u{1B}[?64;1c"
    let (capabilities, batches) = asked(["TERM": type], answers: [attributes, second], asksPalette: true)
    #expect(batches.first == "\u{1B}[c" && batches.count == count)
    #expect(!batches.joined().contains("\u{1B}_G"))
    #expect(capabilities.background == (count == 2 ? 0xFFFFFF : nil))
    if count == 2 { #expect(capabilities.palette[7] == 0xEEEEEE) }
  }

  @Test func paletteIsTheTerminalsElseThatOfItsKind() {
    #expect(Capabilities(environment: ["TERM": "xterm"]).palette[1] == 0xCD0000)
    #expect(Capabilities(environment: ["TERM": "linux"]).palette[3] == 0xAA5500)
    let (capabilities, batches) = asked(
      ["TERM": "xterm-16color"],
      answers: ["\u{1B}]4;1;rgb:12/34/56\u{07}\u{1B}]4;16;rgb:1/2/3\u{1B}\\\u{1B}[?64;1c"], asksPalette: true)
    #expect(batches[0].contains("\u{1B}]4;0;?\u{1B}\\") && batches[0].contains("\u{1B}]4;15;?\u{1B}\\"))
    #expect(capabilities.palette.count == 16 && capabilities.palette[1] == 0x123456)
    #expect(ColorDepth.palette8.colors(of: capabilities.palette).count == 8)
    #expect(ColorDepth.palette256.colors(of: capabilities.palette) == [])
  }

  @Test(
    arguments: [
      ([:], nil), (["TERM": "xterm-kitty"], nil), (["TERM": "tmux-256color"], .tmux),
      (["TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0"], .tmux),
      (["TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"], .tmux),
      (["TERM": "screen.xterm-256color"], .screen), (["TERM": "xterm-256color", "STY": "1.pts-0.host"], .screen),
      (["TERM": "screen", "TMUX": "", "STY": "1.pts-0.host"], .screen),
      // tmux in screen.
      (["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0", "STY": "1.pts-0.host"], .tmux),
    ] as [([String: String], Multiplexer?)])
  func multiplexerIsWhatTheEnvironmentSays(environment: [String: String], multiplexer: Multiplexer?) {
    #expect(Multiplexer(environment: environment) == multiplexer)
  }

  @Test func screenIsAskedForItselfAloneAndShowsCharacters() {
    let environment = ["TERM": "screen", "LC_TERMINAL": "iTerm2"]
    let screen = capabilities(["\u{1B}[?1;2;4c"], environment: environment)
    #expect(screen.bestPixels == nil && OutputFormatTable.best(on: screen).reason.contains("screen"))
    let questions = asked(environment, answers: ["\u{1B}[?1;2c"]).batches.joined()
    #expect(questions.hasSuffix("\u{1B}[c"))
    for passed in ["\u{1B}P", "\u{1B}_", "1337"] { #expect(!questions.contains(passed)) }
  }

  @Test func cellSizeIsTheTerminalsThenTheKernelsThenSupposed() {
    var known = capabilities(["\u{1B}[6;20;9t"])
    known.kernelCellSize = CellSize(width: 11, height: 21)
    #expect(known.cellSize == CellSize(width: 9, height: 20))
    // Sizes that no cell has.
    var absurd = capabilities(["\u{1B}[6;0;9t", "\u{1B}[6;99999;9t"])
    #expect(absurd.cellSize == .standard)
    absurd.kernelCellSize = CellSize(width: 11, height: 21)
    #expect(absurd.cellSize == CellSize(width: 11, height: 21))
  }
}

@Suite struct QuestionFileTests {
  @Test func aFileLeftUnderTheSameNumberIsReplaced() throws {
    let first = try #require(QuestionFile.make())
    defer { unlink(first) }
    #expect(QuestionFile.make() == first)
  }
}

/// Images over the cells: what is drawn, wiped out and left alone.
@MainActor
@Suite final class GraphicsBoardTests {
  private let board = GraphicsBoard()
  /// The cells over images that the last frame has to write again.
  private var covered: [Rect] = []
  private let size = Size(columns: 20, rows: 10)

  private func graphic(_ id: UInt32, _ delivery: Delivery) -> Graphic {
    Graphic(
      GraphicImage(columns: 6, rows: 4, width: 60, height: 80, bytes: Array("<\(id)>".utf8)), id: id, delivery: delivery)
  }

  private func frame(
    _ placed: [(Graphic, column: Int, row: Int)], cover: Rect? = nil, arrives: Bool = true,
    changes: (Int) -> ClosedRange<Int>? = { _ in nil }
  ) -> (before: String, after: String, transmissions: String, deletions: String) {
    board.beginFrame(size: size)
    for (graphic, column, row) in placed {
      board.place(graphic, in: Rect(column: column, row: row, columns: graphic.image.columns, rows: graphic.image.rows))
    }
    if let cover {
      for row in cover.row..<cover.endRow { board.cover(column: cover.column, row: row, columns: cover.columns) }
    }
    func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    var transmitted = ""
    for var transmission in board.transmissions() {
      while !transmission.isEmpty { transmitted += text(transmission.takePiece()) }
      if let id = transmission.id, arrives { _ = board.arrive(id) }
    }
    let output = board.endFrame(changes: changes)
    covered = output.covered
    return (text(output.before), text(output.placements + output.images), transmitted, text(output.deletions))
  }

  @Test func sixelIsDrawnOnceAndAgainWhenItWasCovered() {
    let image = graphic(9, .drawn)
    #expect(frame([(image, 2, 1)]).after == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8")
    #expect(frame([(image, 2, 1)]).after == "")
    // A popup over it, and gone: nothing is drawn over the popup, all of it when it has gone.
    #expect(frame([(image, 2, 1)], cover: Rect(column: 4, row: 2, columns: 9, rows: 2)).after == "")
    #expect(frame([(image, 2, 1)]).after == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8")
    // ncurses wrote over some of its blanks.
    #expect(frame([(image, 2, 1)], changes: { $0 == 3 ? 0...2 : nil }).after.contains("<9>"))
    #expect(frame([(image, 2, 1)], changes: { $0 == 3 ? 0...1 : nil }).after == "")
    board.invalidate()
    #expect(frame([(image, 2, 1)]).after.contains("<9>"))
  }

  @Test func aSixelThatComesUnderAPopupIsDrawnAndThePopupAgain() {
    let image = graphic(9, .drawn)
    let popup = Rect(column: 4, row: 2, columns: 9, rows: 2)
    #expect(frame([(image, 2, 1)], cover: popup).after == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8")
    #expect(covered == [2, 3].map { Rect(column: 4, row: $0, columns: 4, rows: 1) })
    // What is written into the popup alone does not hit the image.
    #expect(frame([(image, 2, 1)], cover: popup, changes: { $0 == 2 ? 4...7 : nil }).after == "")
    #expect(frame([(image, 2, 1)], cover: popup, changes: { $0 == 2 ? 3...7 : nil }).after.contains("<9>"))
    // Less of it is free now, then more.
    let larger = Rect(column: 3, row: 2, columns: 9, rows: 2)
    #expect(frame([(image, 2, 1)], cover: larger).after == "" && covered == [])
    #expect(frame([(image, 2, 1)], cover: popup).after.contains("<9>"))
    #expect(frame([(image, 2, 1)]).after.contains("<9>") && covered == [])
  }

  @Test func imagesThatWereBrokenOffAreDrawnAgain() {
    let (small, large) = (graphic(9, .drawn), graphic(1000, .drawn))
    let both = [(large, 12, 1), (small, 2, 1)]
    let first = frame(both).after
    #expect(first == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8\u{1B}7\u{1B}[2;13H<1000>\u{1B}8")
    #expect(frame(both).after == "")
    board.invalidate()
    #expect(frame(both).after == first)
    // All but the last byte.
    board.lose(.drawn(sent: first.utf8.count - 1))
    #expect(frame(both).after == "\u{1B}7\u{1B}[2;13H<1000>\u{1B}8")
    board.lose(.drawn(sent: 0))
    // What is gone by then may have been begun.
    let next = frame([(small, 2, 1)])
    #expect(next.after == "" && next.before.contains("[2;13H"))
  }

  @Test func anImageThatWasBrokenOffIsSentAgain() {
    let image = graphic(9, .placed(KittyCommands(isInTmux: false)))
    #expect(frame([(image, 2, 1)], arrives: false).transmissions == "<9>")
    board.lose(.transmitted(9))
    #expect(board.deletions().isEmpty)
    let again = frame([(image, 2, 1)])
    #expect(again.transmissions == "<9>" && again.after.contains("a=p,i=9"))
  }

  @Test func sixelThatGoesIsWipedOut() {
    _ = frame([(graphic(9, .drawn), 2, 1)])
    let next = frame([])
    #expect(next.before.components(separatedBy: "\u{1B}[m      \u{1B}8").count == 5)
    #expect(frame([]).before == "")
  }

  @Test func placedImageIsSentOnceAndShownInThePartsThatAreFree() {
    let image = graphic(9, .placed(KittyCommands(isInTmux: false)))
    let first = frame([(image, 2, 1)])
    #expect(first.transmissions == "<9>")
    #expect(first.after == "\u{1B}7\u{1B}[2;3H\u{1B}_Gq=2,a=p,i=9,p=65539,C=1\u{1B}\\\u{1B}8")
    let covered = frame([(image, 2, 1)], cover: Rect(column: 4, row: 2, columns: 9, rows: 1))
    #expect(covered.transmissions == "")
    #expect(covered.before == "\u{1B}_Gq=2,a=d,d=i,i=9,p=65539\u{1B}\\")
    #expect(covered.after.contains("a=p,i=9,p=65539,C=1,x=0,y=0,w=60,h=20"))
    #expect(covered.after.contains("a=p,i=9,p=131075,C=1,x=0,y=20,w=20,h=20"))
    #expect(covered.after.contains("a=p,i=9,p=196611,C=1,x=0,y=40,w=60,h=40"))
    let deletions = [65539, 131_075, 196_611].map { "\u{1B}_Gq=2,a=d,d=i,i=9,p=\($0)\u{1B}\\" }
    #expect(frame([]).before == deletions.joined())
    #expect(String(decoding: board.deletions(), as: UTF8.self) == "\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\\")
  }

  @Test func placedImageIsNotShownBeforeItHasArrived() {
    let image = graphic(9, .placed(KittyCommands(isInTmux: false)))
    let early = frame([(image, 2, 1)], arrives: false)
    #expect(early.transmissions == "<9>" && early.after == "")
    #expect(board.arrive(9), "a frame waits for it")
    let late = frame([(image, 2, 1)])
    #expect(late.transmissions == "" && late.after.contains("a=p,i=9"))
  }

  @Test(arguments: [false, true])
  func transmissionIsCutBetweenItsSequences(isInTmux: Bool) {
    let sequences = ["a=T,i=9,m=1;AAAA", "m=0;BBBB"].map {
      Passthrough.wrapped("\u{1B}_Gq=2,\($0)\u{1B}\\", isInTmux: isInTmux)
    }
    var transmission = Transmission(id: 9, sequences.flatMap(\.self))
    var pieces: [[UInt8]] = []
    while !transmission.isEmpty { pieces.append(Array(transmission.takePiece())) }
    #expect(pieces == sequences)
    var whole = Transmission(id: 9, sequences.flatMap(\.self), isWhole: true)
    #expect(Array(whole.takePiece()) == sequences.flatMap(\.self) && whole.isEmpty)
  }

  @Test func oneImageInTwoPlacesGoesFromOneAndStaysInTheOther() {
    let image = graphic(9, .placed(KittyCommands(isInTmux: false)))
    let both = frame([(image, 2, 1), (image, 12, 1)])
    #expect(both.transmissions == "<9>")
    for number in [65539, 65549] { #expect(both.after.contains("a=p,i=9,p=\(number),C=1")) }
    let one = frame([(image, 12, 1)])
    #expect(one.before == "\u{1B}_Gq=2,a=d,d=i,i=9,p=65539\u{1B}\\" && one.after == "")
    // From several places at once.
    _ = frame([(image, 2, 1), (image, 12, 1)])
    let none = frame([]).before
    for number in [65539, 65549] { #expect(none.contains("a=d,d=i,i=9,p=\(number)\u{1B}")) }
  }

  @Test func placedImagesGoWithTheScreenAndMustBeSentAnew() {
    var losses = 0
    board.onImagesLost = { losses += 1 }
    let (old, other) = (graphic(9, .placed(KittyCommands(isInTmux: false))), graphic(10, .placed(KittyCommands(isInTmux: false))))
    _ = frame([(old, 2, 1)])
    board.invalidate()
    #expect(losses == 1)
    let next = frame([(other, 2, 1)])
    #expect(next.transmissions == "\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\\<10>")
    #expect(next.after.contains("a=p,i=10"))
    board.invalidate()
    let again = frame([(other, 2, 1)])
    #expect(losses == 2)
    #expect(again.transmissions.hasSuffix("<10>") && again.after.contains("a=p,i=10"))
  }

  @Test func otherImagesOutliveTheScreen() {
    var losses = 0
    board.onImagesLost = { losses += 1 }
    board.beginFrame(size: size)
    board.use(graphic(9, .placeholders(KittyCommands(isInTmux: true))))
    _ = board.transmissions()
    board.invalidate()
    #expect(losses == 0 && frame([]).transmissions == "")
    // Until another program has had it.
    let deletion = String(decoding: board.reset(), as: UTF8.self)
    #expect(deletion == "\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\u{1B}\\\u{1B}\\")
    #expect(losses == 1 && board.deletions() == [])
  }

  @Test func placeholdersAreDeletedThroughTmuxWhenForgotten() {
    board.beginFrame(size: size)
    board.use(graphic(9, .placeholders(KittyCommands(isInTmux: true))))
    _ = board.transmissions()
    board.forget([9, 10])
    #expect(frame([]).deletions == "\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\u{1B}\\\u{1B}\\")
  }
}

@Suite struct PlaceholderTests {
  /// kitty's table has 297 marks, of which these are the first, one in the middle and the last.
  @Test func marksAreThoseOfKitty() {
    #expect(Placeholder.marks.count == 297)
    #expect(Placeholder.marks.prefix(5) == ["\u{305}", "\u{30D}", "\u{30E}", "\u{310}", "\u{312}"])
    #expect(Placeholder.marks[30] == "\u{483}")
    #expect(Placeholder.marks.last == "\u{1D244}")
  }
}
