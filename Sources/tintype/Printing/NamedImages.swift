import Folder
import Gallery
import Images
import Resources

/// The files that arguments name: images, and the photos of folders and archives.
struct NamedImages: Sendable {
  /// The files in the order of the arguments. The photos of a folder are in the order of their names.
  private(set) var files: [FileArgument] = []
  /// The reasons why some arguments name no files, in printable text.
  private(set) var problems: [String] = []

  /// Reads the folders among the arguments, without their subfolders and without hidden and ignored files.
  @concurrent
  static func find(_ arguments: [FileArgument]) async -> NamedImages {
    var named = NamedImages()
    for argument in arguments {
      if argument.path.isFolder {
        named.add(folder: argument)
      } else if argument.path.isNamedAsArchive {
        await named.add(archive: argument)
      } else {
        named.files.append(argument)
      }
    }
    return named
  }

  private mutating func add(archive: FileArgument) async {
    let lister = await ArchiveLister(workerPath: Resources.imageWorker)
    var (start, found): (Int?, [FilePath]) = (0, [])
    while let place = start {
      switch await lister.listing(of: archive.path, from: place, readsMetadata: false) {
      case .success(let listing):
        found += listing.entries.compactMap { FilePath(archive.bytes).entry($0.name) }
        start = listing.next
        if let fault = listing.fault { problems.append("\(archive.printable): \(ImageFault.archive(fault).message)") }
      case .failure(let fault):
        problems.append("\(archive.printable): \(fault.message)")
        start = nil
      }
    }
    files += found.sorted { $0.precedesNaturally($1) }.map { FileArgument($0.bytes) }
    if found.isEmpty, problems.isEmpty { problems.append("\(archive.printable): No photos in this archive") }
  }

  private mutating func add(folder: FileArgument) {
    var walk = FolderWalk([folder.path])
    guard let batch = walk.next() else { return }
    let prefix = folder.bytes.last == UInt8(ascii: "/") ? folder.bytes : folder.bytes + [UInt8(ascii: "/")]
    files += batch.photos.map { FileArgument(prefix + $0.path.name) }
    if let failure = batch.failure {
      problems.append("\(folder.printable): \(failure.messageInShell)")
    } else if batch.photos.isEmpty {
      problems.append("\(folder.printable): No photos in this folder")
    }
  }
}
