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

/// The command that writes a catalog of a folder, or checks a catalog.
struct Catalog: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalogue",
    abstract: "Write a catalog of a folder's photos, or check one.",
    discussion: "The format is described in docs/catalog.md, which is installed in share/doc/tintype.",
    aliases: ["catalog"])

  @Argument(help: "The folder; with --check, a catalog, or - for standard input.", completion: .file())
  var source: FileArgument

  @Option(
    help: ArgumentHelp("Write to this file. (default: standard output)", valueName: "file"), completion: .file())
  var output: FileArgument?

  @Flag(help: "Include where the photos were taken.")
  var withLocation = false

  @Option(
    help: ArgumentHelp("The keyword of photos that are for sale. (default: for sale)", valueName: "word"))
  var saleKeyword: String?

  @Flag(help: "Check a catalog and list its errors.")
  var check = false

  func validate() throws {
    if source.bytes.isEmpty { throw ValidationError("The folder's name is empty.") }
    if output?.bytes.isEmpty == true { throw ValidationError("--output needs a file name.") }
    if check, output != nil || withLocation || saleKeyword != nil {
      throw ValidationError("--check can't be combined with other options.")
    }
    try GallerySource.checkIsHere([source], command: "catalogue")
    if !check, !source.path.isFolder {
      throw ValidationError(
        "There is no folder at \(source.printable). Check the name, or use --check for a catalog.")
    }
  }

  func run() throws {
    Shell.run(Self.self) {
      do {
        return check ? try await checkCatalog() : try await writeCatalog()
      } catch {
        ProgressLine.clear()
        Shell.print(error.messageInShell, to: .standardError)
        return EXIT_FAILURE
      }
    }
  }
}

// MARK: - Writing

extension Catalog {
  @MainActor
  private func writeCatalog() async throws -> Int32 {
    let folder = source.path
    let service = FolderService.withWorkers(scope: FolderScope(folder: folder), isWatching: false)
    var last = PhotoSnapshot()
    for await answer in service.fetchPhotos() {
      last = try answer.get()
      if let progress = last.progress { ProgressLine.show("\(progress.done) of \(progress.total) photos read") }
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
      try ExportFile.write(to: path) { try writer.write($0) }
    } else {
      try writer.write { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
    }
    ProgressLine.clear()
    report(snapshot.problems, writer)
    return EXIT_SUCCESS
  }

  /// Prints which files are missing from the catalog and why, and how many photos it has.
  private func report(_ problems: CatalogProblems, _ writer: CatalogWriter) {
    for problem in problems.first { Shell.print(problem.message.printable, to: .standardError) }
    if problems.count > problems.first.count {
      Shell.print("And \(problems.count - problems.first.count) more.", to: .standardError)
    }
    for photo in writer.leftOut { Shell.print("\(photo.name.printable): \(photo.reason)", to: .standardError) }
    let leftOut = problems.count + writer.leftOut.count
    guard leftOut > 0 || ProgressLine.isShown else { return }
    Shell.print("\(writer.count.photosText) written, \(leftOut) left out", to: .standardError)
  }

  /// Returns the path without symbolic links. `..` would not lead back through a link.
  private func resolved(_ path: FilePath) throws -> FilePath {
    guard let resolved = path.resolved else {
      throw ValidationError("There is no folder at \(path.printable). Check the name.")
    }
    return resolved
  }
}

// MARK: - Checking

extension Catalog {
  private func checkCatalog() async throws -> Int32 {
    let check =
      source.text == "-"
      ? CatalogCheck(descriptor: STDIN_FILENO, folder: .workingFolder) : CatalogCheck(path: source.path)
    let (problems, count) = try check.run()
    for problem in problems {
      guard case .text(let line, let column, let row) = problem.place else { continue }
      let place = "\(source.printable):\(line):\(column): \(row.map { "photo \($0): " } ?? "")"
      Shell.print("\(place)\(problem.reason)".printable, to: .standardOutput)
    }
    let found = problems.isEmpty ? "no problem" : problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    Shell.print("\(source.printable): \(count.photosText), \(found)", to: .standardOutput)
    return problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
  }
}
