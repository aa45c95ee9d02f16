import Foundation
import Testing

/// Compares a screen with the golden file NAME.txt, and records an issue with the differences if they are not equal.
///
/// The file is in `directory`, or in the folder Snapshots next to the calling file. If the environment has
/// TINTYPE_RECORD=1, the file is written instead.
public func assertSnapshot(
  _ screen: Screen, named name: String, in directory: String? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  assertSnapshot(
    of: screen.snapshot(), named: name, in: directory, filePath: filePath, sourceLocation: sourceLocation)
}

extension TerminalSession {
  /// Waits until the screen is that of the golden file NAME.txt, as for a screen that changes until all that is read in
  /// the background is there.
  public func waitForSnapshot(
    _ name: String, filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let expected = try? String(contentsOf: snapshotFile(name, in: nil, filePath), encoding: .utf8)
    // What is recorded has had some time to settle. The next run shows whether it was enough.
    let time: Duration = isRecording ? .seconds(5) : Self.defaultTimeout
    _ = try? await wait(for: name, timeout: time) { !isRecording && $0.snapshot() == expected }
    assertSnapshot(screen, named: name, filePath: filePath, sourceLocation: sourceLocation)
  }
}

private let isRecording = ProcessInfo.processInfo.environment["TINTYPE_RECORD"] == "1"

private func snapshotFile(_ name: String, in directory: String?, _ filePath: String) -> URL {
  let folder =
    directory.map { URL(filePath: $0) }
    ?? URL(filePath: filePath).deletingLastPathComponent().appending(path: "Snapshots")
  return folder.appending(path: name + ".txt")
}

/// Compares a text with the golden file NAME.txt, as for a screen.
public func assertSnapshot(
  of actual: String, named name: String, in directory: String? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = snapshotFile(name, in: directory, filePath)
  if isRecording {
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file, options: .atomic)
    } catch {
      Issue.record("the snapshot \(file.path) cannot be written: \(error)", sourceLocation: sourceLocation)
    }
    return
  }
  guard let data = try? Data(contentsOf: file) else {
    Issue.record(
      "there is no snapshot \(file.path); TINTYPE_RECORD=1 writes it. The text:\n\(actual)",
      sourceLocation: sourceLocation)
    return
  }
  let expected = String(decoding: data, as: UTF8.self)
  if expected != actual {
    Issue.record(
      "the text differs from \(file.path):\n\(LineDifference.describe(expected: expected, actual: actual))",
      sourceLocation: sourceLocation)
  }
}
