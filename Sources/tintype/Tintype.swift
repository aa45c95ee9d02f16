import ArgumentParser
import Foundation
import Gallery
import HTTP
import Images
import Resources
import Screens
import Services
import Store
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

      tintype show FILE...        prints images where the cursor is.
      tintype catalogue FOLDER    writes a catalog of a folder's photos, or checks one.
      tintype thumbnails FILE...  makes the desktop's thumbnails of images that have none.
      tintype doctor              tells how images will be shown here, and why.
      """,
    version: "0.1.0")

  @Argument(
    help: """
      Photos and folders of photos; or a catalog of them: a .json file, an http:// or https:// address of one, or -
      for the standard input, which may also have paths of images.
      """, completion: .file())
  var sources: [FileArgument] = []

  @Flag(
    name: .customShort("0"),
    help: "Paths end with zero bytes, at the standard input as find -print0 writes them, and where --print does.")
  var hasZeroBytes = false

  @Flag(name: .customLong("print"), help: "At the end, write the paths of the marked photos to the standard output.")
  var printsMarked = false

  @Flag(help: "Where something in the source cannot be read, say what, and open nothing.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Hold answers back for so many seconds, as a server far away would. (default: 1 for the bundled gallery, else 0)",
      valueName: "seconds"))
  var delay: Double?

  @Option(help: ArgumentHelp("Show the photos one after another, each for so many seconds.", valueName: "seconds"))
  var slideshow: Double?

  @Option(
    name: .customLong("picture-memory"),
    help: ArgumentHelp("Keep at most so many megabytes of images in memory.", valueName: "megabytes"))
  var imageMemory = 64

  @Option(help: "The room to open.")
  var room = RoomName.photos

  @Option(
    help: ArgumentHelp(
      "Search music there, as the iTunes Search API answers, not in what is bundled. (default: $TINTYPE_MUSIC_URL)",
      valueName: "url"))
  var musicURL: String?

  @OptionGroup var web: WebOptions

  @OptionGroup var look: LookOptions

  /// As `main()` of the protocol, but that what comes from outside (arguments, TERM) is made printable before it is
  /// printed, and that a first argument may be a command as well as a source, which the parser does not allow.
  static func main() {
    openStandardDescriptors()
    let arguments = FileArgument.commandLine
    switch arguments.first {
    case "show": run(Show.self, Array(arguments.dropFirst()))
    case "catalog", "catalogue": run(Catalog.self, Array(arguments.dropFirst()))
    case "thumbnails": run(Thumbnails.self, Array(arguments.dropFirst()))
    case "doctor": run(Doctor.self, Array(arguments.dropFirst()))
    default: run(Tintype.self, arguments)
    }
  }

  /// Where one of them is closed, the next file that is opened would take its place, a database or the terminal.
  private static func openStandardDescriptors() {
    while case let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC), descriptor >= 0 {
      if descriptor > STDERR_FILENO {
        close(descriptor)
        return
      }
    }
  }

  private static func run<Command: ParsableCommand>(_: Command.Type, _ arguments: [String]) {
    do {
      var command = try Command.parseAsRoot(arguments)
      try command.run()
    } catch {
      exit(printing: error, of: Command.self)
    }
  }

  /// Ends the process with what there is to say of an error (or the help, which is one to the parser).
  static func exit(printing error: any Error, of command: (some ParsableCommand).Type = Tintype.self) -> Never {
    let code = command.exitCode(for: error)
    let message = command.fullMessage(for: error)
    if !message.isEmpty { print(message, to: code == .success ? .standardOutput : .standardError) }
    Foundation.exit(code.rawValue)
  }

  static func print(_ text: String, to output: FileHandle) {
    try? output.write(contentsOf: Data((text.printableLines + "\n").utf8))
  }

  func validate() throws {
    if let delay, !(0...3600).contains(delay) {
      throw ValidationError("--delay takes a number of seconds from 0 to 3600.")
    }
    if let slideshow, !(0.1...86_400).contains(slideshow) {
      throw ValidationError("--slideshow takes a number of seconds from 0.1 to 86400.")
    }
    if !(1...4096).contains(imageMemory) {
      throw ValidationError("--picture-memory takes a number of megabytes from 1 to 4096.")
    }
    if let musicAddress {
      let url = URL(string: musicAddress)
      guard let url, url.host != nil, ["http", "https"].contains(url.scheme?.lowercased()), url.query == nil,
        url.fragment == nil
      else { throw ValidationError("--music-url takes an http:// or https:// address without ? or #.") }
    }
    let source = try Source(sources)
    if case .address(let address) = source { return try WebOptions.check(address: address) }
    if web.isUsed { throw ValidationError("--header and --token-file go with an http:// or https:// address.") }
    if case .standardInput = source, isatty(STDIN_FILENO) != 0 {
      throw ValidationError(
        "Nothing comes by the standard input, which is the terminal. Pipe a catalog or paths into it.")
    }
  }

  var musicAddress: String? {
    musicURL ?? ProcessInfo.processInfo.environment["TINTYPE_MUSIC_URL"].flatMap { $0.isEmpty ? nil : $0 }
  }

  func run() throws {
    let source = try Source(sources)
    if let path = source.missing {
      Self.print(APIError.notFound(path: path.printable).messageInShell, to: .standardError)
      Foundation.exit(EXIT_FAILURE)
    }
    let server: NamedServer? =
      if case .address(let address) = source { NamedServer(address, headers: try web.fields()) } else { nil }
    WorkerPool.install()
    try MainActor.assumeIsolated {
      let clock = WorkerPoolClock()
      let client = makeClient(clock)
      let photos = makePhotos(source, server, client: client, clock: clock)
      if strict {
        Task {
          await refuseProblems(of: photos, source)
          do { try openGallery(photos, source, server, client: client, clock: clock) } catch {
            Self.exit(printing: error)
          }
        }
      } else {
        try openGallery(photos, source, server, client: client, clock: clock)
      }
      // The main queue, with all its sources, is served by this run loop; it sleeps while there is nothing to do.
      while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
  }

  /// Reads the whole source, and ends with what is wrong with it.
  @MainActor
  private func refuseProblems(of photos: any APIServiceProtocol, _ source: Source) async {
    var last = PhotoSnapshot()
    for await answer in photos.photos() {
      do throws(APIError) {
        last = try answer.get()
      } catch {
        Self.print(error.messageInShell, to: .standardError)
        Foundation.exit(EXIT_FAILURE)
      }
      if last.isComplete { break }
    }
    guard last.problems.count > 0 else { return }
    for problem in last.problems.first { Self.print(problem.description, to: .standardError) }
    Self.print(
      "\(source.name): \(last.photos.count.photosText), \(last.problems.count.grouped) "
        + (last.problems.count == 1 ? "problem" : "problems"), to: .standardError)
    Foundation.exit(EXIT_FAILURE)
  }

  func makeClient(_ clock: WorkerPoolClock) -> HTTPClient {
    HTTPClient(
      userAgent: "Tintype/\(Self.configuration.version)", environment: ProcessInfo.processInfo.environment,
      clock: clock)
  }

  /// - Parameter server: The one that the photos come from, if they come from the web.
  @MainActor
  private func openGallery(
    _ photos: any APIServiceProtocol, _ source: Source, _ server: NamedServer?, client: HTTPClient,
    clock: WorkerPoolClock
  ) throws {
    let servers = [server, musicAddress.map { NamedServer($0) }].compactMap(\.self)
    // Before the console, since it starts a process that takes longest to be ready.
    let loader = look.images.makeLoader(megabytes: imageMemory, client: client, servers: servers)
    let console = try Console(colors: look.colors.depth, isOutputElsewhere: printsMarked)
    let problems = Subject<StoreProblem>()
    let viewModels = makeViewModels(photos, client: client, clock: clock) { problem in
      Task { @MainActor in problems.send(problem) }
    }
    let window = GalleryWindow(
      console: console, viewModels: viewModels, source: source.name, loader: loader, images: look.images,
      room: room,
      firstView: firstView(of: source), clock: clock)
    let told = problems.bind { [unowned window] in window.add(storageProblem: $0.message) }
    window.onQuit = {
      console.leave()
      Task {
        // What the screen has shown as done is done.
        await viewModels.guestbook.settle()
        await viewModels.basket.settle()
        Foundation.exit(printsMarked ? await printMarked(viewModels.photos) : EXIT_SUCCESS)
      }
    }
    console.onHangUp = { Foundation.exit(EXIT_FAILURE) }
    window.onSettled = {
      viewModels.basket.load()
      viewModels.guestbook.load()
    }
    window.open()
    // As long as the program runs.
    Self.kept = (window, told)
  }

  @MainActor private static var kept: (GalleryWindow, Subscription)?

  /// Writes the bytes of the paths as they are, but to a terminal, which they could control.
  @MainActor
  private func printMarked(_ photos: PhotoListViewModel) async -> Int32 {
    let end: [UInt8] = [hasZeroBytes ? 0 : UInt8(ascii: "\n")]
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let text = photos.markedPhotos.flatMap { photo -> [UInt8] in
      isTerminal ? Array(photo.image.printable.utf8) + [UInt8(ascii: "\n")] : photo.image.bytes + end
    }
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text))
      return EXIT_SUCCESS
    } catch {
      Self.print("The marked photos could not be written: \(error.localizedDescription)", to: .standardError)
      return EXIT_FAILURE
    }
  }

  private func firstView(of source: Source) -> FirstView {
    if let slideshow { return .slideshow(seconds: slideshow) }
    return if case .photo = source { .viewer } else { .list }
  }
}
