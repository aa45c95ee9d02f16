import Foundation
import Harness
import TestLimit
import Testing

/// Names on the command line: of missing files, of files whose names aren't UTF-8, and of commands.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) final class NamesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs a shell script in the folder. `$0` is the program, `$1` a photo, and `$e` a byte that isn't UTF-8.
  private func run(_ script: String) async throws -> Script {
    try await Script.run(
      "e=$(printf '\\351'); \(script)", Program.photo("chelsea.jpg"), in: folder,
      changes: ["XDG_CACHE_HOME": folder.appending(path: ".cache").path])
  }

  @Test(arguments: ["nothere", "nosuch.json", "photo.jpg", "no/such/folder", "one.jpg two.jpg", "$e"])
  func aMissingSourceIsReportedInOneLine(names: String) async throws {
    let result = try await run(#"exec "$0" \#(names)"#)
    #expect(result.code == 1)
    #expect(result.output.isEmpty)
    let first = names.split(separator: " ").first.map(String.init)?.replacing("$e", with: "\u{FFFD}") ?? ""
    #expect(result.errors == "There is no file at \(folder.path)/\(first). Check the name.\n")
  }

  @Test(arguments: ["./show", "-- show", "-- catalog", "./doctor"])
  func aSourceMayHaveTheNameOfACommand(arguments: String) async throws {
    let result = try await run(#"exec "$0" \#(arguments)"#)
    let name = arguments.split { " /".contains($0) }.last.map(String.init) ?? ""
    #expect(result.code == 1)
    #expect(result.errors == "There is no file at \(folder.path)/\(name). Check the name.\n")
  }

  @Test(arguments: ["catalog", "catalogue"])
  func aCommandShowsItsHelp(name: String) async throws {
    let result = try await run(#"exec "$0" \#(name) --help"#)
    #expect(result.code == 0)
    #expect(result.output.contains("USAGE: tintype catalogue <source>"))
  }

  @Test func anEmptyFolderSaysSo() async throws {
    let session = try Program.start(folder.path)
    defer { session.close() }
    try await session.waitForTexts("No photos in this folder.", "Hidden files are skipped.")
  }

  /// The last name is what a lossy conversion makes of such names.
  @Test func photosWithAnyNameAreShown() async throws {
    let names = [#""a$e.jpg""#, #""b$e/c.jpg""#, "\u{FFFD}.jpg"].joined(separator: " ")
    let copy = #"mkdir "b$e"; for name in \#(names); do cp "$1" "$name"; done; "#
    let shown = try await run(copy + #"exec "$0" show --size 8x4 \#(names)"#)
    #expect((shown.code, shown.errors) == (0, ""))
    #expect(shown.output.split(separator: "\n").count >= 9)
    let missing = try await run(#"exec "$0" show --size 8x4 "none$e.jpg""#)
    #expect(missing.code == 1 && missing.errors.hasPrefix("none\u{FFFD}.jpg: "), "\(missing)")
    let thumbnails = try await run(#"exec "$0" thumbnails \#(names)"#)
    #expect((thumbnails.code, thumbnails.errors) == (0, ""))
    let none = try await run(#"exec "$0" thumbnails "a$e.jpg" "none$e.jpg""#)
    #expect(none.code == 1 && none.errors.hasPrefix("none\u{FFFD}.jpg: "), "\(none)")
  }

  @Test func catalogsWithAnyNameAreWrittenAndChecked() async throws {
    _ = try await run(#"mkdir "f$e"; cp "$1" "f$e/a.jpg""#)
    let written = try await run(#"exec "$0" catalog "f$e" --output "f$e/c$e.json""#)
    #expect((written.code, written.errors) == (0, ""))
    let checked = try await run(#"exec "$0" catalog --check "f$e/c$e.json""#)
    #expect((checked.code, checked.output) == (0, "f\u{FFFD}/c\u{FFFD}.json: 1 photo, no problem\n"))
    // From outside the folder, the photo's address would contain the folder's name, which JSON can't hold.
    let outside = try await run(#"exec "$0" catalog "f$e""#)
    #expect(outside.code == 0 && outside.errors.contains("Its name is not UTF-8"))
    #expect(try await run(#"cd "f$e" && "$0" catalog ."#).output.contains(#""image_url":"a.jpg""#))
  }

  @Test func aCatalogWithAnyNameOpensWithItsPhotos() async throws {
    _ = try await run(
      #"""
      mkdir "f$e"; cp "$1" "f$e/a.jpg"; cd "f$e"
      echo '{"id": 1, "name": "Cat", "created_at": "2017-11-06T09:00:00+09:00", "image_url": "a.jpg"}' > "c$e.json"
      """#)
    let session = try TerminalSession(
      "/bin/sh",
      ["-c", "e=$(printf '\\351'); cd \"$1\"; exec \"$0\" --strict \"f$e/c$e.json\"", Program.path, folder.path],
      size: Size(columns: 120, rows: 36), environment: Program.environment)
    defer { session.close() }
    // The time is the catalog's local time, although the user is in Greenwich.
    try await session.waitForTexts("Cat", "2017-11-06 09:00", "c\u{FFFD}.json")
  }

  /// The gallery notices both without a key.
  @Test func aFolderThatIsMovedAwayAndBackIsFollowed() async throws {
    let (here, there) = (folder.appending(path: "here"), folder.appending(path: "there"))
    try FileManager.default.createDirectory(at: here, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Program.photo("chelsea.jpg"), toPath: here.appending(path: "a.jpg").path)
    let session = try Program.start(here.path)
    defer { session.close() }
    try await session.waitForTexts("a.jpg", "1/1")
    try FileManager.default.moveItem(at: here, to: there)
    try await session.wait(for: "the folder to be gone") { $0.contains("1 problem") && !$0.contains("a.jpg") }
    try FileManager.default.moveItem(at: there, to: here)
    try await session.waitForTexts("a.jpg", "1/1")
    try FileManager.default.removeItem(at: here)
    try await session.wait(for: "the folder to be gone again") { $0.contains("1 problem") && !$0.contains("a.jpg") }
    try FileManager.default.createDirectory(at: here, withIntermediateDirectories: true)
    try await session.waitForText("No photos in this folder.")
  }
}
