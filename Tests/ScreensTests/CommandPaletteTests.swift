import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) struct CommandPaletteTests {
  private final class Log {
    var entries: [String] = []
  }

  private let log = Log()

  private func open(_ actions: [Action]) -> FindPopup {
    let palette = FindPopup.commands(CommandTable.standard.bindings, actions: actions, keys: .standard) { [log] in
      log.entries.append("ran \($0)")
    }
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

  @Test func theCommandsOfThePlaceAreListedInTheOrderOfTheTable() {
    let palette = open(.quit, .pageDown, .press, .wallRoom)
    #expect(
      lines(palette) == [
        "Type a command", "PgDn   Down a page", "Enter  Open highlighted row", "gw     Go to Wall",
        "q      Quit Tintype",
      ])
  }

  @Test func aTextFindsCommandsAndTheBestIsHighlighted() {
    let palette = open(.nextFound, .nextPhoto, .zoomIn, .moveDown, .redraw)
    type("ph", into: palette)
    #expect(lines(palette) == ["ph", "n       Next photo"])
    #expect(palette.type(.key(.control("w"))))
    // Letters may be scattered in a word. Words are in any order.
    type("scn red", into: palette)
    #expect(lines(palette) == ["scn red", "Ctrl-l  Redraw screen"])
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran redraw"])
  }

  @Test func theNameOfAKeyIsTheBestMatch() {
    let palette = open(.nextRoom, .nextFound, .previousFound, .sort)
    type("N", into: palette)
    #expect(lines(palette)[1] == "N  Previous match")
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran previousFound"])
  }

  @Test func ofEqualMatchesTheShortestTitleComesFirst() {
    let palette = open(.halfPageUp, .pageUp)
    type("up a page", into: palette)
    #expect(lines(palette) == ["up a page", "PgUp    Up a page", "Ctrl-u  Up half a page"])
  }

  @Test(arguments: [
    ([Command.moveDown, .press], "reload"), ([.moveToLast, .press], "sort"),
    ([.moveToLast, .moveUp, .press], "reload"),
    ([.moveUp, .press], "view"), ([.pageDown, .moveToFirst, .press], "view"),
  ])
  func aCommandIsChosenByMovingToIt(moves: [Command], command: String) {
    let palette = open(.view, .reload, .sort)
    _ = palette.drawing()
    for move in moves { palette.perform(move) }
    #expect(log.entries == ["closed", "ran \(command)"])
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

  @Test func aCommandThatIsRefusedGivesTheReasonAndCanBeChosen() {
    let palette = open([Action(.view) {}, Action(.nextFound, refusal: "No search yet.") {}])
    #expect(lines(palette)[2].hasSuffix("No search yet."))
    // A narrow screen has no room for the reason. The footer gives it.
    #expect(lines(palette, columns: 30)[2] == "n  Next match")
    palette.perform(.moveDown)
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran nextFound"])
  }

  /// Users type what other programs call a command.
  @Test(arguments: [
    ("export", Command.export), ("delete", .reject), ("map", .map), ("folder", .places),
    ("grid", .contactSheet),
    ("undelete", nil),
  ])
  func aCommandIsFoundByOtherWords(text: String, command: Command?) {
    let palette = open(Command.allCases.map { Action($0) {} })
    type(text, into: palette)
    palette.perform(.press)
    #expect(log.entries.last == command.map { "ran \($0)" })
  }

  @Test func controlUClearsTheFieldAndElseMoves() {
    let palette = open(.view)
    type("xyz", into: palette)
    #expect(palette.type(.key(.control("u"))))
    #expect(lines(palette) == ["Type a command", "v  View full-screen"])
    #expect(!palette.type(.key(.control("u"))))
  }

  @Test func nothingIsRunIfNothingIsFound() {
    let palette = open(.view)
    type("xyz", into: palette)
    #expect(lines(palette).dropFirst().joined(separator: " ").hasPrefix("No command matches “xyz”. Themes, colors and"))
    #expect(palette.refusal(of: .press) == "No command matches “xyz”.")
    #expect(palette.refusal(of: .switchWindow) == "No command matches “xyz”.")
    palette.perform(.close)
    #expect(log.entries == ["closed"])
  }

  @Test func aClickRunsACommandOrClosesThePalette() throws {
    let palette = open(.view, .reload)
    let drawing = palette.drawing()
    let row = try #require(drawing.line(with: "Reload and retry"))
    palette.handle(Mouse(.press, column: 35, row: try #require(drawing.line(with: "Type a command"))))
    palette.handle(Mouse(.press, column: 35, row: row + 1))
    #expect(log.entries == [])
    palette.handle(Mouse(.press, column: 35, row: row))
    #expect(log.entries == ["closed", "ran reload"])
    palette.handle(Mouse(.press, column: 0, row: 0))
    #expect(log.entries == ["closed", "ran reload", "closed"])
  }

  @Test func aLowScreenShowsTheHighlightedCommand() {
    let palette = open(Command.allCases.map { Action($0) {} })
    #expect(lines(palette, columns: 40, rows: 11).count == 9)
    palette.perform(.moveToLast)
    #expect(lines(palette, columns: 40, rows: 11).last == "q          Quit Tintype")
    palette.handle(Mouse(.wheelUp, column: 20, row: 5))
    palette.perform(.press)
    #expect(log.entries == ["closed", "ran redraw"])
  }
}
