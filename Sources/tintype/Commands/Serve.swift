import ArgumentParser
import CSystem
import Configuration
import Folder
import Foundation
import Gallery
import Images
import Photos
import Remote
import Resources

/// Serves the photos of this machine to a gallery on another one, which starts this command through ssh.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve photos to a gallery on another machine, which starts this through ssh.",
    discussion: """
      On the other machine: tintype HOST:FOLDER

      It speaks on standard input and output, opens one folder, and ends with the connection.
      """, shouldDisplay: false)

  func validate() throws {
    if isatty(STDIN_FILENO) != 0 {
      throw ValidationError("serve is started by the gallery on another machine: tintype HOST:FOLDER")
    }
  }

  func run() throws {
    // A write to a connection that has ended is an error.
    signal(SIGPIPE, SIG_IGN)
    return_large_blocks()
    Shell.run(Self.self) {
      // One of them is for previews.
      let workerCount = max(3, ProcessInfo.processInfo.activeProcessorCount)
      let queue = Resources.imageWorker.map { RenditionQueue(workerPath: $0, workerCount: workerCount) }
      let server = RemoteServer(
        input: dup(STDIN_FILENO), output: dup(STDOUT_FILENO), version: Release.version, queue: queue,
        workerCount: workerCount, open: Self.open)
      await server.run()
      return EXIT_SUCCESS
    }
  }

  /// Opens the source that the other gallery names, with the services that a gallery here would use.
  @MainActor
  private static func open(_ opening: RemoteOpening) async throws(APIError) -> RemoteServices {
    InterfaceLanguage.use(opening.language)
    let home = FilePath.home ?? .workingFolder
    let path = FilePath(opening.path, in: home)
    guard let source = try? GallerySource([FileArgument(path.bytes)]) else { throw .notFound(path: path.printable) }
    if let fault = source.fault { throw fault }
    let isPhoto = if case .photo = source { true } else { false }
    guard let root = source.folder else { throw .remote(.told("\(path.printable) is neither a folder nor a photo.")) }
    let stores = Stores(onProblem: { _ in })
    let services = GalleryServices(
      source: source, server: nil, delay: 0, sidecars: opening.usesShortNames ? .short : .long,
      parts: PhotoParts(editedEndings: opening.editedEndings))
    return RemoteServices(
      opened: RemoteOpened(root: root, isPhoto: isPhoto), photos: services.photos,
      steps: GalleryServices.makeSteps(stores, root: source.root, opening.usesShortNames ? .short : .long),
      appraisals: GalleryServices.makeAppraiser(), places: FolderPlaces(store: stores.state),
      report: { await WorkerReport.lines() })
  }
}
