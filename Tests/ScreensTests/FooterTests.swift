import Terminal
import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct FooterTests {
  private func hints(
    _ commands: [Command], of actions: [Action], keys: CommandTable = .standard, isTyping: Bool = false
  ) -> [FooterHint] {
    FooterHint.hints(commands, of: actions, keys: keys, isTyping: isTyping)
  }

  private func layout(_ commands: [Command], columns: Int) -> FooterLayout {
    FooterLayout(hints(commands, of: commands.map { Action($0) {} }), columns: columns)
  }

  private func texts(_ hints: [FooterHint]) -> [String] {
    hints.map { hint in hint.keys.map(\.name).joined() + " " + hint.label }
  }

  @Test func onlyPossibleCommandsAreOffered() {
    let actions = [Action(.view) {}, Action(.reload, refusal: "Already loading.") {}]
    #expect(texts(hints([.view, .reload, .sort], of: actions)) == ["v View"])
  }

  @Test func anActionsLabelReplacesTheTables() {
    #expect(texts(hints([.press], of: [Action(.press, label: "Follow") {}])) == ["Enter Follow"])
  }

  @Test func aReboundKeyShowsInItsHint() {
    var keys = CommandTable.standard
    keys.bind(.view, to: ["w"])
    #expect(texts(hints([.view], of: [Action(.view) {}], keys: keys)) == ["w View"])
  }

  @Test func keysThatWouldBeTypedAreNotOfferedInATextField() {
    let commands: [Command] = [.press, .search, .close, .help]
    let typing = hints(commands, of: commands.map { Action($0) {} }, isTyping: true)
    #expect(texts(typing) == ["Enter Open", "Esc Back"])
  }

  /// The last hint is dropped first, but the arrows before it. The ways out stay.
  @Test(arguments: [
    (60, ["↑↓ Move", "Enter Open", "v View", "? Help", "q Quit"], 3),
    (43, ["↑↓ Move", "Enter Open", "v View", "? Help", "q Quit"], 2),
    (42, ["Enter Open", "v View", "? Help", "q Quit"], 3),
    (32, ["Enter Open", "? Help", "q Quit"], 3),
    (20, ["? Help", "q Quit"], 3),
    (1, ["q Quit"], 2),
  ])
  func hintsThatDoNotFitAreDropped(columns: Int, remaining: [String], gap: Int) {
    let layout = layout([.moveUp, .press, .view, .help, .quit], columns: columns)
    #expect(texts(layout.hints.map(\.hint)) == remaining)
    for (hint, next) in zip(layout.hints, layout.hints.dropFirst()) {
      #expect(next.column == hint.column + hint.hint.width + gap)
    }
  }

  /// "1-5 Rate   X Reject │ ↑↓ Move   q Quit" takes 38 columns, and 36 with narrower gaps.
  @Test(arguments: [(38, 3), (37, 2), (36, 2)]) func decisionsComeFirst(columns: Int, gap: Int) {
    let layout = layout([.moveUp, .rateOne, .reject, .quit], columns: columns)
    #expect(texts(layout.hints.map(\.hint)) == ["1-5 Rate", "X Reject", "↑↓ Move", "q Quit"])
    #expect(layout.divider == 8 + gap + 8 + 1)
    #expect(layout.hints.map(\.column) == [0, 8 + gap, 19 + gap, 26 + 2 * gap])
    // A click can't choose a key of a range.
    #expect(layout.command(at: 2) == nil && layout.command(at: 8 + gap) == .reject)
  }

  @Test func aHalfAloneHasNoLine() {
    #expect(layout([.rateOne, .reject], columns: 60).divider == nil)
    #expect(layout([.moveUp, .quit], columns: 60).divider == nil)
  }

  @Test func aClickOnAHintGivesItsCommand() {
    let layout = layout([.moveUp, .view], columns: 40)
    // "↑↓ Move   v View"
    let commands = (0...16).map { layout.command(at: $0) }
    #expect(commands[0] == .moveUp)
    #expect(Set(commands[1...6]) == [.moveDown])
    #expect(Set(commands[7...9]) == [nil])
    #expect(Set(commands[10...15]) == [.view])
    #expect(commands[16] == nil)
  }
}

@Suite(.limited) struct HeaderTests {
  /// The title, the names and the blank columns behind them take 32 columns, without the title 22, and the title and the
  /// current name 16.
  private let tabs = [
    [.title] + ["Photos", "Wall", "Prints"].map { HeaderPart(text: $0) },
    ["Photos", "Wall", "Prints"].map { HeaderPart(text: $0) },
    [.title, HeaderPart(text: "Wall")],
  ]

  private func layout(_ status: [String] = [], columns: Int) -> HeaderLayout {
    HeaderLayout(tabs, status: status.map { StatusPart(text: $0) }, columns: columns)
  }

  @Test func allPartsAreShownIfTheyFit() {
    // "Tintype   Photos  Wall  Prints"
    let wide = layout(columns: 32)
    #expect(wide.parts.map(\.part.text) == ["Tintype", "Photos", "Wall", "Prints"])
    #expect(wide.parts.map(\.column) == [0, 10, 18, 24])
    let parts = [9, 10, 15, 16, 18, 29, 30].map { wide.part(at: $0)?.text }
    #expect(parts == [nil, "Photos", "Photos", nil, "Wall", "Prints", nil])
  }

  /// A name in another language may lack the letter of the key.
  @Test(arguments: [("Photos", "p", "Photos"), ("Fotos", "p", "Fotos p"), ("相片", "p", "相片 p"), ("相片", nil, "相片")])
  func aTabShowsTheLetterThatLeadsToIt(name: String, letter: Character?, text: String) {
    #expect(HeaderPart.tab(name, letter: letter, isCurrent: false) {}.text == text)
  }

  @Test func aNarrowHeaderHasTheNextChoice() {
    for columns in [31, 22] { #expect(layout(columns: columns).parts.map(\.column) == [0, 8, 14]) }
    let narrow = layout(columns: 21)
    #expect(narrow.parts.map(\.part.text) == ["Tintype", "Wall"] && narrow.parts.map(\.column) == [0, 10])
  }

  @Test(arguments: [
    (52, "3 marked · 36 photos", 4), (51, "3 marked", 4), (40, "3 marked", 4), (39, "3 marked", 3), (30, "3 marked", 3),
    (29, "3 marked", 2), (23, nil, 2),
  ])
  func theStatusLosesItsLastPartsFirst(columns: Int, text: String?, parts: Int) {
    let layout = layout(["3 marked", "36 photos"], columns: columns)
    #expect(layout.status?.string == text && layout.parts.count == parts)
  }

  /// A folder may be called as the order is, or have the sign that separates the parts.
  @Test func aPartOfTheStatusIsNoOtherOneOfTheSameText() {
    let parts = [
      StatusPart(text: "by date · 2024"), StatusPart(text: "by date"), StatusPart(text: "by date", command: .sort),
    ]
    let layout = HeaderLayout(tabs, status: parts, columns: 80)
    #expect(layout.status?.string == "by date · 2024 · by date · by date")
    #expect(
      [46, 59, 60, 63, 70, 73, 79].map { layout.statusPart(at: $0) }
        == [0, 0, nil, 1, nil, 2, 2].map { $0.map { parts[$0] } })
  }

  @Test func thePartsOfTheStatusAreKnownByTheirColumns() {
    // "3 marked · by date" at the end of 60 columns.
    let layout = layout(["3 marked", "by date", "36 photos, which do not fit"], columns: 60)
    let parts = [41, 42, 49, 50, 52, 53, 59, 60].map { layout.statusPart(at: $0)?.text }
    #expect(parts == [nil, "3 marked", "3 marked", nil, nil, "by date", "by date", nil])
  }
}

@Suite(.limited) struct WindowLayoutTests {
  @Test(arguments: [(6, 1, 4), (11, 1, 9), (12, 2, 9), (19, 2, 16), (20, 2, 16), (36, 2, 32)])
  func lowScreensHaveFewerBlankRows(rows: Int, header: Int, body: Int) throws {
    let layout = try #require(WindowLayout(of: Rect(column: 0, row: 0, columns: 80, rows: rows)))
    #expect(layout.header.rows == header)
    #expect(layout.body.rows == body)
    #expect(layout.body.row == header)
    #expect(layout.footer.row == rows - 1)
    #expect(layout.aboveFooter.rows == rows - 1)
  }

  @Test(arguments: [(19, 6), (20, 5)])
  func aScreenThatIsTooSmallHasNoLayout(columns: Int, rows: Int) {
    #expect(WindowLayout(of: Rect(column: 0, row: 0, columns: columns, rows: rows)) == nil)
  }
}
