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

/// Compares a text with the golden file NAME.txt, as for a screen.
public func assertSnapshot(
  of actual: String, named name: String, in directory: String? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let folder =
    directory.map { URL(filePath: $0) }
    ?? URL(filePath: filePath).deletingLastPathComponent().appending(path: "Snapshots")
  let file = folder.appending(path: name + ".txt")
  if ProcessInfo.processInfo.environment["TINTYPE_RECORD"] == "1" {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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
