import Foundation
import Gallery
import Photos
import Services
import Sidecars

/// A move or a copy of all files of a photo with their sidecars. If one of them can't be moved, all stay where they were.
struct FileOperation: Hashable, StepOperation {
  /// The change that the user requested.
  let change: FileChange
  /// Whether the operation takes that back.
  var isBack = false
  /// The files of the photo, without sidecars.
  let files: [FilePath]
  /// The moves; nil until they are planned.
  var moves: [FileMove]?
  /// The folders that are created for them, or for the files that go to the trash; the outermost first.
  var folders: [FilePath] = []
  /// The places of the folders when the operation was requested, and of all folders of the moves when these were planned.
  var places: [FolderPlace] = []

  static var hasEffect: Bool { false }

  func place(of photo: ImageLocation) -> FilePath? {
    // The places tell whether another folder is there. A folder that was removed is created again.
    if moves != nil, !places.isEmpty { return nil }
    guard case .importing = change else { return photo.file?.folder }
    // The card has to be there, unless the copies are in the trash. Their folder is created, and removed on the way back.
    if !isBack { return moves?.contains { $0.kind == .copy } ?? true ? files.first?.folder : nil }
    var folder = photo.file?.folder
    // The folder of a relative path, as in a damaged journal, can be the path itself.
    while let created = folder, created.folder != created, folders.contains(created) { folder = created.folder }
    return folder
  }

  func paths(of photo: ImageLocation) -> [FilePath] {
    if let moves { return files + moves.flatMap { [$0.source, $0.target] } }
    guard case .rename(let stem) = change else { return files }
    let length = FileMove.stemLength(of: files)
    return files + files.map { $0.folder.appending(Array(stem.utf8) + $0.name.dropFirst(length)) }
  }

  func heldPaths(of photo: ImageLocation) -> [FilePath] {
    // A copy that is taken away is compared with its original, which stays. Its disk may never return.
    switch change {
    case .copy where isBack, .importing where isBack: return (moves ?? []).map(\.source)
    default: return paths(of: photo)
    }
  }

  var isBegun: Bool {
    guard let moves else { return false }
    // What is at neither path may be on a disk that is not there.
    return !places.allSatisfy(\.isCurrent) || moves.map(\.state).contains { $0 == .made || $0 == .gone }
  }

  var isSplit: Bool {
    guard let moves, moves.count > 1, places.allSatisfy(\.isCurrent) else { return false }
    // A photo that has left its temporary name for another one seems to be back where it was, where another one is.
    let states = Set(moves.map(\.state))
    return states.contains(.made) && states.contains(.toBeMade)
  }

  var movedFiles: [MovedFile] {
    switch change {
    case .move, .rename: (moves ?? []).filter { $0.kind == .move }.map { MovedFile(from: $0.source, to: $0.target) }
    case .trash, .copy, .importing: []
    }
  }

  init(_ change: FileChange, files: [FilePath]) {
    self.change = change
    self.files = files
  }

  func located(for _: ImageLocation) -> FileOperation {
    let targets: [FilePath] =
      switch change {
      case .move(let folder, _), .copy(let folder, _): [folder]
      case .importing(let stems): stems.map(\.folder)
      case .trash, .rename: []
      }
    var located = self
    located.places = Set(files.map(\.folder) + targets).sorted().map { FolderPlace($0) }
    return located
  }

  /// An operation with moves, and the number of the error for messages.
  private typealias Plan = (moves: [FileMove], folders: [FilePath])

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    try checkPlaces()
    let plan = try makePlan(tools)
    var planned = self
    planned.moves = plan.moves
    planned.folders = plan.folders
    planned.places += plan.moves.places(besides: places)
    var back = planned
    back.isBack.toggle()
    back.moves = plan.moves.reversed().map(\.inverse)
    let isNeedless = moves == nil && plan.moves.isEmpty
    return StepPlan(
      operation: planned, inverse: isNeedless ? nil : back, effect: expected ?? Step.Effect(),
      claims: plan.moves.map(\.target), copiedSize: plan.moves.reduce(0) { $0 + $1.copiedSize },
      busy: fault(localized("Other files keep taking the names."))
    ) { [planned, isNew = moves == nil] () throws(OperationFault) in
      try planned.checkPlaces()
      guard case .importing = change else {
        return try planned.write(plan.moves, isNew: isNew, tools) ? .written() : .outdated
      }
      if !isBack { return try planned.writeImport(plan.moves, isNew: isNew, tools) }
      return try planned.write(plan.moves, isNew: isNew, tools) ? .written(imported: []) : .outdated
    }
  }

  /// Checks that the folders are where they were. Otherwise, other files would be moved.
  func checkPlaces() throws(OperationFault) {
    guard let place = places.first(where: { !$0.isCurrent }) else { return }
    throw .prevented(fault(place.moved))
  }

  /// Returns the moves: those that were planned before, as far as the file system still allows them.
  private func makePlan(_ tools: StepTools) throws(OperationFault) -> Plan {
    guard var moves else { return try newPlan(tools) }
    // What an attempt that was interrupted has hidden to remove it. It would also keep its folder from being removed.
    for move in moves where move.kind != .copy { AtomicFile.putBack(move.source, from: move.source.hidden) }
    if isBack { moves = try undoing(moves, tools) }
    let states = moves.map(\.state)
    if !isBack, states.contains(.occupied) {
      // Under other names, nobody would know what an attempt that was interrupted has moved or copied.
      let made = zip(moves, states).filter { $1 == .made }.map(\.0)
      guard takeBack(made) else { throw .failed(fault(Self.sentence(moves[0].source, SystemError(EEXIST)))) }
      return try newPlan(tools)
    }
    guard let index = states.firstIndex(where: { $0 == .gone || $0 == .occupied }) else {
      return (isBack ? moves + moves.laterSidecars : moves, folders)
    }
    guard isBack else {
      // What an attempt that was interrupted has left.
      for move in moves { _ = FileCopy.temporary(for: move.target).withCString { unlink($0) } }
      throw .missing
    }
    throw .impossible(fault(obstacle(for: moves[index], states[index])))
  }

  private func obstacle(for move: FileMove, _ state: FileMove.State) -> String {
    let (name, path) = (move.target.printableName, move.source.printable)
    switch (move.kind, state) {
    case (.uncopy, _): return localized("\(path) was changed since, or its original was. It stays.")
    case (_, .gone) where change == .trash:
      return localized("\(name) is no longer in the trash, so it can't be brought back.")
    case (_, .gone): return localized("\(path) is no longer there, so it can't be brought back.")
    default: return localized("Another file is at \(move.target.printable). Move it away, then redo and undo.")
    }
  }

  private func newPlan(_ tools: StepTools) throws(OperationFault) -> Plan {
    let present = files.filter(\.isThere)
    guard !present.isEmpty else { throw .missing }
    let all = present + SidecarNaming.sidecars(ofPhotoIn: present)
    switch change {
    case .trash: return try trashing(all, tools)
    case .move(let folder, let isSkipping): return try placing(all, in: folder, .move, isSkipping)
    case .copy(let folder, let isSkipping): return try placing(all, in: folder, .copy, isSkipping)
    case .importing(let stems):
      let plan = Self.importing(present, as: stems)
      return (plan.moves, plan.folders)
    case .rename(let stem):
      do throws(RenameFault) {
        let moves = try FileMove.renames(of: present, to: stem)
        return (moves.filter { $0.source != $0.target }, [])
      } catch { throw .impossible(fault(error.message)) }
    }
  }

  private func trashing(_ files: [FilePath], _ tools: StepTools) throws(OperationFault) -> Plan {
    var (moves, taken): ([FileMove], Set<FilePath>) = ([], [])
    do throws(StepFault) {
      for file in files {
        let place = try tools.trash.place(for: file)
        let move = tools.trash.move(of: file, to: place, at: tools.now(), besides: taken)
        taken.insert(move.target)
        moves.append(move)
      }
    } catch { throw .prevented(error) }
    return (moves, folders)
  }

  /// Whether the folders are created, and not left.
  private var entersFolders: Bool { isBack == (change == .trash) }

  /// Places files in another folder. If one of the names is taken there, all get the same number, so that they stay together.
  private func placing(
    _ files: [FilePath], in folder: FilePath, _ kind: FileMove.Kind, _ isSkipping: Bool
  ) throws(OperationFault) -> Plan {
    if folder.isThere, !folder.isFolder {
      throw .impossible(fault(localized("\(folder.printable) is a file. Choose another name.")))
    }
    if files.contains(where: { $0.folder == folder }) {
      throw .impossible(fault(localized("\(files[0].printableName) is in that folder already.")))
    }
    for number in 1... {
      let moves = files.map {
        FileMove(kind: kind, source: $0, target: folder.appending(Self.numbered($0.name, number, in: files)))
      }
      let taken = moves.filter(\.target.isThere)
      if taken.isEmpty { return (moves, folder.missingFolders) }
      // A photo that is there already is left alone.
      let isSame = moves.allSatisfy { FileCopy.hasSameContent($0.source, $0.target) }
      if isSame || isSkipping { return ([], []) }
    }
    return ([], [])
  }

  /// Returns the name of one of a photo's files with a number behind the stem: `a-2.jpg`, and `a-2.jpg.xmp` for its sidecar.
  private static func numbered(_ name: ArraySlice<UInt8>, _ number: Int, in files: [FilePath]) -> [UInt8] {
    if number == 1 { return Array(name) }
    let stem = FileMove.stemLength(of: files)
    return Array(name.prefix(stem)) + Array("-\(number)".utf8) + Array(name.dropFirst(stem))
  }

  /// Makes the moves that are not made.
  /// - Parameter isNew: Whether the moves were planned just now, so that none is made.
  /// - Returns: Whether all are made. If another file has taken a name since, none is, and the moves must be planned again.
  private func write(_ moves: [FileMove], isNew: Bool, _ tools: StepTools) throws(OperationFault) -> Bool {
    guard var current = moves.first else { return true }
    var made: [FileMove] = []
    do throws(SystemError) {
      try createFolders(moves, tools)
      for move in moves where isNew || move.state != .made {
        current = move
        if !made.isEmpty, !places.allSatisfy(\.isCurrent) { throw SystemError(ESTALE) }
        try move.make(isNew: isNew, tools.work)
        made.append(move)
      }
      if !entersFolders { removeFolders() }
      return true
    } catch {
      let fault = fault(sentence(current.source, error), concernsFolder: true)
      // A part of a photo is worse than all of it. What can't be taken back now waits.
      guard takeBack(made) else { throw .failed(fault) }
      guard error.number == EEXIST, !isBack else { throw .prevented(fault) }
      guard case .rename = change else { return false }
      throw .impossible(self.fault(RenameFault.taken(current.target).message))
    }
  }

  /// Takes moves back. Returns whether all are.
  func takeBack(_ moves: [FileMove]) -> Bool {
    // Elsewhere are other files of the same names.
    guard places.allSatisfy(\.isCurrent) else { return moves.isEmpty }
    defer { if entersFolders { removeFolders() } }
    return moves.reversed().filter { (try? $0.inverse.make()) == nil }.isEmpty
  }

  /// Removes the folders that were created, if they are empty.
  private func removeFolders() { for folder in folders.reversed() { _ = folder.withCString { rmdir($0) } } }

  private func createFolders(_ moves: [FileMove], _ tools: StepTools) throws(SystemError) {
    let back = isBack ? moves.filter { $0.kind != .uncopy }.flatMap(\.target.folder.missingFolders) : []
    for folder in (entersFolders ? folders : []) + back { try folder.createFolder(0o777) }
    for move in moves where move.record != nil && !move.isRestoring {
      if let place = try? tools.trash.place(for: move.source) { try tools.trash.create(place) }
    }
  }

  private func sentence(_ file: FilePath, _ error: SystemError) -> String {
    guard case .rename = change, error.number != EEXIST, error.number != ESTALE else {
      return Self.sentence(file, error)
    }
    return localized(
      "\(file.printable) was not renamed (\(error.reason.printable)). Check the permissions of its folder.")
  }

  static func sentence(_ file: FilePath, _ error: SystemError) -> String {
    let (path, reason) = (file.printable, error.reason.printable)
    switch error.number {
    case ENOSPC, EDQUOT: return localized("\(path) was not moved or copied (\(reason)). Free some space.")
    case EIO: return localized("\(path) was not moved or copied: the copy differs from it. Check the disk.")
    case EEXIST, ESTALE:
      return localized("\(path) stays as it was, because files were changed meanwhile. Try again.")
    default: return localized("\(path) was not moved or copied (\(reason)). Check the permissions of both folders.")
    }
  }

  func fault(_ message: String, concernsFolder: Bool = false) -> StepFault {
    let title =
      switch change {
      case _ where isBack: localized("Can't bring back")
      case .trash: localized("Can't move to the trash")
      case .move: localized("Can't move")
      case .rename: localized("Can't rename")
      case .copy: localized("Can't copy")
      case .importing: localized("Can't import")
      }
    return StepFault(title: title, message: message, concernsFolder: concernsFolder)
  }
}

extension [FileMove] {
  /// Returns where the folders of the files are, but for those that are known.
  fileprivate func places(besides known: [FolderPlace]) -> [FolderPlace] {
    Set(flatMap { [$0.source.folder, $0.target.folder] }).subtracting(known.map(\.folder)).sorted().map {
      FolderPlace($0)
    }
  }

  /// The moves of sidecars that were written after a photo was moved, so that its rating goes back with it. No program writes one in
  /// the trash, where the sidecar of another photo may have the name.
  fileprivate var laterSidecars: [FileMove] {
    let known = Set(map(\.source))
    let moves = filter { $0.kind == .move && $0.record == nil }
    let sidecars = Set(SidecarNaming.sidecars(ofPhotoIn: moves.map(\.source))).subtracting(known)
    return moves.flatMap { move in
      SidecarNaming.existing(of: move.source).filter(sidecars.contains).compactMap { sidecar in
        // The name of the sidecar begins with the photo's, or with that without the suffix.
        let stems = [(move.source, move.target), (PhotoName.stem(move.source), PhotoName.stem(move.target))]
        guard let (from, to) = stems.first(where: { sidecar.bytes.starts(with: $0.0.bytes) }) else { return nil }
        return FileMove(source: sidecar, target: FilePath(to.bytes + sidecar.bytes.dropFirst(from.bytes.count)))
      }
    }
  }
}
