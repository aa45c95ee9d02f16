import Foundation
import Gallery
import Services
import Sidecars
import Store
import WorkerPool

/// Keeps decisions in XMP sidecars next to the photos, and the steps in a journal.
///
/// A step is in the journal before anything is read for it, and its parts wait there until their sidecars are written: so a
/// step costs one write to the journal's disk until it is safe, however slow the photos' disk is.
public actor SidecarService: DecisionServiceProtocol {
  private let sidecars: Sidecars
  private let journal: StepJournal
  private let now: @Sendable () -> Date
  private let session: Int64
  /// The folder to whose steps ``undo()`` and ``redo()`` are limited, or nil if there is none.
  private let root: FilePath?
  /// The decisions about each photo with parts that wait, after these parts; nil if the journal has to be asked.
  private var waiting: [FilePath: PhotoDecisions]?
  /// The steps that were kept and will be written. They don't wait for anything else.
  private var unwritten: Set<StepJournal.Step.ID> = []

  /// The approximate number of photos whose sidecars are read before the first of them is written.
  private static let photosAtOnce = 256

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - root: The folder that contains all photos, or nil if they are not in a folder. Steps in other folders are neither
  ///     undone nor made again.
  ///   - usesShortNames: Whether a new sidecar is called `a.xmp` instead of `a.jpg.xmp`.
  public init(journal: StepJournal, root: FilePath?, usesShortNames: Bool) {
    self.init(
      sidecars: Sidecars(naming: usesShortNames ? .insteadOfExtension : .afterExtension), journal: journal, root: root)
  }

  /// Creates a service that keeps decisions in some sidecars.
  public init(
    sidecars: Sidecars = Sidecars(), journal: StepJournal, root: FilePath?,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    (self.sidecars, self.journal, self.root, self.now) = (sidecars, journal, root, now)
    session = Int64(now().timeIntervalSince1970 * 1000)
  }

  public func keep(_ changes: [RequestedChange]) async -> [KeptStep] {
    let titles = changes.map { "\($0.change.text): \($0.subject ?? Self.subject(of: $0.photos))" }
    let (date, session) = (now(), session)
    let requests = await onPool {
      zip(titles, changes).map { title, change in
        StepJournal.Request(
          title: title, date: date, session: session,
          changes: change.photos.compactMap { photo in
            photo.file.map { ($0, JournaledChange(change.change, of: photo).data) }
          })
      }
    }
    do throws(APIError) {
      let ids = try await journal.keep(requests)
      unwritten.formUnion(ids)
      return zip(titles, ids).map { KeptStep(title: $0, id: $1) }
    } catch {
      return titles.map { KeptStep(title: $0, id: nil, failure: Self.failure(error)) }
    }
  }

  private static func subject(of photos: [Photo]) -> String {
    photos.count == 1
      ? photos[0].file?.printableName ?? photos[0].name
      : localized("\(photos.count) photo", plural: "\(photos.count) photos", count: photos.count)
  }

  private static func failure(_ error: APIError) -> String { localized("The step can't be kept. \(error.message)") }

  public func write(_ step: KeptStep) async -> DecisionStep {
    await retry()
    var (outcome, isInJournal) = (Outcome(), false)
    guard let id = step.id else {
      outcome.failures = [step.failure].compactMap(\.self)
      return self.step(step.title, outcome, isInJournal: false)
    }
    unwritten.remove(id)
    do throws(APIError) {
      let parts = try await journal.parts(of: id)
      for batch in Self.batches(of: parts.waiting) {
        if try await write(batch, of: id, behind: parts.behindOthers, &outcome) { isInJournal = true }
      }
      // Another copy of the program may have written, or undone, what waited here.
      if !parts.settled.isEmpty { isInJournal = true }
      for (photo, decisions) in await decisions(of: parts.settled) { outcome.decisions[photo] = decisions }
    } catch {
      waiting = nil
      outcome.failures.append(Self.failure(error))
    }
    return self.step(step.title, outcome, isInJournal: isInJournal)
  }

  /// Returns parts in batches. Photos that may share a sidecar are in the same batch, wherever they are: if one of them was
  /// prepared after the sidecar is written, a rotation would be applied to it twice.
  private static func batches(of parts: [StepJournal.Part]) -> [[StepJournal.Part]] {
    var batches: [[StepJournal.Part]] = []
    var places: [FilePath: Int] = [:]
    for part in parts {
      let sidecar = SidecarNaming.insteadOfExtension.path(of: part.photo)
      if batches.last.map({ $0.count >= photosAtOnce }) ?? true { batches.append([]) }
      let place = places[sidecar] ?? batches.count - 1
      places[sidecar] = place
      batches[place].append(part)
    }
    return batches
  }

  /// Prepares parts that wait, and writes their sidecars. Parts that change nothing leave the journal.
  ///
  /// - Parameter others: The photos of which parts of earlier steps wait. Changes of a photo are written in their order. Those
  ///   that wait may be another copy's of the program.
  /// - Returns: Whether one of the parts stays in the journal.
  private func write(
    _ parts: [StepJournal.Part], of step: StepJournal.Step.ID, behind others: Set<FilePath>, _ outcome: inout Outcome
  ) async throws(APIError) -> Bool {
    let expected = waiting ?? [:]
    let results = await onPool { [sidecars] in parts.map { sidecars.prepare($0, after: expected[$0.photo]) } }
    var (prepared, needless): ([Prepared], [FilePath]) = ([], [])
    for (part, result) in zip(parts, results) {
      let isBehind = others.contains(part.photo)
      switch result {
      case .success(let new) where new.changesNothing && !isBehind && expected[part.photo] == nil && part.undo.isEmpty:
        outcome.add(Attempt(new, isDone: true))
        needless.append(part.photo)
      case .success(var new):
        if isBehind { new.part.undo = part.undo }
        prepared.append(new)
      case .failure(let error):
        outcome.failures.append(error.message)
        needless.append(part.photo)
      }
    }
    let current = try await journal.prepare(
      prepared.map(\.part), removing: needless, of: step, in: root ?? "/"
    ).reduce(into: [:]) { $0[$1.photo] = $1 }
    let attempts = await onPool { [sidecars, prepared] in
      prepared.map { new in
        let photo = new.part.photo
        if others.contains(photo) { return Attempt(new) }
        // Another copy of the program has prepared it, or even written it.
        guard let part = current[photo] else { return Attempt(new, isDone: true) }
        return part == new.part
          ? sidecars.write(new) : sidecars.carryOut(part, isUndone: false, mayWrite: true, after: nil)
      }
    }
    for attempt in attempts { outcome.add(attempt) }
    try await journal.settle(attempts.filter { $0.isDone && current[$0.part.photo] != nil }.map(\.part), of: step)
    if others.contains(where: { waiting?[$0] == nil }) { waiting = nil }
    for attempt in attempts where !attempt.isDone { waiting?[attempt.part.photo] = attempt.decisions }
    return !prepared.isEmpty
  }

  private func decisions(of photos: [FilePath]) async -> [(FilePath, PhotoDecisions)] {
    if photos.isEmpty { return [] }
    return await onPool { [sidecars] in
      photos.map { ($0, ((try? sidecars.decisions(of: $0)) ?? PhotoDecisions()).shown) }
    }
  }

  public func undo() async -> DecisionStep? {
    await setUndone { (journal, root) throws(APIError) in try await journal.lastStep(in: root) }
  }

  public func redo() async -> DecisionStep? {
    await setUndone { (journal, root) throws(APIError) in try await journal.lastUndoneStep(in: root) }
  }

  public func undoSession() async -> DecisionStep? {
    guard let root, let session = try? await journal.lastStep(in: root)?.session else { return await undo() }
    var steps: [DecisionStep] = []
    while (try? await journal.lastStep(in: root)?.session) == session, let step = await undo() {
      steps.append(step)
      // The journal can't be written.
      if step.title.isEmpty { break }
    }
    return DecisionStep(
      title: steps.count == 1
        ? steps[0].title : localized("\(steps.count) step", plural: "\(steps.count) steps", count: steps.count),
      decisions: steps.reduce(into: [:]) { $0.merge($1.decisions) { $1 } },
      waiting: steps.reduce(into: []) { $0.formUnion($1.waiting) }, failures: steps.flatMap(\.failures))
  }

  private func setUndone(
    _ step: (StepJournal, _ root: FilePath) async throws(APIError) -> StepJournal.Step?
  ) async -> DecisionStep? {
    await retry()
    do throws(APIError) {
      guard let root, let step = try await step(journal, root) else { return nil }
      let parts = try await journal.setUndone(!step.isUndone, step.id)
      var outcome = Outcome()
      let stuck = waiting ?? [:]
      for start in stride(from: 0, to: parts.open.count, by: Self.photosAtOnce) {
        let attempts = await onPool { [sidecars] in
          parts.open[start...].prefix(Self.photosAtOnce).map { part in
            let expected = stuck[part.photo]
            return sidecars.carryOut(part, isUndone: !step.isUndone, mayWrite: expected == nil, after: expected)
          }
        }
        try await settle(attempts, of: step.id, &outcome)
      }
      let waiting = try await expectations()
      self.waiting = waiting
      for (photo, decisions) in await decisions(of: parts.canceled.map(\.photo)) {
        outcome.decisions[photo] = decisions
      }
      for part in parts.open + parts.canceled {
        if let expected = waiting[part.photo] { outcome.decisions[part.photo] = expected.shown }
      }
      return self.step(step.title, outcome)
    } catch {
      waiting = nil
      return DecisionStep(title: "", decisions: [:], failures: [error.message])
    }
  }

  /// Returns the decisions about each photo with parts that wait, after these parts.
  private func expectations() async throws(APIError) -> [FilePath: PhotoDecisions] {
    let parts = try await journal.waitingParts()
    return await onPool { [sidecars] in
      parts.reduce(into: [:]) { expected, waiting in
        let photo = waiting.part.photo
        expected[photo] =
          sidecars.carryOut(
            waiting.part, isUndone: waiting.step.isUndone, mayWrite: false, after: expected[photo]
          ).decisions
      }
    }
  }

  public func resume() async -> DecisionStep? { await retry(looksAtAll: true) }

  /// Writes the parts that wait.
  ///
  /// - Parameter looksAtAll: Whether the step has the decisions about all photos. Otherwise, those in folders that can't be
  ///   written are left out, since reading their sidecars would delay each key.
  @discardableResult
  private func retry(looksAtAll: Bool = false) async -> DecisionStep? {
    if waiting?.isEmpty == true || !journal.mayHaveSteps { return nil }
    do throws(APIError) {
      let parts = try await journal.waitingParts().filter { !unwritten.contains($0.step.id) }
      var outcome = Outcome()
      var expected: [FilePath: PhotoDecisions] = [:]
      var stuckFolders: Set<FilePath> = []
      for (step, part) in parts {
        let photo = part.photo
        // The others of a folder that can't be written have to wait, and so have the later parts of a photo.
        let isStuck = stuckFolders.contains(photo.folder) || expected[photo] != nil
        if isStuck, !looksAtAll, let known = waiting?[photo] {
          expected[photo] = known
          continue
        }
        var part = part
        if part.undo.isEmpty, !isStuck, !step.isUndone {
          let prepared = await onPool { [sidecars, part] in
            sidecars.carryOut(part, isUndone: step.isUndone, mayWrite: false, after: nil).part
          }
          guard let current = try await journal.prepare([prepared], removing: [], of: step.id, in: photo.folder).first
          else { continue }
          part = current
        }
        let attempt = await onPool { [sidecars, part, before = expected[photo]] in
          sidecars.carryOut(part, isUndone: step.isUndone, mayWrite: !isStuck, after: before)
        }
        try await settle([attempt], of: step.id, &outcome)
        if attempt.isFolderStuck { stuckFolders.insert(photo.folder) }
        if !attempt.isDone { expected[photo] = attempt.decisions }
      }
      waiting = expected
      outcome.waiting = Set(expected.keys)
      return parts.isEmpty ? nil : step("", outcome)
    } catch {
      waiting = nil
      return nil
    }
  }

  private func settle(
    _ attempts: [Attempt], of step: StepJournal.Step.ID, _ outcome: inout Outcome
  ) async throws(APIError) {
    for attempt in attempts { outcome.add(attempt) }
    try await journal.settle(attempts.filter(\.isDone).map(\.part), of: step)
  }

  private func step(_ title: String, _ outcome: Outcome, isInJournal: Bool = true) -> DecisionStep {
    DecisionStep(
      title: title, decisions: outcome.decisions, waiting: outcome.waiting, failures: outcome.failures,
      isInJournal: isInJournal)
  }

  private func onPool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await Task(executorPreference: WorkerPool.shared) { body() }.value
  }

  /// The outcome of the parts of a step.
  private struct Outcome {
    var decisions: [FilePath: PhotoDecisions] = [:]
    var waiting: Set<FilePath> = []
    var failures: [String] = []

    mutating func add(_ attempt: Attempt) {
      let photo = attempt.part.photo
      decisions[photo] = attempt.decisions.shown
      if !attempt.isDone { waiting.insert(photo) }
      if let failure = attempt.failure { failures.append(failure) }
    }
  }
}
