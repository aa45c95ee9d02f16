import Terminal
import TestLimit
import Testing

@testable import Screens

@MainActor @Suite(.limited) struct FieldEditorTests {
  private let editor = FieldEditor(longest: 100)

  private func type(_ text: String) { for character in text { type(.character(character)) } }

  private func type(_ code: Key.Code) { _ = editor.handle(.key(Key(code))) }

  /// The text that is in view in a field of ten columns.
  private var text: String? {
    Drawing(columns: 10, rows: 1) { editor.draw(hint: "", hasFocus: true, on: $0) }.lines.first
  }

  @Test func aLongTextScrollsWithTheCursor() {
    type("abcdefghijklmnop")
    #expect(text == "hijklmnop")
    type(.home)
    #expect(text?.hasPrefix("abcdefghi") == true)
    type(.end)
    #expect(text == "hijklmnop")
  }

  @Test func theBeginningReturnsWhenTheTextBecomesShorter() {
    type("abcdefghijklmnop")
    _ = text
    for _ in 0..<8 { type(.backspace) }
    #expect(text == "abcdefgh")
  }
}
