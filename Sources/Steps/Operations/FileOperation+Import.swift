import Gallery
import Photos
import Services
import Sidecars
import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Imports: copies of a photo's files at other names, in the place where the photo is used and in others for backups.
extension FileOperation {
  /// The copies of a photo that an import makes.
  struct ImportPlan {
    /// The new paths up to the suffixes.
    let stems: [FilePath]
    /// The copies that are missing. A file that is there already, byte for byte, is left alone.
    var moves: [FileMove] = []
    /// The folders that are created for them, the outermost first.
    var folders: [FilePath] { Set(moves.flatMap { $0.target.folder.missingFolders }).sorted() }
  }

  /// Plans the copies of a photo's files with their sidecars. If a name is taken in one of the places, all files get the same number
  /// everywhere, so that they are found together.
  ///
  /// - Parameter isReserved: Whether another photo of the import gets the path.
  static func importing(
    _ files: [FilePath], as stems: [FilePath], isReserved: (FilePath) -> Bool = { _ in false }
  ) -> ImportPlan {
    let all = files + SidecarNaming.sidecars(ofPhotoIn: files)
    let length = FileMove.stemLength(of: all)
    for number in 1... {
      let numbered = number == 1 ? stems : stems.map { FilePath($0.bytes + Array("-\(number)".utf8)) }
      if numbered.contains(where: isReserved) { continue }
      let moves = numbered.flatMap { stem in
        all.map {
          FileMove(kind: .copy, source: $0.withoutLink, target: FilePath(stem.bytes + $0.name.dropFirst(length)))
        }
      }
      let states = moves.lazy.map(\.state)
      guard !states.contains(.occupied) else { continue }
      return ImportPlan(stems: numbered, moves: moves.filter { !$0.target.isThere })
    }
    return ImportPlan(stems: stems)
  }

  /// Makes copies, for which each file is read once. A backup that fails leaves the other places as they are.
  func writeImport(_ moves: [FileMove], isNew: Bool, _ tools: StepTools) throws(OperationFault) -> StepWriting {
    var work = ImportWriting(first: moves.first?.target.folder)
    do throws(SystemError) {
      for move in moves where move.kind != .copy && move.state != .made { try work.bringBack(move, tools) }
      let open = moves.filter { $0.kind == .copy && (isNew || $0.state != .made) }
      // What is there already is read, too, so that it is known next time.
      let sources = files.filter(\.isThere).map(\.withoutLink)
      for source in sources + open.map(\.source).unique.filter({ !sources.contains($0) }) {
        // The folder of the photo may have been replaced since, and its sidecar must not come into another one.
        if !work.made.isEmpty, !places.allSatisfy(\.isCurrent) { throw SystemError(ESTALE) }
        try work.copy(source, to: open.filter { $0.source == source }, tools)
      }
    } catch {
      let isWhole = takeBack(work.made)
      if isWhole, error.number == EEXIST { return .outdated }
      let file = work.current ?? files[0]
      let fault = work.isReading ? unreadable(file, error) : importFault(file, error)
      throw isWhole ? .impossible(fault) : .failed(fault)
    }
    // A part of a photo is worse than none of it.
    _ = takeBack(work.made.filter { work.failures[$0.target.folder] != nil })
    guard let (folder, error) = work.failures.first else { return .written(imported: work.contents) }
    // A photo without its backup is not left out next time.
    return .written(imported: [], shortfall: importFault(folder.appending(files[0].name), error))
  }

  private func importFault(_ path: FilePath, _ error: SystemError) -> StepFault {
    StepFault(title: localized("Can't import"), message: Self.sentence(path, error))
  }

  private func unreadable(_ file: FilePath, _ error: SystemError) -> StepFault {
    StepFault(
      title: localized("Can't import"),
      message: localized("\(file.printable) can't be read (\(error.reason.printable)). Check the card."))
  }

  /// Returns moves that take copies away. A copy whose original is no longer where it was goes to the trash, and so does a sidecar that
  /// was written since an import.
  func undoing(_ moves: [FileMove], _ tools: StepTools) throws(OperationFault) -> [FileMove] {
    var taken: Set<FilePath> = []
    func trashing(_ file: FilePath) throws(OperationFault) -> FileMove {
      do throws(StepFault) {
        let move = tools.trash.move(of: file, to: try tools.trash.place(for: file), at: tools.now(), besides: taken)
        taken.insert(move.target)
        return move
      } catch {
        let message = localized(
          "Undo would move \(file.printable) to the trash, and its disk has none. Move it to another folder.")
        throw .prevented(fault(message, concernsFolder: true))
      }
    }
    let copies = Set(moves.map(\.source))
    let imported = if case .importing = change { moves } else { [FileMove]() }
    let sidecars = imported.filter { $0.kind == .uncopy && !PhotoName.isSidecar($0.source.name) }
      .flatMap { SidecarNaming.existing(of: $0.source) }.unique.filter { !copies.contains($0) }
    var safe: [FileMove] = []
    for sidecar in sidecars { safe.append(try trashing(sidecar)) }
    for move in moves {
      let isLast = move.kind == .uncopy && move.state == .toBeMade && !move.isRemovable
      // The name that it had in the trash may be another file's by now.
      let isTaken = move.record != nil && !move.isRestoring && move.state == .occupied
      safe.append(isLast || isTaken ? try trashing(move.source) : move)
    }
    return safe
  }
}

/// The state of an import while it is written.
private struct ImportWriting {
  /// The folder without which the import fails.
  let first: FilePath?
  private(set) var contents: [ImportedContent] = []
  /// The folders of backups that failed.
  private(set) var failures: [FilePath: SystemError] = [:]
  /// The path of the file that is copied.
  private(set) var current: FilePath?
  /// Whether the file is read.
  private(set) var isReading = false
  private(set) var made: [FileMove] = []

  init(first: FilePath?) { self.first = first }

  /// Copies a file to the places that have not failed.
  mutating func copy(_ source: FilePath, to moves: [FileMove], _ tools: StepTools) throws(SystemError) {
    current = source
    let open = moves.filter { failures[$0.target.folder] == nil }
    isReading = true
    let copy = try ContentCopy(of: source, to: open.map(\.target), tools.work)
    isReading = false
    if !PhotoName.isSidecar(source.name) { contents.append(copy.content) }
    made += open.filter { copy.failures[$0.target] == nil }
    for (target, error) in copy.failures {
      if target.folder == first || error.number == EEXIST { throw error }
      failures[target.folder] = error
    }
  }

  /// Brings a copy back from the trash.
  mutating func bringBack(_ move: FileMove, _ tools: StepTools) throws(SystemError) {
    current = move.source
    for folder in move.target.folder.missingFolders { try folder.createFolder(0o777) }
    try move.make(tools.work)
    made.append(move)
    if !PhotoName.isSidecar(move.target.name) { contents.append(try ImportedContent(of: move.target)) }
  }
}

extension FilePath {
  /// The path of the file to which a symbolic link leads, or the path itself.
  var withoutLink: FilePath {
    var status = stat()
    guard withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK else { return self }
    return resolved ?? self
  }
}

extension Array where Element: Hashable {
  /// The elements without those that occur before.
  fileprivate var unique: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
