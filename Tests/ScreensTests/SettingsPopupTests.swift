import Gallery
import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) final class SettingsPopupTests: SettingsEditor {
  private var changes: [String] = []
  private let host = StubHost()
  private var isClosed = false

  func lines() async -> [SettingLine] {
    var theme = SettingLine(name: "theme", title: "Theme", values: ["auto", "gruvbox"], value: "auto")
    theme.refusal = "Set by --theme."
    return [
      SettingLine(name: "rows", title: "Row size", values: ["compact", "normal", "large"], value: "normal"),
      SettingLine(name: "stacks", title: "Stacks", values: ["true", "false"], value: "true"), theme,
    ]
  }

  func set(_ name: String, to value: String) { changes.append("\(name) \(value)") }

  private func open() async -> SettingsPopup {
    let popup = SettingsPopup(editor: self) { [host] in host.setNeedsDisplay() }
    popup.onClose = { [unowned self] in isClosed = true }
    await host.wait { popup.offers(.moveRight) }
    return popup
  }

  @Test func theValuesAreListed() async {
    let popup = await open()
    #expect(
      popup.drawing(columns: 60, rows: 20).boxLines.map { $0.replacing(#/ {2,}/#, with: "  ") }
        == ["Row size  < normal >", "Stacks  < on >", "Theme  Set by --theme."])
    #expect(popup.announcement?.hasPrefix("Settings: 1 of 3: Row size, < normal >") == true)
  }

  /// The box is in the corner, so that the effect can be seen.
  @Test func mostOfTheScreenStaysVisible() async {
    let lines = await open().drawing(columns: 60, rows: 20).lines
    #expect(lines[..<15].joined() == "" && lines.suffix(5).allSatisfy { $0.prefix(20).allSatisfy(\.isWhitespace) })
  }

  @Test(arguments: [
    ([Command.moveRight, .moveRight], ["rows large", "rows compact"]), ([.moveLeft], ["rows compact"]),
    ([.press], ["rows large"]), ([.moveDown, .press, .moveLeft], ["stacks false", "stacks true"]),
    ([.moveToLast, .moveRight, .press, .moveLeft], []),
  ])
  func theKeysGoThroughTheValues(commands: [Command], expected: [String]) async {
    let popup = await open()
    for command in commands where popup.offers(command) { popup.perform(command) }
    #expect(changes == expected)
  }

  @Test func aSettingThatAnOptionFixesSaysSo() async {
    let popup = await open()
    popup.perform(.moveToLast)
    #expect(popup.refusal(of: .press) == "Set by --theme." && popup.refusal(of: .moveLeft) == "Set by --theme.")
  }

  @Test func aClickChangesASettingOrClosesThePopup() async throws {
    let popup = await open()
    let row = try #require(popup.drawing(columns: 60, rows: 20).line(with: "Stacks"))
    popup.handle(Mouse(.press, column: 50, row: row))
    popup.handle(Mouse(.press, column: 50, row: row + 1))
    #expect(changes == ["stacks false"] && !isClosed)
    popup.handle(Mouse(.press, column: 1, row: 1))
    #expect(isClosed)
  }
}
