import Foundation
import Gallery
import Services
import Sidecars

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A change of the sidecar of a photo, in which the user's decisions are kept.
enum SidecarOperation: Hashable, StepOperation {
  /// A change that the user makes, with the keywords and the orientation of the photo's own file, which a sidecar replaces
  /// as a whole; whether the photo has the label or the caption that the change removes; and what it showed before.
  case decision(
    DecisionChange, keywords: [String], orientation: ImageOrientation, hasText: Bool? = nil,
    former: DecisionEdits? = nil, place: FolderPlace? = nil)
  /// The change that restores what was there.
  case exact(SidecarChange, former: FormerDecisions? = nil, place: FolderPlace? = nil)

  /// The decisions that a photo showed before a step. They come from the photo's own file if the sidecar says nothing, and are
  /// outdated if the file has been changed since.
  struct FormerDecisions: Hashable, Codable, Sendable {
    let decisions: DecisionEdits
    /// The time of the last change of the photo's file, in nanoseconds since 1970.
    let fileTime: Int64
  }

  init(_ change: DecisionChange, of target: StepRequest.Target) {
    let orientation = target.photo.metadata?.orientation.flatMap(ImageOrientation.init(rawValue:))
    let hasText: Bool? = if case .set(let decision, nil) = change { target.shown?[decision] != nil } else { nil }
    let former = target.shown.map { shown in
      var former = DecisionEdits()
      for decision in change.decisions { former[decision] = DecisionEdit(shown[decision]) }
      return former
    }
    self = .decision(
      change, keywords: target.shown?.keywords ?? [], orientation: orientation ?? .upright, hasText: hasText,
      former: former)
  }

  /// Creates an operation from a journal. Without data, it changes nothing.
  init?(journal data: Data) {
    if data.isEmpty {
      self = .exact(SidecarChange())
      return
    }
    // The first version kept the changes of sidecars alone.
    let operation =
      (try? JSONDecoder().decode(SidecarOperation.self, from: data))
      ?? (try? JSONDecoder().decode(SidecarChange.self, from: data)).map { .exact($0) }
    guard let operation else { return nil }
    self = operation
  }

  func located(for photo: ImageLocation) -> SidecarOperation {
    guard case .decision(let change, let keywords, let orientation, let hasText, let former, nil) = self,
      let path = photo.file
    else { return self }
    return .decision(
      change, keywords: keywords, orientation: orientation, hasText: hasText, former: former,
      place: FolderPlace(path.folder))
  }

  var isRating: Bool {
    switch self {
    case .decision(let change, _, _, _, _, _): change.isRating
    case .exact(let change, _, _): change.edits.changed == [.rating]
    }
  }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    guard let path = photo.file else { throw .missing }
    let place = place ?? FolderPlace(path.folder)
    try place.check()
    guard !isPointless(for: path, tools.sidecars) else { throw .missing }
    let former = former(fileTime: path.modificationTime)
    do throws(SidecarError) {
      let plan = try tools.sidecars.plan(for: path) {
        sidecarChange(expected.map { PhotoDecisions().applying($0.decisions) } ?? $0)
      }
      return StepPlan(
        operation: kept(as: plan.change, former, place),
        inverse: plan.result.inverse.isEmpty ? nil : Self.exact(plan.result.inverse, former: former, place: place),
        effect: effect(of: plan, after: expected, former), busy: StepFault(SidecarError(plan.result.path, .busy))
      ) { () throws(OperationFault) in
        try place.check()
        do throws(SidecarError) {
          return try tools.sidecars.write(plan) ? .written() : .outdated
        } catch { throw .failed(StepFault(error)) }
      }
    } catch {
      throw .failed(StepFault(error))
    }
  }

  func effect(on photo: ImageLocation, isMade _: Bool, _ tools: StepTools) -> Step.Effect {
    Step.Effect(decisions: photo.file.flatMap { try? tools.sidecars.edits(of: $0) } ?? DecisionEdits())
  }

  /// Returns the change of a sidecar that holds some decisions. What the user removes gets an empty value: without a value in
  /// the sidecar, the one in the photo's file would return.
  private func sidecarChange(_ current: PhotoDecisions) -> SidecarChange {
    switch self {
    case .exact(let change, _, _): return change
    case .decision(let decision, let ownKeywords, let ownOrientation, let hasText, _, _):
      var change = SidecarChange()
      switch decision {
      case .set(let decision, let value?): change[decision] = .set(value)
      case .set(let decision, nil):
        if current[decision] != nil || hasText == true { change[decision] = DecisionEdit(decision.form.empty) }
      case .rotation(let quarters):
        let orientation = current.orientation ?? ownOrientation
        change[.orientation] = .set(.number(orientation.rotated(quarters: quarters).rawValue))
      case .keywords(let added, let removed):
        change.setKeywords(current, own: ownKeywords, adding: added, removing: removed)
      case .planned(let edits, _):
        for decision in edits.changed where decision != .keywords { change[decision] = edits[decision] }
        guard let keywords = edits[.keywords].value??.list else { break }
        // What another program has added since stays.
        change.setKeywords(
          current, own: ownKeywords, adding: keywords, removing: ownKeywords.filter { !keywords.contains($0) })
      }
      return change
    }
  }
}

extension SidecarOperation {
  /// Whether nothing is left to change: a photo that was deleted needs no sidecar, and one that was moved with its sidecar has
  /// nothing to restore here. A photo on a disk that is not there may return.
  private func isPointless(for path: FilePath, _ sidecars: Sidecars) -> Bool {
    guard path.isMissing, !path.folder.isMissing else { return false }
    if case .exact = self { return sidecars.path(of: path).isMissing }
    return true
  }

  /// Returns the operation as it is kept, given the change that it leads to. A rotation is kept as the orientation.
  private func kept(
    as change: SidecarChange, _ former: FormerDecisions?, _ place: FolderPlace
  ) -> SidecarOperation {
    switch self {
    case .exact(let change, let former, _): .exact(change, former: former, place: place)
    case .decision(.rotation, _, _, _, _, _): .exact(change, former: former, place: place)
    case .decision(let decision, let keywords, let orientation, let hasText, let former, _):
      .decision(
        decision, keywords: keywords, orientation: orientation, hasText: hasText, former: former, place: place)
    }
  }

  /// The place of the photo's folder when the operation was planned; nil before.
  private var place: FolderPlace? {
    switch self {
    case .decision(_, _, _, _, _, let place), .exact(_, _, let place): place
    }
  }

  private func former(fileTime: Int64?) -> FormerDecisions? {
    switch self {
    case .exact(_, let former, _): former?.fileTime == fileTime ? former : nil
    case .decision(_, _, _, _, let decisions, _):
      decisions.flatMap { decisions in fileTime.map { FormerDecisions(decisions: decisions, fileTime: $0) } }
    }
  }

  /// Returns what the photo shows after a plan: what the sidecar says, or else what the photo showed before the step, if the
  /// operation undoes that.
  private func effect(
    of plan: Sidecars.Plan, after expected: Step.Effect?, _ former: FormerDecisions?
  ) -> Step.Effect {
    var decisions = expected?.decisions ?? plan.result.edits
    if expected != nil {
      for decision in plan.change.edits.changed { decisions[decision] = plan.change.edits[decision] }
    }
    if case .exact = self, let former = former?.decisions {
      for decision in former.changed {
        if case .set = decisions[decision] { continue }
        decisions[decision] = former[decision]
      }
    }
    return Step.Effect(decisions: decisions)
  }
}

extension FolderPlace {
  /// Checks that the folder is where it was. Otherwise, other photos would be changed.
  fileprivate func check() throws(OperationFault) {
    if isCurrent { return }
    throw .failed(
      StepFault(title: localized("Can't write the sidecar"), message: moved))
  }
}

extension SidecarChange {
  /// Sets the keywords, and the hierarchical ones if there are some, which darktable and digiKam read first.
  fileprivate mutating func setKeywords(
    _ current: PhotoDecisions, own: [String], adding added: [String], removing removed: [String]
  ) {
    let former = current.keywords ?? own
    let flat = DecisionChange.keywords(former, adding: added, removing: removed)
    if flat != former { self[.keywords] = .set(.list(flat)) }
    guard let paths = current.hierarchicalKeywords, !paths.isEmpty else { return }
    let kept = paths.filter { path in !removed.contains { $0 == path.split(separator: "|").last.map(String.init) } }
    let names = Set(kept.flatMap { $0.split(separator: "|").map(String.init) })
    let all = kept + added.filter { !names.contains($0) }
    self[.hierarchicalKeywords] = all.isEmpty ? .remove : .set(.list(all))
  }
}

extension StepFault {
  fileprivate init(_ error: SidecarError) {
    self.init(
      title: localized("Can't write the sidecar"), message: error.message, concernsFolder: error.fault.concernsFolder)
  }
}

extension FilePath {
  /// The time of the last change of the file's content, in nanoseconds since 1970; nil if it is missing.
  fileprivate var modificationTime: Int64? {
    var status = stat()
    guard withCString({ stat($0, &status) }) == 0 else { return nil }
    return Int64(status.modificationTime)
  }
}
