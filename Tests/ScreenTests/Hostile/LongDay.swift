import Foundation

/// A gallery with all that it reads, writes and starts in a folder of the test's own.
final class LongDay {
  enum Source: String, CaseIterable {
    case bundled, folder
  }

  let session: TerminalSession
  let photoCount: Int
  private let folder: URL

  /// - Parameter imageMemory: In megabytes. So little is soon full, and what is full does not grow.
  init(_ source: Source, imageMemory: Int = 1) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    for name in ["bin", "written", "photos"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    // What opens images outside.
    let opener = folder.appending(path: "bin/xdg-open")
    try Data("#!/bin/sh\nexit 0\n".utf8).write(to: opener)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener.path)
    let photos = folder.appending(path: "photos")
    photoCount = try Self.copyPhotos(to: photos)
    session = try TerminalSession(
      Program.path,
      ["--delay", "0", "--pictures", "symbols", "--picture-memory", String(imageMemory)]
        + (source == .folder ? [photos.path] : []),
      size: RandomKeys.usual, environment: Self.environment(folder),
      workingDirectory: folder.appending(path: "written").path)
  }

  /// - Returns: How many there are.
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
      environment[sanitizer.variable] = sanitizer.options(reportingTo: folder.appending(path: "report").path)
    }
    return environment
  }

  /// What sanitizers have reported, of the program and of its workers.
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

  /// The last key has the screen drawn anew, so that its frame is known from those before.
  private func type(_ keys: String, of batch: RandomKeys.Batch) async throws {
    session.discardOutput()
    session.type(keys + "\u{0C}")
    try await session.waitForOutput("the answer to \(batch)") { output in
      guard let start = output.firstRange(of: Self.clearing) else { return false }
      return output[start.upperBound...].firstRange(of: Self.frameEnd) != nil
    }
  }

  private static let (clearing, frameEnd) = (Array("\u{1B}[2J".utf8), Array("\u{1B}[?2026l".utf8))

  /// Goes back to where all began, from wherever, and waits until nothing is loading.
  func settle(at size: Size) async throws {
    let escapes = Array(repeating: RandomKeys.escape, count: 8)
    // Out of whatever is open, then out of what was begun in the first room.
    try await type(.init(size: size, keys: escapes))
    try await type(.init(keys: ["1"] + escapes + ["r"]))
    let count = photoCount
    try await session.wait(for: "the list of photos") { $0.contains("/\(count)") }
    // The click takes the keys from the other window, if that has them.
    try await type(.init(keys: ["\u{1B}[<0;5;4M", "g"]))
    try await session.wait(for: "the first photo and its image") { screen in
      let detail = screen.cells[4..<10].joined().filter { $0.style.background != .default }
      return screen.contains("1/\(count)") && detail.count > 40
    }
  }

  /// Has each photo rendered at the largest size, so that everything that fills up to a bound is full.
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

/// What finds mistakes in a program that was built with it.
enum Sanitizer: String, CaseIterable {
  case thread, address

  /// By which its runtime takes options (google/sanitizers, "SanitizerCommonFlags").
  var variable: String { self == .thread ? "TSAN_OPTIONS" : "ASAN_OPTIONS" }

  /// Reports go to files whose names begin so. What Swift keeps for weak references looks leaked, since it is pointed to in
  /// a way of Swift's own; so leaks are looked for by the growth of memory.
  func options(reportingTo path: String) -> String { "log_path=\(path):detect_leaks=0" }

  /// Whether the program under test was built with one.
  static let isInUse = allCases.contains { Program.path.contains("/\($0.rawValue)/") }
}
