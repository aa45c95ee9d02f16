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

  /// Leaves files where they are that the user changes although they wait to be brought back, as from a full disk: the change could not
  /// be undone if they went elsewhere after it. Their parts, and those that wait for them, become a step that is made.
  ///
  /// Returns whether there are any.
  func keepFiles(of parts: [StepJournal.Part]) async throws(APIError) -> Bool {
    let writer = writer
    guard parts.contains(where: { writer.uses(waitingPaths, $0, isUndone: false) }) else { return false }
    let used = Set(parts.flatMap { writer.paths(of: $0, isUndone: false) })
    var kept: Set<FilePath> = []
    var photos: [StepJournal.Step.ID: [ImageLocation]] = [:]
    for (step, part) in try await journal.waitingParts() where step.isUndone {
      let held = writer.heldPaths(of: part, isUndone: true)
      let isUsed = !Operations.shows(part.undo) && !used.isDisjoint(with: held)
      guard isUsed || writer.uses(kept, part, isUndone: true) else { continue }
      kept.formUnion(held)
      photos[step.id, default: []].append(part.photo)
    }
    if photos.isEmpty { return false }
    let lock = await onPool { [journal, steps = Set(photos.keys)] in StepLock(steps, of: journal) }
    defer { lock.release() }
    for step in lock.steps { try await journal.turnWaitingParts(of: step, only: photos[step]) }
    waiting = nil
    return true
  }

  /// Returns the values of ``waiting`` and of ``othersWait``. What was kept meanwhile waits for what waits now.
  func effectsOfWaiting() async throws(APIError) -> ([ImageLocation: Step.Effect], othersWait: Bool) {
    let parts = try await journal.waitingParts().filter { [own = unwritten.steps] in !own.contains($0.step.id) }
    return await onPool { [writer] in
      var (effects, othersWait): ([ImageLocation: Step.Effect], _) = ([:], false)
      for (step, part) in parts {
        guard writer.holds(part, isUndone: step.isUndone) else {
          othersWait = true
          continue
        }
        let attempt = await writer.carryOut(
          part, isUndone: step.isUndone, mayWrite: false, after: effects[part.photo])
        effects[part.photo] = attempt.effect
      }
      return (effects, othersWait)
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
    if knowsAll && waiting?.isEmpty == true && !othersWait || !journal.mayHaveSteps { return nil }
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
        all.filter { own.contains($0.step.id) }.map { ($0.part.photo, $0.step.place) }, uniquingKeysWith: min)
      let parts = others.filter { $0.step.place < first[$0.part.photo, default: .max] }
      let isComplete = parts.count == others.count
      var result = Step(title: "")
      var effects: [ImageLocation: Step.Effect] = [:]
      var (stuckFolders, paths): (Set<FilePath?>, Set<FilePath>) = ([], [])
      var refused: [StepJournal.Step.ID: RefusedPaths] = [:]
      var othersWait = false
      work.update { $0 = StepProgress(total: parts.count) }
      defer { returnMemory(after: parts.count) }
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
        let writer = writer(of: step.id, work)
        let holds = writer.holds(part, isUndone: step.isUndone)
        if !locked.contains(step.id) {
          // Another copy of the program is writing the step.
          if holds { effects[photo] = waiting?[photo] ?? Step.Effect() } else { othersWait = true }
          continue
        }
        // The others of a folder that can't be written have to wait, and so have the later parts of a photo.
        let isBehind = writer.uses(paths, part, isUndone: step.isUndone)
        let isStuck = stuckFolders.contains(photo.file?.folder) || holds && effects[photo] != nil || isBehind
        if isStuck, holds, !looksAtAll, let known = waiting?[photo] {
          effects[photo] = known
          paths.formUnion(writer.heldPaths(of: part, isUndone: step.isUndone))
          continue
        }
        guard let part = try await isStuck ? part : prepared(part, of: step) else { continue }
        let attempt = await onPool { [before = effects[photo], refused = refused[step.id, default: RefusedPaths()]] in
          await writer.carryOut(
            part, isUndone: step.isUndone, mayWrite: !isStuck, after: before,
            refusedBy: refused.fault(of: part, isUndone: step.isUndone, writer))
        }
        refused[step.id, default: RefusedPaths()].add(attempt, isUndone: step.isUndone, writer)
        try await settle([attempt], of: step.id, isUndone: step.isUndone)
        result.parts.append(attempt.report)
        if holds, attempt.outcome.concernsFolder { stuckFolders.insert(photo.file?.folder) }
        if attempt.outcome.isWaiting {
          if holds { effects[photo] = attempt.effect } else { othersWait = true }
          paths.formUnion(writer.heldPaths(of: part, isUndone: step.isUndone))
        }
      }
      (waitingPaths, self.othersWait) = (paths, othersWait)
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
