import CSystem
import Foundation
import Gallery
import Services
import Sidecars
import Store
import Synchronization
import WorkerPool

/// Carries out what the user requests as steps, which are in a journal and can be undone.
///
/// A step is in the journal before any file is read for it, and its parts wait there until they are written. Only the places of the
/// folders are looked up before. So a step costs one write to the journal's disk until it is safe, however slow the photos' disk is.
public actor StepService: StepServiceProtocol {
  let writer: PartWriter
  let journal: StepJournal
  let now: @Sendable () -> Date
  let session: Int64
  /// The folder to whose steps ``undo()`` and ``redo()`` are limited, or nil if there is none.
  let root: FilePath?
  /// The effect of the parts that wait and that later ones of each photo have to wait for; nil if the journal has to be asked.
  var waiting: [ImageLocation: Step.Effect]? { didSet { waitingChanges += 1 } }
  /// Whether parts wait that no others have to wait for.
  var othersWait = false
  /// The number of changes of ``waiting``, by which a call notices those of others that run at the same time.
  private(set) var waitingChanges = 0
  /// The paths that change when the parts that wait are written. Files have to come back in the reverse of the order in which they
  /// went: a name may have been that of another one in between.
  var waitingPaths: Set<FilePath> = []
  /// The steps that other copies of the program are writing.
  private var watched: Set<StepJournal.Step.ID> = []
  /// Whether a task waits for the end of ``watched``.
  private var isWatching = false
  /// The lock on the steps that were kept and will be written when the caller says so, or before a later one is. Another copy of the
  /// program would take them for those of a crash.
  let unwritten: StepLock

  /// The moves that are made although the collections could not follow them, as on a full disk. They are followed with the next ones.
  private var unfollowed: [MovedFile] = []

  /// The approximate number of photos whose parts are planned before the first of them is written.
  let photosAtOnce: Int

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
  ///   - collections: The collections of photos, which follow files that are moved; nil if there are none.
  public init(
    journal: StepJournal, root: FilePath?, usesShortNames: Bool, exporter: (any PhotoExporterProtocol)? = nil,
    sheets: (any SheetMakerProtocol)? = nil, server: (any PhotoServerProtocol)? = nil,
    collections: (any CollectionServiceProtocol)? = nil
  ) {
    let sidecars = Sidecars(naming: usesShortNames ? .insteadOfExtension : .afterExtension)
    self.init(
      tools: StepTools(
        sidecars: sidecars, exporter: exporter, sheets: sheets, server: server, collections: collections),
      journal: journal, root: root)
  }

  /// Creates a service whose operations use some tools.
  init(
    tools: StepTools = StepTools(), journal: StepJournal, root: FilePath?, photosAtOnce: Int = 1024,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.photosAtOnce = photosAtOnce
    writer = PartWriter(tools: tools)
    self.journal = journal
    unwritten = StepLock(of: journal)
    self.root = root
    self.now = now
    session = Int64(now().timeIntervalSince1970 * 1000)
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

  public func write(_ step: Step, _ work: StepWork) async -> Step {
    if let id = step.id { writeEarlier(than: id) }
    await retry(work)
    guard let id = step.id else { return step }
    var step = step
    // One that was kept keeps its lock.
    let isOwn = unwritten.steps.contains(id)
    let lock = isOwn ? unwritten : await lock(id)
    defer { lock?.release([id]) }
    do throws(APIError) {
      var parts = try await journal.parts(of: id)
      if try await keepFiles(of: parts.waiting) { parts = try await journal.parts(of: id) }
      if lock == nil {
        step.parts = parts.waiting.map { Step.Part($0.photo, .waiting(nil)) }
        finish(after: [id])
        return step
      }
      work.update { $0 = StepProgress(total: parts.waiting.count) }
      defer { returnMemory(after: parts.waiting.count) }
      var behind = await onPool { [writer, earlier = parts.earlier] in
        PartsBehind(
          photos: Set(earlier.filter { writer.holds($0.part, isUndone: $0.step.isUndone) }.map(\.part.photo)))
      }
      step.parts += try await write(parts.waiting, of: id, isNew: true, &behind, work)
      if work.isStopped { try await turnRest(of: id) }
      // Another copy of the program may have written, or undone, what waited here.
      step.parts += await current(parts.settled)
    } catch {
      waiting = nil
      step.fault = .unfinished(error.message)
    }
    return step
  }

  /// Plans and writes parts that wait and were never planned. Returns what was written.
  ///
  /// - Parameters:
  ///   - isNew: Whether the step has never been undone.
  ///   - behind: What has to wait for others.
  func write(
    _ parts: [StepJournal.Part], of step: StepJournal.Step.ID, isNew: Bool, _ behind: inout PartsBehind,
    _ work: StepWork
  ) async throws(APIError) -> [Step.Part] {
    let root = isNew ? root ?? "/" : nil
    var all: [Step.Part] = []
    for batch in parts.batches(of: photosAtOnce) {
      var batch = batch
      while !batch.isEmpty, !work.isStopped {
        let (written, rest) = try await write(batch, of: step, in: root, &behind, work)
        all += written
        batch = rest
      }
    }
    return all
  }

  /// Plans parts that wait, and writes them. Parts that change nothing leave the journal, and so do those of a new step that can't be
  /// made.
  ///
  /// Returns what was written, and the parts that have to be planned when those are written.
  ///
  /// - Parameter behind: What has to wait for others. Changes of a photo are written in their order. Those that wait may be another
  ///   copy's of the program.
  private func write(
    _ parts: [StepJournal.Part], of step: StepJournal.Step.ID, in root: FilePath?, _ behind: inout PartsBehind,
    _ work: StepWork
  ) async throws(APIError) -> (written: [Step.Part], rest: [StepJournal.Part]) {
    let expected = waiting ?? [:]
    let writer = writer(of: step, work)
    let plans = await onPool { writer.plan(parts, after: expected) }
    var planned: [PartWriter.PlannedPart] = []
    var needless: [Step.Part] = []
    var refused: [Step.Part] = []
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
      case .failure(let fault): refused.append(Step.Part(part.photo, fault.givenUp))
      }
    }
    // What was undone can be tried again.
    if root == nil { try await journal.turnWaitingParts(of: step, only: refused.map(\.photo)) }
    let current = try await journal.prepare(
      planned.map(\.part), removing: (root == nil ? needless : needless + refused).map(\.photo), of: step, in: root
    ).reduce(into: [:]) { $0[$1.photo] = $1 }
    work.update { $0.done += needless.count + refused.count }
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
      try await settle(root == nil ? own : own.filter { !$0.isRefused }, of: step)
      if root != nil { try await journal.discard(own.filter(\.isRefused).map(\.part.photo), of: step) }
      attempts += new
    }
    if others.contains(where: { waiting?[$0] == nil }) { waiting = nil }
    for attempt in attempts where attempt.outcome.isWaiting { waiting?[attempt.part.photo] = attempt.effect }
    return (needless + refused + held + attempts.map(\.report), rest)
  }

  /// Returns the writer for the parts of a step.
  func writer(of step: StepJournal.Step.ID, _ work: StepWork) -> PartWriter {
    writer.reporting(to: work) { [journal] part in (try? await journal.note(part, of: step)) != nil }
  }

  /// Locks a step for writing. Returns nil if another copy of the program is writing it.
  func lock(_ step: StepJournal.Step.ID) async -> StepLock? {
    await onPool { [journal] in StepLock(step, of: journal) }
  }

  /// Writes what other copies of the program leave of steps that they are writing, as when they are killed. Otherwise, it would wait
  /// for the next step or the next start.
  func finish(after steps: Set<StepJournal.Step.ID>) {
    watched.formUnion(steps)
    guard !watched.isEmpty, !isWatching else { return }
    isWatching = true
    Task(executorPreference: WorkerPool.shared) { [weak self, journal] in
      // The steps that are found meanwhile come next: one retry is enough for all that have ended.
      while let steps = await self?.nextWatched() {
        for step in steps { await StepLock.wait(for: step, of: journal) }
        await self?.retryWatched(steps)
      }
    }
  }

  private func nextWatched() -> Set<StepJournal.Step.ID>? {
    isWatching = !watched.isEmpty
    return isWatching ? watched : nil
  }

  private func retryWatched(_ steps: Set<StepJournal.Step.ID>) async {
    watched.subtract(steps)
    waiting = nil
    await retry(StepWork(), looksAtAll: true)
  }

  /// Makes a step of the parts that were left when the user has stopped a step. Those that are split stay in it.
  func turnRest(of step: StepJournal.Step.ID) async throws(APIError) {
    try await journal.turnWaitingParts(of: step, only: try await waitingPhotos(of: step, areSplit: false))
    waiting = nil
  }

  /// Returns the photos of the parts of a step that wait.
  /// - Parameter areSplit: Whether some of a photo's files are moved, as by an attempt that a crash has ended. Such a part can be made
  ///   or taken back, but not left.
  func waitingPhotos(of step: StepJournal.Step.ID, areSplit: Bool) async throws(APIError) -> [ImageLocation] {
    let parts = try await journal.waitingParts().filter { $0.step.id == step }
    return await onPool { [writer] in
      parts.filter { writer.isSplit($0.part, isUndone: $0.step.isUndone) == areSplit }.map(\.part.photo)
    }
  }

  /// Takes note of the parts that no longer wait. Those that could not be made are undone.
  func settle(
    _ attempts: [PartWriter.Attempt], of step: StepJournal.Step.ID, isUndone: Bool = false
  ) async throws(APIError) {
    let refused = isUndone ? [] : attempts.filter(\.isRefused)
    if !refused.isEmpty { try await journal.turnWaitingParts(of: step, only: refused.map(\.part.photo)) }
    let attempts = attempts.filter { isUndone || !$0.isRefused }
    // After a crash in between, the part waits, and is made and followed again.
    let moves = unfollowed + attempts.flatMap(\.moved)
    unfollowed = []
    if await !writer.follow(moves) { unfollowed = moves + unfollowed }
    let imported = attempts.compactMap { attempt in attempt.imported.map { (attempt.part.photo, $0) } }
    try await journal.settle(
      attempts.filter { !$0.outcome.isWaiting }.map(\.part), of: step,
      imported: Dictionary(imported) { $1 })
  }

  /// Has the memory returned to the system that the work on many parts has needed. Each thread would keep as much of it as was ever
  /// needed at once.
  func returnMemory(after partCount: Int) {
    guard partCount > photosAtOnce else { return }
    Task(executorPreference: WorkerPool.shared) { return_free_memory() }
  }

  func current(_ parts: [StepJournal.Part], isMade: Bool = true) async -> [Step.Part] {
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
