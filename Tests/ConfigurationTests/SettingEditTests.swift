import TestLimit
import Testing

@testable import Configuration

/// The change of one setting in the text of a file, of which everything else stays.
@Suite(.limited) struct SettingEditTests {
  private func edit(_ text: String, _ name: String = "rows", to value: String = "\"large\"") throws -> String {
    try SettingEdit(text, setting: name, to: value).text
  }

  /// In each text, `@` is where the value is, and in the last ones, where a line is added.
  @Test(arguments: [
    "rows = @", "rows=@\n", "rows = @\r\nsort = \"name\"\r\n", "  rows\t= @  # three lines\n",
    "# rows\nrows = @ # \"x\" = 1\n",
    "\"rows\" = @\n", "'rows' = @\n", "sort = \"name\"\n\nrows = @\n[keys]\nquit = \"q\"\n",
    "x = \"\"\"\nrows = \"\nrows = 1\n\"\"\"\nrows = @\n",
    // The same name in a comment, in a string, in a list, and in other tables.
    "#rows = \"compact\"\nrows = @\n", "x = \"\"\"\nrows = \"a\"\n\"\"\"\nrows = @\n",
    "x = '''\nrows = \"a\"'''\nrows = @\n",
    "x = [\n  \"a\", # ]\n  \"rows = ]\",\n]\nrows = @\n", "x = {rows = 1}\nrows = @\n[y]\nrows = 2\n[[z]]\nrows = 3\n",
    "x.rows = 1\nrows = @\n", "x = \"a \\\" # b\"\nrows = @\n", "x = \"\"\"a\\\"\"\"\"\"\"\nrows = @\n",
    "\u{FEFF}rows = @\n",
    "x = 1979-05-27T07:32:00Z # é\nrows = @",
  ])
  func onlyTheValueIsReplaced(text: String) throws {
    for old in ["\"normal\"", "'compact'", "\"\"\"normal\"\"\"", "\"a # b\""] {
      #expect(try edit(text.replacing("@", with: old)) == text.replacing("@", with: "\"large\""))
    }
    #expect(try edit(text.replacing("@", with: "\"large\"")) == text.replacing("@", with: "\"large\""))
  }

  @Test(arguments: [
    ("", "rows = \"large\"\n"), ("sort = \"name\"", "sort = \"name\"\nrows = \"large\"\n"),
    ("sort = \"name\"\r\n# end\r\n", "sort = \"name\"\r\nrows = \"large\"\r\n# end\r\n"),
    ("# only a comment", "# only a comment\nrows = \"large\"\n"),
    // Below the default that is commented out.
    ("#rows = \"normal\"\n#sort = \"x\"\nx = 1\n", "#rows = \"normal\"\nrows = \"large\"\n#sort = \"x\"\nx = 1\n"),
    ("# rows = \"normal\"", "# rows = \"normal\"\nrows = \"large\"\n"),
    // Above the first table and its comment.
    ("[keys]\nrows = 1\n", "rows = \"large\"\n\n[keys]\nrows = 1\n"),
    ("# Mine\n\n# Keys\n[keys]\n#rows = 1\n", "# Mine\n\nrows = \"large\"\n\n# Keys\n[keys]\n#rows = 1\n"),
    ("x = [1]\n\n# Keys\n[keys]\n", "x = [1]\nrows = \"large\"\n\n# Keys\n[keys]\n"),
    ("  [[commands]]\nname = \"a\"\nrun = \"b\"\n", "rows = \"large\"\n\n  [[commands]]\nname = \"a\"\nrun = \"b\"\n"),
  ])
  func aMissingSettingIsAdded(text: String, expected: String) throws {
    #expect(try edit(text) == expected)
  }

  /// Each setting of the file that `tintype config` prints goes below its default, and nothing else changes.
  @Test func theDefaultFileTakesEachSetting() throws {
    for setting in Setting.all where setting.title != nil {
      let line = "\(setting.name) = \(setting.standard)\n"
      let text = try edit(DefaultText.text, setting.name, to: setting.standard)
      #expect(text == DefaultText.text.replacing("\n#\(line)", with: "\n#\(line)\(line)"))
      #expect(
        try edit(text, setting.name, to: "\"other\"")
          == text.replacing("\n\(line)", with: "\n\(setting.name) = \"other\"\n"))
    }
  }

  @Test(arguments: [("rows = ", 1), ("x = 1\nx = 2\n", 2), ("x = 1\n[keys\n", 2)])
  func anInvalidFileStaysAsItIs(text: String, line: Int) {
    #expect(throws: SettingEdit.Fault(line: line)) { try edit(text) }
  }

  /// The name is written with an escape, so the scan takes it for another one. The check of the result notices that.
  @Test func aSettingThatCantBeFoundIsNotAddedAgain() {
    #expect(throws: SettingEdit.Fault.self) { try edit("\"r\\u006Fws\" = \"normal\"\n") }
    #expect(throws: SettingEdit.Fault.self) { try edit("rows.x = 1\n") }
  }
}
