import Foundation
import Harness
import TestLimit
import Testing

/// The program where it is installed for text only: a copy of the executable without the image worker.
@Suite(.fewAtOnce, .limited) struct TextOnlyTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() async throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, photo) in [("a.jpg", "chelsea.jpg"), ("b.jpg", "coffee.jpg"), ("c.jpg", "rocket.jpg")] {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: photos.appending(path: name).path)
    }
    // A child process writes the executable. If this process did, a program that starts at the same time would inherit the
    // open file, and the kernel would refuse to run it.
    let copy = #"ln "$0" "$1" 2> /dev/null || cp "$0" "$1"; ln -s "${0%/*}/tintype_Resources.resources" "${1%/*}""#
    try #require(try await Script.run(copy, textOnly, in: folder).code == 0)
  }

  private var photos: URL { folder.appending(path: "photos") }
  private var textOnly: String { folder.appending(path: "tintype").path }

  private func run(_ executable: String, _ arguments: [String]) async throws -> Script {
    let script = ([executable] + arguments).map(\.shellWord).joined(separator: " ")
    return try await Script.run(script, in: photos, changes: ["XDG_CACHE_HOME": folder.path + "/cache"])
  }

  private func open(_ executable: String, _ format: String) async throws -> TerminalSession {
    let session = try Program.start(
      executable, [photos.path, "--pictures", format], size: Size(columns: 120, rows: 36),
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    try await session.waitForTexts("1/3", "451×300", "a.jpg", "b.jpg", "c.jpg")
    return session
  }

  /// Metadata is read, and nothing is said about images.
  @Test(arguments: ["auto", "kitty", "symbols"])
  func theGalleryIsThatWithoutImages(format: String) async throws {
    let usual = try await open(Program.path, "none")
    defer { usual.close() }
    let session = try await open(textOnly, format)
    defer { session.close() }
    // Only the hints differ, since nothing can be exported.
    let place = usual.screen.lines.count - 2
    try #require(usual.screen.lines[place].contains("E Export…"))
    try await session.wait(for: "the same screen") { screen in
      screen.lines.prefix(place).elementsEqual(usual.screen.lines.prefix(place)) && !screen.contains("Export")
        && screen.lines[place].contains("K Keywords") && screen.lines[place + 1].contains("Enter Open")
    }
  }

  @Test func starsAreKeptAndFound() async throws {
    let session = try await open(textOnly, "auto")
    defer { session.close() }
    session.type("4")
    try await session.waitForTexts("4 stars on a.jpg", "2/3")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let list = try await run(textOnly, ["list", photos.path, "rating:4"])
    #expect(list.code == 0 && list.output.contains("a.jpg") && !list.output.contains("b.jpg"), "\(list)")
  }

  @Test(arguments: [["show", "--size", "8x4"], ["thumbnails"], ["sheet"], ["show", "--place", "8x4@1x1"]])
  func commandsThatNeedImagesSaySoOnce(command: [String]) async throws {
    let files = command.contains("--place") ? ["a.jpg"] : ["a.jpg", "b.jpg"]
    let result = try await run(textOnly, command + files)
    #expect(result.code == 1 && result.output == "")
    #expect(result.errors == "Error: Tintype was installed without the image libraries\n")
  }

  @Test func doctorReportsIt() async throws {
    let result = try await run(textOnly, ["doctor"])
    #expect(result.code == 0 && result.errors == "")
    let line = "\n  worker      none: Tintype was installed without the image libraries\n"
    #expect(result.output.contains(line), "\(result.output)")
  }

  /// The bar of colors has as many as the terminal.
  @Test(arguments: ["truecolor", "256", "16", "8", "mono"]) func doctorsReport(colors: String) async throws {
    let session = try TerminalSession(
      textOnly, ["doctor", "--colors", colors], size: Size(columns: 100, rows: 30), environment: Program.environment)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(0))
    let report = session.screen.snapshot().replacing(/Tintype [0-9][^ ]* */, with: "Tintype ")
    assertSnapshot(of: report, named: "doctor-\(colors)")
  }

  @Test(arguments: [["--help"], ["show", "--help"], ["--version"], ["show", "--pictures", "none", "a.jpg"]])
  func theCommandLineIsTheSame(arguments: [String]) async throws {
    let (usual, own) = (try await run(Program.path, arguments), try await run(textOnly, arguments))
    #expect((own.code, own.output, own.errors) == (usual.code, usual.output, usual.errors))
  }
}
