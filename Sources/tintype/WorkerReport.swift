import Foundation
import Gallery
import Resources

/// What the image worker reports on itself and its libraries.
enum WorkerReport {
  /// The lines of the report.
  @concurrent
  static func lines() async -> [String] {
    guard let path = Resources.imageWorker else { return ["  worker      none: \(TextOnlyError())"] }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = ["--doctor"]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return ["  worker      \(path) can't be started; reinstall Tintype"] }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ["  worker      \(path.printable)"] + text.split(separator: "\n").map { "  \(String($0).printable)" }
  }
}
