import Terminal
import Testing

@testable import Screens

@Suite struct CommandTableTests {
  private let table = CommandTable.standard

  @Test func everyCommandHasOneBindingWithAKeyAndHelp() {
    for command in Command.allCases {
      let bindings = table.bindings.filter { $0.command == command }
      #expect(bindings.count == 1, "\(command)")
      #expect(!table.keyNames(of: command).isEmpty, "\(command)")
      #expect(bindings.first?.help(table).isEmpty == false, "\(command)")
    }
  }

  @Test func keysGiveTheirCommandsInTheOrderOfTheTable() {
    #expect(table.commands(for: "j") == [.moveDown])
    #expect(table.commands(for: .control("d")) == [.halfPageDown])
    #expect(table.commands(for: Key(.escape)) == [.stopLoading, .confirm, .close])
    #expect(table.commands(for: "q") == [.close, .quit])
    #expect(table.commands(for: "0") == [])
  }

  /// Some commands have keys that the help leaves out, since it would name the same place of the keyboard twice.
  @Test func keysThatTheHelpLeavesOutWorkToo() {
    #expect(table.commands(for: "=") == [.zoomIn])
    #expect(table.keyNames(of: .zoomIn) == ["+"])
  }

  @Test func theLettersOfTheMenuFollowItsKey() {
    #expect(table.keyNames(of: .moveToFirst) == ["Home", "gg"])
    #expect(table.commands(for: "g") == [.goTo, .moveToFirst])
    var table = table
    table.bind(.goTo, to: [","])
    #expect(table.keyNames(of: .wallRoom) == [",w"])
    table.bind(.wallRoom, to: ["w"])
    #expect(table.keyNames(of: .wallRoom) == ["w"])
  }

  @Test func aCommandCanBeBoundToOtherKeys() {
    var table = table
    table.bind(.reload, to: ["a", Key(.function(5))])
    #expect(table.commands(for: "r") == [])
    #expect(table.commands(for: "a") == [.reload])
    #expect(table.commands(for: Key(.function(5))) == [.reload])
    #expect(table.keyNames(of: .reload) == ["a", "F5"])
    #expect(table.reloadHint() == "Press a to try again.")
  }

  @Test func theHelpNamesTheCurrentKeysOfOtherCommands() {
    var table = table
    table.bind(.switchWindow, to: [Key(.function(2))])
    let help = table.binding(of: .search)?.help(table)
    #expect(help == "Search photos or covers; F2 keeps the whole list, Esc ends it")
  }

  @Test func otherKeysOfAReboundCommandAreFree() {
    var table = table
    table.bind(.zoomIn, to: ["a"])
    #expect(table.commands(for: "=") == [])
  }

  @Test(arguments: [
    (Key(.up), "↑"), (Key(.pageDown), "PgDn"), ("k", "k"), (" ", "Space"), (.control("u"), "Ctrl-u"),
    (Key(.tab, .shift), "Shift-Tab"), (Key(.right, [.control, .alt]), "Ctrl-Alt-→"), (Key(.function(12)), "F12"),
    (Key(.escape), "Esc"),
  ])
  func aKeyHasAName(key: Key, name: String) {
    #expect(key.name == name)
  }

  @Test(arguments: [("a" as Key, true), (" ", true), (.control("a"), false), (Key(.enter), false), (Key(.up), false)])
  func onlyPlainCharactersAreTyped(key: Key, isTyped: Bool) {
    #expect(key.isTyped == isTyped)
  }
}
