import Testing

@testable import ViewModels

@Suite struct TextFieldTests {
  /// Carries out steps: a letter of Ctrl, `<` `>` left and right, `h` `e` Home and End, `b` Backspace, `d` Delete.
  private func edit(_ text: String, _ steps: String) -> String {
    var field = TextField(text)
    for step in steps {
      switch step {
      case "<": field.moveLeft()
      case ">": field.moveRight()
      case "h": field.moveToStart()
      case "e": field.moveToEnd()
      case "b": field.deleteBackward()
      case "d": field.deleteForward()
      case "w": field.deleteWordBackward()
      case "u": field.deleteToStart()
      case "k": field.deleteToEnd()
      default: field.insert(String(step))
      }
    }
    return field.beforeCursor + "|" + field.afterCursor
  }

  @Test(arguments: [
    ("abc", "", "abc|"), ("abc", "<", "ab|c"), ("abc", "<<<<", "|abc"), ("abc", ">", "abc|"), ("abc", "h>", "a|bc"),
    ("abc", "he", "abc|"), ("abc", "b", "ab|"), ("abc", "hb", "|abc"), ("abc", "d", "abc|"), ("abc", "hd", "|bc"),
    ("abc", "<X", "abX|c"), ("abc", "<u", "|c"), ("abc", "h>k", "a|"), ("", "bdwuk", "|"),
    ("one two  ", "w", "one |"), ("one two", "<w", "one |o"), ("one", "w", "|"), ("  ", "w", "|"),
    ("a日本", "<", "a日|本"), ("a日本", "b", "a日|"), ("👩‍👩‍👧x", "<b", "|x"), ("e\u{301}", "b", "|"), ("🇨🇭", "hd", "|"),
  ])
  func editsByCharacters(text: String, steps: String, result: String) {
    #expect(edit(text, steps) == result)
  }

  @Test func whatIsPastedIsOneHarmlessLine() {
    var field = TextField("ab")
    field.moveLeft()
    field.insert("1\r\n2\t3\u{1B}[31m\n")
    #expect(field.text == "a1 2 3\u{FFFD}[31m b")
    #expect(field.afterCursor == "b")
  }

  @Test func longerThanLongestIsLeftOut() {
    var field = TextField("abcdef", longest: 4)
    #expect(field.text == "abcd")
    field.insert("x")
    #expect(field.text == "abcd")
    field.deleteBackward()
    field.insert("日本")
    #expect(field.text == "abc日")
  }

  @Test func aMarkJoinsTheCharacterBeforeIt() {
    var field = TextField("ex")
    field.moveLeft()
    field.insert("\u{301}")
    #expect(field.cursor == 1)
    #expect(field.beforeCursor == "e\u{301}")
    #expect(field.afterCursor == "x")
  }

  @Test func whatComesTogetherMayBecomeOneCharacter() {
    // Two halves of a flag, with a letter between that is deleted.
    var field = TextField("🇨x🇭")
    field.moveLeft()
    field.deleteBackward()
    #expect(field.text == "🇨🇭")
    #expect(field.cursor == 1)
    field.deleteBackward()
    #expect(field == TextField(""))
  }
}
