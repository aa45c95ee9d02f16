import ArgumentParser
import Foundation
import Gallery
import Pictures
import Resources
import Screens
import Services
import Terminal
import ViewModels
import WorkerPool

/// The command line, and the composition of the program.
@main
struct Tintype: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype",
    abstract: "A photo gallery for the terminal.",
    discussion: """
      Without a SOURCE it opens the gallery that comes with it. In the gallery, ? shows the keys.
      """,
    version: "0.1.0")

  @Argument(help: "A catalogue of photos: a .json file.", completion: .file(extensions: ["json"]))
  var source: String?

  @Option(
    help: ArgumentHelp(
      "Hold answers back for so many seconds, as a server far away would. (default: 1 for the bundled gallery, else 0)",
      valueName: "seconds"))
  var delay: Double?

  @Option(help: "How pictures are shown.")
  var pictures = PictureMode.auto

  @Option(help: ArgumentHelp("How many colours are used.", valueName: "colors"))
  var colors = ColorChoice.auto

  /// As `main()` of the protocol, but that what comes from outside (arguments, TERM) is made printable before it is
  /// printed.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error).printableLines
      let output = code == .success ? FileHandle.standardOutput : .standardError
      if !message.isEmpty { try? output.write(contentsOf: Data((message + "\n").utf8)) }
      Foundation.exit(code.rawValue)
    }
  }

  func validate() throws {
    if let delay, !(0...3600).contains(delay) {
      throw ValidationError("--delay takes a number of seconds from 0 to 3600.")
    }
    guard let source else { return }
    if source.isEmpty { throw ValidationError("SOURCE is empty. Name a .json file, or leave it out.") }
    if source == "-" {
      throw ValidationError("Reading a catalogue from the standard input comes with a later version.")
    }
    if source.contains("://") {
      throw ValidationError("“\(source.printable)” is a URL; this version opens .json files only.")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue {
      throw ValidationError("“\(source.printable)” is a folder; this version opens .json files only.")
    }
  }

  func run() throws {
    WorkerPool.install()
    try MainActor.assumeIsolated { try openGallery() }
  }

  @MainActor
  private func openGallery() throws {
    let clock = WorkerPoolClock()
    let console = try Console(colors: colors.depth)
    let path = source.map { URL(filePath: $0).standardizedFileURL.path } ?? Resources.path("content.json")
    let service = CatalogueFile(
      path: path, delay: .seconds(delay ?? (source == nil ? 1 : 0)), clock: clock)
    let viewModel = PhotoListViewModel(service: service)
    let name = source.map { URL(filePath: $0).lastPathComponent.printable } ?? "bundled gallery"
    let window = GalleryWindow(
      console: console, viewModel: viewModel, source: name, loader: pictures.makeLoader(), pictures: pictures,
      clock: clock)
    window.onQuit = {
      console.leave()
      Foundation.exit(EXIT_SUCCESS)
    }
    console.onHangUp = { Foundation.exit(EXIT_FAILURE) }
    window.open()
    withExtendedLifetime(window) {
      // The main queue, with all its sources, is served by this run loop; it sleeps while there is nothing to do.
      while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
  }
}

/// How many colours are used, as the person says.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, truecolor
  case palette256 = "256"
  case palette16 = "16"
  case palette8 = "8"
  case mono

  /// nil for what the terminal has.
  var depth: ColorDepth? {
    switch self {
    case .auto: nil
    case .truecolor: .truecolor
    case .palette256: .palette256
    case .palette16: .palette16
    case .palette8: .palette8
    case .mono: .monochrome
    }
  }
}

extension PictureMode: ExpressibleByArgument {
  @MainActor
  func makeLoader() -> PictureLoader? {
    guard self != .none else { return nil }
    return PictureLoader(
      workerPath: Resources.executable("tintype-pictures"),
      workerCount: ProcessInfo.processInfo.activeProcessorCount)
  }
}
