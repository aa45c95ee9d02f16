import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Archives and PDFs on the screen, in characters.
@Suite(.limited, .fewAtOnce) struct ArchiveScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder.appending(path: "books"), withIntermediateDirectories: true)
    let photos = try ["astronaut.jpg", "chelsea.jpg", "coffee.jpg"].enumerated().map { index, name in
      ("pages/\(index + 9).jpg", [UInt8](try Data(contentsOf: URL(filePath: TestPhotos.path(name)))))
    }
    try write(ZipFile(photos.reversed()).bytes, as: "comic.cbz")
    try write(PDFFile(colors: [(1, 0, 0), (0, 1, 0), (0, 0, 1)]).bytes, as: "colors.pdf")
  }

  private func write(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: folder.appending(path: "books/\(name)"))
  }

  private func start(_ name: String, _ texts: String...) async throws -> TerminalSession {
    let session = try Program.start(
      "--pictures", "symbols", folder.appending(path: name).path, columns: 100, rows: 30,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    for text in texts { try await session.waitForText(text) }
    return session
  }

  @Test func aComicIsReadPageByPage() async throws {
    let session = try await start("books/comic.cbz", "comic.cbz", "9.jpg", "10.jpg", "11.jpg")
    defer { session.close() }
    session.type("v")
    // No other program opens a path in an archive.
    try await session.wait(for: "the viewer") {
      $0.contains("9.jpg") && $0.contains("1/3") && $0.contains("Read on") && !$0.contains("Open in app")
    }
    session.type(" ")
    try await session.waitForTexts("10.jpg", "2/3")
    session.press(.right)
    try await session.waitForTexts("11.jpg", "3/3")
    session.type("3")
    try await session.waitForText("It is in an archive or a PDF, which is never changed.")
    session.press(.escape)
    try await session.waitForText("Backspace Parent")
    session.type("D")
    try await session.waitForText("It is in an archive or a PDF, which is never changed.")
    session.type("/10.jpg\r")
    try await session.wait(for: "the page alone") { $0.contains("1/1") && !$0.contains("9.jpg") }
  }

  @Test func archivesAreListedAmongThePlaces() async throws {
    let session = try await start("books", "No photos in this folder.")
    defer { session.close() }
    session.type("gf")
    try await session.waitForTexts("Archives and PDFs", "colors.pdf", "comic.cbz")
    session.type("comic\r")
    try await session.waitForTexts("9.jpg", "11.jpg")
    session.type("{")
    try await session.waitForTexts("page-1", "page-3")
    session.press(.backspace)
    try await session.waitForText("No photos in this folder.")
  }

  @Test func aPDFIsReadWithSpace() async throws {
    let session = try await start("books/colors.pdf", "colors.pdf", "page-1", "page-3")
    defer { session.close() }
    session.type("v")
    try await session.wait(for: "red") { $0.colorInTheMiddle == "r" && $0.contains("1/3") }
    session.type(" ")
    try await session.wait(for: "green") { $0.colorInTheMiddle == "g" && $0.contains("2/3") }
    // As wide as the window, a page is higher, and its lower half comes before the next page.
    session.type("Z")
    try await session.waitForText("2/3")
    session.type("    ")
    try await session.wait(for: "blue") { $0.colorInTheMiddle == "b" && $0.contains("3/3") }
  }

  @Test func commandsTakeArchives() async throws {
    let books = folder.appending(path: "books")
    let script = """
      "$0" list comic.cbz --format tsv | cut -f 1,2
      "$0" export comic.cbz --to new --format png --long-edge 20 > /dev/null && ls new
      "$0" show comic.cbz colors.pdf --pictures symbols --size 10x5 | wc -l
      "$0" show comic.cbz/pages/12.jpg
      "$0" import comic.cbz --to new
      """
    let run = try await Script.run(
      script, in: books, changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    let names: [String] = ["9.jpg", "10.jpg", "11.jpg"]
    let rows: [String] = names.map { "\(books.path)/comic.cbz/pages/\($0)\t\($0)" }
    let lines: [String] = run.output.split(separator: "\n").map(String.init)
    let expected: [String] = ["path\tname"] + rows + ["10.png", "11.png", "9.png"]
    #expect(Array(lines.prefix(7)) == expected)
    #expect(run.errors.contains("comic.cbz/pages/12.jpg: Can't read the archive: it has no such photo"))
  }
}
