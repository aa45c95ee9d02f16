import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// `tintype import`, started from a shell.
@Suite(.fewAtOnce, .timeLimit(.minutes(10)), .limited) final class ImportCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    let card = folder.appending(path: "card/DCIM")
    for place in [card, folder.appending(path: "backup")] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    for name in ["chelsea.jpg", "coffee.jpg"] {
      try FileManager.default.copyItem(at: URL(filePath: TestPhotos.path(name)), to: card.appending(path: name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var changes: [String: String] {
    ["cache", "config", "state"].reduce(into: [:]) {
      $0["XDG_\($1.uppercased())_HOME"] = folder.appending(path: $1).path
    }
  }

  private func run(_ script: String) async throws -> Script {
    try await Script.run(script, in: folder, changes: changes)
  }

  private func files(_ path: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.appending(path: path).path)
    return names?.compactMap { $0 as? String }.filter { $0.contains(".") }.sorted() ?? []
  }

  @Test func newPhotosAreCopiedToTwoPlacesOnce() async throws {
    let command = "\"$0\" import card --to photos --also-to backup --rename '{seq:2}_{name}' --folders new"
    let first = try await run(command)
    #expect(first.code == 0, "\(first)")
    #expect(
      first.output == "\(folder.path)/photos/new/01_chelsea.jpg\n\(folder.path)/photos/new/02_coffee.jpg\n")
    #expect(first.errors.hasPrefix("2 photos imported ("), "\(first.errors)")
    #expect(files("photos") == ["new/01_chelsea.jpg", "new/02_coffee.jpg"] && files("backup") == files("photos"))
    let second = try await run("mv card/DCIM/coffee.jpg card/DCIM/tea.jpg; rm photos/new/02*; \(command)")
    #expect(second.code == 0 && second.output == "")
    #expect(second.errors == "No new photos, 2 imported before\n")
    #expect(files("photos") == ["new/01_chelsea.jpg"])
    #expect(files("card") == ["DCIM/chelsea.jpg", "DCIM/tea.jpg"])
  }

  @Test func copiesGetTheTextsOfATemplate() async throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: "config/tintype"), withIntermediateDirectories: true)
    try Data("[template.press]\ncreator = \"Ana Silva\"\n".utf8).write(
      to: folder.appending(path: "config/tintype/config.toml"))
    let wrong = try await run("\"$0\" import card --to photos --template pres")
    #expect(wrong.code == 64 && wrong.errors.contains("There is no template “pres”. There are press."), "\(wrong)")
    let first = try await run("\"$0\" import card --to photos --also-to backup --template press")
    #expect(first.code == 0, "\(first)")
    let names = ["chelsea.jpg", "chelsea.jpg.xmp", "coffee.jpg", "coffee.jpg.xmp"]
    #expect(files("photos") == names && files("backup") == ["chelsea.jpg", "coffee.jpg"])
    let found = try await run("\"$0\" list photos creator:ana")
    for name in ["chelsea.jpg", "coffee.jpg"] { #expect(found.output.contains("photos/\(name)\n"), "\(found)") }
  }

  @Test func whatWouldBeCopiedIsListed() async throws {
    let dry = try await run("\"$0\" import card --to photos --dry-run")
    #expect(
      dry.output == """
        \(folder.path)/card/DCIM/chelsea.jpg → \(folder.path)/photos/chelsea.jpg
        \(folder.path)/card/DCIM/coffee.jpg → \(folder.path)/photos/coffee.jpg

        """)
    #expect(dry.code == 0 && dry.errors == "2 photos to import\n", "\(dry)")
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "photos").path))
  }

  @Test(arguments: [
    ("--to card/new", "nothing is written there."), ("--to photos --also-to gone", "There is no folder gone."),
    ("--to photos --also-to photos", "are the same folder."), ("--to photos --rename a/b", "can’t have slashes"),
    ("--to photos --folders /a", "begins with no slash."), ("--to photos --open", "--open needs a terminal."),
  ])
  func invalidChoicesAreRefused(options: String, message: String) async throws {
    let refused = try await run("\"$0\" import card \(options)")
    #expect(refused.code == 64 && refused.errors.contains(message), "\(refused)")
    #expect(files("card").count == 2 && files("photos") == [])
  }

  /// The photos that were found before the stop are not all new ones, so none of them is imported.
  @Test func aSearchThatIsStoppedImportsNothing() async throws {
    // A large file under many names, which are all compared, keeps the search busy.
    let large = folder.appending(path: "card/DCIM/large.jpg").path
    #expect(FileManager.default.createFile(atPath: large, contents: nil) && truncate(large, 256 << 20) == 0)
    for number in 0..<200 { #expect(link(large, folder.appending(path: "card/DCIM/large\(number).jpg").path) == 0) }
    let session = try TerminalSession(
      Program.path, ["import", "card", "--to", "photos"], size: Size(columns: 80, rows: 24),
      environment: Program.environment.merging(changes) { $1 }, workingDirectory: folder.path)
    defer { session.close() }
    try await session.waitForText("Looking for new photos")
    session.type("\u{03}")
    #expect(try await session.waitForExit() == .exited(1))
    #expect(files("photos") == [])
  }

  /// A copy has its name when it is whole, and the next import goes on.
  @Test func aKilledImportGoesOn() async throws {
    let script = """
      for n in 1 2 3 4 5 6 7 8 9; do cp card/DCIM/coffee.jpg card/DCIM/$n.jpg; echo $n >> card/DCIM/$n.jpg; done
      for n in 1 2 3; do
        "$0" import card --to photos & import=$!
        until ls -A photos 2> /dev/null | grep -q .; do kill -0 $import || break; done
        kill -9 $import
        wait $import
      done
      "$0" import card --to photos
      """
    let killed = try await run(script)
    #expect(killed.code == 0, "\(killed)")
    #expect(files("photos").count == 11 && files("photos").allSatisfy { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") })
    let same = try await run("for p in photos/*; do cmp $p card/DCIM/${p#photos/} || exit 3; done")
    #expect(same.code == 0, "\(same)")
  }
}
