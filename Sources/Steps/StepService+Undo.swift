import Gallery
import Services
import Store

extension StepService {
  public func undo(_ work: StepWork) async -> Step? { await undo(work, token: nil) }

  public func redo(_ work: StepWork) async -> Step? { await redo(work, token: nil) }

  public func undoSession(_ work: StepWork) async -> Step? { await undoSession(work, token: nil) }

  /// Undoes the last step.
  /// - Parameters:
  ///   - token: What identifies the call of another machine if it is repeated; nil for a call of this one. A repeated call undoes no
  ///     other step.
  ///   - calls: Calls of the other machine whose steps were requested later, and are not undone.
  package func undo(_ work: StepWork, token: String?, before calls: [String] = []) async -> Step? {
    await setUndone(work, token) { (root) throws(APIError) in try await self.lastStep(in: root, before: calls) }
  }

  /// Returns the last step in a folder that was requested before some calls, and before what is kept and not written.
  private func lastStep(in root: FilePath, before calls: [String]) async throws(APIError) -> StepJournal.Step? {
    var later: Set<StepJournal.Step.ID> = []
    for call in calls { later.formUnion(try await journal.numbers(ofCall: call) ?? []) }
    return try await journal.lastStep(in: root) { [unwritten, later] in unwritten.steps.union(later) }
  }

  /// Makes the step again that was undone last, with a token as ``undo(_:token:before:)``.
  package func redo(_ work: StepWork, token: String?) async -> Step? {
    await setUndone(work, token) { (root) throws(APIError) in try await self.journal.lastUndoneStep(in: root) }
  }

  /// Undoes all steps of the latest session, with a token and later calls as ``undo(_:token:before:)``.
  package func undoSession(_ work: StepWork, token: String?, before calls: [String] = []) async -> Step? {
    writeAll(before: token)
    var known: Int64?
    if let token { known = try? await journal.numbers(ofCall: token)?.first }
    if known == nil { known = await lastSession(before: calls) }
    guard let session = known else { return await undo(work, token: nil, before: calls) }
    if let token { try? await journal.note(call: token, [session]) }
    var steps: [Step] = []
    while !work.isStopped, await lastSession(before: calls) == session,
      let step = await undo(work, token: nil, before: calls)
    {
      steps.append(step)
      // The journal can't be written.
      if step.fault != nil { break }
    }
    return Step(
      title: steps.count == 1
        ? steps[0].title : localized("\(steps.count) step", plural: "\(steps.count) steps", count: steps.count),
      parts: steps.flatMap(\.parts), fault: steps.last?.fault)
  }

  /// Has the steps written that another machine has kept before a call. Some of them are of an earlier session, and it never has them
  /// written. Here, a step that is kept and not written was requested after the call.
  private func writeAll(before token: String?) {
    if token != nil { writeEarlier(than: .max) }
  }

  /// Returns the session of the step that ``undo(_:token:before:)`` would undo; nil if there is none.
  private func lastSession(before calls: [String]) async -> Int64? {
    guard let root else { return nil }
    return try? await lastStep(in: root, before: calls)?.session
  }

  private func setUndone(
    _ work: StepWork, _ token: String?,
    _ find: (_ root: FilePath) async throws(APIError) -> StepJournal.Step?
  ) async -> Step? {
    writeAll(before: token)
    // Another copy of the program may have left parts that have to be undone before.
    await retry(work, knowsAll: false)
    do throws(APIError) {
      if let token, let id = try await journal.numbers(ofCall: token)?.first {
        return Step(title: "", id: id, parts: await current(try await journal.parts(of: id).settled))
      }
      guard let root, let entry = try await find(root) else { return nil }
      let lock = await lock(entry.id)
      defer { lock?.release() }
      guard lock != nil else { return Step(title: entry.title, fault: .busy(entry.title)) }
      let split = try await waitingPhotos(of: entry.id, areSplit: true)
      guard let parts = try await journal.setUndone(!entry.isUndone, entry.id, split: split, token: token) else {
        // It was undone or made before it was locked.
        return await setUndone(work, token, find)
      }
      var step = Step(title: entry.title, id: entry.id)
      step.isRating = parts.open.allSatisfy { Operations.rates($0.redo) }
      let stuck = waiting ?? [:]
      work.update { $0 = StepProgress(total: parts.open.count) }
      defer { returnMemory(after: parts.open.count) }
      let writer = writer(of: entry.id, work)
      let serverIsAway = Flag()
      var refused = RefusedPaths()
      // The user may have stopped the step before its last parts were planned. These are made as those of a new step.
      let unplanned = entry.isUndone ? parts.open.filter(\.undo.isEmpty) : []
      let planned = unplanned.isEmpty ? parts.open : parts.open.filter { !$0.undo.isEmpty }
      for some in planned.slices(of: photosAtOnce) where !work.isStopped {
        let (attempts, stuckPaths, refusedPaths) = await onPool { [waitingPaths, refused] in
          var (attempts, paths, refused): ([PartWriter.Attempt], _, _) = ([], waitingPaths, refused)
          for part in some where !work.isStopped {
            let isAway = serverIsAway.isSet && part.photo.file == nil
            let expected = stuck[part.photo]
            let isBehind = writer.uses(paths, part, isUndone: !entry.isUndone)
            let attempt = await writer.carryOut(
              part, isUndone: !entry.isUndone, mayWrite: expected == nil && !isBehind && !isAway, after: expected,
              refusedBy: refused.fault(of: part, isUndone: !entry.isUndone, writer))
            if attempt.outcome.concernsFolder { serverIsAway.set() }
            if attempt.outcome.isWaiting { paths.formUnion(writer.heldPaths(of: part, isUndone: !entry.isUndone)) }
            refused.add(attempt, isUndone: !entry.isUndone, writer)
            attempts.append(attempt)
            work.update { $0.done += 1 }
          }
          return (attempts, paths, refused)
        }
        waitingPaths = stuckPaths
        refused = refusedPaths
        try await settle(attempts, of: entry.id, isUndone: !entry.isUndone)
        step.parts += attempts.map(\.report)
      }
      var behind = PartsBehind(photos: Set(stuck.keys), paths: waitingPaths)
      step.parts += try await write(unplanned, of: entry.id, isNew: false, &behind, work)
      if work.isStopped { try await turnRest(of: entry.id) }
      let (waiting, othersWait) = try await effectsOfWaiting()
      self.waiting = waiting
      self.othersWait = othersWait
      step.parts += await current(parts.canceled, isMade: entry.isUndone)
      step.parts = step.parts.map { part in
        waiting[part.photo].map { Step.Part(part.photo, part.outcome, $0) } ?? part
      }
      return step
    } catch {
      waiting = nil
      return Step(title: "", fault: .journal(error.message))
    }
  }
}
