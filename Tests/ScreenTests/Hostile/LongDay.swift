import Foundation
import Harness
import Testing
import Torture

/// A gallery whose files, and the programs that it starts, are in a temporary folder.
final class LongDay {
  enum Source: String, CaseIterable {
    case bundled, folder
  }

  /// The way in which the gallery shows its photos.
  enum Output: String, CaseIterable {
    case symbols, kitty, sixel, tmux, plain

    /// The terminal with images; nil for one without.
    fileprivate var graphics: GraphicsTerminal.Kind? {
      switch self {
      case .kitty: .kitty
      case .sixel: .sixel
      default: nil
      }
    }

    fileprivate var arguments: [String] {
      switch self {
      case .symbols, .kitty, .sixel: ["--pictures", rawValue]
      case .tmux: ["--pictures", "symbols"]
      case .plain: ["--plain"]
      }
    }
  }

  let session: TerminalSession
  let photoCount: Int
  private let folder: URL
  private let pane: TmuxPane?
  /// The photos of the folder, without those that exports add.
  private let photoNames: Set<String>

  /// Starts the gallery with the bundled photos.
  convenience init(_ source: Source) throws {
    let folder = try Self.makeHome()
    let photos = folder.appending(path: "photos")
    let count = try Self.copyPhotos(to: photos)
    try self.init(
      folder, output: .symbols, source == .folder ? [photos.path] : [], photoCount: count)
  }

  /// Starts the gallery with a folder that other programs change.
  convenience init(_ photos: ChangingFolder, as output: Output) throws {
    // The photos are copies of two.
    try self.init(
      try Self.makeHome(settings: "stacks = false"), output: output, [photos.photos.path], photoCount: photos.photoCount
    )
  }

  private init(_ folder: URL, output: Output, _ arguments: [String], photoCount: Int) throws {
    self.folder = folder
    self.photoCount = photoCount
    // A small image cache is soon full and stops growing.
    let command =
      (output == .tmux ? try Tmux.command(in: folder) + ["new-session"] : [])
      + [Program.path, "--delay", "0", "--picture-memory", "1"] + output.arguments + arguments
    session = try TerminalSession(
      command[0], Array(command.dropFirst()), size: RandomKeys.usual, environment: Self.environment(folder),
      workingDirectory: folder.appending(path: "written").path, graphics: output.graphics)
    pane = output == .tmux ? try TmuxPane(in: folder) : nil
    photoNames = Set(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "photos").path))
  }

  /// Makes a home folder for the gallery and for the programs that it starts.
  private static func makeHome(settings: String = "") throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    for name in ["bin", "written", "photos"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    // The keys must not lead to the other folders of this machine.
    let configuration = folder.appending(path: ".config/tintype/config.toml")
    try FileManager.default.createDirectory(
      at: configuration.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("\(settings)\n[keys]\nplaces = []\nparent-folder = []\n".utf8).write(to: configuration)
    // The gallery opens images with this program.
    let opener = folder.appending(path: "bin/xdg-open")
    try Data("#!/bin/sh\nexit 0\n".utf8).write(to: opener)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener.path)
    return folder
  }

  /// Copies the bundled photos and returns their number.
  private static func copyPhotos(to folder: URL) throws -> Int {
    let bundled = URL(filePath: Program.bundledPhoto("fig.jpg")).deletingLastPathComponent()
    let photos = try FileManager.default.contentsOfDirectory(at: bundled, includingPropertiesForKeys: nil)
    for photo in photos {
      try FileManager.default.copyItem(at: photo, to: folder.appending(path: photo.lastPathComponent))
    }
    return photos.count
  }

  private static func environment(_ folder: URL) -> [String: String] {
    var environment = Program.environment
    environment["HOME"] = folder.path
    environment["PATH"] = folder.appending(path: "bin").path
    for sanitizer in Sanitizer.allCases {
      environment[sanitizer.variable] = sanitizer.options(in: folder)
    }
    return environment
  }

  /// The path of the journal of steps.
  var journal: String { folder.appending(path: ".local/state/tintype/journal.sqlite").path }

  /// The reports of sanitizers about the program and its workers.
  var reports: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent.hasPrefix("report") }
        .map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    }
  }

  /// Waits until the gallery shows its images.
  func open() async throws { try await settle(at: RandomKeys.usual) }

  /// Types keys, and waits until all of them have been answered.
  func type(_ batch: RandomKeys.Batch) async throws {
    if let size = batch.size {
      session.resize(to: size)
      try await type("", of: batch)
    }
    try await type(batch.keys.joined(), of: batch)
  }

  /// Types keys without waiting for their effects.
  func type(_ keys: String) throws {
    if let pane { try pane.type(keys) } else { session.type(keys) }
  }

  /// Types keys and then Ctrl-L, which redraws the whole screen, so that the frame after the keys can be recognized.
  private func type(_ keys: String, of batch: RandomKeys.Batch) async throws {
    session.discardOutput()
    try type(keys + "\u{0C}")
    // tmux draws only what has changed.
    if let pane { return try pane.waitForOutput("the answer to \(batch)", of: Self.clearings) }
    try await session.waitForOutput("the answer to \(batch)") { output in
      guard let start = output.firstRange(of: Self.clearing) else { return false }
      return output[start.upperBound...].firstRange(of: Self.frameEnd) != nil
    }
  }

  private static let escapes = Array(repeating: RandomKeys.escape, count: 8)
  private static let (clearing, frameEnd) = (Array("\u{1B}[2J".utf8), Array("\u{1B}[?2026l".utf8))
  /// The sequences that clear the screen in tmux.
  private static let clearings = ["\u{1B}[2J", "\u{1B}[H\u{1B}[J"]

  /// Returns from any state to the first photo of the first room, and waits until its image is drawn.
  func settle(at size: Size) async throws {
    try await openList(at: size)
    let count = photoCount
    // A sidecar that one of the last keys has led to may be read late, and the highlighted photo moves in a sorted list.
    for _ in 0..<5 {
      try await type(.init(keys: ["gg"]))
      if (try? await waitForFirst(of: count, timeout: .seconds(10))) != nil { return }
    }
    try await type(.init(keys: ["gg"]))
    try await waitForFirst(of: count)
  }

  /// Returns from any state to the list of all photos of the first room, which is read again.
  func openList(at size: Size = RandomKeys.usual) async throws {
    let count = photoCount
    func list(within timeout: Duration) async throws {
      try removeNewPhotos()
      // The first keys close everything that is open, the others end a search in the first room.
      try await type(.init(size: size, keys: Self.escapes))
      try await type(.init(keys: ["gp"] + Self.escapes + ["r"]))
      try await session.wait(for: "the list of photos", timeout: timeout) { screen in
        screen.contains("/\(count)") && !screen.contains("╭─")
      }
    }
    // An alert may open late, and take some of the keys.
    if (try? await list(within: .seconds(20))) == nil { try await list(within: TerminalSession.defaultTimeout) }
    // The click moves the focus to the list.
    try await type(.init(keys: ["\u{1B}[<0;5;4M"]))
  }

  /// Removes the photos that the keys have made, as by exports.
  private func removeNewPhotos() throws {
    let photos = folder.appending(path: "photos")
    for name in try FileManager.default.contentsOfDirectory(atPath: photos.path)
    where !name.hasSuffix(".xmp") && !photoNames.contains(name) {
      // A hidden file may be a temporary one, which the gallery removes.
      try? FileManager.default.removeItem(at: photos.appending(path: name))
    }
  }

  private func waitForFirst(of count: Int, timeout: Duration = TerminalSession.defaultTimeout) async throws {
    try await session.wait(for: "the first photo and its image", timeout: timeout) { screen in
      let detail = screen.cells[4..<10].joined().filter { $0.style.background != .default }
      return screen.contains("1/\(count)") && detail.count > 40
    }
  }

  /// Shows each photo at the largest size, so that all caches with a limit are full.
  func fill() async throws {
    try await settle(at: RandomKeys.largest)
    try await type(.init(keys: ["v"]))
    for number in 1...photoCount {
      try await session.wait(for: "photo \(number) whole") { screen in
        let colored = screen.cells.joined().filter { $0.style.background != .default }
        return screen.contains("\(number)/") && colored.count > screen.size.rows * 40
      }
      try await type(.init(keys: ["n"]))
    }
  }
}

// The parts of a day, which tests compare.
extension LongDay {
  private static let keysAtOnce = Torture.pace == nil ? 10 : 1

  /// Types random keys and returns to the initial state.
  ///
  /// - Parameters:
  ///   - name: The part's name in messages.
  ///   - change: Called before each batch of keys.
  ///   - ending: Returns to the initial state.
  /// - Returns: The figures of the program in that state, when it is idle.
  func spend(
    _ count: Int, of keys: inout RandomKeys, _ name: String, before change: () -> Void,
    ending: () async throws -> Void
  ) async throws -> ProcessFigures {
    var last: [String] = []
    do {
      for number in stride(from: 0, to: count, by: Self.keysAtOnce) {
        change()
        let batch = keys.batch(of: Self.keysAtOnce, on: session.screen)
        last = last.suffix(4) + ["key \(number): \(batch)"]
        try await type(batch)
        if let pace = Torture.pace { try await Task.sleep(for: pace) }
      }
      try await ending()
    } catch {
      Issue.record("\(name), \(last.joined(separator: "\n"))\n\((try? reports) ?? [])")
      throw error
    }
    // The thread sanitizer has a background thread that never sleeps.
    if Sanitizer.inUse != .thread {
      let fault = try await session.idleFault(of: pane?.processID)
      #expect(fault == nil, "\(name)")
    }
    return try ProcessFigures.settled(
      of: pane?.processID ?? session.processID, in: folder.appending(path: "bin"))
  }

  /// Quits, and expects that the last part has left nothing behind.
  /// - Parameter mostGrowth: The growth of memory that is allowed in it, in kB.
  func end(_ parts: [ProcessFigures], mostGrowth: Int, _ name: String) async throws {
    let figures: Comment = "\(name): \(parts)"
    print(figures)
    // A sanitizer does not reuse freed memory.
    if Sanitizer.inUse == nil, let last = parts.last {
      let warm = parts.dropLast().map(\.memory).max() ?? 0
      #expect(last.memory - warm <= mostGrowth, figures)
    }
    // The thread sanitizer starts a program that names functions, and has two pipes to it.
    let files = parts.map { part in part.files.filter { Sanitizer.inUse != .thread || !$0.hasPrefix("pipe:") } }
    let new = (files.last ?? []).filter { !(files.first ?? []).contains($0) }
    #expect(Set(files.map(\.count)).count == 1, "\(figures), new: \(new)")
    #expect(Set(parts.map(\.threads)).count == 1, figures)
    try type("q")
    #expect(try await session.waitForExit() == .exited(0))
    for report in try reports { Issue.record("\(name): \(report)") }
  }
}

/// A sanitizer with which the program under test can be built.
enum Sanitizer: String, CaseIterable {
  case thread, address

  /// The environment variable with the options of the sanitizer's runtime (google/sanitizers, "SanitizerCommonFlags").
  var variable: String { self == .thread ? "TSAN_OPTIONS" : "ASAN_OPTIONS" }

  /// The functions about which the thread sanitizer is wrong. It does not see that a thread that waits for a `Mutex` has got it, which
  /// is done by the library `swiftSynchronization`: ten lines with nothing but a mutex that eight threads want are reported, too.
  private static let suppressions = "race:ReadingQueue\nrace:PendingChanges\n"

  /// Returns options for reports in files of a folder whose names begin with `report`, and writes what they need.
  ///
  /// Leak detection is off, because it takes Swift's storage for weak references for leaks. Growing memory shows leaks,
  /// too.
  func options(in folder: URL) -> String {
    let file = folder.appending(path: "suppressions")
    try? Data(Self.suppressions.utf8).write(to: file)
    var options = "log_path=\(folder.appending(path: "report").path):detect_leaks=0"
    // The suppressions are about names.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let symbolizer = path.split(separator: ":").map { "\($0)/llvm-symbolizer" }
      .first(where: FileManager.default.isExecutableFile)
    if let symbolizer { options += ":external_symbolizer_path=\(symbolizer)" }
    return self == .thread ? "\(options):suppressions=\(file.path)" : options
  }

  /// The sanitizer with which the program under test was built, or nil if it was built without.
  static let inUse = allCases.first { Program.path.contains("/\($0.rawValue)/") }
}
