import Foundation
import Harness
import TestLimit
import Testing

/// Folders on another machine, over a private ssh server.
@Suite(.fewAtOnce, .limited) final class RemoteScreenTests: RemoteFixture {
  @Test func photosOfAnotherMachineAreListedWithTheirMetadata() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("nas:photos", "a.jpg", "b.jpg", "c.jpg", "451×300", "1/3")
    try FileManager.default.copyItem(
      atPath: Program.photo("dahlia.jpg"), toPath: photos.appending(path: "d.jpg").path)
    try await session.waitForTexts("d.jpg", "1/4")
  }

  @Test func imagesOfAnotherMachineAreShown() async throws {
    let folder = try ColorFolder(["red.ppm": .red, "blue.ppm": .blue])
    let session = try await start("nas:\(folder.url.path)", pictures: "symbols")
    defer { session.close() }
    try await session.wait(for: "the image in the details") { $0.hue(9, 80) == "b" }
    session.type("j")
    try await session.wait(for: "the next image") { $0.hue(9, 80) == "r" }
    session.type("v")
    try await session.wait(for: "the image in the viewer") { $0.hue(15, 60) == "r" }
    session.type("p")
    try await session.wait(for: "the image before") { $0.hue(15, 60) == "b" }
  }

  /// A photo that changes there is shown as it is now, and so is one that was not readable before.
  @Test func anImageThatChangesOnTheOtherMachineIsShownAgain() async throws {
    let folder = try ColorFolder(["red.ppm": .red, "blue.ppm": .blue])
    try Data("P6 8 8 255\n".utf8).write(to: folder.url.appending(path: "cut.ppm"))
    let session = try await start("nas:\(folder.url.path)", pictures: "symbols")
    defer { session.close() }
    try await session.wait(for: "the image in the details") { $0.hue(9, 80) == "b" }
    session.type("j")
    try await session.waitForText("2/3")
    session.type("j")
    try await session.wait(for: "the last image") { $0.hue(9, 80) == "r" }
    func image(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }
    let (red, blue) = (try image("red.ppm"), try image("blue.ppm"))
    try blue.write(to: folder.url.appending(path: "red.ppm"), options: .atomic)
    try await session.wait(for: "the new image") { $0.hue(9, 80) == "b" }
    try red.write(to: folder.url.appending(path: "cut.ppm"), options: .atomic)
    session.type("k")
    try await session.wait(for: "the image that can be read now") { $0.text.contains("2/3") && $0.hue(9, 80) == "r" }
    try red.write(to: folder.url.appending(path: "red.ppm"), options: .atomic)
    session.type("j")
    try await session.wait(for: "the image of the last file") { $0.text.contains("3/3") && $0.hue(9, 80) == "r" }
  }

  /// Images that had to leave the memory are drawn again from what came before.
  @Test func aSmallMemoryIsEnoughForImagesOfAnotherMachine() async throws {
    let folder = try ColorFolder(["1.ppm": .red, "2.ppm": .blue, "3.ppm": .red, "4.ppm": .blue])
    let session = try Program.start(
      "nas:\(folder.url.path)", "--pictures", "symbols", "--picture-memory", "1", columns: 300, rows: 150,
      changes: server.changes)
    defer { session.close() }
    try await session.waitForText("1/4")
    session.type("v")
    for (key, hue) in [("", "r"), ("n", "b"), ("n", "r"), ("n", "b"), ("p", "r"), ("p", "b"), ("p", "r")] {
      session.type(key)
      try await session.wait(for: "the image after \(key)") { $0.hue(75, 150) == Character(hue) }
    }
  }

  @Test func aRatingIsWrittenOnTheOtherMachineAndCanBeUndone() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>3<") == true }
    try await session.waitForText("★★★")
    session.type("u")
    try waitForSidecar("a.jpg") { $0 == nil }
    session.type("\u{12}")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>3<") == true }
  }

  /// Photos are moved, and new files are written, only on the other machine. The marks stay if it is refused.
  @Test(arguments: [("m", "can be copied to this machine, but not"), ("E1", "New files are written on nas.")])
  func aPlaceOnThisMachineIsRefused(keys: String, reason: String) async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("  \(keys)")
    try await session.waitForText("name or ../name on nas")
    session.type("/tmp\r")
    try await session.waitForTexts(reason, "Ok")
    session.type("\r")
    try await session.waitForText("2 marked")
  }

  /// What is typed into the list of commands does not answer the question.
  @Test func aQuestionThatComesLateIsBelowWhatWasOpenedMeanwhile() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("*m")
    try await session.waitForText("─ Move 3 photos to ─")
    session.type("nas:\(server.home.appending(path: "new").path)")
    try await session.waitForText("/new")
    try server.send(SIGSTOP, to: .server)
    session.type("\r")
    try await session.wait(for: "the list") { !$0.contains("─ Move 3 photos to ─") }
    session.type("?")
    try await session.waitForText("─ Commands")
    session.type("y")
    try server.send(SIGCONT, to: .server)
    // The answer comes before the second change.
    for (name, count) in [("d.jpg", 4), ("e.jpg", 5)] {
      try FileManager.default.copyItem(
        atPath: Program.photo("dahlia.jpg"), toPath: photos.appending(path: name).path)
      try await session.waitForTexts("─ Commands", "\(count) photos")
    }
    #expect(!session.screen.contains("y  Move"))
    session.type("\u{1B}[27u\u{1B}[27u")
    try await session.waitForTexts("/home/new? ─", "y  Move")
  }

  @Test func aContactSheetIsMadeOnTheOtherMachine() async throws {
    let session = try await start(pictures: "symbols")
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("\u{10}")
    try await session.waitForText("/home/photos/photos.pdf")
    session.type("\r")
    try waitForFile(photos.appending(path: "photos.pdf"))
  }

  /// A photo that is named opens in the viewer, with those of its folder beside it.
  @Test func aPhotoOnAnotherMachineOpensInTheViewer() async throws {
    let session = try await start("nas:photos/b.jpg", pictures: "symbols")
    defer { session.close() }
    try await session.waitForTexts("b.jpg", "2/3", "Esc Back")
  }

  /// What a login prints comes before the gallery is on the screen.
  @Test func theOtherMachineControlsNoTerminal() async throws {
    try server.replaceProgram(
      by: "printf 'Wel\\033]0;title\\007come\\302\\2332J\\n' >&2; exec '\(Program.path)' \"$@\"")
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    let text = String(decoding: session.output, as: UTF8.self)
    #expect(text.contains("Wel\u{FFFD}]0;title\u{FFFD}come\u{FFFD}2J"))
  }

  @Test func theReasonIsSaidIfTheMachineHasNoTintype() async throws {
    try server.removeProgram()
    let session = try await start()
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(1))
    // Where the terminal breaks the line depends on the folder of the program.
    let text = String(decoding: session.output, as: UTF8.self)
    #expect(text.contains("nas has no tintype. This line copies it there: tar -C ") && text.contains("| ssh nas"))
  }

  @Test func anotherVersionIsNamed() async throws {
    try server.replaceProgram(by: "printf '\\ntintype-serve 999 7.8.9\\n'; cat > /dev/null")
    let session = try await start()
    defer { session.close() }
    try await session.waitForText("nas has another Tintype (7.8.9).")
    #expect(try await session.waitForExit() == .exited(1))
  }

  /// Whatever the other machine sends, a sentence says so and the program goes on or ends.
  @Test(arguments: ["head -c 100000 /dev/urandom", "head -c 100000 /dev/zero", "yes", "true"])
  func otherBytesAreASentence(output: String) async throws {
    // The greeting is that of this version.
    try server.replaceProgram(by: "'\(Program.path)' serve < /dev/null; \(output)")
    let session = try await start()
    defer { session.close() }
    let end = try await session.waitForExit()
    #expect(end == .exited(1))
    let text = String(decoding: session.output, as: UTF8.self)
    #expect(text.contains("nas sent something that is no answer.") || text.contains("Can't connect to nas."))
  }

  @Test func photosOfAnotherMachineAreListedForScripts() async throws {
    for (arguments, texts, status) in [
      (["list", "nas:photos", "name:b", "--format", "tsv"], ["nas:\(photos.path)/b.jpg\tb.jpg"], 0),
      (["list", "nas:nothing"], ["There is no file at"], 1),
      (["list", "nas:photos/b.jpg", "--format", "tsv"], ["nas:\(photos.path)/b.jpg\tb.jpg"], 0),
      (["show", "nas:photos/b.jpg"], ["show needs files of this machine. Try: ssh nas tintype show"], 64),
      (
        ["export", "nas:photos", "--to", "new"], ["export needs files of this machine. Try: ssh nas tintype export"], 64
      ),
    ] as [([String], [String], Int32)] {
      let session = try TerminalSession(
        Program.path, arguments, size: Size(columns: 200, rows: 36),
        environment: Program.environment.merging(server.changes.compactMapValues { $0 }) { $1 })
      defer { session.close() }
      #expect(try await session.waitForExit() == .exited(status))
      let output = String(decoding: session.output, as: UTF8.self)
      for text in texts { #expect(output.contains(text)) }
      #expect(!output.contains("a.jpg"))
    }
  }

  @Test func doctorReportsTheOtherMachine() async throws {
    let session = try TerminalSession(
      Program.path, ["doctor", "nas:"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging(server.changes.compactMapValues { $0 }) { $1 })
    defer { session.close() }
    try await session.waitForTexts("connected   in", "ms there and back", "worker      ", "libvips")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test(arguments: ["nas:nothing", "nas:/nothing/at/all"]) func aMissingFolderIsNamed(place: String) async throws {
    let session = try await start(place)
    defer { session.close() }
    try await session.waitForText("There is no file at")
    #expect(try await session.waitForExit() == .exited(1))
  }

  @Test func ssHItselfSaysWhyThereIsNoConnection() async throws {
    let session = try await start("nowhere.invalid:photos")
    defer { session.close() }
    try await session.waitForTexts(
      "Could not resolve hostname", "Can't connect to nowhere.invalid. Try `ssh nowhere.invalid` in a shell.")
    #expect(try await session.waitForExit() == .exited(1))
  }
}

extension Screen {
  /// Returns the strongest part of the color of a cell, as images lose a little on the way: `r`, `g` or `b`; nil without a color.
  fileprivate func hue(_ row: Int, _ column: Int) -> Character? {
    guard case .rgb(let red, let green, let blue) = cells[row][column].style.background else { return nil }
    let parts = [red, green, blue]
    guard let most = parts.max(), most > 100 else { return nil }
    return parts.firstIndex(of: most).map { Array("rgb")[$0] }
  }
}
