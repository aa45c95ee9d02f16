import Gallery
import TestLimit
import Testing

@testable import Configuration

@Suite(.limited) struct TOMLDocumentTests {
  @Test(arguments: [
    ("[[[commands]]]", 1), ("rows = \"small\"\n\n  [=]", 3), ("[Ä]\na = 1", 1), ("[\na]", 1),
    ("a = [\n[1],\n]\n[{]", 4),
    ("a = \"\"\"\n[…]\"\"\"\n[ .b]", 3), ("a = '\\'\n[# b]", 2), ("a = \"\\\"\"\r\n[\u{1}]", 2), ("\u{FEFF}[,]", 1),
  ])
  func aTableWithoutANameIsReported(text: String, line: Int) {
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument.table(text) }
    #expect(fault?.line == line)
    #expect(fault?.reason.hasPrefix("The name of a table begins with ") == true)
  }

  @Test(arguments: [("a = [}", 1), ("a = [1,\n}]", 2), ("a = {b = [ '}', }]}", 1), ("b = 1\na = [{}, [ # ]\n}", 3)])
  func aListThatEndsWithABraceIsReported(text: String, line: Int) {
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument.table(text) }
    #expect(fault == .init(line: line, reason: "A list that begins with [ ends with ]."))
  }

  @Test(arguments: [
    "a = [\n  [1, 2],\n  [ [ \"]\" ], # ]\n  ],\n]\n[b]", "a = \"\"\"\n[…]\n\"\"\"\"\n['Ä']", "a = '''\n[=]\n'''",
    "[\"=\"]", "[ a . b ]",
    "[[a]]\n[[ a ]]", "# [=]\na = {b = [\n[1],\n]}\n[-]", "a = '['\nb = \"[\"\n[_.1]", "",
  ])
  func otherBracketsAreLeftAlone(text: String) {
    #expect(throws: Never.self) { try TOMLDocument.table(text) }
  }

  @Test(arguments: [("[]", 1), ("[", 1), ("a = 1\n[[a", 2), ("a = [\n[1]", nil)])
  func otherMistakesAreThoseOfTheParser(text: String, line: Int?) {
    let fault = #expect(throws: TOMLDocument.Fault.self) { try TOMLDocument.table(text) }
    if let line { #expect(fault?.line == line) }
    #expect(fault?.reason.hasPrefix("Error while parsing") == true)
  }
}
