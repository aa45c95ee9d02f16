import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) struct HelpPopupTests {
  private let table = CommandTable.standard
  private let help = HelpPopup(place: "Wall", commands: [.press, .follow, .moveUp], keys: .standard)

  private func type(_ text: String, into help: HelpPopup) {
    for character in text { #expect(help.type(.key(.character(character))), "\(character)") }
  }

  /// Returns the lines below the field that are not blank.
  private func lines(_ drawing: Drawing) -> [String] { Array(drawing.boxLines.dropFirst()) }

  @Test func everyCommandIsListedWithItsKeys() {
    let drawing = help.drawing(columns: 80, rows: 120)
    for binding in table.helpRows(of: table.bindings) {
      let names = table.helpKeyNames(of: binding)
      let line = lines(drawing).first { $0.hasSuffix("  \(binding.range?.title ?? binding.title)") }
      #expect(line?.hasPrefix("\(CellText(names).string) ") == true, "\(binding.title): \(line ?? "")")
    }
  }

  @Test func keysInARowAreListedInOneLine() {
    let lines = lines(help.drawing(columns: 80, rows: 120))
    #expect(lines.contains("1 to 5        Rate 1 to 5 stars") && lines.contains("F6 to F9      Label with a color"))
    #expect(!lines.contains { $0.contains("Rate 3") || $0.contains("Label green") })
    #expect(Set(table.bindings.map(\.command)).isSuperset(of: [.rateThree, .labelGreen]))
  }

  @Test func theCommandsOfThePlaceComeFirst() {
    #expect(lines(help.drawing(columns: 80)).prefix(2) == ["Wall", "Enter, →, l   Open highlighted row"])
  }

  @Test(arguments: [(80, false), (83, false), (84, true), (200, true)])
  func thereAreTwoColumnsIfThereIsRoom(columns: Int, areTwo: Bool) {
    let drawing = help.drawing(columns: columns, rows: 36)
    #expect(lines(drawing).contains { $0.hasPrefix("Wall  ") } == areTwo)
  }

  /// If all lines fit in one column, they are read from top to bottom.
  @Test func aHighScreenHasOneColumn() {
    #expect(!lines(help.drawing(columns: 200, rows: 120)).contains { $0.hasPrefix("Wall  ") })
  }

  @Test(arguments: [
    ("retry", ["r             Reload and retry"]), ("half down", ["Ctrl-d        Down half a page"]),
    ("ctrl-d", ["Ctrl-d        Down half a page"]),
    ("PGUP", ["PgUp, Ctrl-b  Up a page", "p, ←, PgUp    Previous photo", "p, PgUp       Previous candidate"]),
    ("?", ["?, F1         Show all keys"]), ("!", ["!             Show problems"]),
    ("unfollow", ["f             Follow a member"]),
  ])
  func aTextFindsKeys(text: String, expected: [String]) {
    type(text, into: help)
    #expect(lines(help.drawing(columns: 60)) == expected.map { CellText($0).string })
  }

  @Test func aTextThatFindsNothingIsAnswered() {
    type("xyz", into: help)
    #expect(lines(help.drawing(columns: 60)).first == "No command matches “xyz”.")
  }

  /// Letters with and without Shift are different keys.
  @Test(arguments: ["n", "N", "s", "S"]) func theKeyThatIsTypedComesFirst(key: String) {
    type(key, into: help)
    #expect(lines(help.drawing(columns: 60)).first?.hasPrefix("\(key) ") == true)
  }

  @Test func escapeClearsTheTextFirst() {
    var closings = 0
    help.onClose = { closings += 1 }
    type("zoo", into: help)
    #expect(help.type(.key(Key(.backspace))))
    #expect(help.label(of: .close) == "Clear")
    help.perform(.close)
    #expect(closings == 0)
    #expect(lines(help.drawing(columns: 80)).first == "Wall")
    #expect(help.label(of: .close) == nil)
    help.perform(.close)
    #expect(closings == 1)
  }

  @Test func theKeyThatTypesNothingHidesTheHelp() {
    var closings = 0
    help.onClose = { closings += 1 }
    #expect(!help.type(.key(Key(.function(1)))))
    help.perform(.help)
    #expect(closings == 1)
  }

  @Test(arguments: [Key(.up), Key(.pageDown), Key(.home), Key(.end), .control("d"), .control("u"), .control("f")])
  func keysThatMoveScroll(key: Key) {
    #expect(!help.type(.key(key)))
  }

  @Test func theLinesScroll() {
    #expect(lines(help.drawing(columns: 40, rows: 11)).first == "Wall")
    help.perform(.moveToLast)
    let end = help.drawing(columns: 40, rows: 11)
    #expect(end.contains("Quit Tintype") && end.contains("↑") && !end.contains("↓"))
    help.handle(Mouse(.wheelUp, column: 20, row: 5))
    #expect(help.drawing(columns: 40, rows: 11).contains("↓"))
    // What is found begins at the top.
    type("e", into: help)
    #expect(lines(help.drawing(columns: 40, rows: 11)).first == "e             Save as catalog")
  }

  @Test func aClickBesideTheHelpClosesIt() {
    var closings = 0
    help.onClose = { closings += 1 }
    _ = help.drawing(columns: 80, rows: 24)
    help.handle(Mouse(.press, column: 40, row: 12))
    #expect(closings == 0)
    help.handle(Mouse(.press, column: 2, row: 12))
    #expect(closings == 1)
  }
}
