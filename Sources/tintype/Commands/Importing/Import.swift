import ArgumentParser
import Configuration
import Folder
import Foundation
import Gallery
import Images
import Photos
import Resources
import Screens
import Services
import Steps
import Store

/// The command that copies new photos from a memory card.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Copy new photos from a memory card.",
    discussion: """
      For example: tintype import /media/card --to ~/Pictures --folders '{date:%Y/%m/%d}' --also-to /media/backup

      Photos that were imported before are left out, whatever they are called. Each copy is read back and compared. Nothing is \
      written to the card, and no file is ever replaced: photos whose names are taken get a number. Fields of folders and \
      names: \(NamePattern.fields.map(\.field).joined(separator: " ")). In the gallery, undo takes an import back.

      The exit code is 0 if all photos were imported or left out, 1 if one could not be imported, and 64 if the options are \
      invalid.
      """)

  @Argument(help: "The folder of the card; or some folders and photos.", completion: .file())
  var card: [FileArgument]

  @Option(help: ArgumentHelp("The folder for the photos. It is created.", valueName: "folder"), completion: .directory)
  var to: FileArgument

  @Option(
    help: ArgumentHelp(
      "Another folder that gets a copy of each photo, such as one on a second disk.", valueName: "folder"),
    completion: .directory)
  var alsoTo: [FileArgument] = []

  @Option(help: ArgumentHelp("The folders below these, such as {date:%Y/%m/%d}. (default: none)", valueName: "pattern"))
  var folders: String?

  @Option(help: ArgumentHelp("The names of the copies, without the suffix. (default: {name})", valueName: "pattern"))
  var rename: String?

  @Option(
    help: ArgumentHelp("The template of the configuration file whose texts the copies get.", valueName: "name"))
  var template: String?

  @Flag(help: "Copy also photos that were imported before.")
  var again = false

  @Flag(help: "Print what would be copied, and copy nothing.")
  var dryRun = false

  @Flag(help: "Open the gallery, which imports the photos while you look at the first ones.")
  var open = false

  func validate() throws {
    if to.bytes.isEmpty || alsoTo.contains(where: \.bytes.isEmpty) {
      throw ValidationError("--to and --also-to need a folder's name.")
    }
    _ = try rule()
    try GallerySource.checkIsHere(card, command: "import")
    if case .catalog(let path) = try GallerySource(card), !path.isMissing {
      throw ValidationError("\(path.printable) is neither a folder nor a photo.")
    }
    try checkPlaces()
    if open, dryRun { throw ValidationError("--open and --dry-run can't be combined.") }
    if open, isatty(STDOUT_FILENO) == 0 { throw ValidationError("--open needs a terminal.") }
  }

  func run() throws {
    let source = try GallerySource(card).withoutNeighbors
    source.exitIfUnusable()
    let rule = try rule()
    Shell.run(Self.self) { try await importPhotos(source, rule) }
  }

  /// Checks that the photos can go where the options say.
  private func checkPlaces() throws {
    switch try rule().fault(from: try scope().paths) {
    case .samePlace: throw ValidationError("--to and --also-to are the same folder.")
    case .onCard(let place, let card):
      throw ValidationError("\(place.printable) is in \(card.printable), and nothing is written there.")
    // A disk that is not attached would have its folder created on another one.
    case .noBackup(let folder):
      let name = alsoTo.first { $0.path == folder }?.printable ?? folder.printable
      throw ValidationError("There is no folder \(name). Attach its disk, or create it.")
    case .noCard, .unreadable, nil: break
    }
  }

  private func scope() throws -> FolderScope {
    switch try GallerySource(card).withoutNeighbors {
    case .files(let scope): scope
    case .catalog(let path): FolderScope(named: [path])
    default: throw ValidationError("\(card[0].printable) is no folder of photos.")
    }
  }

  private func rule() throws -> ImportRule {
    var rule = ImportRule(to: to.path)
    rule.backups = alsoTo.map(\.path)
    rule.isAgain = again
    do throws(NamePattern.Fault) {
      rule.folders = try folders.map { text throws(NamePattern.Fault) in try FolderPattern(text) }
      if let rename { rule.names = try NamePattern(rename) }
    } catch { throw ValidationError(error.message) }
    return rule
  }
}

extension Import {
  @MainActor
  private func importPhotos(_ source: GallerySource, _ rule: ImportRule) async throws -> Int32 {
    ProgressLine.show("Reading \(source.name)")
    let configuration = ConfigurationSource.user.read().configuration
    let parts = PhotoParts(editedEndings: configuration.editedEndings)
    guard let found = await Shell.photos(of: source, parts: parts) else { return EXIT_FAILURE }
    let stores = Stores { Shell.print($0.message, to: .standardError) }
    let steps = GalleryServices.makeSteps(stores, root: rule.place, configuration.sidecars)
    var rule = rule
    if let template { rule.template = try configuration.template(named: template) }
    let importing = ImportRun(steps: steps, rule: rule, codes: configuration.settings.codes)
    let shots = found.photos.indices.filter { !found.groups.isHidden($0) }.map(found.photos.files)
    let isComplete = try await importing.run(shots, isDry: dryRun, opens: open)
    return isComplete && found.problems.count == 0 ? EXIT_SUCCESS : EXIT_FAILURE
  }
}
