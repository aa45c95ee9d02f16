import ArgumentParser
import Catalog
import Folder
import Foundation
import Gallery
import Images
import Photos
import Resources
import Services
import Store
import ViewModels
import WorkerPool

/// Writes a catalog of a folder, or checks one.
struct Catalog: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tintype catalogue",
    abstract: "Write a catalog of a folder's photos, or check one.",
    discussion: "What stands in a catalog is told in docs/catalog.md.")

  @Argument(help: "The folder; with --check a catalog, or - for the standard input.", completion: .file())
  var source: FileArgument

  @Option(
    help: ArgumentHelp("Where to write. (default: the standard output)", valueName: "file"), completion: .file())
  var output: FileArgument?

  @Flag(help: "Write where the photos were taken, too.")
  var withLocation = false

  @Option(
    help: ArgumentHelp("The keyword of photos that are for sale. (default: for sale)", valueName: "word"))
  var saleKeyword: String?

  @Flag(help: "Tell what is wrong with a catalog, line by line.")
  var check = false

  func validate() throws {
    if source.bytes.isEmpty { throw ValidationError("The folder's name is empty.") }
    if output?.bytes.isEmpty == true { throw ValidationError("--output wants the name of a file.") }
    if check, output != nil || withLocation || saleKeyword != nil {
      throw ValidationError("--check writes nothing: leave the other options out.")
    }
    if !check, !source.path.isFolder {
      throw ValidationError(
        "There is no folder at \(source.printable). Check the name, or use --check for a catalog.")
    }
  }

  func run() throws {
    Show.serveMainQueue {
      do {
        return check ? try await checkCatalog() : try await writeCatalog()
      } catch {
        Self.clearProgress()
        Tintype.print(error.messageInShell, to: .standardError)
        return EXIT_FAILURE
      }
    }
  }
}

// Writing.
extension Catalog {
  @MainActor
  private func writeCatalog() async throws -> Int32 {
    let readers = ProcessInfo.processInfo.activeProcessorCount
    let workers = MetadataWorkers(workerPath: Resources.executable("tintype-pictures"), workerCount: readers)
    let folder = source.path
    let service = FolderService(
      scope: FolderScope(folder: folder),
      index: PhotoIndex(folder: XDGFolders(environment: ProcessInfo.processInfo.environment).cache),
      readers: readers, isWatching: false, read: { await workers.metadata(of: $0) })
    var last = PhotoSnapshot()
    for await answer in service.fetchPhotos() {
      last = try answer.get()
      if let progress = last.progress { Self.show("\(progress.done) of \(progress.total) photos read") }
    }
    return try await write(last, of: folder)
  }

  private func write(_ snapshot: PhotoSnapshot, of folder: FilePath) async throws -> Int32 {
    let base = output?.path.folder ?? .workingFolder
    let writer = CatalogWriter(
      snapshot.photos, in: folder,
      addressPrefix: try CatalogWriter.address(from: resolved(base), to: resolved(folder)),
      places: withLocation ? .written : .leftOut, saleKeyword: saleKeyword ?? "for sale")
    if let path = output?.path {
      try AtomicFile.write(to: path) { try writer.write($0) }
    } else {
      try writer.write { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
    }
    Self.clearProgress()
    tell(snapshot.problems, writer)
    return EXIT_SUCCESS
  }

  /// What does not stand in the catalog, and how much does.
  private func tell(_ problems: CatalogProblems, _ writer: CatalogWriter) {
    for problem in problems.first { Tintype.print(problem.description.printable, to: .standardError) }
    if problems.count > problems.first.count {
      Tintype.print("And \(problems.count - problems.first.count) more.", to: .standardError)
    }
    for photo in writer.leftOut { Tintype.print("\(photo.name.printable): \(photo.reason)", to: .standardError) }
    let leftOut = problems.count + writer.leftOut.count
    guard leftOut > 0 || Self.hasProgress else { return }
    Tintype.print("\(writer.count.photosText) written, \(leftOut) left out", to: .standardError)
  }

  /// Without links, which `..` would not lead back through.
  private func resolved(_ path: FilePath) throws -> FilePath {
    guard let resolved = path.resolved else {
      throw ValidationError("There is no folder at \(path.printable). Check the name.")
    }
    return resolved
  }

  private static let hasProgress = isatty(STDERR_FILENO) != 0

  /// Shows how far it has come, in one line of the terminal.
  private static func show(_ text: String) {
    guard hasProgress else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\(text)\u{1B}[K".utf8))
  }

  private static func clearProgress() { show("") }
}

// Checking.
extension Catalog {
  private func checkCatalog() async throws -> Int32 {
    let check =
      source.text == "-"
      ? CatalogCheck(descriptor: STDIN_FILENO, folder: .workingFolder) : CatalogCheck(path: source.path)
    let (problems, count) = try check.run()
    for problem in problems {
      guard case .text(let line, let column, let row) = problem.place else { continue }
      let place = "\(source.printable):\(line):\(column): \(row.map { "row \($0): " } ?? "")"
      Tintype.print("\(place)\(problem.reason)".printable, to: .standardOutput)
    }
    let found = problems.isEmpty ? "no problem" : problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    Tintype.print("\(source.printable): \(count.photosText), \(found)", to: .standardOutput)
    return problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
  }
}

extension Error {
  /// As it is said where no key can be pressed.
  var messageInShell: String {
    switch self {
    case let error as APIError: error.message
    case let error as AtomicFile.Failure: error.message
    case let error as ValidationError: error.message
    default: "The catalog was not written: \(localizedDescription)"
    }
  }
}
