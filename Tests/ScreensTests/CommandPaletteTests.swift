import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) struct CommandPaletteTests {
  private final class Log {
    var entries: [String] = []
  }

  private let log = Log()

  private func open(place: String = "Wall", window: [Action] = [], _ actions: [Action]) -> FindPopup {
    let actions = GalleryWindow.Actions(window: window, layer: actions)
    let palette = FindPopup.commands(of: place, actions, keys: .standard) { [log] in log.entries.append("ran \($0)") }
    palette.onClose = { [log] in log.entries.append("closed") }
    return palette
  }

  private func open(_ commands: Command...) -> FindPopup { open(commands.map { Action($0) {} }) }

  private func type(_ text: String, into palette: FindPopup) {
    for character in text { #expect(palette.type(.key(.character(character))), "\(character)") }
  }

  /// Returns the field and the lines below it.
  private func lines(_ palette: FindPopup, columns: Int = 70, rows: Int = 30) -> [String] {
    palette.drawing(columns: columns, rows: rows).boxLines
  }

  @Test func allCommandsAreListedWithTheirKeysAndThoseOfThePlaceComeFirst() {
    let table = CommandTable.standard
    let lines = lines(open(.press, .follow, .moveUp), rows: 240)
    #expect(
      lines.prefix(4) == [
        "Type a command", "Wall", "Enter, →, l   Open highlighted row", "f             Follow a member",
      ])
    #expect(
      lines[4...6] == ["Moving", "↑, k          Move up", "↓, j          Move down                      Not here."])
    for binding in table.bindings {
      let keys = table.keyNames(of: binding.command).joined(separator: ", ")
      let line = lines.first { $0.contains("  \(binding.title)") && $0.hasPrefix(CellText(keys).string) }
      #expect(line != nil, "\(binding.title)")
    }
    #expect(lines.last?.hasPrefix("q             Quit Tintype") == true)
  }

  /// A command that the place does not know says where it is known.
  @Test(arguments: [
    ("Photos", "zoom in", "In the viewer."), ("Photos", "keep the", "In a comparison."),
    ("Photos", "stop loading", "Not now."), ("Photos", "rate 1", "Not now."), ("Viewer", "zoom to fill", "Not now."),
    ("Viewer", "sort", "In Photos."), ("Wall", "rate 1", "In Photos."), ("Wall", "go to last", "Not here."),
  ])
  func aCommandOfAnotherPlaceSaysWhere(place: String, text: String, reason: String) {
    let palette = open(place: place, [Action(.reload) {}])
    type(text, into: palette)
    #expect(lines(palette)[1].hasSuffix(reason))
    #expect(palette.refusal(of: .press) == reason)
  }

  @Test func aTextFindsCommandsAndTheBestIsHighlighted() {
    let palette = open(.nextFound, .nextPhoto, .zoomIn, .moveDown, .redraw)
    // Of equal matches, those that are possible come first.
    type("next", into: palette)
    #expect(
      lines(palette).prefix(3).map { String($0.prefix(32)) }
        == ["next", "n             Next match", "n, →, PgDn    Next photo"].map { CellText($0).string })
    #expect(lines(palette)[3].hasSuffix("Not here."))
    #expect(palette.type(.key(.control("w"))))
    // Letters may be scattered in a word. Words are in any order.
    type("scn red", into: palette)
    #expect(lines(palette) == ["scn red", "Ctrl-l        Redraw screen"])
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran redraw"])
  }

  /// Letters with and without Shift are different keys.
  @Test(arguments: ["n", "N", "s", "S"]) func theNameOfAKeyIsTheBestMatch(key: String) {
    let palette = open()
    type(key, into: palette)
    #expect(lines(palette)[1].hasPrefix("\(key) ") || lines(palette)[1].hasPrefix("\(key), "))
  }

  @Test(arguments: [("retry", "r"), ("half down", "Ctrl-d"), ("ctrl-d", "Ctrl-d"), ("!", "!"), ("unfollow", "f")])
  func aTextFindsKeys(text: String, key: String) {
    let palette = open()
    type(text, into: palette)
    #expect(lines(palette).count == 2 && lines(palette)[1].hasPrefix("\(key) "))
  }

  @Test func ofEqualMatchesTheShortestTitleComesFirst() {
    let palette = open(.halfPageUp, .pageUp)
    type("up a page", into: palette)
    #expect(lines(palette) == ["up a page", "PgUp, Ctrl-b  Up a page", "Ctrl-u        Up half a page"])
  }

  /// A move to a line that is refused runs nothing.
  @Test(arguments: [
    ([Command.moveDown, .press], "reload"), ([.moveDown, .moveUp, .press], "view"), ([.moveUp, .press], "view"),
    ([.pageDown, .moveToFirst, .press], "view"), ([.moveToLast, .press], nil),
  ])
  func aCommandIsChosenByMovingToIt(moves: [Command], command: String?) {
    let palette = open(.view, .reload, .sort)
    _ = palette.drawing()
    for move in moves where palette.offers(move) { palette.perform(move) }
    #expect(log.entries == (command.map { ["closed", "ran \($0)"] } ?? []))
  }

  @Test func theBestMatchIsHighlightedAgainWhenTheTextChanges() {
    let palette = open(.zoomIn, .zoomOut, .zoomToFill)
    palette.perform(.moveToLast)
    type("zoom", into: palette)
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran zoomIn"])
  }

  @Test func theTabKeyCompletesTheTitle() {
    let palette = open(.halfPageUp, .pageUp, .redraw)
    type("pag", into: palette)
    palette.perform(.switchWindow)
    #expect(lines(palette).first == "Up a page")
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran pageUp"])
  }

  @Test func aCommandThatIsRefusedGivesTheReason() {
    let palette = open([Action(.view) {}, Action(.nextFound, refusal: "No search yet.") {}])
    palette.perform(.moveDown)
    #expect(lines(palette)[3].hasSuffix("No search yet."))
    #expect(palette.refusal(of: .press) == "No search yet." && palette.warning == nil)
    // A narrow screen has no room for the reason in the line. The footer gives it.
    #expect(lines(palette, columns: 30)[3] == "n          Next match")
    #expect(palette.warning == "No search yet.")
    palette.perform(.moveUp)
    _ = palette.drawing(columns: 30)
    #expect(palette.warning == nil)
  }

  /// Users type what other programs call a command.
  @Test(arguments: [
    ("export", Command.exportPhotos), ("delete", .reject), ("map", .photoMap), ("openstreetmap", .map),
    ("folder", .places), ("grid", .contactSheet),
    ("undelete", nil),
  ])
  func aCommandIsFoundByOtherWords(text: String, command: Command?) {
    let palette = open(Command.allCases.map { Action($0) {} })
    type(text, into: palette)
    if palette.offers(.press) { palette.perform(.press) }
    #expect(log.entries.last == command.map { "ran \($0)" })
  }

  @Test func shortcutsAreListedBelowTheirHeadings() {
    let shortcuts = [Shortcut(title: "Edit", keys: [Key(.function(12))]) { [log] in log.entries.append("edits") }]
    let palette = FindPopup.commands(
      of: "Photos", .init(window: [], layer: []), shortcuts: [("Own commands", shortcuts), ("Searches", [])],
      keys: .standard
    ) { _ in }
    palette.perform(.moveToLast)
    #expect(lines(palette).suffix(2) == ["Own commands", "F12           Edit"])
    palette.perform(.press)
    #expect(log.entries == ["edits"])
  }

  @Test func controlUClearsTheFieldAndElseMoves() {
    let palette = open(.view)
    type("xyz", into: palette)
    #expect(palette.type(.key(.control("u"))))
    #expect(lines(palette).prefix(3) == ["Type a command", "Wall", "v             View full-screen"])
    #expect(!palette.type(.key(.control("u"))))
  }

  @Test func escapeClearsTheTextFirst() {
    let palette = open(.view)
    type("zoo", into: palette)
    #expect(palette.label(of: .close) == "Clear")
    palette.perform(.close)
    #expect(log.entries == [] && lines(palette).first == "Type a command")
    #expect(palette.label(of: .close) == nil)
    palette.perform(.close)
    #expect(log.entries == ["closed"])
  }

  /// With a text, those of the keys that open the list that type something are typed.
  @Test(arguments: [("?" as Key, false), (":", false), (Key(.function(1)), true)])
  func theKeysThatOpenTheListCloseIt(key: Key, closesWithText: Bool) {
    let palette = open(.view)
    #expect(!palette.type(.key(key)))
    palette.perform(.help)
    #expect(log.entries == ["closed"])
    type("x", into: palette)
    #expect(palette.type(.key(key)) != closesWithText)
  }

  @Test func nothingIsRunIfNothingIsFound() {
    let palette = open(.view)
    type("xyz", into: palette)
    #expect(lines(palette)[1] == "No command matches “xyz”.")
    #expect(palette.refusal(of: .press) == "No command matches “xyz”.")
    #expect(palette.refusal(of: .switchWindow) == "No command matches “xyz”.")
  }

  @Test func aClickRunsACommandOrClosesThePalette() throws {
    let palette = open(.view, .reload)
    let drawing = palette.drawing()
    let row = try #require(drawing.line(with: "Reload and retry"))
    palette.handle(Mouse(.press, column: 35, row: try #require(drawing.line(with: "Type a command"))))
    palette.handle(Mouse(.press, column: 35, row: try #require(drawing.line(with: "Wall"))))
    #expect(log.entries == [])
    // A line that is refused is highlighted.
    palette.handle(Mouse(.press, column: 35, row: try #require(drawing.line(with: "Move down"))))
    #expect(log.entries == [] && palette.refusal(of: .press) == "Not here.")
    palette.handle(Mouse(.press, column: 35, row: row))
    #expect(log.entries == ["closed", "ran reload"])
    palette.handle(Mouse(.press, column: 0, row: 0))
    #expect(log.entries == ["closed", "ran reload", "closed"])
  }

  /// The heading of the first line's section stays in view.
  @Test func aLowScreenShowsTheHighlightedCommand() {
    let palette = open(window: [Action(.redraw) {}, Action(.quit) {}], [])
    #expect(lines(palette, columns: 40, rows: 11).count == 9)
    palette.perform(.moveToLast)
    let end = lines(palette, columns: 40, rows: 11)
    #expect(end[1].hasPrefix("General ") && end.last == "q             Quit Tintype")
    palette.handle(Mouse(.wheelUp, column: 20, row: 5))
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran redraw"])
  }

  @Test func theAnnouncementHasTheSectionAndTheNumberOfTheLine() {
    let palette = open(.press, .follow)
    let count = CommandTable.standard.bindings.count
    #expect(
      palette.announcement
        == "Commands: Type a command · 1 of \(count): Wall, Open highlighted row, Enter, \(Key(.right).name), l")
    palette.perform(.moveDown)
    #expect(palette.announcement == "Commands: Type a command · 2 of \(count): Follow a member, f")
  }
}
