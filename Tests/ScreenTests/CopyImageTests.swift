import Foundation
import TestLimit
import Testing

@testable import Harness

/// The image of a photo in the clipboard, by the terminal or by programs that stand in for wl-copy and xclip.
@Suite(.fewAtOnce, .limited) final class CopyImageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try FileManager.default.copyItem(
        atPath: Program.photo("chelsea.jpg"), toPath: photos.appending(path: "\(name).jpg").path)
    }
  }

  /// Makes a PNG of a photo, and returns its bytes.
  private func makePNG() async throws -> [UInt8] {
    let export = try await Script.run(
      "\"$0\" export photos/a.jpg --to photos --format png --name 0", in: folder, changes: [:])
    #expect(export.code == 0, "\(export)")
    return [UInt8](try Data(contentsOf: photos.appending(path: "0.png")))
  }

  private func start(
    _ kind: GraphicsTerminal.Kind, changes: [String: String] = [:], line: Line? = nil
  ) throws -> TerminalSession {
    try TerminalSession(
      Program.path, ["--delay", "0", photos.path], size: Size(columns: 100, rows: 30),
      environment: Program.environment.merging(changes) { $1 }, pixelsPerCell: (10, 20), graphics: kind, line: line)
  }

  /// Writes a program that keeps its arguments and its input, as if it were `name`.
  private func makeProgram(_ name: String) throws {
    let bin = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    let script = "#!/bin/sh\necho \"$0 $*\" > \(folder.path)/arguments\ncat > \(folder.path)/\(name).png\n"
    let path = bin.appending(path: name)
    try Data(script.utf8).write(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
  }

  private func file(_ name: String) -> [UInt8] {
    [UInt8]((try? Data(contentsOf: folder.appending(path: name))) ?? Data())
  }

  @Test func aPNGIsCopiedThroughKittyAsItIs() async throws {
    let png = try await makePNG()
    let session = try start(.kitty)
    defer { session.close() }
    try await session.waitForText("1/3")
    session.type("\u{19}")
    try await session.waitForText("Copied the image: 0.png")
    #expect(session.graphics?.clipboard == ["image/png": png])
    #expect(session.graphics?.faults == [])
  }

  @Test func aPhotoIsCopiedAsAPNGFromTheViewer() async throws {
    let session = try start(.kitty)
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("v")
    try await session.waitForText("Esc Back")
    session.type("\u{19}")
    try await session.waitForText("Copied the image: a.jpg")
    let copied = try #require(session.graphics?.clipboard["image/png"])
    var image = SentImage(encoding: .png, data: copied, byteCount: copied.count)
    image.decode()
    #expect(image.pixels?.width == 451 && image.pixels?.height == 300)
  }

  /// The image takes seconds on the line, but the keys that follow it don't.
  @Test func keysGoBeforeAnImageOnASlowLine() async throws {
    let png = try await makePNG()
    let session = try start(
      .kitty, changes: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"],
      line: Line(bytesPerSecond: 50_000, roundTrip: .milliseconds(20)))
    defer { session.close() }
    try await session.waitForText("1/3")
    session.type("\u{19}")
    try await session.waitForText("Sending to the clipboard: 0.png")
    session.type("j")
    try await session.waitForText("2/3")
    #expect(session.graphics?.clipboard == [:])
    try await session.waitForText("Copied the image: 0.png")
    #expect(session.graphics?.clipboard == ["image/png": png])
  }

  @Test(arguments: [
    ("wl-copy", "WAYLAND_DISPLAY", "--type image/png"), ("xclip", "DISPLAY", "-selection clipboard -t image/png"),
  ])
  func aProgramOfTheDesktopCopiesInOtherTerminals(name: String, variable: String, arguments: String) async throws {
    try makeProgram(name)
    let png = try await makePNG()
    let path = "\(folder.appending(path: "bin").path):/usr/bin:/bin"
    let session = try start(.symbols, changes: [variable: "wayland-1", "PATH": path])
    defer { session.close() }
    try await session.waitForText("1/3")
    session.type("\u{19}")
    try await session.waitForText("Copied the image: 0.png")
    #expect(file("\(name).png") == png)
    #expect(String(decoding: file("arguments"), as: UTF8.self).hasSuffix("bin/\(name) \(arguments)\n"))
  }

  @Test func withoutAWayASentenceSaysWhatWouldWork() async throws {
    // The program is there, but no desktop.
    try makeProgram("wl-copy")
    let path = "\(folder.appending(path: "bin").path):/usr/bin:/bin"
    let session = try start(.sixel, changes: ["PATH": path])
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("\u{19}")
    try await session.waitForTexts("Can't copy the image", "This terminal takes no images for the clipboard.")
    #expect(!String(decoding: session.output, as: UTF8.self).contains("]5522;"))
  }

  @Test(.enabled(if: Tmux.isInstalled), arguments: [true, false])
  func tmuxPassesAnImageOnIfItMay(passesThrough: Bool) async throws {
    let png = try await makePNG()
    let tmux =
      try Tmux.command(in: folder, passesThrough: passesThrough)
      + ["new-session", Program.path, "--delay", "0", photos.path]
    let session = try TerminalSession(
      tmux[0], Array(tmux.dropFirst()), size: Size(columns: 100, rows: 30), environment: Program.environment,
      pixelsPerCell: (10, 20), graphics: .kitty)
    defer { session.close() }
    try await session.waitForText("1/3")
    session.type("\u{19}")
    if passesThrough {
      try await session.waitForText("Copied the image: 0.png")
      #expect(session.graphics?.clipboard == ["image/png": png])
    } else {
      try await session.waitForTexts("Can't copy the image", "allow-passthrough")
      #expect(session.graphics?.clipboard == [:])
    }
  }
}
