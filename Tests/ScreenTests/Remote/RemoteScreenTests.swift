import Foundation
import Harness
import TestLimit
import Testing

/// Folders on another machine, over a private ssh server.
@Suite(.fewAtOnce, .limited) final class RemoteScreenTests {
  private let server: PrivateSSH

  init() throws {
    server = try PrivateSSH()
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, photo) in [("a.jpg", "chelsea.jpg"), ("b.jpg", "coffee.jpg"), ("c.jpg", "rocket.jpg")] {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: photos.appending(path: name).path)
    }
  }

  private var photos: URL { server.home.appending(path: "photos") }

  private func start(_ place: String = "nas:photos", pictures: String = "none") async throws -> TerminalSession {
    try Program.start(place, "--pictures", pictures, changes: server.changes)
  }

  private func sidecar(_ name: String) -> String? {
    try? String(contentsOf: photos.appending(path: name + ".xmp"), encoding: .utf8)
  }

  private func waitForSidecar(_ name: String, _ condition: (String?) -> Bool) throws {
    try wait("the sidecar of \(name)") { condition(self.sidecar(name)) }
  }

  private func waitForFile(_ file: URL) throws {
    try wait("\(file.path)") { FileManager.default.fileExists(atPath: file.path) }
  }

  private func wait(_ description: String, _ condition: () throws -> Bool) throws {
    try waitForFiles(in: server.folder, description, until: condition)
  }

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

  /// Gives the highlighted photo some stars, and copies it to a folder here. Returns the path of the copy.
  private func rateAndCopy(_ stars: Int, in session: TerminalSession) async throws -> URL {
    try await session.waitForTexts("1/3", "451×300")
    session.type("\(stars)k")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>\(stars)<") == true }
    return try await copy(in: session)
  }

  private func copy(in session: TerminalSession) async throws -> URL {
    let copy = server.home.deletingLastPathComponent().appending(path: "near/Copies/a.jpg")
    session.type("Y")
    try await session.waitForTexts("Copy a.jpg to", "name or ../name on nas, ~/name or /path on this machine")
    session.type("\(copy.deletingLastPathComponent().path)\r")
    try waitForFile(copy)
    try await session.waitForText("Done: Copy a.jpg")
    return copy
  }

  /// The photo comes with its sidecar and its own time, and the folder there is listed for the choice.
  @Test func aPhotoIsCopiedToAFolderHere() async throws {
    let session = try await start()
    defer { session.close() }
    let copy = try await rateAndCopy(4, in: session)
    let target = copy.deletingLastPathComponent()
    try waitForFile(target.appending(path: "a.jpg.xmp"))
    #expect(try Data(contentsOf: copy) == Data(contentsOf: photos.appending(path: "a.jpg")))
    #expect(try String(contentsOf: target.appending(path: "a.jpg.xmp"), encoding: .utf8).contains("<xmp:Rating>4<"))
    func mode(_ file: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }
    #expect(try mode(copy) == mode(photos.appending(path: "a.jpg")))
    func time(_ file: URL) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
    #expect(try time(copy) == time(photos.appending(path: "a.jpg")))
    // Nothing is left of what came on the way.
    let fetched = target.deletingLastPathComponent().appending(path: "CACHE/tintype/fetched")
    try wait("nothing is left in the cache") {
      (try? FileManager.default.subpathsOfDirectory(atPath: fetched.path))?.isEmpty ?? false
    }
  }

  /// A copy to this machine is the last step, so it is undone first. What was undone before it stays.
  @Test func aCopyToThisMachineIsUndoneAndMadeAgain() async throws {
    let session = try await start()
    defer { session.close() }
    let copy = try await rateAndCopy(2, in: session)
    // The stars are there already, so this is no step.
    session.type("2ku")
    try await session.waitForText("Undone: Copy a.jpg")
    try wait("the copy is gone") { !FileManager.default.fileExists(atPath: copy.path) }
    #expect(sidecar("a.jpg")?.contains("<xmp:Rating>2<") == true)
    session.type("\u{12}")
    try waitForFile(copy)
    session.type("u")
    try wait("the copy is gone again") { !FileManager.default.fileExists(atPath: copy.path) }
    session.type("u")
    try waitForSidecar("a.jpg") { $0 == nil }
  }

  /// The stars are of an earlier session, so they stay.
  @Test func aSessionThatHasOnlyCopiedIsUndone() async throws {
    let first = try await start()
    defer { first.close() }
    let old = try await rateAndCopy(3, in: first)
    first.type("uq")
    _ = try await first.waitForExit()
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "★★★")
    let copy = try await copy(in: session)
    #expect(copy == old)
    session.type("\u{18}")
    try await session.waitForText("Undo the session")
    session.type("y")
    try wait("the copy is gone") { !FileManager.default.fileExists(atPath: copy.path) }
    try await session.waitForText("Undone: Copy a.jpg")
    #expect(sidecar("a.jpg")?.contains("<xmp:Rating>3<") == true)
  }

  /// A copy that is there already is of the session that has made it.
  @Test func theUndoOfACopyLeavesEarlierCopies() async throws {
    let first = try await start()
    defer { first.close() }
    let old = try await rateAndCopy(3, in: first)
    first.type("q")
    _ = try await first.waitForExit()
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "★★★")
    session.type("  Y")
    try await session.waitForText("Copy 2 photos to")
    session.type("\(old.deletingLastPathComponent().path)\r")
    try await session.waitForTexts("1 name is taken there.", "y  Copy")
    session.type("y")
    let new = old.deletingLastPathComponent().appending(path: "b.jpg")
    try await session.waitForText("Done: Copy 2 photos")
    #expect(FileManager.default.fileExists(atPath: new.path))
    session.type("u")
    try await session.waitForText("Undone: Copy 2 photos")
    #expect(!FileManager.default.fileExists(atPath: new.path) && FileManager.default.fileExists(atPath: old.path))
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

  @Test func theListStaysAndADecisionIsMadeOnceWhenTheConnectionBreaks() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try server.killServers()
    session.type("4")
    try await session.waitForTexts("a.jpg", "★★★★", "2/3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>4<") == true }
    session.type("u")
    try waitForSidecar("a.jpg") { $0 == nil }
    try await session.waitForText("Undone")
  }

  /// The other machine gets it when it has undone the last step, and not before.
  @Test func aDecisionThatFollowsAnUndoComesAfterItWhenTheConnectionBreaks() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try server.killServers()
    // The next photo is highlighted after a rating.
    session.type("3u4")
    try waitForSidecar("b.jpg") { $0?.contains("<xmp:Rating>4<") == true }
    #expect(sidecar("a.jpg") == nil)
    session.type("u")
    try waitForSidecar("b.jpg") { $0 == nil }
  }

  /// Each new connection breaks as soon as it is open, before any photo has come.
  @Test func thePhotosStayWhileNewConnectionsBreak() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    let attempts = server.home.appending(path: "attempts")
    // Two lines greet. The answer to the opening is the last piece of the first channel.
    try server.replaceProgram(
      by: """
        exec python3 -c 'import os, subprocess, sys
        server = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE)
        os.write(1, server.stdout.readline() + server.stdout.readline())
        head = b""
        while head[:5] != b"\\1\\0\\0\\0\\1":
          head = server.stdout.read(9)
          os.write(1, head + server.stdout.read(int.from_bytes(head[5:], "little")))
        server.kill()
        open(sys.argv[1], "a").write(".")
        ' '\(attempts.path)' '\(Program.path)' "$@"
        """)
    try server.killServers()
    try wait("two attempts") { (try? Data(contentsOf: attempts).count) ?? 0 >= 2 }
    session.type("4")
    try await session.waitForTexts("a.jpg", "★★★★", "451×300", "2/3")
  }

  /// Each refused attempt is followed by one other. The server counts them.
  @Test func aRefusedConnectionIsTriedAgainOnce() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    let attempts = server.home.appending(path: "attempts")
    try server.replaceProgram(
      by: "date +%s%N >> '\(attempts.path)'; printf '\\ntintype-serve 999 7.8.9\\n'; cat > /dev/null")
    try server.killServers()
    func times() -> [Int] {
      ((try? String(contentsOf: attempts, encoding: .utf8)) ?? "").split(separator: "\n").compactMap { Int($0) }
    }
    try wait("four attempts") { times().count >= 4 }
    // The pauses before them are 0.2, 1, 2 and 5 seconds. Attempts of two chains would follow each other sooner.
    #expect(times()[3] - times()[0] > 7_500_000_000)
  }

  /// What was decided while the machine could not be reached is sent there when the folder is opened again.
  @Test func aDecisionOutlastsTheSessionWithoutAConnection() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try await disconnect(session)
    session.type("5q")
    _ = try await session.waitForExit()
    #expect(sidecar("a.jpg") == nil)
    try repairServer()
    let next = try await start()
    defer { next.close() }
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>5<") == true }
  }

  /// The undo waits for the machine, but what was decided after it is kept at once.
  @Test func aDecisionAfterAnUndoOutlastsACrashWithoutAConnection() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>3<") == true }
    try await session.waitForTexts("2/3", "3 stars on a.jpg")
    try await disconnect(session)
    session.type("u4")
    try wait("the decision in the journal") { try self.server.outgoing().count == 1 }
    session.kill(SIGKILL)
    _ = try await session.waitForExit()
    try repairServer()
    let next = try await start()
    defer { next.close() }
    try waitForSidecar("b.jpg") { $0?.contains("<xmp:Rating>4<") == true }
  }

  /// Another gallery of this machine sends the decision before the undo, whose own connection is broken.
  @Test func aDecisionAfterAnUndoStaysIfAnotherGallerySendsItFirst() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("3")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>3<") == true }
    try await session.waitForTexts("2/3", "3 stars on a.jpg")
    try await disconnect(session)
    session.type("uj")
    try await session.waitForText("3/3")
    session.type("4")
    try wait("the decision in the journal") { try self.server.outgoing().count == 1 }
    session.kill(SIGSTOP)
    try repairServer()
    let other = try await start()
    defer { other.close() }
    try waitForSidecar("c.jpg") { $0?.contains("<xmp:Rating>4<") == true }
    #expect(sidecar("a.jpg")?.contains("<xmp:Rating>3<") == true)
    session.kill(SIGCONT)
    try waitForSidecar("a.jpg") { $0 == nil }
    #expect(sidecar("c.jpg")?.contains("<xmp:Rating>4<") == true)
  }

  /// The connection breaks while the gallery waits for its answer.
  @Test func theGalleryEndsIfTheConnectionBreaksMeanwhile() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    try server.send(SIGSTOP, to: .server)
    session.type("5q")
    try await session.waitForOutput("the note") { $0.firstRange(of: Array("Saving your last changes".utf8)) != nil }
    try server.replaceProgram(by: "exit 1")
    try server.killServers()
    #expect(try await session.waitForExit() == .exited(0))
    #expect(try server.outgoing().count == 1)
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

  /// Ends the connection, and has new ones fail.
  private func disconnect(_ session: TerminalSession) async throws {
    try server.replaceProgram(by: "exit 1")
    try server.killServers()
    try await session.waitForTexts("Reconnecting to nas", "a.jpg", "c.jpg")
  }

  private func repairServer() throws {
    try server.removeProgram()
    try FileManager.default.createSymbolicLink(
      atPath: server.home.appending(path: ".local/bin/tintype").path, withDestinationPath: Program.path)
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
    try server.replaceProgram(by: "printf '\\ntintype-serve 5 0.1.0\\n'; \(output)")
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
