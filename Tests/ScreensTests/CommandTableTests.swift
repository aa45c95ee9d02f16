import Terminal
import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct CommandTableTests {
  private let table = CommandTable.standard

  @Test func everyCommandHasOneBindingWithAKey() {
    for command in Command.allCases {
      let bindings = table.bindings.filter { $0.command == command }
      #expect(bindings.count == 1, "\(command)")
      #expect(!table.keyNames(of: command).isEmpty, "\(command)")
    }
  }

  @Test func everyTitleSaysTheCommandInAFewWords() {
    for binding in table.bindings {
      #expect((2...4).contains(binding.title.split(separator: " ").count), "\(binding.title)")
      // In the help, so much is in view next to the keys on a screen of 40 columns.
      #expect(binding.title.count <= 21, "\(binding.title)")
    }
    #expect(Set(table.bindings.map(\.title)).count == table.bindings.count)
  }

  @Test func theCommandsOfThePlaceComeFirst() {
    let sections = table.sections(of: "Wall", [.moveUp, .press, .follow])
    #expect(
      sections.map(\.heading) == [
        "Wall", "Moving", "Photos", "Marking", "Viewer", "Comparison", "Rating", "Rooms", "General",
      ])
    #expect(sections[0].bindings.map(\.command) == [.press, .follow])
    #expect(sections[1].bindings.first?.command == .moveUp)
    #expect(sections.flatMap(\.bindings).count == table.bindings.count)
  }

  /// Commands that the place does not know at the moment, such as the one that stops the loading, are under its heading, too.
  @Test func aPlaceWithTheNameOfASectionReplacesIt() {
    let sections = table.sections(of: "Photos", [.press, .mark])
    #expect(
      sections.map(\.heading) == ["Photos", "Moving", "Marking", "Viewer", "Comparison", "Rating", "Rooms", "General"])
    let commands = sections[0].bindings.map(\.command)
    #expect(commands.first == .press && commands.contains(.stopLoading) && commands.last == .mark)
  }

  @Test func keysGiveTheirCommandsInTheOrderOfTheTable() {
    #expect(table.commands(for: "j") == [.moveDown])
    #expect(table.commands(for: .control("d")) == [.halfPageDown])
    #expect(table.commands(for: Key(.escape)) == [.stopLoading, .confirm, .close])
    #expect(table.commands(for: "q") == [.close, .quit])
    #expect(table.commands(for: "0") == [.rateNone])
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
    table.bind(.reload, to: ["%", Key(.function(5))])
    #expect(table.commands(for: "r") == [])
    #expect(table.commands(for: "%") == [.reload])
    #expect(table.commands(for: Key(.function(5))) == [.reload])
    #expect(table.keyNames(of: .reload) == ["%", "F5"])
    #expect(table.reloadHint() == "Press % to try again.")
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
