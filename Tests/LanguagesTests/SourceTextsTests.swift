import TestLimit
import Testing

@Suite(.limited) struct SourceTextsTests {
  private func keys(_ source: String) -> [SourceText.Key] { SourceFile(source, path: "a.swift").texts.map(\.key) }

  @Test("The literals of localized are found, with their values, plurals and contexts")
  func literals() {
    #expect(keys(#"localized("Can't reach \(name(of: "a")): \(b)")"#) == [.init(text: "Can't reach %1: %2")])
    #expect(
      keys(#"localized("\(n) photo", plural: "\(n) photos", count: n)"#)
        == [.init(text: "%1 photo", plural: "%1 photos")])
    #expect(keys(#"localized("Open", context: "a verb")"#) == [.init(context: "a verb", text: "Open")])
    #expect(keys(#"localized(a ? "One" : "Two")"#) == [.init(text: "One"), .init(text: "Two")])
    #expect(keys(#"localized("A \(localized("b"))")"#).map(\.text) == ["b", "A %1"])
    #expect(keys(#"LocalizedText("Lens")"#) == [.init(text: "Lens")])
  }

  @Test("Literals of several lines lose their indentation and their joined line breaks")
  func lines() {
    let source = "f(\n  localized(\n    \"\"\"\n    One \\\n    two\n    three \\(x)\n    \"\"\"))"
    #expect(keys(source) == [.init(text: "One two\nthree %1")])
  }

  @Test("Titles and labels of commands are found, their keys are not")
  func commands() {
    let source = #"KeyBinding(.goTo, ["g"], also: ["x"], goTo: "g", .moving, "Go to a room", label: "Go to")"#
    #expect(keys(source).map(\.text) == ["Go to a room", "Go to"])
  }

  @Test("Other literals and comments are not translated")
  func others() {
    let file = SourceFile("// localized(\"A\")\nlet a = \"b\"\nfunc localized(\"c\")", path: "a.swift")
    #expect(file.texts == [])
    #expect(file.others.map(\.text) == ["b", "c"])
    #expect(file.others.map(\.line) == [2, 3])
  }

  @Test("A comment for translators belongs to the next text")
  func notes() {
    let source = "// Translators: the paper\n// of a print\nf(localized(\"Matte\"), localized(\"Glossy\"))"
    #expect(SourceFile(source, path: "").texts.map(\.note) == ["the paper of a print", ""])
  }
}
