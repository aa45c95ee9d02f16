import Gallery
import Services
import Store
import WorkerPool

extension StepService {
  public func resume(_ work: StepWork) async -> Step? { await retry(work, looksAtAll: true) }

  /// Has the next retry write the steps that were kept before another one and that no call has written. Decisions about a photo are
  /// written in their order.
  func writeEarlier(than step: StepJournal.Step.ID) {
    let earlier = unwritten.steps.filter { $0 < step }
    if earlier.isEmpty { return }
    unwritten.release(earlier)
    waiting = nil
  }

  /// Returns the effect of the parts that wait for each photo.
  func effectsOfWaiting() async throws(APIError) -> [ImageLocation: Step.Effect] {
    let parts = try await journal.waitingParts()
    return await onPool { [writer] in
      var effects: [ImageLocation: Step.Effect] = [:]
      for (step, part) in parts {
        let attempt = await writer.carryOut(
          part, isUndone: step.isUndone, mayWrite: false, after: effects[part.photo])
        effects[part.photo] = attempt.effect
      }
      return effects
    }
  }

  /// Writes the parts that wait.
  ///
  /// - Parameters:
  ///   - looksAtAll: Whether the step has the effects on all photos. Otherwise, those in folders that can't be written are left
  ///     out, since reading their files would delay each key.
  ///   - knowsAll: Whether nothing waits if nothing is known to wait.
  @discardableResult
  func retry(_ work: StepWork, looksAtAll: Bool = false, knowsAll: Bool = true) async -> Step? {
    if knowsAll && waiting?.isEmpty == true || !journal.mayHaveSteps { return nil }
    let changes = waitingChanges
    do throws(APIError) {
      let known = Set(try await journal.waitingParts().map(\.step.id))
      // These are locked before the journal has them.
      let own = unwritten.steps
      let steps = known.subtracting(own)
      let lock = await onPool { [journal] in StepLock(steps, of: journal) }
      defer { lock.release() }
      let locked = lock.steps
      // Another copy of the program may have written some before they were locked.
      let all = try await journal.waitingParts()
      let others = all.filter { steps.contains($0.step.id) }
      // What another copy has kept about a photo waits for what this one has kept before and is about to write.
      let first = Dictionary(
        all.filter { own.contains($0.step.id) }.map { ($0.part.photo, $0.step.id) }, uniquingKeysWith: min)
      let parts = others.filter { $0.step.id < first[$0.part.photo, default: .max] }
      let isComplete = parts.count == others.count
      var result = Step(title: "")
      var effects: [ImageLocation: Step.Effect] = [:]
      var (stuckFolders, paths): (Set<FilePath?>, Set<FilePath>) = ([], [])
      let writer = writer.reporting(to: work)
      work.update { $0 = StepProgress(total: parts.count) }
      for (index, (step, part)) in parts.enumerated() {
        if work.isStopped {
          try await turnRest(of: step.id)
          break
        }
        defer {
          work.update { $0.done += 1 }
          // The parts of a step follow one another.
          if index + 1 == parts.count || parts[index + 1].step.id != step.id { lock.release([step.id]) }
        }
        let photo = part.photo
        if !locked.contains(step.id) {
          // Another copy of the program is writing the step.
          effects[photo] = waiting?[photo] ?? Step.Effect()
          continue
        }
        // The others of a folder that can't be written have to wait, and so have the later parts of a photo.
        let isBehind = writer.changes(paths, part, isUndone: step.isUndone)
        let isStuck = stuckFolders.contains(photo.file?.folder) || effects[photo] != nil || isBehind
        if isStuck, !looksAtAll, let known = waiting?[photo] {
          effects[photo] = known
          paths.formUnion(writer.paths(of: part, isUndone: step.isUndone))
          continue
        }
        guard let part = try await isStuck ? part : prepared(part, of: step) else { continue }
        let attempt = await onPool { [before = effects[photo]] in
          await writer.carryOut(part, isUndone: step.isUndone, mayWrite: !isStuck, after: before)
        }
        try await settle([attempt], of: step.id)
        result.parts.append(attempt.report)
        if attempt.outcome.concernsFolder { stuckFolders.insert(photo.file?.folder) }
        if attempt.outcome.isWaiting {
          effects[photo] = attempt.effect
          paths.formUnion(writer.paths(of: part, isUndone: step.isUndone))
        }
      }
      waitingPaths = paths
      waiting = work.isStopped || waitingChanges != changes || !isComplete ? nil : effects
      finish(after: Set(parts.map(\.step.id)).subtracting(locked).union(isComplete ? [] : own))
      return parts.isEmpty ? nil : result
    } catch {
      waiting = nil
      return nil
    }
  }

  /// Plans a part that waits to be made and has not been planned, and returns it as the journal has it then; nil if it no longer
  /// waits.
  private func prepared(
    _ part: StepJournal.Part, of step: StepJournal.Step
  ) async throws(APIError) -> StepJournal.Part? {
    guard part.undo.isEmpty, !step.isUndone else { return part }
    let planned = await onPool { [writer] in (try? writer.plan(part).part) ?? part }
    return try await journal.prepare([planned], removing: [], of: step.id, in: FilePath(part.photo.bytes).folder).first
  }
}
