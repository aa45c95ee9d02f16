import Foundation
import Gallery
import Services
import Steps
import Store

/// A benchmark of steps with files without a user interface, for bench.py: `measure-steps FOLDER COUNT`
///
/// It creates a number of small photos in `FOLDER/photos`, moves them to `FOLDER/moved`, and undoes that. Each line of the
/// output has a name and seconds: `move` and `undo`.
@main
struct MeasureSteps {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { FilePath($0.utf8, in: .workingFolder) }
    guard arguments.count == 2, let count = Int(arguments[1].printableName) else {
      try FileHandle.standardError.write(contentsOf: Data("usage: measure-steps FOLDER COUNT\n".utf8))
      exit(EX_USAGE)
    }
    let folder = arguments[0]
    let photos = folder.appending("photos".utf8)
    try FileManager.default.createDirectory(atPath: photos.printable, withIntermediateDirectories: true)
    let shots = try (0..<count).map { [try photo($0, in: photos)] }
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { print($0.message) }
    let service = StepService(journal: journal, root: photos, usesShortNames: false)
    var start = ContinuousClock.now
    let request = StepRequest(.files(.move(to: folder.appending("moved".utf8))), forShots: shots)
    let step = await service.write(await service.keep([request])[0], StepWork())
    report("move", since: start)
    start = .now
    let undone = await service.undo(StepWork())
    report("undo", since: start)
    let faults = step.faults + (undone?.faults ?? [])
    if !faults.isEmpty { print(faults[0].message) }
  }

  private static func photo(_ number: Int, in folder: FilePath) throws -> Photo {
    let path = folder.appending("IMG_\(10_000 + number).jpg".utf8)
    try Data("photo \(number)".utf8).write(to: URL(filePath: path.printable))
    return Photo(
      id: number, name: path.printableName, createdAt: .now, imageURL: path.printable, image: .file(path),
      metadata: nil)
  }

  private static func report(_ name: String, since start: ContinuousClock.Instant) {
    print(name, start.duration(to: .now) / .seconds(1))
  }
}
