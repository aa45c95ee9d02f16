import Foundation
import Harness
import TestLimit
import Testing

/// `tintype show` as other programs call it to preview images: in cells of their screens, or through a pipe.
@Suite(.fewAtOnce, .limited) struct PreviewerTests {
  private static let size = Size(columns: 80, rows: 24)

  /// Runs a shell script in a terminal until it ends.
  /// - Parameter changes: Changes to the environment; nil removes a variable.
  private func run(
    _ script: String, in folder: URL, changes: [String: String?] = [:], answersQueries: Bool = true
  ) async throws -> TerminalSession {
    var environment = Program.environment
    for (name, value) in changes { environment[name] = value }
    let session = try TerminalSession(
      "/bin/sh", ["-c", script, Program.path], size: Self.size, environment: environment,
      workingDirectory: folder.path, pixelsPerCell: (10, 20), answersQueries: answersQueries)
    #expect(try await session.waitForExit() == .exited(0))
    return session
  }

  /// The output without the images themselves, whose sequences become `<kitty …>`, `<sixel>` and `<iterm>`.
  private func outline(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
      .replacing(/\u{1B}_G([^;\u{1B}]*)(?:;[^\u{1B}]*)?\u{1B}\\/) { "<kitty \($0.1)>" }
      .replacing(/\u{1B}P[0-9;]*q[^\u{1B}]*\u{1B}\\/) { _ in "<sixel>" }
      .replacing(/\u{1B}\]1337;[^\u{07}]*\u{07}/) { _ in "<iterm>" }
      .replacing("\u{1B}", with: "^")
  }

  /// The bytes that blank the cells 10x4@3x2 and go to the first of them.
  private static let blanked =
    (3...6).map { "^[\($0);4H^[10X" }.joined() + "^[3;4H"

  // MARK: - Places

  @Test(arguments: [[3, 2, 10, 4], [60, 20, 100, 100], [0, 23, 80, 1], [79, 0, 1, 24]])
  func anImageIsDrawnInItsCellsAlone(place: [Int]) async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 64, height: 64)
    let (column, row, columns, rows) = (place[0], place[1], place[2], place[3])
    let session = try await run(
      """
      for line in $(seq 24); do printf '\\033[%d;1H' "$line"; printf 'x%.0s' $(seq 80); done
      printf '\\033[5;7H\\033[1;44m'
      "$0" show --pictures symbols --align center,middle --fit cover --place \(columns)x\(rows)@\(column)x\(row) red.ppm
      printf y
      """, in: folder.url)
    defer { session.close() }
    let screen = try await session.waitForTexts("y")
    for (line, cells) in screen.cells.enumerated() {
      for (index, cell) in cells.enumerated() where (line, index) != (4, 6) {
        let isInside = (column..<column + columns).contains(index) && (row..<row + rows).contains(line)
        #expect(isInside ? cell.plainColor == .red : cell.text == "x", "row \(line), column \(index)")
      }
    }
    // The cursor and the colors are as they were.
    #expect(screen.cells[4][6].text == "y" && screen.cells[4][6].style.bold)
    #expect(session.output.firstRange(of: Array("\u{1B}[c".utf8)) == nil)
  }

  @Test(arguments: [
    ("kitty", "<kitty q=2,f=100,i=ID,a=t,m=0><kitty q=2,a=p,i=ID,C=1,z=29801>"),
    ("sixel", "<sixel>"), ("iterm", "<iterm>"),
  ])
  func pixelsAreDrawnWhereTheyBelong(format: String, image: String) async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(
      #""$0" show --pictures \#(format) --place 10x4@3x2 red.ppm > /dev/tty"#, in: folder.url)
    defer { session.close() }
    #expect(outline(session.output).replacing(/i=\d+/) { _ in "i=ID" } == "^7^[0m" + Self.blanked + image + "^8")
  }

  @Test func aPlaceOutsideTheScreenStaysEmpty() async throws {
    let folder = try ColorFolder(["red.ppm": .red])
    let session = try await run(#""$0" show --place 10x4@80x2 red.ppm"#, in: folder.url)
    defer { session.close() }
    #expect(session.output.isEmpty)
  }

  @Test func imagesInTheSameCellsReplaceEachOther() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(
      """
      for place in 10x4@3x2 10x4@13x2 10x4@3x2; do "$0" show --pictures kitty --place $place red.ppm; done
      """, in: folder.url)
    defer { session.close() }
    let ids = outline(session.output).matches(of: /a=p,i=(\d+)/).map(\.1)
    #expect(ids.count == 3 && ids[0] == ids[2] && ids[0] != ids[1])
  }

  @Test func inTmuxPlacedImagesArePlaceholders() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(
      #""$0" show --pictures kitty --place 10x4@3x2 red.ppm"#, in: folder.url,
      changes: ["TMUX": "/no/such/socket,1,0", "TERM": "tmux-256color"])
    defer { session.close() }
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(output.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,f=100,"))
    #expect(output.components(separatedBy: "\u{10EEEE}\u{305}\u{305}").count == 2)
    for row in 3...6 { #expect(output.contains("\u{1B}[\(row);4H\u{1B}[38;2;")) }
  }

  @Test func anImageThatCannotBeShownLeavesBlankCells() async throws {
    let folder = try ColorFolder(["red.ppm": .red])
    let session = try await run(
      #"printf '\033[3;1Hxxxxxxxx'; "$0" show --pictures symbols --place 10x4@3x2 no.jpg 2> /dev/null; echo $?"#,
      in: folder.url)
    defer { session.close() }
    try await session.wait(for: "the cells and the exit code") { $0.lines[2].hasPrefix("xxx     1") }
  }

  @Test func aSharpPreviewTakesThePlaceOfItsImage() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 600, height: 600)
    let session = try await run(
      """
      export XDG_CACHE_HOME="$PWD/cache"
      "$0" thumbnails red.ppm
      cp -p red.ppm whole && head -c 300000 whole > red.ppm && touch -r whole red.ppm
      "$0" show --pictures symbols --place 10x5@0x0 red.ppm
      """, in: folder.url)
    defer { session.close() }
    try await session.wait(for: "the preview") { screen in
      screen.cells[..<5].allSatisfy { $0[..<10].allSatisfy { $0.plainColor == .red } }
    }
    #expect(!session.screen.contains("Incomplete"))
  }

  // MARK: - Clearing

  @Test func clearingRemovesStoredImages() async throws {
    let folder = try ColorFolder()
    let session = try await run(#""$0" show --pictures kitty --clear"#, in: folder.url)
    defer { session.close() }
    let commands = outline(session.output).replacing(/\d{8}/) { _ in "ID" }
    #expect(commands == "<kitty q=2,a=d,d=Z,z=29801><kitty q=2,a=d,d=R,x=ID,y=ID>")
  }

  @Test(arguments: ["symbols", "sixel", "iterm"])
  func clearingAPlaceBlanksItsCells(format: String) async throws {
    let folder = try ColorFolder()
    let session = try await run(
      #"printf '\033[3;1Hxxxxxxxxxx'; "$0" show --pictures \#(format) --clear --place 2x1@3x2; printf y"#,
      in: folder.url)
    defer { session.close() }
    try await session.wait(for: "the cells") { $0.lines[2] == "xxx  xxxxxy" }
    #expect(outline(session.output) == "^[3;1Hxxxxxxxxxx^7^[0m^[3;4H^[2X^8y")
  }

  // MARK: - Pipes

  /// Runs the program with its output in a pipe, and expects that the terminal sees nothing of it.
  private func piped(
    _ arguments: String, in folder: URL, changes: [String: String?] = [:]
  ) async throws -> [UInt8] {
    let session = try await run(#""$0" show \#(arguments) | cat > output"#, in: folder, changes: changes)
    defer { session.close() }
    #expect(session.output.isEmpty)
    return Array(try Data(contentsOf: folder.appending(path: "output")))
  }

  @Test func placeholdersGoThroughAPipe() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let output = String(
      decoding: try await piped("--pictures kitty --placeholders --size 8x9 red.ppm", in: folder.url), as: UTF8.self)
    let lines = outline(Array(output.utf8)).split(separator: "\n")
    #expect(lines.count == 4)
    let first = try #require(lines.first?.wholeMatch(of: /<kitty q=2,f=100,i=(\d+),a=T,U=1,c=8,r=4,.*>(.*)/))
    let id = try #require(UInt32(first.1))
    let color = "^[38;2;\(id >> 16);\(id >> 8 & 0xFF);\(id & 0xFF)m"
    #expect(first.2.hasPrefix("\(color)\u{10EEEE}\u{305}\u{305}\u{10EEEE}\u{305}\u{30D}"))
    #expect(lines[3].hasPrefix("\(color)\u{10EEEE}\u{310}\u{305}") && lines[3].hasSuffix("^[39m"))
  }

  @Test(
    arguments: [
      ("xterm-kitty", nil, "\u{1B}_Gq=2,"), ("xterm-256color", nil, "\u{1B}[48;2;"), ("foot", nil, "\u{1B}[48;2;"),
      ("tmux-256color", "/no/such/socket,1,0", "\u{1B}[48;2;"),
    ] as [(String, String?, String)])
  func placeholdersAreSentToTerminalsThatKnowThem(type: String, tmux: String?, start: String) async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let output = try await piped(
      "--placeholders --size 8x9 red.ppm", in: folder.url, changes: ["TERM": type, "TMUX": tmux])
    #expect(String(decoding: output, as: UTF8.self).hasPrefix(start))
  }

  @Test func onlyATerminalGetsFiles() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(
      """
      cp /bin/sleep kitty && ./kitty 60 & export KITTY_PID=$!
      until grep -q kitty /proc/$KITTY_PID/comm; do :; done
      "$0" show --placeholders red.ppm | cat > output
      "$0" show --place 10x4@3x2 red.ppm
      kill $KITTY_PID
      """, in: folder.url, changes: ["TERM": "xterm-kitty"])
    defer { session.close() }
    let piped = outline(Array(try Data(contentsOf: folder.url.appending(path: "output"))))
    #expect(piped.hasPrefix("<kitty q=2,f=100,") && !piped.contains("t=t"))
    let output = String(decoding: session.output, as: UTF8.self)
    let name = try #require(output.firstMatch(of: /,a=t,t=t;([A-Za-z0-9+\/=]+)/)?.1)
    let path = String(decoding: try #require(Data(base64Encoded: String(name))), as: UTF8.self)
    #expect(path.hasPrefix("/dev/shm/tintype-tty-graphics-protocol-"))
    // Here is no kitty that would delete the file.
    unlink(path)
  }

  @Test func clearingGoesThroughAPipeBeforeTheImage() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let output = try await piped("--clear --placeholders red.ppm", in: folder.url, changes: ["TERM": "xterm-kitty"])
    #expect(outline(output).hasPrefix("<kitty q=2,a=d,d=Z,z=29801><kitty q=2,a=d,d=R,"))
  }

  @Test(
    arguments: [
      ("symbols", [:], 24), ("symbols", ["FZF_PREVIEW_COLUMNS": "30", "FZF_PREVIEW_LINES": "10"], 10),
    ] as [(String, [String: String?], Int)])
  func charactersHaveTheSizeOfTheWindow(format: String, changes: [String: String?], rows: Int) async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let output = try await piped("--pictures \(format) red.ppm", in: folder.url, changes: changes)
    #expect(output.count { $0 == UInt8(ascii: "\n") } == rows)
  }

  @Test(arguments: [
    ("sixel", "<sixel>\n"), ("iterm", "<iterm>\n"),
    ("kitty", "<kitty q=2,f=100,i=ID,a=t,m=0><kitty q=2,a=p,i=ID,C=1,z=29801>\n"),
  ])
  func inFzfTheCursorIsNotMoved(format: String, expected: String) async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let output = try await piped(
      "--pictures \(format) red.ppm", in: folder.url,
      changes: ["FZF_PREVIEW_COLUMNS": "30", "FZF_PREVIEW_LINES": "10", "FZF_PREVIEW_TOP": "1"])
    #expect(outline(output).replacing(/i=\d+/) { _ in "i=ID" } == expected)
  }

  @Test func aProcessInTheBackgroundAsksNothing() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(
      #"set -m; "$0" show --size 8x4 red.ppm & wait $!"#, in: folder.url, changes: ["TERM": "xterm-kitty"])
    defer { session.close() }
    #expect(outline(session.output).contains("<kitty q=2,f=100,") && !outline(session.output).contains("^[c"))
  }

  @Test func aPipeAsksIfItIsToldTo() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(#""$0" show --ask --size 8x4 red.ppm | cat > output"#, in: folder.url)
    defer { session.close() }
    #expect(outline(session.output).contains("^[c"))
    #expect(session.takeInput().isEmpty)
  }

  // MARK: - The standard input

  @Test func anImageOnTheStandardInputIsShown() async throws {
    let folder = try ColorFolder(["red.ppm": .red], width: 80, height: 80)
    let session = try await run(#"cat red.ppm | "$0" show --pictures symbols --place 8x4@0x0 -"#, in: folder.url)
    defer { session.close() }
    try await session.wait(for: "the image") { screen in
      screen.cells[..<4].allSatisfy { $0[..<8].allSatisfy { $0.plainColor == .red } }
    }
  }

  @Test(arguments: [
    (": |", "Error: the standard input is empty. Redirect an image, or pipe one.\n"),
    ("echo no image |", "standard input: Not an image, or an unsupported format\n"),
    ("printf 'P6 9 9 255 ' |", "standard input: "),
    ("head -c 268435457 /dev/zero |", "Error: the standard input has more than 256 MB. Save it, and name the file.\n"),
  ])
  func anUnusableStandardInputIsReported(source: String, message: String) async throws {
    let folder = try ColorFolder()
    let result = try await Script.run(#"\#(source) "$0" show -"#, in: folder.url)
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(message.hasSuffix("\n") ? result.errors == message : result.errors.hasPrefix(message))
  }

  // MARK: - Exit codes

  @Test(arguments: [
    ("red.ppm", 0), ("red.ppm no.jpg", 1), ("", 64), ("- -", 64), ("--place 10x4 red.ppm", 64),
    ("--place 10x4@-1x0 red.ppm", 64), ("--place 10x4@0x0 red.ppm red.ppm", 64), ("--place 0x4@0x0 red.ppm", 64),
    ("--place 10x4@0x0 --size 4x4 red.ppm", 64), ("--placeholders --pictures sixel red.ppm", 64),
    ("--place 10x4@0x0 no.jpg", 1), ("--place 10x4@0x0 red.ppm", 0), ("--clear", 0),
    ("--place 10x4@0x0 --grid 2 red.ppm", 64),
  ])
  func theExitCodeTellsWhatHappened(arguments: String, code: Int32) async throws {
    let folder = try ColorFolder(["red.ppm": .red])
    let result = try await Script.run(#""$0" show \#(arguments)"#, in: folder.url)
    #expect(result.code == code)
  }
}
