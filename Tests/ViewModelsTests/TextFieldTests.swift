import TestLimit
import Testing

@testable import ViewModels

@Suite(.limited) struct TextFieldTests {
  /// Performs steps: `<` and `>` move left and right, `h` and `e` are Home and End, `b` is Backspace, `d` is Delete, `w`,
  /// `u` and `k` are typed with Ctrl. `s` selects the text.
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
      case "u": field.clear()
      case "k": field.deleteToEnd()
      case "s": field.selectAll()
      default: field.insert(String(step))
      }
    }
    return field.beforeCursor + "|" + field.afterCursor
  }

  @Test(arguments: [
    ("abc", "", "abc|"), ("abc", "<", "ab|c"), ("abc", "<<<<", "|abc"), ("abc", ">", "abc|"), ("abc", "h>", "a|bc"),
    ("abc", "he", "abc|"), ("abc", "b", "ab|"), ("abc", "hb", "|abc"), ("abc", "d", "abc|"), ("abc", "hd", "|bc"),
    ("abc", "<X", "abX|c"), ("abc", "<u", "|"), ("abc", "h>k", "a|"), ("", "bdwuks", "|"),
    ("one two  ", "w", "one |"), ("one two", "<w", "one |o"), ("one", "w", "|"), ("  ", "w", "|"),
    ("a日本", "<", "a日|本"), ("a日本", "b", "a日|"), ("👩‍👩‍👧x", "<b", "|x"), ("e\u{301}", "b", "|"), ("🇨🇭", "hd", "|"),
  ])
  func stepsMoveAndDeleteByCharacters(text: String, steps: String, result: String) {
    #expect(edit(text, steps) == result)
  }

  /// A selected text is replaced by the first character, and stays if the cursor moves.
  @Test(arguments: [
    ("sX", "X|"), ("sXY", "XY|"), ("sb", "|"), ("sd", "|"), ("sw", "|"), ("sk", "|"), ("s<X", "one twX|o"),
    ("s>X", "one twoX|"), ("shX", "X|one two"), ("seX", "one twoX|"),
  ])
  func anEditReplacesASelectedText(steps: String, result: String) {
    #expect(edit("one two", steps) == result)
  }

  @Test func pastedTextBecomesOnePrintableLine() {
    var field = TextField("ab")
    field.moveLeft()
    field.insert("1\r\n2\t3\u{1B}[31m\n")
    #expect(field.text == "a1 2 3\u{FFFD}[31m b")
    #expect(field.afterCursor == "b")
  }

  @Test func charactersBeyondTheLimitAreIgnored() {
    var field = TextField("abcdef", longest: 4)
    #expect(field.text == "abcd")
    field.insert("x")
    #expect(field.text == "abcd")
    field.moveLeft()
    field.insert("x")
    #expect(field.text == "abcd")
    field.moveToEnd()
    field.deleteBackward()
    field.insert("日本")
    #expect(field.text == "abc日")
  }

  @Test func aCombiningMarkJoinsTheCharacterBeforeIt() {
    var field = TextField("ex")
    field.moveLeft()
    field.insert("\u{301}")
    #expect(field.cursor == 1)
    #expect(field.beforeCursor == "e\u{301}")
    #expect(field.afterCursor == "x")
  }

  @Test func charactersAroundADeletedOneMayCombine() {
    // The letter between the two halves of a flag is deleted.
    var field = TextField("🇨x🇭")
    field.moveLeft()
    field.deleteBackward()
    #expect(field.text == "🇨🇭")
    #expect(field.cursor == 1)
    field.deleteBackward()
    #expect(field == TextField(""))
  }
}
