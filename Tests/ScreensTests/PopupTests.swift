import Finding
import Foundation
import Gallery
import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) struct PopupTests {
  /// Records what a popup does.
  private final class Log {
    var entries: [String] = []
  }

  private let log = Log()

  private func open<Kind: Popup>(_ popup: Kind) -> Kind {
    popup.onClose = { [log] in log.entries.append("closed") }
    return popup
  }

  private func commands(_ layer: any Layer) -> Set<Command> { Set(layer.actions.map(\.command)) }

  @Test func anAlertOffersToReloadOnlyIfThatHelps() {
    let plain = open(TextPopup.alert(Alert(message: "This item is not for sale"), keys: .standard))
    #expect(commands(plain) == [.confirm, .close])
    let alert = Alert(message: "The connection was lost.", offer: .reload)
    let popup = open(TextPopup.alert(alert, keys: .standard) { [log] in log.entries.append("gives \($0)") })
    #expect(commands(popup) == [.confirm, .close, .reload])
    popup.perform(.reload)
    #expect(log.entries == ["closed", "gives reload"])
    let notForSale = Alert(message: "This item is not for sale", offer: .view)
    let other = open(TextPopup.alert(notForSale, keys: .standard) { [log] in log.entries.append("gives \($0)") })
    #expect(!other.drawing().contains("again"))
    other.perform(.view)
    #expect(log.entries.suffix(2) == ["closed", "gives view"])
  }

  private func menu(highlighted: Int = 0) -> ChoicePopup {
    let choices = ["Date", "Name", "Size"].map { ChoicePopup.Choice(key: String($0.lowercased().prefix(1)), text: $0) }
    return open(
      ChoicePopup(title: "Sort by", choices: choices, highlighted: highlighted) { [log] in
        log.entries.append("chose \($0)")
      })
  }

  @Test func aChoiceIsMadeByItsKey() {
    #expect(menu().type(.key("n")))
    #expect(log.entries == ["closed", "chose 1"])
    #expect(!menu().type(.key("x")))
    #expect(!menu().type(.key(.control("n"))))
  }

  @Test(arguments: [
    ([Command.press], 1), ([.moveDown, .moveDown, .press], 2), ([.moveUp, .moveUp, .press], 0),
    ([.moveToLast, .press], 2), ([.moveToLast, .moveToFirst, .press], 0),
  ])
  func aChoiceIsMadeByMovingToIt(commands: [Command], choice: Int) {
    let menu = menu(highlighted: 1)
    for command in commands { menu.perform(command) }
    #expect(log.entries == ["closed", "chose \(choice)"])
  }

  @Test func aClickChoosesFromTheLinesInView() throws {
    let choices = (0..<30).map { ChoicePopup.Choice(key: "", text: "Choice \($0)") }
    let menu = open(ChoicePopup(title: "Many", choices: choices) { [log] in log.entries.append("chose \($0)") })
    menu.perform(.moveToLast)
    let row = try #require(menu.drawing(columns: 60, rows: 10).line(with: "Choice 28"))
    menu.handle(Mouse(.press, column: 30, row: row))
    #expect(log.entries == ["closed", "chose 28"])
  }

  private func strip() -> ChoicePopup {
    let choices = ["f", "p", "w", "r", "c"].map { ChoicePopup.Choice(key: $0, text: "Place \($0)") }
    return open(
      ChoicePopup(title: "Go to", choices: choices, isStrip: true) { [log] in log.entries.append("chose \($0)") })
  }

  @Test func aStripHasTheChoicesInColumnsAtTheBottom() {
    func lines(columns: Int, rows: Int) -> [String] { strip().drawing(columns: columns, rows: rows).lines }
    #expect(
      lines(columns: 30, rows: 10).suffix(4)
        == [
          "── Go to ─────────────────────", "  f  Place f    r  Place r", "  p  Place p    c  Place c",
          "  w  Place w",
        ].map { CellText($0).string })
    #expect(lines(columns: 30, rows: 10)[..<6].joined() == "")
    #expect(lines(columns: 90, rows: 10).last?.hasPrefix("  f  Place f    p  Place p    w  Place w") == true)
    // A low screen has one column, which scrolls.
    #expect(
      lines(columns: 20, rows: 4).dropFirst().map { String($0.prefix(12)) } == [
        "  f  Place f", "  p  Place p", "  w  Place w",
      ])
  }

  @Test(arguments: [
    ([Command.moveRight, .press], 3), ([.moveDown, .moveRight, .moveLeft, .press], 1), ([.moveLeft, .press], 0),
    ([.moveDown, .moveDown, .moveRight, .press], 2), ([.moveDown, .moveDown, .moveDown, .press], 3),
  ])
  func theArrowsMoveThroughAStrip(commands: [Command], choice: Int) {
    let strip = strip()
    _ = strip.drawing(columns: 30, rows: 10)
    for command in commands { strip.perform(command) }
    #expect(log.entries == ["closed", "chose \(choice)"])
  }

  @Test(arguments: [(5, 7, 0), (20, 8, 4), (20, 9, nil), (5, 2, nil)])
  func aClickChoosesFromAStripOrClosesIt(column: Int, row: Int, choice: Int?) {
    let strip = strip()
    _ = strip.drawing(columns: 30, rows: 10)
    strip.handle(Mouse(.press, column: column, row: row))
    #expect(log.entries == (choice.map { ["closed", "chose \($0)"] } ?? (row < 6 ? ["closed"] : [])))
  }

  @Test func aChoiceShowsItsWholeTitleAndTheTextAboveIt() {
    let choices = ["p", "d"].map { ChoicePopup.Choice(key: $0, text: "Go on") }
    let title = ChoicePopup(title: "A long title over short choices", choices: choices) { _ in }
    #expect(title.drawing(columns: 60, rows: 8).contains("╭─ A long title over short choices ─╮"))
    let text = ["123 picked · 45 rejected · 678 undecided", "9 shots"]
    func lines(columns: Int, rows: Int) -> [String] {
      ChoicePopup(title: "Cull", text: text, choices: choices) { _ in }.drawing(columns: columns, rows: rows).lines
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " │")) }
    }
    #expect(
      lines(columns: 60, rows: 6).dropFirst().prefix(4) == [
        "123 picked · 45 rejected · 678 undecided", "9 shots", "p  Go on", "d  Go on",
      ])
    #expect(
      lines(columns: 40, rows: 7).dropFirst().prefix(3) == ["123 picked · 45 rejected · 678", "undecided", "9 shots"])
    // A low window has no room for all of the text.
    #expect(
      lines(columns: 40, rows: 5).dropFirst().prefix(3) == ["123 picked · 45 rejected · 678", "p  Go on", "d  Go on"])
  }

  private func editKeywords(_ keywords: [String], _ edit: (KeywordsPopup) -> Void) -> DecisionChange? {
    var change: DecisionChange?
    let popup = open(KeywordsPopup(of: [PhotoDecisions(keywords: keywords)]) { change = $0 })
    edit(popup)
    popup.perform(.press)
    return change
  }

  @Test func aKeywordWithACommaStaysOne() {
    let keywords = ["Bergen, Norway", " sea "]
    #expect(editKeywords(keywords) { _ in } == nil)
    #expect(
      editKeywords(keywords) { for character in "boat" { _ = $0.type(.key(Key(.character(character)))) } }
        == .keywords(added: ["boat"], removed: []))
    #expect(
      editKeywords(keywords) { _ = $0.type(.key(.control("u"))) } == .keywords(added: [], removed: keywords))
    let completed = editKeywords([]) {
      $0.known = ["Bergen, Norway"]
      $0.perform(.switchWindow)
    }
    #expect(completed == .keywords(added: ["Bergen, Norway"], removed: []))
  }

  @Test func aCompletedKeywordLeavesTheOthersAlone() {
    let change = editKeywords(["sea", "boat"]) {
      $0.known = ["Bergen"]
      $0.perform(.switchWindow)
    }
    #expect(change == .keywords(added: ["Bergen"], removed: []))
  }

  @Test(arguments: ["One\nTwo", "A ¶ sign\nand a line", String(repeating: "long ", count: 3000)])
  func aCaptionThatIsNotEditedStays(caption: String) {
    let popup: FieldPopup = .caption(of: [PhotoDecisions(caption: caption)]) { [log] in log.entries.append("\($0)") }
    _ = popup.drawing()
    popup.perform(.press)
    #expect(log.entries.isEmpty)
  }

  @Test func aCaptionKeepsItsPilcrows() {
    let popup: FieldPopup = .caption(of: [PhotoDecisions(caption: "A ¶ sign\nand a line")]) { [log] in
      log.entries.append("\($0)")
    }
    _ = popup.type(.key(Key(.character("!"))))
    popup.perform(.press)
    #expect(log.entries == ["\(DecisionChange.caption("A ¶ sign\nand a line!"))"])
  }

  @Test func aMenuThatIsClosedChoosesNothing() {
    menu().perform(.close)
    #expect(log.entries == ["closed"])
  }

  @Test func aFieldTakesNoEmptyText() {
    let popup = open(
      FieldPopup(title: "Write a catalog", label: "", text: "a", button: "Write") { [log] in
        log.entries.append("wrote \($0)")
      })
    #expect(popup.type(.key(Key(.backspace))))
    #expect(popup.actions.first { $0.command == .press }?.refusal == "The name is empty.")
    popup.perform(.press)
    #expect(log.entries == [])
    #expect(popup.type(.paste("b.json")))
    popup.perform(.press)
    #expect(log.entries == ["closed", "wrote b.json"])
  }

  // MARK: What popups draw

  @Test func anAlertIsDrawnWithTitleMessageAndButton() throws {
    let alert = Alert(title: "Can't load photos", message: "The connection was lost.", offer: .reload)
    var keys = CommandTable.standard
    keys.bind(.reload, to: ["R"])
    let drawing = TextPopup.alert(alert, keys: keys).drawing()
    let texts = ["Can't load photos", "The connection was lost.", "Press R to try again.", "  Ok  "]
    let lines = try texts.map { try #require(drawing.line(with: $0), "\($0)") }
    #expect(lines == lines.sorted())
    #expect(Set(lines).count == 4)
  }

  @Test func aMessageIsWrappedToANarrowScreen() {
    let drawing = TextPopup.alert(Alert(message: "one two three four five six"), keys: .standard)
      .drawing(columns: 24, rows: 12)
    #expect(drawing.contains("one two three four") && drawing.contains("five six"))
  }

  @Test func aLongTextScrollsAndPointsToTheRest() {
    let popup = TextPopup.alert(
      Alert(message: (1...50).map { "Line \($0)." }.joined(separator: "\n")), keys: .standard)
    // The text's height is known once it has been drawn.
    #expect(popup.drawing().contains("Line 1.") && popup.drawing().contains("↓"))
    #expect(!popup.drawing().contains("↑") && !popup.drawing().contains("Line 50."))
    popup.perform(.moveToLast)
    #expect(popup.drawing().contains("Line 50.") && popup.drawing().contains("↑"))
    #expect(!popup.drawing().contains("↓"))
    for message in ["Line 1.", "Line 1.\nLine 2."] {
      let short = TextPopup.alert(Alert(message: message), keys: .standard)
      _ = short.drawing()
      #expect(!short.knows(.moveDown), "\(message)")
    }
  }

  @Test func aMenuIsDrawnWithKeysAndTheCurrentOrder() throws {
    let drawing = ChoicePopup.sort(PhotoOrder(.date), of: []) { _ in }.drawing()
    let line = try #require(drawing.line(with: "d  Date"))
    #expect(drawing.lines[line].contains("newest first"))
    #expect(drawing.contains("Sort by") && drawing.contains("s  Size in megapixels"))
  }

  @Test func aLowMenuShowsTheHighlightedChoice() {
    let menu = menu()
    menu.perform(.moveToLast)
    let drawing = menu.drawing(columns: 40, rows: 4)
    #expect(drawing.contains("Size") && !drawing.contains("Date"))
  }

  @Test func aClickChoosesALineOrClosesTheMenu() throws {
    let menu = menu()
    let drawing = menu.drawing()
    menu.handle(Mouse(.press, column: 35, row: try #require(drawing.line(with: "Name"))))
    #expect(log.entries == ["closed", "chose 1"])
    menu.handle(Mouse(.press, column: 0, row: 0))
    #expect(log.entries == ["closed", "chose 1", "closed"])
  }

  @Test func theWheelMovesThroughTheChoices() {
    let menu = menu()
    _ = menu.drawing()
    for action in [Mouse.Action.wheelDown, .wheelDown, .wheelUp] {
      menu.handle(Mouse(action, column: 35, row: 15))
    }
    menu.perform(.press)
    #expect(log.entries == ["closed", "chose 1"])
  }

  @Test func aLowMenuPointsToTheChoicesOutOfView() {
    let menu = menu()
    #expect(menu.drawing(columns: 40, rows: 4).contains("↓"))
    menu.perform(.moveToLast)
    #expect(menu.drawing(columns: 40, rows: 4).contains("↑"))
    #expect(!menu.drawing(columns: 40, rows: 5).contains("↑"))
  }

  /// A name is only a proposal, which typing replaces. A caption is the user's own text.
  @Test func aProposedNameIsReplacedByTyping() {
    func text(_ events: InputEvent..., isOptional: Bool = false) -> [String] {
      var texts: [String] = []
      let popup = FieldPopup(
        title: "", label: "", text: "marked.json", button: "Save", isOptional: isOptional
      ) { texts.append($0) }
      for event in events { #expect(popup.type(event)) }
      popup.perform(.press)
      return texts
    }
    #expect(text() == ["marked.json"])
    #expect(text(.key("b")) == ["b"])
    #expect(text(.paste("b.json")) == ["b.json"])
    #expect(text(.key(Key(.end)), .key("b")) == ["marked.jsonb"])
    #expect(text(.key("b"), isOptional: true) == ["marked.jsonb"])
  }

  @Test func aFieldIsDrawnWithItsQuestionAndText() {
    let popup = FieldPopup(title: "Write a catalog", label: "Of 2 photos", text: "a.json", button: "Write") { _ in }
    let drawing = popup.drawing()
    #expect(drawing.contains("Write a catalog") && drawing.contains("Of 2 photos") && drawing.contains("a.json"))
    #expect(popup.label(of: .press) == "Write" && popup.offers(.press) && popup.offers(.close))
  }

  @Test func keywordsAreOfferedThatAreNotThereYet() throws {
    let popup = open(
      KeywordsPopup(of: [PhotoDecisions(keywords: ["sea", "boat"]), PhotoDecisions(keywords: ["sea"])]) { _ in })
    #expect(popup.refusal(of: .switchWindow) == "No keyword of the catalog begins like this.")
    popup.known = ["sea", "seagull", "North Sea", "Oslo"]
    #expect(popup.announcement == "Keywords of 2 photos: sea,  · 1 of 3: seagull")
    #expect(
      popup.drawing().boxLines == ["Shared keywords, separated by commas", "sea,", "seagull", "North Sea", "Oslo"])
    for character in "sea" { #expect(popup.type(.key(Key(.character(character))))) }
    #expect(popup.drawing().boxLines.suffix(2) == ["seagull", "North Sea"])
    let row = try #require(popup.drawing().line(with: "North Sea"))
    popup.handle(Mouse(.press, column: 30, row: row))
    #expect(popup.announcement?.hasPrefix("Keywords of 2 photos: sea, North Sea,  · ") == true)
    for character in "x" { #expect(popup.type(.key(Key(.character(character))))) }
    #expect(popup.drawing().contains("No keyword of the catalog begins like this."))
    #expect(popup.announcement == "Keywords of 2 photos: sea, North Sea, x")
    #expect(!popup.type(.key(Key(.down))))
    popup.handle(Mouse(.press, column: 0, row: 0))
    #expect(log.entries == ["closed"])
  }
}
