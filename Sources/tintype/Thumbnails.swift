import ArgumentParser
import Foundation
import Gallery
import ImageWire
import Images
import Resources
import WorkerPool

/// Makes the desktop's thumbnails, so that a folder is browsed at once the first time too.
struct Thumbnails: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype thumbnails",
    abstract: "Make the thumbnails that desktops share, of images that have none.")

  @Argument(help: "Images.", completion: .file())
  var files: [FileArgument]

  func run() throws {
    Show.serveMainQueue { await Self.make(files) }
  }

  /// - Returns: The exit code: 1 where an image could not be read.
  @MainActor
  private static func make(_ files: [FileArgument]) async -> Int32 {
    let queue = RenditionQueue(
      workerPath: Resources.executable("tintype-pictures"),
      workerCount: min(files.count, ProcessInfo.processInfo.activeProcessorCount))
    // A box of pixels, not of cells.
    let requests = files.enumerated().map { index, file in
      RenditionRequest(
        number: UInt32(index + 1), path: file.path, columns: box, rows: box, cellWidth: 1, cellHeight: 1,
        format: .iterm,
        background: 0, stage: .thumbnail)
    }
    let answers = requests.map { request in Task.onMainActor { await queue.render(request) } }
    var code = EXIT_SUCCESS
    for (file, answer) in zip(files, answers) {
      guard case .failure(let reason) = await answer.value.content else { continue }
      Tintype.print("\(file.printable): \(reason.printable)", to: .standardError)
      code = EXIT_FAILURE
    }
    return code
  }

  /// The side of what is decoded, in pixels: enough for the thumbnail that is kept.
  private static let box = 256
}
