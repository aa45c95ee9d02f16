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
    // The other controls, and keys with Alt.
    ("\u{01}\u{1A}\u{1C}\u{1F}\n", ["a", "z", "\\", "_"].map { .key(.control($0)) } + [.key(Key(.enter))]),
    (
      "\u{1B}\u{7F}\u{1B}\u{01}\u{1B}é",
      [
        .key(Key(.backspace, .alt)), .key(Key(.character("a"), [.control, .alt])),
        .key(Key(.character("é"), .alt)),
      ]
    ),
    // Keys of the keypad, and final bytes without a key.
    ("\u{1B}OM\u{1B}OZ\u{1B}[Xx", [.key(Key(.enter)), .key("x")]),
    ("\u{1B}[[E\u{1B}[[Fx", [.key(Key(.function(5))), .key("x")]),
    // kitty's keyboard protocol.
    (
      "\u{1B}[13u\u{1B}[9;2u\u{1B}[127u\u{1B}[8;3u\u{1B}[32u",
      [.key(Key(.enter)), .key(Key(.tab, .shift)), .key(Key(.backspace)), .key(Key(.backspace, .alt)), .key(" ")]
    ),
    (
      "\u{1B}[126;2u\u{1B}[127;1:2u\u{1B}[128u\u{1B}[159u\u{1B}[160ux",
      [.key("~"), .key(Key(.backspace)), .key("\u{A0}"), .key("x")]
    ),
    ("\u{1B}[31u\u{1B}[55296ux", [.key("x")]),
    ("\u{1B}[1;9A\u{1B}[1;0A\u{1B}[1;8A", [.key(Key(.up)), .key(Key(.up)), .key(Key(.up, [.shift, .alt, .control]))]),
    // The mouse: dragging, with keys, other buttons, and places outside of the screen.
    (
      "\u{1B}[<32;2;2M\u{1B}[<28;1;2M\u{1B}[<4;1;1m\u{1B}[<2;1;1M\u{1B}[<66;1;1M\u{1B}[<0;0;1M\u{1B}[<0;1;0M\u{1B}[<0;1Mx",
      [
        .mouse(Mouse(.drag, column: 1, row: 1)), .mouse(Mouse(.press, column: 0, row: 1)),
        .mouse(Mouse(.release, column: 0, row: 0)), .key("x"),
      ]
    ),
    // Answers that the program needs, and others.
    ("\u{1B}[I\u{1B}[Ox", [.reply(.focus), .reply(.other), .key("x")]),
    ("\u{1B}[n\u{1B}[0n\u{1B}[3nx", [.reply(.status), .reply(.status), .key("x")]),
    (
      "\u{1B}[?1;0;256S\u{1B}[?1;1;9S\u{1B}[?2;0;9S\u{1B}[?1;0Sx",
      [.reply(.sixelColors(256)), .reply(.other), .reply(.other), .reply(.other), .key("x")]
    ),
    (
      "\u{1B}[4;600;800t\u{1B}[6;20;10t\u{1B}[8;24;80t\u{1B}[6;20tx",
      [.reply(.windowPixels), .reply(.cellPixels(width: 10, height: 20)), .reply(.other), .reply(.other), .key("x")]
    ),
    (
      "\u{1B}[?2026;0$y\u{1B}[?2026;1$y\u{1B}[?2026;3$y\u{1B}[?2026;4$yx",
      [false, true, true, false].map { .reply(.synchronizesUpdates($0)) } + [.key("x")]
    ),
    ("\u{1B}[>1;2c\u{1B}[=1c\u{1B}[<1cx", [.reply(.other), .reply(.other), .reply(.other), .key("x")]),
    ("\u{1B}[1;2R\u{1B}[2;1Rx", [.key(Key(.function(3), .shift)), .reply(.other), .key("x")]),
    (
      "\u{1B}_Gi=31;EBADF\u{1B}\\\u{1B}_Gi=31,p=1;OK\u{1B}\\\u{1B}_Gi=31\u{1B}\\\u{1B}_Gx\u{1B}\\x",
      [
        .reply(.kitty(id: 31, isAccepted: false)), .reply(.kitty(id: 31, isAccepted: true)), .reply(.other),
        .reply(.other), .key("x"),
      ]
    ),
    ("\u{1B}]1337;ReportCellSize=20;10\u{07}\u{1B}P1$r\u{1B}\\x", [.reply(.itermCellSize), .reply(.other), .key("x")]),
    (
      "\u{1B}]4;15;rgb:f/8/0\u{07}\u{1B}]4;0;rgba:ffff/0000/0000/ffff\u{07}x",
      [
        .reply(.paletteColor(15, red: 1, green: 8.0 / 15, blue: 0)),
        .reply(.paletteColor(0, red: 1, green: 0, blue: 0)), .key("x"),
      ]
    ),
    (
      [
        "11;rgb:ff/00", "11;rgb:fffff/0/0", "11;rgb:+f/0/0", "11;rgb://", "4;-1;rgb:0/0/0", "4;x;rgb:0/0/0",
        "12;rgb:0/0/0",
        "11;#fff",
      ].map { "\u{1B}]\($0)\u{07}" }.joined() + "x", Array(repeating: .reply(.other), count: 8) + [.key("x")]
    ),
    // A string ends early at CAN, SUB or the next sequence.
    (
      "\u{1B}Pa\u{18}x\u{1B}^a\u{1A}x\u{1B}_a\u{1B}[A",
      [.reply(.other), .key("x"), .reply(.other), .key("x"), .reply(.other), .key(Key(.up))]
    ),
  ]

  /// The keys with a number or a letter of their own.
  @Test(arguments: [
    ("1~ 7~ H", Key.Code.home), ("2~", .insert), ("3~", .delete), ("4~ 8~ F", .end), ("5~", .pageUp), ("6~", .pageDown),
    ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("11~ P [A", .function(1)), ("12~ Q [B", .function(2)),
    ("13~ 1;1R [C", .function(3)), ("14~ S [D", .function(4)), ("15~ [E", .function(5)), ("17~", .function(6)),
    ("18~", .function(7)), ("19~", .function(8)), ("20~", .function(9)), ("21~", .function(10)), ("23~", .function(11)),
    ("24~", .function(12)),
  ])
  func keysHaveSequences(sequences: String, code: Key.Code) {
    for sequence in sequences.split(separator: " ") {
      var parser = InputParser()
      #expect(parser.feed("\u{1B}[\(sequence)".utf8) == [.key(Key(code))], "\(sequence)")
      guard sequence.count == 1 else { continue }
      #expect(parser.feed("\u{1B}O\(sequence)".utf8) == [.key(Key(code))], "\(sequence)")
    }
    var parser = InputParser()
    #expect(["9~", "10~", "16~", "22~", "25~", "E"].allSatisfy { parser.feed("\u{1B}[\($0)".utf8).isEmpty })
  }

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

  /// A slow line may bring the rest much later. As keys, it would be commands.
  @Test(arguments: 0...6) func aPasteThatIsHeldUpIsReturnedAsFarAsItCame(part: Int) {
    var parser = InputParser()
    let end = Array("\u{1B}[201~".utf8)
    #expect(parser.feed("a\u{1B}[200~one".utf8) == [.key("a")])
    #expect(parser.wait == .end)
    #expect(parser.feed(" two".utf8) == [])
    #expect(parser.flush() == [.paste("one two")])
    // Nothing has to be waited for, however long the line stalls.
    #expect(parser.wait == nil)
    #expect(parser.feed("q\u{1B}x".utf8) == [])
    #expect(parser.wait == .end)
    #expect(parser.flush() == [.paste("q\u{1B}x")])
    // The stall may come in the middle of the end. An Escape alone would be the key.
    guard part != 1 else { return }
    #expect(parser.feed("y".utf8 + end.prefix(part)) == (part == 6 ? [.paste("y")] : []))
    if part < 6 { #expect(parser.flush() == [.paste("y")]) }
    #expect(parser.wait == nil)
    #expect(
      parser.feed(Array(end.dropFirst(part)) + Array("q".utf8)) == (part < 6 ? [.paste(""), .key("q")] : [.key("q")]))
  }

  @Test(arguments: ["", "one", "\u{1B}[20"]) func anEscapeEndsAPasteThatNeverEnds(text: String) {
    var parser = InputParser()
    _ = parser.feed("\u{1B}[200~\(text)".utf8)
    _ = parser.flush()
    #expect(parser.feed("\u{1B}".utf8) == [])
    #expect(parser.wait == .end)
    #expect(parser.flush().last == .key(Key(.escape)))
    #expect(parser.wait == nil)
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
    // The shortest and longest forms, an overlong one, half of a surrogate pair, and what is beyond Unicode.
    #expect(parser.feed([0xC2, 0xA0, 0xDF, 0xBF]) == [.key("\u{A0}"), .key("\u{7FF}")])
    #expect(parser.feed([0xEF, 0xBF, 0xBD, 0xF4, 0x8F, 0xBF, 0xBF]) == [.key("\u{FFFD}"), .key("\u{10FFFF}")])
    #expect(parser.feed([0xC1, 0xBF, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xF5, 0x80]) == [])
    #expect(parser.feed([0xC2, 0x80, 0xC2, 0x9F, 0x71]) == [.key("q")])
  }
}
