import Gallery
import Terminal
import TestLimit
import Testing

@Suite(.limited) struct InputParserTests {
  private static let cases: [(String, [InputEvent])] = [
    ("j", [.key("j")]), ("é漢👍", [.key("é"), .key("漢"), .key("👍")]),
    ("\r\t\u{7F}\u{08}", [.key(Key(.enter)), .key(Key(.tab)), .key(Key(.backspace)), .key(Key(.backspace))]),
    ("\u{04}\u{0}", [.key(.control("d")), .key(.control(" "))]),
    ("\u{1B}[A\u{1B}OB", [.key(Key(.up)), .key(Key(.down))]),
    ("\u{1B}[1;5C\u{1B}[5;3~", [.key(Key(.right, .control)), .key(Key(.pageUp, .alt))]),
    ("\u{1B}[H\u{1B}[4~\u{1B}[Z", [.key(Key(.home)), .key(Key(.end)), .key(Key(.tab, .shift))]),
    ("\u{1B}OP\u{1B}[11~\u{1B}[[A", [.key(Key(.function(1))), .key(Key(.function(1))), .key(Key(.function(1)))]),
    ("\u{1B}x\u{1B}\r", [.key(Key(.character("x"), .alt)), .key(Key(.enter, .alt))]),
    ("\u{1B}[27u\u{1B}[97;5u", [.key(Key(.escape)), .key(.control("a"))]),
    (
      "\u{1B}[<0;3;7M\u{1B}[<0;3;7m",
      [.mouse(Mouse(.press, column: 2, row: 6)), .mouse(Mouse(.release, column: 2, row: 6))]
    ),
    (
      "\u{1B}[<65;1;1M\u{1B}[<64;1;1M",
      [.mouse(Mouse(.wheelDown, column: 0, row: 0)), .mouse(Mouse(.wheelUp, column: 0, row: 0))]
    ),
    ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~c", [.paste("a\u{1B}[Ab"), .key("c")]),
    ("\u{1B}[?62;4cx", [.reply(.deviceAttributes([62, 4])), .key("x")]),
    ("\u{1B}]11;rgb:ffff/0000/8080\u{07}x", [.reply(.background(red: 1, green: 0, blue: 32896.0 / 65535)), .key("x")]),
    ("\u{1B}]11;rgb:ff/00/ff\u{1B}\\x", [.reply(.background(red: 1, green: 0, blue: 1)), .key("x")]),
    ("\u{1B}]11;rgb:zz/00/ff\u{1B}\\x", [.reply(.other), .key("x")]),
    (
      "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}_Gi=1;OK\u{1B}\\x",
      [.reply(.version("XTerm(379)")), .reply(.kitty(id: 1, isAccepted: true)), .key("x")]
    ),
    ("\u{1B}[12;40Rx", [.reply(.other), .key("x")]),
    ("\u{1B}[?2026;2$yx", [.reply(.synchronizesUpdates(true)), .key("x")]),
    (
      "\u{1B}[?5522;4$y\u{1B}[?5522;2$y\u{1B}[?7;1$yx",
      [.reply(.takesClipboardData(false)), .reply(.takesClipboardData(true)), .reply(.other), .key("x")]
    ),
    (
      "\u{1B}]5522;type=write:status=DONE\u{1B}\\\u{1B}]5522;status=EPERM:type=write;\u{07}x",
      [.reply(.clipboard(.done)), .reply(.clipboard(.denied)), .key("x")]
    ),
    (
      "\u{1B}]5522;type=write:status=EIO\u{1B}\\\u{1B}]5522;type=read:status=DONE\u{1B}\\x",
      [.reply(.clipboard(.failed("EIO"))), .reply(.other), .key("x")]
    ),
    ("\u{1B}[99999999999999999999~x", [.key("x")]), ("\u{1B}[1;-9223372036854775808Ax", [.key("x")]),
    ("\u{1B}[ Ax", [.key("x")]), ("\u{1B}[1\u{01}x", [.key("x")]), ("\u{1B}[M !!x", [.key("x")]),
  ]

  @Test(arguments: cases.indices)
  func sequencesBecomeEvents(index: Int) {
    var parser = InputParser()
    #expect(parser.feed(Self.cases[index].0.utf8) == Self.cases[index].1)
  }

  @Test(arguments: cases.indices)
  func eventsDoNotDependOnHowTheBytesAreSplit(index: Int) {
    let bytes = Array(Self.cases[index].0.utf8)
    for split in bytes.indices {
      var parser = InputParser()
      #expect(parser.feed(bytes[..<split]) + parser.feed(bytes[split...]) == Self.cases[index].1, "split at \(split)")
    }
    var parser = InputParser()
    #expect(bytes.flatMap { parser.feed([$0]) } == Self.cases[index].1)
  }

  @Test func aLoneEscapeIsAKeyIfNothingFollows() {
    var parser = InputParser()
    #expect(parser.feed([0x1B]) == [])
    #expect(parser.wait == .sequence)
    #expect(parser.flush() == [.key(Key(.escape))])
    #expect(parser.wait == nil)
    #expect(parser.feed("\u{1B}[".utf8) == [])
    #expect(parser.flush() == [.key(Key(.character("["), .alt))])
  }

  @Test func anUnfinishedAnswerNeverBecomesKeys() {
    var parser = InputParser()
    #expect(parser.feed("\u{1B}]11;rgb:12".utf8) == [])
    #expect(parser.wait == .end)
    #expect(parser.feed("34/12\u{1B}[Aq".utf8) == [.reply(.other), .key(Key(.up)), .key("q")])
  }

  @Test(arguments: ["\u{1B}Xj", "\u{1B}]11;rgb:12", "\u{1B}Pjj", "\u{1B}[12;", "\u{1B}[M!"])
  func aSequenceThatNeverEndsIsDropped(beginning: String) {
    var parser = InputParser()
    #expect(parser.feed(beginning.utf8) == [])
    #expect(parser.wait == .end)
    #expect(parser.flush() == [])
    #expect(parser.wait == nil)
    #expect(parser.feed("q".utf8) == [.key("q")])
  }

  @Test func aPasteThatNeverEndsIsReturnedAsFarAsItCame() {
    var parser = InputParser()
    #expect(parser.feed("a\u{1B}[200~one".utf8) == [.key("a")])
    #expect(parser.wait == .end)
    #expect(parser.feed(" two".utf8) == [])
    #expect(parser.flush() == [.paste("one two")])
    #expect(parser.feed("q".utf8) == [.key("q")])
  }

  @Test func anEndlessAnswerIsNotKept() {
    var parser = InputParser()
    _ = parser.feed("\u{1B}]11;".utf8)
    for _ in 0..<1000 { #expect(parser.feed(repeatElement(UInt8(ascii: "q"), count: 10_000)) == []) }
    #expect(parser.feed("\u{1B}\\q".utf8) == [.reply(.other), .key("q")])
  }

  @Test func aLongPasteIsOneEvent() {
    var parser = InputParser()
    let text = String(repeating: "lorem ipsum ", count: 20_000)
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~q".utf8)
    var events: [InputEvent] = []
    for start in stride(from: 0, to: bytes.count, by: 999) {
      events += parser.feed(bytes[start..<min(start + 999, bytes.count)])
    }
    #expect(events == [.paste(text), .key("q")])
  }

  @Test func malformedUTF8IsDropped() {
    var parser = InputParser()
    #expect(parser.feed([0xC3, 0x28, 0xFF, 0xE2, 0x82, 0x78, 0xC2, 0x9B, 0x71]) == [.key("("), .key("x"), .key("q")])
  }
}
