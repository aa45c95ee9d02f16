import ArgumentParser
import Bundled
import Configuration
import Foundation
import Gallery
import Photos
import Services
import Sheets
import Steps
import ViewModels

/// Shows and changes the collections of photos.
struct Collections: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collection", abstract: "List, show, change and export collections of photos.",
    discussion: """
      For example: tintype collection add Portfolio ~/Pictures/oslo/*.jpg

      A collection is a named list of photos in any folders. tintype collection://NAME opens it in the gallery.
      """,
    subcommands: [
      ListCollections.self, ShowCollection.self, AddToCollection.self, RemoveFromCollection.self, RenameCollection.self,
      DeleteCollection.self, ExportCollection.self,
    ], defaultSubcommand: ListCollections.self)
}

/// Prints the names of the collections.
struct ListCollections: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the number of files and the name of each collection.")

  func run() throws {
    Shell.run(Self.self) {
      for collection in try await KeptCollections.user.collections() {
        try Shell.write(Array("\(collection.count)\t\(collection.name)\n".utf8))
      }
      return EXIT_SUCCESS
    }
  }
}

/// Prints the paths of a collection.
struct ShowCollection: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the paths of a collection, one a line, in its order.",
    discussion: "For example: tintype collection show Portfolio | nsxiv -i")

  @Argument(help: "The name of the collection.")
  var name: String

  @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with a zero byte.")
  var hasZeroBytes = false

  func run() throws {
    Shell.run(Self.self) {
      guard let files = await KeptCollections.user.printed(name) else { return EXIT_FAILURE }
      let end: UInt8 = hasZeroBytes ? 0 : UInt8(ascii: "\n")
      try Shell.write(files.flatMap { $0.bytes + [end] })
      return EXIT_SUCCESS
    }
  }
}

/// Adds photos to a collection.
struct AddToCollection: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add photos at the end of a collection, which is created if there is none.",
    discussion:
      "The gallery undoes the step in the folder of the photos. A list of paths can be piped in: tintype collection add NAME -"
  )

  @Argument(help: "The name of the collection.")
  var name: String

  @Argument(
    help: "Photos, and folders with their subfolders; or - for a list of paths on standard input.", completion: .file())
  var files: [FileArgument]

  func validate() throws {
    guard PhotoCollection.name(name) != nil else {
      throw ValidationError("A name has up to \(PhotoCollection.longestName) characters, and no quotes.")
    }
    try GallerySource.checkIsHere(files, command: "collection add")
    try GallerySource(files).check()
  }

  func run() throws {
    let source = try GallerySource(files).withoutNeighbors
    source.exitIfUnusable()
    let name = PhotoCollection.name(name) ?? name
    Shell.run(Self.self) {
      guard let found = await Shell.photos(of: source) else { return EXIT_FAILURE }
      let photos = Shell.withFiles(found.photos.map(\.self)).filter { $0.file.isInArchive == false }
      let known = try await KeptCollections.user.files(of: name)
      let former = Set(known ?? [])
      let new = photos.filter { !former.contains($0.file) }
      var edit = CollectionEdit(name)
      edit.insert(new.map(\.file), at: .last)
      guard await Collections.make(edit, on: known, of: new.map(\.photo)) else { return EXIT_FAILURE }
      Shell.print("\(new.count) added, \(photos.count - new.count) in it already")
      return found.problems.count > 0 ? EXIT_FAILURE : EXIT_SUCCESS
    }
  }
}

/// Takes photos out of a collection.
struct RemoveFromCollection: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take files out of a collection. The files stay where they are.")

  @Argument(help: "The name of the collection.")
  var name: String

  @Argument(help: "Files, which need not exist, or folders.", completion: .file())
  var files: [FileArgument]

  func run() throws {
    Shell.run(Self.self) {
      guard let known = await KeptCollections.user.printed(name) else { return EXIT_FAILURE }
      let named = files.map(\.path)
      let removed = known.filter { file in
        named.contains { file == $0 || file.bytes.starts(with: $0.appending([]).bytes) }
      }
      var edit = CollectionEdit(name)
      edit.remove(removed)
      let photos = removed.enumerated().map { id, file in
        Photo(id: id, name: file.printableName, createdAt: .now, imageURL: file.printable, image: .file(file))
      }
      guard await Collections.make(edit, on: known, of: photos) else { return EXIT_FAILURE }
      Shell.print("\(removed.count) removed")
      return removed.isEmpty ? EXIT_FAILURE : EXIT_SUCCESS
    }
  }
}

/// Gives a collection another name.
struct RenameCollection: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a collection another name.")

  @Argument(help: "The name of the collection.")
  var name: String

  @Argument(help: "The new name.")
  var newName: String

  func run() throws {
    guard let new = PhotoCollection.name(newName) else {
      throw ValidationError("A name has up to \(PhotoCollection.longestName) characters, and no quotes.")
    }
    Shell.run(Self.self) {
      guard await KeptCollections.user.printed(name) != nil else { return EXIT_FAILURE }
      if try await KeptCollections.user.rename(name, to: new) { return EXIT_SUCCESS }
      Shell.print("There is another collection “\(new)”.", to: .standardError)
      return EXIT_FAILURE
    }
  }
}

/// Deletes a collection.
struct DeleteCollection: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a collection. Its photos stay where they are.")

  @Argument(help: "The name of the collection.")
  var name: String

  func run() throws {
    Shell.run(Self.self) {
      guard await KeptCollections.user.printed(name) != nil else { return EXIT_FAILURE }
      try await KeptCollections.user.delete(name)
      return EXIT_SUCCESS
    }
  }
}

/// Writes a collection as a list of paths.
struct ExportCollection: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a collection as an M3U list: one path a line, with comments.",
    discussion: """
      For example: tintype collection export Portfolio > portfolio.m3u

      Programs that read lists of paths skip the comments, such as mpv, or read them without: tintype collection show. \
      tintype collection add NAME - < portfolio.m3u reads the list again.
      """)

  @Argument(help: "The name of the collection.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "Write the paths as they are seen from this folder, where the list will be.", valueName: "folder"),
    completion: .directory)
  var relativeTo: FileArgument?

  func run() throws {
    Shell.run(Self.self) {
      guard let files = await KeptCollections.user.printed(name) else { return EXIT_FAILURE }
      let scope = GallerySource.collection(name)
      let titles = await Shell.photos(of: scope)?.photos.reduce(into: [FilePath: String]()) { titles, photo in
        if let file = photo.file { titles[file] = photo.displayName }
      }
      var list = CollectionList(name: name)
      for file in files { list.add(file, title: titles?[file], from: relativeTo?.path) }
      try Shell.write(list.bytes)
      return EXIT_SUCCESS
    }
  }
}

extension Collections {
  /// Changes a collection as a step that the gallery can undo.
  /// - Returns: Whether the change is made.
  @MainActor
  static func make(_ edit: CollectionEdit, on known: [FilePath]?, of photos: [Photo]) async -> Bool {
    if photos.isEmpty { return true }
    let stores = Stores { problem in Shell.print(problem.message, to: .standardError) }
    let steps = GalleryServices.makeSteps(stores, root: "/", .long)
    let faults = await steps.carryOut(
      StepRequest(CollectionChange(edit, on: known), ofShots: photos.map { [$0] }))
    for fault in faults { Shell.print("\(fault.title): \(fault.message)", to: .standardError) }
    return faults.isEmpty
  }
}

extension KeptCollections {
  /// Returns the files of a collection, or prints why there are none and returns nil.
  func printed(_ name: String) async -> [FilePath]? {
    do throws(APIError) {
      if let files = try await files(of: name) { return files }
      throw .noCollection(name)
    } catch {
      Shell.print(error.messageInShell, to: .standardError)
      return nil
    }
  }
}
