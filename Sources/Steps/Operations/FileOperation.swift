import Foundation
import Gallery
import Photos
import Services
import Sidecars

/// A move of all files of a photo with their sidecars. If one of them can't be moved, all stay where they were.
struct FileOperation: Hashable, StepOperation {
  /// The goals of moves.
  enum Goal: String, Codable {
    case trash
    /// The moves take earlier ones back.
    case back
  }

  let goal: Goal
  /// The files of the photo, without sidecars.
  let files: [FilePath]
  /// The moves; nil until they are planned.
  var moves: [FileMove]?

  init(_ goal: Goal, files: [FilePath], moves: [FileMove]? = nil) {
    self.goal = goal
    self.files = files
    self.moves = moves
  }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    let moves = try moves(tools)
    let planned = FileOperation(goal, files: files, moves: moves)
    let back = FileOperation(goal == .back ? .trash : .back, files: files, moves: moves.reversed().map(\.inverse))
    let isMade = moves.allSatisfy { $0.state == .made }
    return StepPlan(
      operation: planned, inverse: isMade && self.moves == nil ? nil : back, effect: expected ?? Step.Effect(),
      busy: fault(localized("Other files keep taking the names in the trash."))
    ) { () throws(OperationFault) in try planned.write(moves, tools) }
  }

  /// Returns the moves: those that were planned before, as far as the file system still allows them.
  private func moves(_ tools: StepTools) throws(OperationFault) -> [FileMove] {
    guard let moves else { return try newMoves(tools) }
    let states = moves.map(\.state)
    if goal == .trash, states.contains(.occupied) { return try newMoves(tools) }
    guard let index = states.firstIndex(where: { $0 == .gone || $0 == .occupied }) else { return moves }
    let move = moves[index]
    guard goal == .back else { throw .missing }
    throw .impossible(
      fault(
        states[index] == .gone
          ? localized("\(move.target.printableName) is no longer in the trash, so it can't be brought back.")
          : localized("Another file is at \(move.target.printable). Move it away, then redo and undo.")))
  }

  private func newMoves(_ tools: StepTools) throws(OperationFault) -> [FileMove] {
    let present = files.filter(\.isThere)
    guard !present.isEmpty else { throw .missing }
    var (moves, taken): ([FileMove], Set<FilePath>) = ([], [])
    do throws(StepFault) {
      for file in present + SidecarNaming.sidecars(ofPhotoIn: present) {
        let place = try tools.trash.place(for: file)
        let move = tools.trash.move(of: file, to: place, at: tools.now(), besides: taken)
        taken.insert(move.target)
        moves.append(move)
      }
    } catch { throw .impossible(error) }
    return moves
  }

  /// Makes the moves that are not made.
  /// - Returns: Whether all are made. If another file has taken a name since, none is, and the moves must be planned again.
  private func write(_ moves: [FileMove], _ tools: StepTools) throws(OperationFault) -> Bool {
    var made: [FileMove] = []
    do throws(SystemError) {
      for move in moves where move.state != .made {
        if goal == .trash, let file = files.first, let place = try? tools.trash.place(for: file) {
          try tools.trash.create(place)
        }
        try move.make()
        made.append(move)
      }
      return true
    } catch {
      // A part of a photo is worse than all of it.
      for move in made.reversed() { try? move.inverse.make() }
      if error.number == EEXIST, goal == .trash { return false }
      let file = moves.first { $0.state != .made } ?? moves[0]
      throw .impossible(
        fault(
          localized(
            "\(file.source.printable) was not moved (\(error.reason.printable)). Check the permissions of both folders."
          )))
    }
  }

  private func fault(_ message: String) -> StepFault {
    StepFault(
      title: goal == .trash ? localized("Can't move to the trash") : localized("Can't bring back"), message: message)
  }
}

extension SidecarNaming {
  /// Returns the sidecars of a photo's files. One that is also that of another file in the folder stays there.
  fileprivate static func sidecars(ofPhotoIn files: [FilePath]) -> [FilePath] {
    var sidecars: [FilePath] = []
    for file in files {
      for sidecar in existing(of: file) where !sidecars.contains(sidecar) {
        let isOwn = sidecar.name.starts(with: file.name)
        if isOwn || !isShared(byFilesBeside: files, stem: PhotoName.stem(file)) { sidecars.append(sidecar) }
      }
    }
    return sidecars
  }

  /// Returns whether another photo or video has the same name but for the suffix.
  private static func isShared(byFilesBeside files: [FilePath], stem: FilePath) -> Bool {
    PhotoName.mediaSuffixes.contains { suffix in
      [suffix, suffix.uppercased()].contains { suffix in
        let other = FilePath(stem.bytes + Array(".\(suffix)".utf8))
        return !files.contains(other) && other.isThere
      }
    }
  }
}
