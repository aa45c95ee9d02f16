import Harness
import Testing

extension HarnessTests {
  @Suite struct ScreenTests {
    @Test func wideCharactersTakeTwoCells() throws {
      let session = try display("a世界b e\u{301}👍|")
      let screen = try session.waitForText("|")
      #expect(screen.lines[0] == "a世界b e\u{301}👍|")
      #expect(screen.cells[0][1].text == "世" && screen.cells[0][1].width == 2)
      #expect(screen.cells[0][2].text == "" && screen.cells[0][2].width == 0)
      #expect(screen.cells[0][7].text == "e\u{301}")
      let position = try #require(screen.position(of: "b e"))
      #expect(position == (row: 0, column: 5))
      #expect(screen.cursor.column == 11)
    }

    @Test func theOtherHalfOfAnOverwrittenWideCharacterIsBlank() throws {
      let session = try display("世界\u{1B}[1Ga\u{1B}[4Gb|")
      let screen = try session.waitForText("|")
      #expect(screen.lines[0] == "a  b|")
    }

    @Test func applicationProgramCommandsAreNotPrinted() throws {
      let image = "\u{1B}_Gq=2,f=100;\(String(repeating: "A", count: 5000))\u{1B}\\"
      let session = try display("a\(image)b\u{1B}_cut\u{1B}[1mc|")
      let screen = try session.waitForText("|")
      #expect(screen.lines[0] == "abc|" && screen.cells[0][2].bold)
    }

    @Test func colorsAndAttributesAreReadFromSGR() throws {
      let session = try display(
        "\u{1B}[31ma\u{1B}[91mb\u{1B}[38;5;200mc\u{1B}[38:5:77md\u{1B}[38;2;1;2;3me\u{1B}[38:2:4:5:6mf"
          + "\u{1B}[38:2::7:8:9;48:2:0:1:2:3mg\u{1B}[0;1;2mh\u{1B}[22mi\u{1B}[3;4;5;7;9mj\u{1B}[0;4:3mk\u{1B}[>4;1m"
          + "\u{1B}[m\u{1B}[48;5;2;38;2;2;2;2ml\u{1B}[m|")
      let cells = try session.waitForText("|").cells[0]
      #expect(
        cells.prefix(7).map(\.style.foreground).prefix(4) == [
          .indexed(1), .indexed(9), .indexed(200), .indexed(77),
        ])
      #expect(cells[4].foreground == .rgb(1, 2, 3))
      #expect(cells[5].foreground == .rgb(4, 5, 6))
      #expect(cells[6].foreground == .rgb(7, 8, 9) && cells[6].background == .rgb(1, 2, 3))
      #expect(cells[7].bold && cells[7].dim && cells[7].foreground == .default)
      #expect(cells[8].style == .default)
      #expect(cells[9].italic && cells[9].underline == .single && cells[9].blink && cells[9].reverse && cells[9].strike)
      #expect(cells[10].underline == .curly && cells[10].bold == false)
      #expect(cells[11].background == .indexed(2) && cells[11].foreground == .rgb(2, 2, 2) && !cells[11].dim)
      #expect(cells[12].style == .default)
    }

    @Test func alternateScreenTitleCursorAndModesAreKnown() throws {
      let session = try shell(
        """
        printf 'main'; printf '\\033[?1049h\\033[H\\033[?25l\\033[?1002;1006h\\033[?2004h\\033]2;a title\\007alternate'
        read line; printf '\\033[?1049l\\033[?25h\\033[?1002l\\033[?2004l done'; exec cat
        """)
      let inside = try session.waitForText("alternate")
      #expect(inside.isAlternateScreen && !inside.cursor.visible && inside.mouseMode == 2 && inside.title == "a title")
      #expect(inside.isModeSet(1049) && inside.isModeSet(1006) && inside.isModeSet(2004) && !inside.isModeSet(1003))
      #expect(!inside.contains("main"))
      session.press(.enter)
      let after = try session.waitForText("main done")
      #expect(!after.isAlternateScreen && after.cursor.visible && after.mouseMode == 0)
      #expect(session.modes[2004] == false && session.modes[1006] == true)
    }

    @Test func synchronizedUpdatesAreSeenWhole() throws {
      let session = try shell("printf '\\033[?2026hhalf'; read line; printf ' whole\\033[?2026l'; exec cat")
      try session.waitForOutput("half an update") { String(decoding: $0, as: UTF8.self).contains("half") }
      session.type("\n")
      let screen = try session.wait(for: "the update") { $0.contains("half") }
      #expect(screen.contains("whole"))
    }

    @Test func tputDrawsWithTerminfo() throws {
      let session = try shell("tput cup 3 5; tput setaf 4; tput smul; printf blue; tput sgr0; printf '|'; exec cat")
      let screen = try session.waitForText("blue|")
      let position = try #require(screen.position(of: "blue"))
      #expect(position == (row: 3, column: 5))
      #expect(screen.cells[3][5].foreground == .indexed(4) && screen.cells[3][5].underline == .single)
      #expect(screen.cells[3][9].style == .default)
    }
  }
}
