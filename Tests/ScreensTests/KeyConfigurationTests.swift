import Gallery
import Terminal
import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct KeyConfigurationTests {
  private var configuration = KeyConfiguration()

  @Test func everyKeyHasANameThatLeadsBack() {
    for key in CommandTable.standard.bindings.flatMap({ $0.keys + $0.otherKeys }) {
      #expect(Key(name: key.name) == key, "\(key.name)")
    }
    #expect(Key(name: "ctrl-PAGEUP") == Key(.pageUp, .control))
    #expect(Key(name: "Alt-X") == Key(.character("X"), .alt))
    #expect(Key(name: "-") == "-")
    #expect(Key(name: "Ctrl-") == nil)
    #expect(Key(name: "") == nil)
  }

  @Test func everyCommandHasANameOfItsOwn() {
    let names = Command.allCases.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Command.rateOne.name == "rate-one")
    #expect(Command.putInBasket.name == "put-in-basket")
  }

  @Test func aKeyIsTakenFromTheCommandThatHasItByDefault() throws {
    var configuration = configuration
    try configuration.bind("reject", to: ["r", "F12"])
    #expect(configuration.table.commands(for: "r") == [.reject])
    #expect(configuration.table.commands(for: "X") == [])
    #expect(configuration.conflicts == ["“reload” has no key left, since “reject” has r now."])
  }

  /// The viewer's commands and those of lists may share keys, as some do by default.
  @Test func commandsOfOtherPlacesKeepTheirKeys() throws {
    var configuration = configuration
    try configuration.bind("rotate", to: ["r"])
    #expect(configuration.table.commands(for: "r") == [.reload, .rotate])
    #expect(configuration.conflicts == [])
  }

  @Test func keysThatCommandsShareByDefaultStayShared() throws {
    var configuration = configuration
    try configuration.bind("quit", to: ["q", "Ctrl-q"])
    #expect(configuration.table.commands(for: "q") == [.close, .quit])
    #expect(configuration.conflicts == [])
  }

  @Test func twoChosenCommandsWithOneKeyAreAConflict() throws {
    var configuration = configuration
    try configuration.bind("mark", to: ["§"])
    try configuration.bind("mark-all", to: ["§", "D"])
    let own = UserCommand(name: "Mail", line: "mail %f", place: .background)
    try configuration.add(own, keys: ["D"])
    #expect(
      configuration.conflicts == [
        "D is the key of both “Mail” and “mark-all”.", "§ is the key of both “mark” and “mark-all”.",
      ])
  }

  @Test func aKeyOfTheMenuOfRooms() throws {
    var configuration = configuration
    try configuration.bind("wall-room", to: ["gW", "F2"])
    #expect(configuration.table.keyNames(of: .wallRoom) == ["F2", "gW"])
  }

  @Test func noKeyAtAll() throws {
    var configuration = configuration
    try configuration.bind("reject", to: [])
    #expect(configuration.table.keyNames(of: .reject) == [])
    #expect(throws: KeyConfiguration.Fault.self) { try configuration.bind("quit", to: []) }
    #expect(throws: KeyConfiguration.Fault.self) { try configuration.bind("mark", to: ["Ctrl-j"]) }
  }
}
