import ArgumentParser
import Foundation
import Gallery
import ImageWire
import Images
import WorkerPool

/// The command that makes the desktop's thumbnails, so that the gallery has previews from the start.
struct Thumbnails: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Create missing desktop thumbnails.")

  @Argument(help: "Images.", completion: .file())
  var files: [FileArgument]

  func validate() throws { try GallerySource.checkIsHere(files, command: "thumbnails") }

  func run() throws {
    Shell.run(Self.self) { try await Self.make(files) }
  }

  /// Makes the thumbnails of the files.
  /// - Returns: The exit code: 1 if some image could not be read.
  @MainActor
  private static func make(_ files: [FileArgument]) async throws -> Int32 {
    let queue = try RenditionQueue(
      forCommandWithWorkers: min(files.count, ProcessInfo.processInfo.activeProcessorCount))
    let requests = files.enumerated().map { index, file in
      ImageRequest(number: UInt32(index + 1), path: file.path, job: .thumbnail)
    }
    let answers = requests.map { request in Task.onMainActor { await queue.render(request) } }
    var code = EXIT_SUCCESS
    for (file, answer) in zip(files, answers) {
      guard case .failure(let fault) = await answer.value.content else { continue }
      Shell.print("\(file.printable): \(fault.message)", to: .standardError)
      code = EXIT_FAILURE
    }
    return code
  }
}
