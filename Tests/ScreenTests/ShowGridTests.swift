import Foundation
import Harness
import TestLimit
import Testing

/// `tintype show` with several images: grids, titles, folders, and the ways in which images are fitted.
@Suite(.fewAtOnce, .limited) struct ShowGridTests {
  private func show(
    _ arguments: String..., in folder: URL, size: Size = Size(columns: 60, rows: 24)
  ) throws -> TerminalSession {
    try TerminalSession(
      Program.path, ["show", "--pictures", "symbols"] + arguments, size: size, environment: Program.environment,
      workingDirectory: folder.path)
  }

  @Test func aGridShowsImagesWithTitlesRowByRow() async throws {
    let folder = try ColorFolder(["1.ppm": .red, "2.ppm": .green, "3.ppm": .blue])
    let session = try show("--grid", "2x2", "--title", "%n/%N %b %wx%h", "1.ppm", "2.ppm", "3.ppm", in: folder.url)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    let screen = try await session.waitForTexts("1/3 1.ppm 8x8", "2/3 2.ppm 8x8", "3/3 3.ppm 8x8")
    // Boxes of 29 columns and 10 lines, in which a square has 20 columns.
    #expect(screen.box(of: .red) == [0, 1, 19, 10])
    #expect(screen.box(of: .green) == [31, 1, 50, 10])
    #expect(screen.box(of: .blue) == [0, 12, 19, 21])
    #expect(screen.lines[0] == "1/3 1.ppm 8x8" + String(repeating: " ", count: 18) + "2/3 2.ppm 8x8")
    #expect(screen.cursor.row == 22 && screen.cursor.column == 0)
  }

  @Test func aFolderShowsItsPhotosInTheOrderOfTheirNames() async throws {
    let folder = try ColorFolder([
      "b.ppm": .green, "a.ppm": .red, ".hidden.ppm": .blue, "inside/c.ppm": .blue, "note.txt": .blue,
    ])
    let session = try show("--grid", "2", "--title", "%n %f", "./", "inside", "/no/such", in: folder.url)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(1))
    let screen = try await session.waitForTexts("/no/such: File not found", "1 ./a.ppm", "2 ./b.ppm", "3 inside/c.ppm")
    #expect(!screen.contains("hidden") && !screen.contains("note"))
  }

  @Test func aFolderWithoutPhotosIsReported() async throws {
    let folder = try ColorFolder(["note.txt": .red])
    let session = try show(".", in: folder.url)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(1))
    try await session.waitForTexts(".: No photos in this folder")
  }

  @Test func aDamagedImageCostsNoPlaceInTheGrid() async throws {
    let folder = try ColorFolder(["1.ppm": .red, "2.ppm": .green])
    try Data("P6 broken".utf8).write(to: folder.url.appending(path: "broken.ppm"))
    let result = try await Script.run(
      #""$0" show --pictures symbols --colors mono --grid 2 --title %b 1.ppm broken.ppm 2.ppm"#, in: folder.url)
    #expect(result.code == 1)
    #expect(result.errors.hasPrefix("broken.ppm: ") && result.errors.split(separator: "\n").count == 1)
    let titles = try #require(result.output.split(separator: "\n").first)
    #expect(titles.split(separator: " ") == ["1.ppm", "2.ppm"])
  }

  @Test func imagesAreFittedAlignedAndRotated() async throws {
    // Twice as wide as high: in a box of 20x10 cells, 20x5 cells.
    let folder = try ColorFolder(["wide.ppm": .red], width: 16, height: 8)
    func shown(_ options: String...) async throws -> [Int]? {
      let session = try TerminalSession(
        Program.path, ["show", "--pictures", "symbols", "--size", "20x10"] + options + ["wide.ppm"],
        size: Size(columns: 60, rows: 24), environment: Program.environment, workingDirectory: folder.url.path)
      defer { session.close() }
      #expect(try await session.waitForExit() == .exited(0))
      return session.screen.box(of: .red)
    }
    #expect(try await shown() == [0, 0, 19, 4])
    #expect(try await shown("--fit", "cover") == [0, 0, 19, 9])
    #expect(try await shown("--fit", "height") == [0, 0, 19, 9])
    #expect(try await shown("--rotate", "90") == [0, 0, 9, 9])
    #expect(try await shown("--rotate", "270", "--align", "right") == [10, 0, 19, 9])
    #expect(try await shown("--rotate", "180", "--align", "bottom") == [0, 5, 19, 9])
    #expect(try await shown("--rotate", "90", "--fit", "width") == [0, 0, 19, 19])
    #expect(try await shown("--rotate", "90", "--align", "center,middle") == [5, 0, 14, 9])
  }

  @Test(arguments: ["30x", "x7", "30x7"]) func aSizeMayLimitOneSide(size: String) async throws {
    let folder = try ColorFolder(["wide.ppm": .red], width: 16, height: 8)
    let session = try show("--size", size, "wide.ppm", in: folder.url)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.screen.box(of: .red) == (size == "30x" ? [0, 0, 29, 7] : [0, 0, 27, 6]))
  }

  /// The colors have the names of HTML 4.01.
  @Test(arguments: [
    ("black", Color.rgb(0, 0, 0)), ("silver", Color.rgb(192, 192, 192)),
    ("gray", .rgb(128, 128, 128)), ("white", .rgb(255, 255, 255)),
    ("maroon", .rgb(128, 0, 0)), ("red", .red), ("purple", .rgb(128, 0, 128)),
    ("fuchsia", .rgb(255, 0, 255)), ("green", .rgb(0, 128, 0)), ("lime", .green),
    ("olive", .rgb(128, 128, 0)), ("yellow", .rgb(255, 255, 0)),
    ("navy", .rgb(0, 0, 128)), ("BLUE", .blue), ("teal", .rgb(0, 128, 128)),
    ("aqua", .rgb(0, 255, 255)), ("#00ff00", .green), ("F00", .red),
  ])
  func transparentPartsHaveTheBackground(name: String, color: Color) async throws {
    let folder = try ColorFolder([:])
    let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>"#
    try Data(drawing.utf8).write(to: folder.url.appending(path: "clear.svg"))
    let session = try show("--background", name, "clear.svg", in: folder.url)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.screen.cells[0][0].plainColor == color)
  }

  @Test(arguments: [
    ["--size", "x"], ["--size", "0x5"], ["--grid", "0"], ["--grid", "2x"], ["--grid", "1x2x3"], ["--title", "%x"],
    ["--align", "up"], ["--rotate", "45"],
    ["--background", "#12"], ["--background", "pinkish"], ["--fit", "all"],
  ])
  func invalidOptionsAreRefused(options: [String]) async throws {
    let session = try TerminalSession(
      Program.path, ["show"] + options + ["a.jpg"], size: Size(columns: 120, rows: 24),
      environment: Program.environment)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(64))
    try await session.waitForTexts("is invalid for '\(options[0])")
  }
}
