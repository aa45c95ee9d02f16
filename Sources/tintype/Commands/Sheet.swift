import ArgumentParser
import Configuration
import Foundation
import Gallery
import ImageWire
import Images
import Photos
import Resources
import Screens
import Services
import Sheets
import ViewModels

/// The command that makes contact sheets.
struct Sheet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet", abstract: "Make a contact sheet: a PDF, a web page or PNGs.",
    discussion: """
      For example: tintype sheet ~/Pictures/oslo --format html --title 'Oslo, first choice'

      The web page is one file. Who gets it marks photos in it and sends the list of names back, and tintype --pick LIST FOLDER \
      makes picks of them. No file is ever replaced.

      The exit code is 0 if all photos are in the sheet, 1 if one is not, and 64 if the options are invalid.
      """)

  @Argument(
    help: "Photos, and folders with their subfolders; a catalog; or - for a list of paths on standard input.",
    completion: .file())
  var files: [FileArgument]

  @Option(help: "The format: a PDF, a web page, or a PNG for each page. (default: by the name of --to, else pdf)")
  var format: SheetFormat?

  @Option(
    help: ArgumentHelp(
      "The columns and rows of a page, 1 to 20. More columns than rows make it landscape. (default: 5x7)",
      valueName: "columns×rows"))
  var grid: String?

  @Option(help: "The size of the paper. (default: a4)")
  var paper: SheetPaper?

  @Option(help: ArgumentHelp("The title. (default: the name of the folder)", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("The new file. (default: sheet.pdf, sheet.html or sheet.png)", valueName: "file"),
    completion: .file())
  var to: FileArgument?

  func validate() throws {
    try GallerySource.checkIsHere(files, command: "sheet")
    try GallerySource(files).check()
    if let grid, PageGrid(grid) == nil {
      throw ValidationError("--grid \(grid.printable): It takes columns and rows from 1 to 20, such as 5x7.")
    }
    if chosenFormat == .html, grid != nil || paper != nil {
      throw ValidationError("--grid and --paper are for PDF and PNG. The page fits any window.")
    }
    if let to, to.bytes.isEmpty { throw ValidationError("--to needs a file's name.") }
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    source.exitIfUnusable()
    Shell.run(Self.self) { try await makeSheet(of: source) }
  }

  /// The format that is named, or else that of the new file's name.
  private var chosenFormat: SheetFormat {
    format ?? SheetFormat(ofFile: to?.printable ?? "") ?? .pdf
  }

  /// The path of the new file.
  private var target: FilePath {
    to?.path ?? FilePath.workingFolder.appending("sheet.\(chosenFormat.rawValue)".utf8)
  }
}

extension Sheet {
  @MainActor
  private func makeSheet(of source: GallerySource) async throws -> Int32 {
    guard let workerPath = Resources.imageWorker else { throw TextOnlyError() }
    let configuration = ConfigurationSource.user.read().configuration
    let parts = PhotoParts(editedEndings: configuration.editedEndings)
    guard let found = await Shell.photos(of: source, parts: parts) else { return EXIT_FAILURE }
    let photos = Shell.withFiles(
      found.photos.indices.filter { !found.groups.isHidden($0) }.map { found.photos[$0] })
    if photos.isEmpty {
      Shell.print("No photos, so there is no sheet.", to: .standardError)
      return EXIT_FAILURE
    }
    if let reason = target.folder.createFolder() {
      Shell.print("Can't create \(target.folder.printable): \(reason)", to: .standardError)
      return EXIT_FAILURE
    }
    let exporter = PhotoExporter(workerPath: workerPath, workerCount: min(photos.count, PhotoExporter.mostWorkers))
    let isComplete = await make(sheet(of: photos, source), by: exporter, configuration.settings.language)
    await exporter.stop()
    return isComplete && found.problems.count == 0 ? EXIT_SUCCESS : EXIT_FAILURE
  }

  private func sheet(of photos: [(Photo, FilePath)], _ source: GallerySource) -> PhotoSheet {
    let items = photos.map { PhotoSheet.Item($1, shown: MetadataRecord($0.metadata ?? PhotoMetadata())) }
    var sheet = PhotoSheet(of: items, in: source.root, to: target)
    sheet.format = chosenFormat
    sheet.grid = grid.flatMap { PageGrid($0) } ?? .standard
    sheet.paper = paper ?? .a4
    sheet.title = title ?? source.root?.printableName ?? ""
    return sheet
  }

  /// Makes the sheet, and prints the paths of the new files. Its words are in the language of the gallery, and those of the
  /// command line in English.
  /// - Returns: Whether it has all photos.
  @MainActor
  private func make(_ sheet: PhotoSheet, by exporter: PhotoExporter, _ language: String?) async -> Bool {
    var isComplete = true
    InterfaceLanguage.use(language)
    var maker = SheetMaker(sheet, exporter: exporter)
    Translations.use(nil)
    maker.isNumbering = true
    maker.countText = { count in
      InterfaceLanguage.use(language)
      defer { Translations.use(nil) }
      return count.photosText
    }
    maker.onPicture = { ProgressLine.show("\($0) of \(sheet.items.count) photos") }
    maker.onPage = { ProgressLine.show("Drawing page \($0) of \($1)") }
    maker.onFile = {
      ProgressLine.clear()
      Shell.print($0.printable)
    }
    maker.onFault = {
      ProgressLine.clear()
      Shell.print("\($0.printable): \($1.message)", to: .standardError)
      isComplete = false
    }
    defer { ProgressLine.clear() }
    do throws(ImageFault) {
      return try await maker.make()?.isEmpty == false && isComplete
    } catch {
      ProgressLine.clear()
      Shell.print("\(target.printable): \(error.message)", to: .standardError)
      return false
    }
  }
}

extension SheetFormat: ExpressibleByArgument {}

extension SheetPaper: ExpressibleByArgument {}
