import Foundation
import Harness
import TestLimit
import Testing

/// The open files of the processes that the gallery starts.
@Suite(.fewAtOnce, .limited) struct InheritedDescriptorsTests {
  /// The gallery has files open that it was started with, its databases, and the terminal. None of its processes has one of them.
  @Test func noProcessInheritsFilesOfTheGallery() async throws {
    let moment = Moment.inFolder("descriptors", of: ["chelsea.jpg", "film.mp4", "coffee.jpg"], pictures: "symbols")
    let home = try moment.makeHome()
    let photos = home.appending(path: "photos").path
    // The shell passes the files on to the gallery.
    let command =
      "exec 7</etc/passwd 8<>'\(home.path)/open' 9<'\(photos)'; exec '\(Program.path)' --pictures symbols '\(photos)'"
    let session = try TerminalSession(
      "/bin/bash", ["-c", command], size: Moment.size,
      environment: Program.environment.merging(Program.changes(home: home).compactMapValues { $0 }) { $1 })
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("3")
    try await session.waitForText("★★★")
    let gallery = Self.files(of: session.processID)
    for part in ["/etc/passwd", home.path + "/open", photos, "state.sqlite", "index.sqlite", "/dev/pts/"] {
      #expect(gallery.contains { $0.contains(part) }, "\(part) is not open: \(gallery)")
    }
    let processes = session.sessionProcessIDs.filter { $0 != session.processID }
    #expect(!processes.isEmpty)
    for process in processes {
      let others = Self.files(of: process).filter { !Self.isOwn($0, photos: photos) }
      #expect(others.isEmpty, "\(Self.command(of: process)): \(others)")
    }
  }

  /// Whether a file may be open in a process: what the gallery or another process of the same worker is connected by, nothing, or a photo.
  private static func isOwn(_ file: String, photos: String) -> Bool {
    file.hasPrefix("socket:") || file.hasPrefix("pipe:") || file == "/dev/null" || file.hasPrefix(photos + "/")
  }

  private static func files(of process: Int32) -> [String] {
    let folder = "/proc/\(process)/fd"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  private static func command(of process: Int32) -> String {
    let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
    return words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }
}
