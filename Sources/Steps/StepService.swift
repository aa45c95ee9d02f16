import Foundation
import Gallery
import Services
import Sidecars
import Store
import Synchronization
import WorkerPool

/// Carries out what the user requests as steps, which are in a journal and can be undone.
///
/// A step is in the journal before anything is read for it, and its parts wait there until they are written: so a step costs
/// one write to the journal's disk until it is safe, however slow the photos' disk is.
public actor StepService: StepServiceProtocol {
  private let writer: PartWriter
  let journal: StepJournal
  private let now: @Sendable () -> Date
  private let session: Int64
  /// The folder to whose steps ``undo()`` and ``redo()`` are limited, or nil if there is none.
  private let root: FilePath?
  /// The effect of the parts that wait for each photo; nil if the journal has to be asked.
  private var waiting: [ImageLocation: Step.Effect]?
  /// The paths that change when the parts that wait to be undone are. Files have to come back in the reverse of the order in which
  /// they went: a name may have been that of another one in between.
  private var waitingPaths: Set<FilePath> = []
  /// The steps that other copies of the program are writing.
  private var watched: Set<StepJournal.Step.ID> = []
  /// The steps that were kept and will be written. They don't wait for anything else.
  private var unwritten: Set<StepJournal.Step.ID> = []

  /// The approximate number of photos whose parts are planned before the first of them is written.
  private let photosAtOnce: Int

  /// The approximate number of bytes that are copied until that is noted. What is not noted is compared again after a crash.
  private static let bytesAtOnce: Int64 = 128 << 20

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - root: The folder that contains all photos, or nil if they are not in a folder. Steps in other folders are neither
  ///     undone nor made again.
  ///   - usesShortNames: Whether a new sidecar is called `a.xmp` instead of `a.jpg.xmp`.
  ///   - exporter: The service that makes new files of photos; nil if there is none.
  ///   - sheets: The service that makes contact sheets; nil if there is none.
  ///   - server: The server that has the photos; nil if they are files.
  public init(
    journal: StepJournal, root: FilePath?, usesShortNames: Bool, exporter: (any PhotoExporterProtocol)? = nil,
    sheets: (any SheetMakerProtocol)? = nil, server: (any PhotoServerProtocol)? = nil
  ) {
    let sidecars = Sidecars(naming: usesShortNames ? .insteadOfExtension : .afterExtension)
    self.init(
      tools: StepTools(sidecars: sidecars, exporter: exporter, sheets: sheets, server: server), journal: journal,
      root: root)
  }

  /// Creates a service whose operations use some tools.
  init(
    tools: StepTools = StepTools(), journal: StepJournal, root: FilePath?, photosAtOnce: Int = 1024,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.photosAtOnce = photosAtOnce
    writer = PartWriter(tools: tools)
    self.journal = journal
    self.root = root
    self.now = now
    session = Int64(now().timeIntervalSince1970 * 1000)
  }

  public func keep(_ requests: [StepRequest]) async -> [Step] {
    await keep(await onPool { requests.map { (title: $0.title, operations: $0.operations) } })
  }

  /// Keeps steps whose operations another machine has made.
  ///
  /// - Parameter token: What identifies the call if it is repeated; nil if it is not. A repeated call keeps nothing again.
  package func keep(
    _ steps: [(title: String, operations: [(photo: ImageLocation, redo: Data)])], token: String? = nil
  ) async -> [Step] {
    let date = now()
    let entries = steps.map {
      StepJournal.Request(title: $0.title, date: date, session: session, operations: $0.operations)
    }
    do throws(APIError) {
      let ids = try await journal.keep(entries, token: token)
      unwritten.formUnion(ids)
      return zip(steps, ids).map { Step(title: $0.title, id: $1) }
    } catch {
      return steps.map { Step(title: $0.title, fault: Self.fault(error)) }
    }
  }

  public nonisolated func forecast(_ change: FileChange, of files: [FilePath]) async -> FileForecast {
    await Task(executorPreference: WorkerPool.shared) { FileForecast(change, of: files) }.value
  }

  public nonisolated func forecast(_ renames: [FileRename]) async -> RenameForecast {
    await Task(executorPreference: WorkerPool.shared) { RenameForecast(renames) }.value
  }

  public nonisolated func forecast(_ exports: [PhotoExport]) async -> FileForecast {
    await Task(executorPreference: WorkerPool.shared) { FileForecast(exports) }.value
  }

  private static func fault(_ error: APIError) -> StepFault {
    .journal(localized("The step can't be kept. \(error.message)"))
  }

  public func write(_ step: Step, _ work: StepWork) async -> Step {
    await retry(work)
    guard let id = step.id else { return step }
    unwritten.remove(id)
    var step = step
    do throws(APIError) {
      let lock = await lock(id)
      defer { lock?.release() }
      let parts = try await journal.parts(of: id)
      if lock == nil {
        step.parts = parts.waiting.map { Step.Part($0.photo, .waiting(nil)) }
        finish(after: [id])
        return step
      }
      work.update { $0 = StepProgress(total: parts.waiting.count) }
      var behind = PartsBehind(photos: parts.behindOthers)
      for batch in parts.waiting.batches(of: photosAtOnce) {
        var batch = batch
        while !batch.isEmpty, !work.isStopped {
          let (written, rest) = try await write(batch, of: id, &behind, work)
          step.parts += written
          batch = rest
        }
      }
      if work.isStopped { try await turnRest(of: id) }
      // Another copy of the program may have written, or undone, what waited here.
      step.parts += await current(parts.settled)
    } catch {
      waiting = nil
      step.fault = Self.fault(error)
    }
    return step
  }

  /// Plans parts that wait, and writes them. Parts that change nothing leave the journal.
  ///
  /// Returns what was written, and the parts that have to be planned when those are written.
  ///
  /// - Parameter behind: What has to wait for others. Changes of a photo are written in their order. Those that wait may be another
  ///   copy's of the program.
  private func write(
    _ parts: [StepJournal.Part], of step: StepJournal.Step.ID, _ behind: inout PartsBehind, _ work: StepWork
  ) async throws(APIError) -> (written: [Step.Part], rest: [StepJournal.Part]) {
    let expected = waiting ?? [:]
    let writer = writer.reporting(to: work)
    let plans = await onPool { writer.plan(parts, after: expected) }
    var planned: [PartWriter.PlannedPart] = []
    var needless: [Step.Part] = []
    var held: [Step.Part] = []
    var rest: [StepJournal.Part] = []
    for (part, plan) in zip(parts, plans) {
      let isBehind = behind.add((try? plan?.get())?.part ?? part, writer)
      guard let plan else {
        rest.append(part)
        continue
      }
      switch plan {
      case .success(let new)
      where new.plan.inverse == nil && !isBehind && expected[part.photo] == nil && part.undo.isEmpty:
        needless.append(new.attempt(.needless).report)
      case .success(var new):
        // What a part changes is known when the others are written: they may create sidecars.
        if isBehind { new.part.undo = part.undo }
        if isBehind, !Operations.shows(part.redo) { new.part.redo = part.redo }
        planned.append(new)
      case .failure(.missing) where isBehind: held.append(Step.Part(part.photo, .waiting(nil)))
      case .failure(let fault): needless.append(Step.Part(part.photo, fault.givenUp))
      }
    }
    let current = try await journal.prepare(
      planned.map(\.part), removing: needless.map(\.photo), of: step, in: root ?? "/"
    ).reduce(into: [:]) { $0[$1.photo] = $1 }
    work.update { $0.done += needless.count }
    let others = behind.photos
    let atOnce = planned.map(\.plan.atOnce).min() ?? 1
    var attempts: [PartWriter.Attempt] = []
    let serverIsAway = Flag()
    for some in planned.slices(copying: Self.bytesAtOnce) {
      let new = await onPool {
        await some.map(atOnce: atOnce) { new in
          // If the server is away, each photo would wait for it as long as the first.
          let isAway = new.part.photo.file == nil && serverIsAway.isSet
          if others.contains(new.part.photo) || work.isStopped || isAway { return new.attempt(.waiting(nil)) }
          defer { work.update { $0.done += 1 } }
          // Another copy of the program has planned it, or even written it.
          guard let part = current[new.part.photo] else { return new.attempt(.done) }
          let attempt =
            await part == new.part
            ? writer.write(new) : writer.carryOut(part, isUndone: false, mayWrite: true, after: nil)
          if attempt.outcome.concernsFolder { serverIsAway.set() }
          return attempt
        }
      }
      let own = new.filter { current[$0.part.photo] != nil }
      try await settle(own.filter { !$0.outcome.isGivenUp }, of: step)
      try await journal.discard(own.filter(\.outcome.isGivenUp).map(\.part.photo), of: step)
      attempts += new
    }
    if others.contains(where: { waiting?[$0] == nil }) { waiting = nil }
    for attempt in attempts where attempt.outcome.isWaiting { waiting?[attempt.part.photo] = attempt.effect }
    return (needless + held + attempts.map(\.report), rest)
  }

  /// Locks a step for writing. Returns nil if another copy of the program is writing it.
  private func lock(_ step: StepJournal.Step.ID) async -> StepLock? {
    await onPool { [journal] in StepLock(step, of: journal) }
  }

  /// Makes a step of the parts that were left when the user has stopped a step.
  private func turnRest(of step: StepJournal.Step.ID) async throws(APIError) {
    try await journal.turnWaitingParts(of: step)
    waiting = nil
  }

  /// Takes note of the parts that no longer wait.
  private func settle(_ attempts: [PartWriter.Attempt], of step: StepJournal.Step.ID) async throws(APIError) {
    let imported = attempts.compactMap { attempt in attempt.imported.map { (attempt.part.photo, $0) } }
    try await journal.settle(
      attempts.filter { !$0.outcome.isWaiting }.map(\.part), of: step,
      imported: Dictionary(imported) { $1 })
  }

  private func current(_ parts: [StepJournal.Part], isMade: Bool = true) async -> [Step.Part] {
    if parts.isEmpty { return [] }
    return await onPool { [writer] in parts.map { writer.current($0, isMade: isMade) } }
  }

  nonisolated func onPool<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    await Task(executorPreference: WorkerPool.shared) { await body() }.value
  }
}

extension ArraySlice where Element: Sendable {
  /// Returns what a body makes of the elements, in their order. It works on several at once.
  fileprivate func map<Value: Sendable>(
    atOnce count: Int, _ body: @escaping @Sendable (Element) async -> Value
  ) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self, returning: [Value].self) { group in
      var values: [Value?] = [Value?](repeating: nil, count: self.count)
      for (index, element) in self.enumerated() {
        if index >= count, let (index, value) = await group.next() { values[index] = value }
        group.addTask { (index, await body(element)) }
      }
      for await (index, value) in group { values[index] = value }
      return values.compactMap(\.self)
    }
  }
}

// MARK: - Undo and redo

extension StepService {
  public func undo(_ work: StepWork) async -> Step? { await undo(work, token: nil) }

  public func redo(_ work: StepWork) async -> Step? { await redo(work, token: nil) }

  public func undoSession(_ work: StepWork) async -> Step? { await undoSession(work, token: nil) }

  /// Undoes the last step.
  /// - Parameter token: What identifies the call if it is repeated; nil if it is not. A repeated call undoes no other step.
  package func undo(_ work: StepWork, token: String?) async -> Step? {
    await setUndone(work, token) { (journal, root) throws(APIError) in try await journal.lastStep(in: root) }
  }

  /// Makes the step again that was undone last, with a token as ``undo(_:token:)``.
  package func redo(_ work: StepWork, token: String?) async -> Step? {
    await setUndone(work, token) { (journal, root) throws(APIError) in try await journal.lastUndoneStep(in: root) }
  }

  /// Undoes all steps of the latest session, with a token as ``undo(_:token:)``.
  package func undoSession(_ work: StepWork, token: String?) async -> Step? {
    var known: Int64?
    if let token { known = try? await journal.numbers(ofCall: token)?.first }
    if known == nil, let root { known = try? await journal.lastStep(in: root)?.session }
    guard let root, let session = known else { return await undo(work) }
    if let token { try? await journal.note(call: token, [session]) }
    var steps: [Step] = []
    while !work.isStopped, (try? await journal.lastStep(in: root)?.session) == session, let step = await undo(work) {
      steps.append(step)
      // The journal can't be written.
      if step.fault != nil { break }
    }
    return Step(
      title: steps.count == 1
        ? steps[0].title : localized("\(steps.count) step", plural: "\(steps.count) steps", count: steps.count),
      parts: steps.flatMap(\.parts), fault: steps.last?.fault)
  }

  private func setUndone(
    _ work: StepWork, _ token: String?,
    _ find: (StepJournal, _ root: FilePath) async throws(APIError) -> StepJournal.Step?
  ) async -> Step? {
    // Another copy of the program may have left parts that have to be undone before.
    await retry(work, knowsAll: false)
    do throws(APIError) {
      if let token, let id = try await journal.numbers(ofCall: token)?.first {
        return Step(title: "", id: id, parts: await current(try await journal.parts(of: id).settled))
      }
      guard let root, let entry = try await find(journal, root) else { return nil }
      let lock = await lock(entry.id)
      defer { lock?.release() }
      guard lock != nil else { return Step(title: entry.title, fault: .busy(entry.title)) }
      let parts = try await journal.setUndone(!entry.isUndone, entry.id, token: token)
      var step = Step(title: entry.title, id: entry.id)
      let stuck = waiting ?? [:]
      work.update { $0 = StepProgress(total: parts.open.count) }
      let writer = writer.reporting(to: work)
      let serverIsAway = Flag()
      for some in parts.open.slices(of: photosAtOnce) where !work.isStopped {
        let (attempts, stuckPaths) = await onPool { [waitingPaths] in
          var (attempts, paths): ([PartWriter.Attempt], _) = ([], waitingPaths)
          for part in some where !work.isStopped {
            let isAway = serverIsAway.isSet && part.photo.file == nil
            let expected = stuck[part.photo]
            let isBehind = !entry.isUndone && writer.changes(paths, part, isUndone: true)
            let attempt = await writer.carryOut(
              part, isUndone: !entry.isUndone, mayWrite: expected == nil && !isBehind && !isAway, after: expected)
            if attempt.outcome.concernsFolder { serverIsAway.set() }
            if !entry.isUndone, attempt.outcome.isWaiting { paths.formUnion(writer.paths(of: part, isUndone: true)) }
            attempts.append(attempt)
            work.update { $0.done += 1 }
          }
          return (attempts, paths)
        }
        waitingPaths = stuckPaths
        try await settle(attempts, of: entry.id)
        step.parts += attempts.map(\.report)
      }
      if work.isStopped { try await turnRest(of: entry.id) }
      let waiting = try await effectsOfWaiting()
      self.waiting = waiting
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

// MARK: - What waits

extension StepService {
  public func resume(_ work: StepWork) async -> Step? { await retry(work, looksAtAll: true) }

  /// Returns the effect of the parts that wait for each photo.
  private func effectsOfWaiting() async throws(APIError) -> [ImageLocation: Step.Effect] {
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
  private func retry(_ work: StepWork, looksAtAll: Bool = false, knowsAll: Bool = true) async -> Step? {
    if knowsAll && waiting?.isEmpty == true || !journal.mayHaveSteps { return nil }
    do throws(APIError) {
      let parts = try await journal.waitingParts().filter { !unwritten.contains($0.step.id) }
      var result = Step(title: "")
      var effects: [ImageLocation: Step.Effect] = [:]
      var (stuckFolders, paths): (Set<FilePath?>, Set<FilePath>) = ([], [])
      let writer = writer.reporting(to: work)
      work.update { $0 = StepProgress(total: parts.count) }
      var locks: [StepJournal.Step.ID: StepLock] = [:]
      defer { for lock in locks.values { lock.release() } }
      for step in Set(parts.map(\.step.id)) { locks[step] = await lock(step) }
      for (step, part) in parts {
        if work.isStopped {
          try await turnRest(of: step.id)
          break
        }
        defer { work.update { $0.done += 1 } }
        let photo = part.photo
        if locks[step.id] == nil {
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
      waiting = work.isStopped ? nil : effects
      finish(after: Set(parts.map(\.step.id).filter { locks[$0] == nil }))
      return parts.isEmpty ? nil : result
    } catch {
      waiting = nil
      return nil
    }
  }

  /// Writes what other copies of the program leave of steps that they are writing, as when they are killed. Otherwise, it would wait
  /// for the next step or the next start.
  private func finish(after steps: Set<StepJournal.Step.ID>) {
    let new = steps.subtracting(watched)
    guard !new.isEmpty else { return }
    watched.formUnion(new)
    Task(executorPreference: WorkerPool.shared) { [weak self, journal] in
      for step in new { await StepLock.wait(for: step, of: journal) }
      await self?.retryWatched(new)
    }
  }

  private func retryWatched(_ steps: Set<StepJournal.Step.ID>) async {
    watched.subtract(steps)
    waiting = nil
    await retry(StepWork(), looksAtAll: true)
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

/// A flag that tasks share.
private final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock(\.self) }

  func set() { value.withLock { $0 = true } }
}
