import Foundation
import Gallery
import Services
import Sidecars
import Store
import WorkerPool

/// Keeps decisions in XMP sidecars next to the photos, and the steps in a journal.
///
/// Each part of a step is in the journal before its sidecar is written. If the sidecar can't be written, the part waits
/// there until it can.
public actor SidecarService: DecisionServiceProtocol {
  private let sidecars: Sidecars
  private let journal: StepJournal
  private let now: @Sendable () -> Date
  private let session: Int64
  /// The folder to whose steps ``undo()`` and ``redo()`` are limited, or nil if there is none.
  private let root: FilePath?
  /// The decisions about each photo with parts that wait, after these parts; nil if the journal has to be asked.
  private var waiting: [FilePath: SidecarDecisions]?

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

  public func make(_ change: DecisionChange, for photos: [Photo], called subject: String?) async -> DecisionStep {
    let subject =
      subject
      ?? (photos.count == 1 ? photos[0].file?.printableName ?? photos[0].name : Self.photosText(photos.count))
    let title = "\(change.text): \(subject)"
    await retry()
    var outcome = Outcome()
    var step: StepJournal.Step.ID?
    do throws(APIError) {
      for batch in Self.batches(of: photos) {
        let prepared = await prepare(change, for: batch, &outcome)
        if prepared.isEmpty { continue }
        let id = if let step { step } else { try await begin(title) }
        step = id
        try await write(prepared, id, &outcome)
      }
    } catch {
      waiting = nil
      outcome.failures.append(localized("The step can't be kept. \(error.message)"))
    }
    return self.step(title, outcome, isInJournal: step != nil)
  }

  private func begin(_ title: String) async throws(APIError) -> StepJournal.Step.ID {
    try await journal.begin(title, session: session, date: now(), in: root ?? "/")
  }

  private static func photosText(_ count: Int) -> String {
    localized("\(count) photo", plural: "\(count) photos", count: count)
  }

  /// Returns the photos that are files, in batches. Photos that may share a sidecar are in the same batch, wherever they are:
  /// if one of them was prepared after the sidecar is written, a rotation would be applied to it twice.
  private static func batches(of photos: [Photo]) -> [[Photo]] {
    var batches: [[Photo]] = []
    var places: [FilePath: Int] = [:]
    for photo in photos {
      guard let file = photo.file else { continue }
      let sidecar = SidecarNaming.insteadOfExtension.path(of: file)
      if batches.last.map({ $0.count >= photosAtOnce }) ?? true { batches.append([]) }
      let place = places[sidecar] ?? batches.count - 1
      places[sidecar] = place
      batches[place].append(photo)
    }
    return batches
  }

  /// Prepares a change. Photos for which it changes nothing have their outcome already.
  private func prepare(
    _ change: DecisionChange, for photos: [Photo], _ outcome: inout Outcome
  ) async -> [Prepared] {
    let changes = photos.compactMap { photo in photo.file.map { ($0, JournaledChange(change, of: photo)) } }
    let waiting = waiting ?? [:]
    let results = await onPool { [sidecars] in
      changes.map { path, change in sidecars.prepare(change, of: path, after: waiting[path]) }
    }
    var prepared: [Prepared] = []
    for result in results {
      switch result {
      case .success(let part) where part.changesNothing && waiting[part.part.photo] == nil:
        outcome.add(Attempt(part, isDone: true))
      case .success(let part): prepared.append(part)
      case .failure(let error): outcome.failures.append(error.message)
      }
    }
    return prepared
  }

  private func write(
    _ prepared: [Prepared], _ step: StepJournal.Step.ID, _ outcome: inout Outcome
  ) async throws(APIError) {
    // Changes of a photo are written in their order. Those that wait may be another copy's of the program.
    let stuck = try await journal.add(prepared.map(\.part), to: step)
    let attempts = await onPool { [sidecars] in
      prepared.map { stuck.contains($0.part.photo) ? Attempt($0) : sidecars.write($0) }
    }
    try await settle(attempts, of: step, &outcome)
    if stuck.contains(where: { waiting?[$0] == nil }) { waiting = nil }
    for attempt in attempts where !attempt.isDone { waiting?[attempt.part.photo] = attempt.decisions }
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
      let canceled = await onPool { [sidecars] in
        parts.canceled.map { ($0.photo, try? sidecars.decisions(of: $0.photo)) }
      }
      for (photo, decisions) in canceled { outcome.decisions[photo] = PhotoDecisions(decisions ?? SidecarDecisions()) }
      for part in parts.open + parts.canceled {
        if let expected = waiting[part.photo] { outcome.decisions[part.photo] = PhotoDecisions(expected) }
      }
      return self.step(step.title, outcome)
    } catch {
      waiting = nil
      return DecisionStep(title: "", decisions: [:], failures: [error.message])
    }
  }

  /// Returns the decisions about each photo with parts that wait, after these parts.
  private func expectations() async throws(APIError) -> [FilePath: SidecarDecisions] {
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
      let parts = try await journal.waitingParts()
      var outcome = Outcome()
      var expected: [FilePath: SidecarDecisions] = [:]
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
        if part.undo.isEmpty, !isStuck {
          part = await onPool { [sidecars, part] in
            sidecars.carryOut(part, isUndone: step.isUndone, mayWrite: false, after: nil).part
          }
          try await journal.settle([part], of: step.id, areWritten: false)
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
      decisions[photo] = PhotoDecisions(attempt.decisions)
      if !attempt.isDone { waiting.insert(photo) }
      if let failure = attempt.failure { failures.append(failure) }
    }
  }
}
