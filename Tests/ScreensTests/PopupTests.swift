import Gallery
import Terminal
import Testing

@testable import Screens

@MainActor @Suite struct PopupTests {
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
    let alert = Alert(message: "The connection was lost.", offersReload: true)
    let popup = open(TextPopup.alert(alert, keys: .standard) { [log] in log.entries.append("reloads") })
    #expect(commands(popup) == [.confirm, .close, .reload])
    popup.perform(.reload)
    #expect(log.entries == ["closed", "reloads"])
  }

  @Test func theKeyThatShowsTheHelpHidesIt() {
    open(TextPopup.help(.standard)).perform(.help)
    #expect(log.entries == ["closed"])
    // In an alert the key would hide a message that was not confirmed.
    open(TextPopup.alert(Alert(message: "No"), keys: .standard)).perform(.help)
    #expect(log.entries == ["closed"])
  }

  private func menu(highlighted: Int = 0) -> ChoicePopup {
    let choices = ["Date", "Name", "Size"].map { ChoicePopup.Choice(key: $0.lowercased().first ?? " ", text: $0) }
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
}
