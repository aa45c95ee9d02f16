import Gallery
import Services
import Store

/// Plans and writes single parts of steps. A call may block until the disk has answered.
struct PartWriter: Sendable {
  private var tools: StepTools
  private var note: @Sendable (StepJournal.Part) async -> Bool = { _ in true }

  init(tools: StepTools) { self.tools = tools }

  /// Returns a writer that reports its progress to some work.
  ///
  /// - Parameter note: Called for a part whose plan leads to other paths than the journal has for it, before these are written.
  ///   Returns whether the journal has the part then.
  func reporting(
    to work: StepWork, noting note: @escaping @Sendable (StepJournal.Part) async -> Bool = { _ in true }
  ) -> PartWriter {
    var writer = self
    writer.tools.work = work
    writer.note = note
    return writer
  }

  /// The number of attempts to write a part whose file another program keeps changing.
  private static let mostAttempts = 8

  /// A part that is about to be written. The part has what takes it back.
  struct PlannedPart: Sendable {
    var part: StepJournal.Part
    let isUndone: Bool
    let plan: StepPlan
    /// Whether the plan leads to paths that the part did not have before.
    let isElsewhere: Bool

    /// Returns the part after an attempt to write it.
    func attempt(_ outcome: Step.Outcome) -> Attempt { Attempt(part: part, outcome: outcome, effect: plan.effect) }

    /// Returns the part when it is written, or nil if it has to be planned again.
    func attempt(_ writing: StepWriting) -> Attempt? {
      guard case .written(let imported, let shortfall) = writing else { return nil }
      return Attempt(
        part: part, outcome: .done, effect: plan.effect, imported: imported, shortfall: shortfall,
        moved: plan.operation.movedFiles)
    }
  }

  /// A part after an attempt to write it.
  struct Attempt: Sendable {
    let part: StepJournal.Part
    let outcome: Step.Outcome
    let effect: Step.Effect
    /// The contents that were imported; nil if the part imports nothing or is not done.
    var imported: [ImportedContent]?
    /// The reason why something of the part is missing although it is done, or nil.
    var shortfall: StepFault?

    /// The files that have got other paths.
    var moved: [MovedFile] = []

    /// Whether some of the part's files are where they belong although it could not be made.
    var isBegun = false

    /// Whether the part was not made, and has changed nothing.
    var isRefused: Bool { outcome.isGivenUp && !isBegun }

    /// The part as the caller of the service gets it.
    var report: Step.Part { Step.Part(part.photo, outcome, effect, shortfall: shortfall) }
  }

  /// Plans a part.
  ///
  /// - Parameters:
  ///   - isUndone: Whether the part is to be undone.
  ///   - expected: The effect of the earlier parts that wait for the photo, or nil if none waits.
  func plan(
    _ part: StepJournal.Part, isUndone: Bool = false, after expected: Step.Effect? = nil
  ) throws(OperationFault) -> PlannedPart {
    guard let operation = Operations.operation(isUndone ? part.undo : part.redo) else {
      throw .failed(.newerVersion(part.photo))
    }
    let plan = try operation.plan(for: part.photo, after: expected, tools)
    tools.work.update {
      $0.planned += 1
      $0.plannedSize += plan.copiedSize
    }
    var part = part
    // What has been written before a crash is not changed again, so the journal knows best how to go back.
    if let inverse = plan.inverse {
      if isUndone { part.redo = inverse.data } else { part.undo = inverse.data }
    }
    if !isUndone { part.redo = plan.operation.data }
    let known = operation.paths(of: part.photo)
    return PlannedPart(
      part: part, isUndone: isUndone, plan: plan, isElsewhere: !plan.claims.allSatisfy(known.contains))
  }

  /// Plans parts before any of them is written. The plan of a part is nil if it depends on what an earlier one does.
  func plan(
    _ parts: [StepJournal.Part], after expected: [ImageLocation: Step.Effect]
  ) -> [Result<PlannedPart, OperationFault>?] {
    var claimed: Set<FilePath> = []
    return parts.map { part in
      if let path = part.photo.file, claimed.contains(path) { return nil }
      let plan = Result { () throws(OperationFault) in try self.plan(part, after: expected[part.photo]) }
      guard case .success(let new) = plan else { return plan }
      if new.plan.claims.contains(where: claimed.contains) { return nil }
      claimed.formUnion(new.plan.claims)
      return plan
    }
  }

  /// Writes a part that waits.
  ///
  /// - Parameters:
  ///   - mayWrite: Whether the part is written. Otherwise, the call only finds out what it would lead to.
  ///   - expected: The effect of the earlier parts that wait for the photo, or nil if none waits.
  ///   - fault: Why the part can't be made, if that is known.
  func carryOut(
    _ part: StepJournal.Part, isUndone: Bool, mayWrite: Bool, after expected: Step.Effect?,
    refusedBy fault: StepFault? = nil
  ) async -> Attempt {
    let unknown = expected ?? Step.Effect()
    if let fault { return Attempt(part: part, outcome: .failed(fault), effect: unknown) }
    if !mayWrite, !Operations.shows(isUndone ? part.undo : part.redo) {
      return Attempt(part: part, outcome: .waiting(nil), effect: unknown)
    }
    // A disk that is not there may return.
    let operation = Operations.operation(isUndone ? part.undo : part.redo)
    if let folder = operation?.place(of: part.photo), folder.isMissing {
      return Attempt(part: part, outcome: .waiting(nil), effect: unknown)
    }
    var attempt: Attempt
    do throws(OperationFault) {
      let planned = try plan(part, isUndone: isUndone, after: expected)
      attempt = mayWrite ? await write(planned, isKnown: false) : planned.attempt(.waiting(nil))
    } catch {
      // A photo that is missing may return with what the part waits for.
      attempt = Attempt(part: part, outcome: mayWrite ? error.kept(isUndone: isUndone) : .waiting(nil), effect: unknown)
    }
    if attempt.outcome.isGivenUp { attempt.isBegun = operation?.isBegun ?? false }
    return attempt
  }

  /// Writes a part that was planned. If another program has changed the file since, it is planned again.
  /// - Parameter isKnown: Whether the journal has the plan.
  func write(_ planned: PlannedPart, isKnown: Bool = true) async -> Attempt {
    var (planned, isKnown) = (planned, isKnown)
    do throws(OperationFault) {
      for _ in 0..<Self.mostAttempts {
        if !isKnown, planned.isElsewhere, await !note(planned.part) { return planned.attempt(.waiting(nil)) }
        if let attempt = planned.attempt(try await planned.plan.write()) { return attempt }
        planned = try plan(planned.part, isUndone: planned.isUndone)
        isKnown = false
      }
      return planned.attempt(.waiting(planned.plan.busy))
    } catch {
      return planned.attempt(error.kept(isUndone: planned.isUndone))
    }
  }

  /// Has the collections follow files that have got other paths. Returns whether that was possible.
  func follow(_ moves: [MovedFile]) async -> Bool {
    guard !moves.isEmpty, let collections = tools.collections else { return true }
    do throws(APIError) {
      try await collections.follow(moves)
      return true
    } catch {
      return false
    }
  }

  /// Returns whether a part that waits has been made, or undone, for some of its files.
  func isSplit(_ part: StepJournal.Part, isUndone: Bool) -> Bool {
    Operations.operation(isUndone ? part.undo : part.redo)?.isSplit ?? false
  }

  /// Returns the paths of the files that making a part, or undoing it, changes or reads.
  func paths(of part: StepJournal.Part, isUndone: Bool) -> [FilePath] {
    Operations.operation(isUndone ? part.undo : part.redo)?.paths(of: part.photo) ?? []
  }

  /// Returns the paths for which later parts have to wait until making a part, or undoing it, is done.
  func heldPaths(of part: StepJournal.Part, isUndone: Bool) -> [FilePath] {
    Operations.operation(isUndone ? part.undo : part.redo)?.heldPaths(of: part.photo) ?? []
  }

  /// Returns whether later parts of the photo have to wait for a part. One that takes a copy or an export away does not change the
  /// photo.
  func holds(_ part: StepJournal.Part, isUndone: Bool) -> Bool {
    if !isUndone || Operations.shows(part.undo) { return true }
    let paths = heldPaths(of: part, isUndone: true)
    return paths.isEmpty || part.photo.file.map(paths.contains) ?? false
  }

  /// Returns whether making a part, or undoing it, changes or reads one of some paths.
  func uses(_ paths: Set<FilePath>, _ part: StepJournal.Part, isUndone: Bool) -> Bool {
    !paths.isEmpty && !paths.isDisjoint(with: self.paths(of: part, isUndone: isUndone))
  }

  /// Returns what the photo of a part shows now.
  /// - Parameter isMade: Whether the part was made, and not undone or canceled.
  func current(_ part: StepJournal.Part, isMade: Bool) -> Step.Part {
    let effect = Operations.operation(part.redo)?.effect(on: part.photo, isMade: isMade, tools)
    return Step.Part(part.photo, .done, effect ?? Step.Effect())
  }
}

extension OperationFault {
  /// The outcome of an attempt whose part leaves the journal.
  var givenUp: Step.Outcome {
    switch self {
    case .missing: .missing
    case .failed(let fault), .prevented(let fault), .impossible(let fault): .failed(fault)
    case .stopped: .waiting(nil)
    }
  }

  /// Returns the outcome of a part that stays in the journal.
  /// - Parameter isUndone: Whether the part is to be undone.
  func kept(isUndone: Bool) -> Step.Outcome {
    switch self {
    case .missing: .missing
    case .failed(let fault): .waiting(fault)
    case .prevented(let fault) where isUndone: .waiting(fault)
    case .prevented(let fault), .impossible(let fault): .failed(fault)
    case .stopped: .waiting(nil)
    }
  }
}

extension Step.Outcome {
  /// Whether the other parts in the folder of the photo will probably fail, too.
  var concernsFolder: Bool { if case .waiting(let fault?) = self { fault.concernsFolder } else { false } }
}

extension StepFault {
  fileprivate static func newerVersion(_ photo: ImageLocation) -> StepFault {
    StepFault(
      title: localized("Can't finish the step"),
      message: localized("A newer version of Tintype has to finish the step of \(photo.printable). Start it once."))
  }

  /// Another copy of the program is writing the step.
  static func busy(_ title: String) -> StepFault {
    StepFault(
      title: localized("The step is not done yet"),
      message: localized(
        "Another Tintype is still at work on “\(title)”. Try again when it is done. If Ctrl-Z has stopped it, continue it with fg."
      ))
  }

  /// The step is in the journal, which could not be read or written since.
  static func unfinished(_ message: String) -> StepFault {
    StepFault(
      title: localized("The step is not done yet"),
      message: localized("It is kept, and tried again with the next one or at the next start. \(message)"))
  }

  /// The journal could not be read or written.
  package static func journal(_ message: String) -> StepFault {
    StepFault(title: localized("Can't keep the step"), message: message)
  }
}
