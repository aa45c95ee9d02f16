import Foundation
import Gallery
import Services
import Steps
import Store

/// A benchmark of steps with files without a user interface, for bench.py: `measure-steps FOLDER COUNT SIZE`
///
/// It creates a number of photos of so many bytes in `FOLDER/photos`, moves them to `FOLDER/moved`, undoes that, and copies
/// them to `FOLDER/copied`. Each line of the output has a name and seconds: `move`, `undo` and `copy`.
@main
struct MeasureSteps {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { FilePath($0.utf8, in: .workingFolder) }
    guard arguments.count == 3, let count = Int(arguments[1].printableName), let size = Int(arguments[2].printableName)
    else {
      try FileHandle.standardError.write(contentsOf: Data("usage: measure-steps FOLDER COUNT SIZE\n".utf8))
      exit(EX_USAGE)
    }
    let folder = arguments[0]
    let photos = folder.appending("photos".utf8)
    try FileManager.default.createDirectory(atPath: photos.printable, withIntermediateDirectories: true)
    let shots = try (0..<count).map { [try photo($0, size, in: photos)] }
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { print($0.message) }
    let service = StepService(journal: journal, root: photos, usesShortNames: false)
    @Sendable func carryOut(_ change: FileChange) async -> Step {
      await service.write(await service.keep([StepRequest(.files(change), forShots: shots)])[0], StepWork())
    }
    let steps = [
      await timed("move") { await carryOut(.move(to: folder.appending("moved".utf8))) },
      await timed("undo") { await service.undo(StepWork()) },
      await timed("copy") { await carryOut(.copy(to: folder.appending("copied".utf8))) },
    ]
    for fault in steps.flatMap({ $0?.faults ?? [] }) { print(fault.message) }
  }

  private static func timed(_ name: String, _ body: @Sendable () async -> Step?) async -> Step? {
    let start = ContinuousClock.now
    let step = await body()
    print(name, start.duration(to: .now) / .seconds(1))
    return step
  }

  private static func photo(_ number: Int, _ size: Int, in folder: FilePath) throws -> Photo {
    let path = folder.appending("IMG_\(10_000 + number).jpg".utf8)
    var content = Data(count: size)
    content.withUnsafeMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8 &+ number) }
    }
    try content.write(to: URL(filePath: path.printable))
    return Photo(
      id: number, name: path.printableName, createdAt: .now, imageURL: path.printable, image: .file(path),
      metadata: nil)
  }
}
