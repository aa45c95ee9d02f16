import Gallery
import Sidecars
import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A part of a step whose sidecar is about to be written.
struct Prepared: Sendable {
  var part: StepJournal.Part
  let plan: Sidecars.Plan
  let isUndone: Bool
  /// The decisions after the part.
  let decisions: PhotoDecisions

  /// Whether the sidecar says already what the part would change.
  var changesNothing: Bool { plan.result.inverse.isEmpty }
}

/// The outcome of an attempt to write a sidecar.
struct Attempt: Sendable {
  let part: StepJournal.Part
  /// The decisions after the part, whether it is written or not.
  let decisions: PhotoDecisions
  /// Whether there is nothing left to write.
  var isDone = false
  /// The sentence about what went wrong, or nil if nothing was tried or nothing went wrong.
  var failure: String?
  /// Whether the other sidecars of the folder can probably not be written, either.
  var isFolderStuck = false
}

extension Attempt {
  /// Creates an attempt that has written nothing.
  init(_ prepared: Prepared, isDone: Bool = false) {
    self.init(part: prepared.part, decisions: prepared.decisions, isDone: isDone)
  }

  fileprivate mutating func fail(_ error: SidecarError) {
    (failure, isFolderStuck) = (error.message, error.fault.concernsFolder)
  }
}

extension Sidecars {
  /// Prepares a part that was requested and whose sidecar has not been written.
  ///
  /// - Parameter expected: The decisions after the earlier changes that wait, or nil if none waits.
  func prepare(_ part: StepJournal.Part, after expected: PhotoDecisions?) -> Swift.Result<Prepared, SidecarError> {
    // This version has requested it, so it can read the change.
    let change = JournaledChange(part.redo) ?? .exact(SidecarChange())
    return Swift.Result { () throws(SidecarError) in
      try prepare(part, change, isUndone: false, after: expected)
    }
  }

  /// Prepares a part that waits to be undone or to be made.
  private func prepare(
    _ part: StepJournal.Part, _ change: JournaledChange, isUndone: Bool, after expected: PhotoDecisions? = nil
  ) throws(SidecarError) -> Prepared {
    let plan = try plan(for: part.photo) { change.sidecarChange(expected ?? $0) }
    var part = part
    // A sidecar that has been written before a crash is not changed again, so the journal knows best how to go back.
    if !plan.result.inverse.isEmpty {
      let inverse = JournaledChange.exact(plan.result.inverse).data
      if isUndone { part.redo = inverse } else { part.undo = inverse }
    }
    if !isUndone { part.redo = change.kept(as: plan.change).data }
    return Prepared(
      part: part, plan: plan, isUndone: isUndone,
      decisions: expected?.applying(plan.change.edits) ?? plan.result.decisions)
  }

  /// Writes a part that waits, or only says what it would lead to.
  ///
  /// - Parameter expected: The decisions after the earlier changes that wait, or nil if none waits.
  func carryOut(
    _ part: StepJournal.Part, isUndone: Bool, mayWrite: Bool, after expected: PhotoDecisions?
  ) -> Attempt {
    var attempt = Attempt(part: part, decisions: expected ?? PhotoDecisions())
    // A disk that is not there may return.
    guard part.photo.folder.exists else { return attempt }
    // A photo that was deleted needs no sidecar, and one that was moved with its sidecar has nothing to undo here.
    if !part.photo.exists, !isUndone || !path(of: part.photo).exists {
      attempt.isDone = true
      return attempt
    }
    guard let change = JournaledChange(isUndone ? part.undo : part.redo) else {
      attempt.failure = localized(
        "A newer version of Tintype has to write the sidecar of \(part.photo.printable). Start it once.")
      return attempt
    }
    do throws(SidecarError) {
      let prepared = try prepare(part, change, isUndone: isUndone, after: expected)
      return mayWrite ? write(prepared) : Attempt(prepared)
    } catch {
      attempt.fail(error)
      return attempt
    }
  }

  /// Writes what was prepared. If another program has changed the sidecar since, it is prepared again.
  func write(_ prepared: Prepared) -> Attempt {
    var (prepared, attempt) = (prepared, Attempt(prepared))
    do throws(SidecarError) {
      for _ in 0..<Self.mostAttempts {
        if try write(prepared.plan) {
          attempt.isDone = true
          return attempt
        }
        let (part, isUndone) = (prepared.part, prepared.isUndone)
        guard let change = JournaledChange(isUndone ? part.undo : part.redo) else { return attempt }
        prepared = try prepare(part, change, isUndone: isUndone)
        attempt = Attempt(prepared)
      }
      attempt.fail(SidecarError(prepared.part.photo, .busy))
    } catch {
      attempt.fail(error)
    }
    return attempt
  }
}

extension FilePath {
  fileprivate var exists: Bool {
    var status = stat()
    return withCString { lstat($0, &status) } == 0
  }
}
