import Foundation
import Gallery
import Services
import Steps
import Store
import Synchronization

/// A service of steps on another machine, whose own service keeps and writes them. Each call is repeated until it is answered, and
/// carried out once.
///
/// A step is kept in the journal here first, so that it is safe while the line is broken, and forgotten there when the other machine
/// has it in its own.
public final class RemoteSteps: StepServiceProtocol {
  private let connection: RemoteConnection
  private let journal: StepJournal
  private let machine: String
  private let fetch: RemoteFetch
  private let made = Mutex(MadeSteps())
  /// The copies to this machine that were requested, by the numbers of their steps.
  private let fetches = Mutex<[Int64: StepRequest]>([:])
  /// A step of this session.
  private enum Made {
    /// A step in the journal of the other machine.
    case there
    /// A copy to this machine.
    case here(RemoteFetch.Run)
  }

  /// The steps of this session in their order, as the two machines have a journal each.
  private struct MadeSteps {
    private var done: [Made] = []
    private var undone: [Made] = []

    /// Adds a step, after which no earlier one can be made again.
    mutating func add(_ step: Made) {
      done.append(step)
      undone = []
    }

    /// Returns the step to undo; nil if it is one of an earlier session.
    mutating func undo() -> Made? {
      let last = done.popLast()
      if let last { undone.append(last) }
      return last
    }

    /// Forgets an undo that has undone nothing.
    mutating func cancelUndo() {
      if let last = undone.popLast() { done.append(last) }
    }

    /// Returns the step to make again, a copy as a new one; nil if it is one of an earlier session.
    mutating func redo(again: (RemoteFetch.Run) -> RemoteFetch.Run) -> Made? {
      guard let last = undone.popLast() else { return nil }
      let step: Made = if case .here(let run) = last { .here(again(run)) } else { .there }
      done.append(step)
      return step
    }
  }

  /// The steps that were kept here, by the numbers that they have here: the call, and the place in it.
  private let promises = Mutex<[Int64: (StepJournal.OutgoingCall, Int)]>([:])
  /// The answers to calls of several steps.
  private let delivered = Mutex<[String: [Step]]>([:])

  /// Creates the service of a connection that is open.
  /// - Parameters:
  ///   - journal: The journal of this machine.
  ///   - local: The service that copies files on this machine.
  ///   - folder: The folder for files that are being fetched.
  public init(
    _ connection: RemoteConnection, journal: StepJournal, local: any StepServiceProtocol, fetchingTo folder: FilePath
  ) {
    self.connection = connection
    fetch = RemoteFetch(connection: connection, steps: local, folder: folder)
    self.journal = journal
    machine = connection.address.machine
  }

  public func keep(_ requests: [StepRequest]) async -> [Step] {
    var steps: [Step?] = requests.map(keepHere)
    let others = requests.indices.filter { steps[$0] == nil }
    if !others.isEmpty {
      for (index, step) in zip(others, await keepThere(others.map { requests[$0] })) { steps[index] = step }
    }
    return steps.compactMap(\.self)
  }

  /// Takes note of a copy to this machine, or refuses what else needs a place here; returns nil for another request.
  private func keepHere(_ request: StepRequest) -> Step? {
    guard let change = request.targets.first?.change else { return nil }
    if let refusal = refusal(of: change) {
      return Step(title: request.title, fault: StepFault(title: localized("Not on this machine"), message: refusal))
    }
    guard case .files(.copy(let folder, _)) = change, !folder.isRemote else { return nil }
    let step = Step(title: request.title, id: .random(in: 1...(.max)))
    fetches.withLock { $0[step.id ?? 0] = request }
    return step
  }

  /// Returns why a change can't be made if it needs a place on this machine.
  private func refusal(of change: StepRequest.Change) -> String? {
    switch change {
    case .files(.move(let folder, _)) where !folder.isRemote:
      localized(
        "Photos of \(machine.printable) can be copied to this machine, but not moved. Copy them, then throw them away there."
      )
    case .export(let export) where !export.target.isRemote: writtenThere
    case .sheet(let sheet) where !sheet.target.isRemote: writtenThere
    default: nil
    }
  }

  private var writtenThere: String {
    localized("New files are written on \(machine.printable). Name a folder there, such as ../web.")
  }

  private func keepThere(_ requests: [StepRequest]) async -> [Step] {
    let entries = requests.map { request in
      let operations = request.there.operations
      return RemoteStepRequest(
        title: request.title, photos: operations.compactMap { $0.photo.file }, operations: operations.map(\.redo))
    }
    let steps = requests.map { Step(title: $0.title, id: .random(in: 1...(.max))) }
    let ids = steps.compactMap(\.id)
    do {
      let call = StepJournal.OutgoingCall(token: UUID().uuidString, content: try JSONEncoder().encode(entries))
      // An undo that looks for calls to deliver must not find this one.
      promises.withLock { promises in
        for (place, id) in ids.enumerated() { promises[id] = (call, place) }
      }
      try await journal.keep(call, to: machine)
      return steps
    } catch {
      promises.withLock { promises in
        for id in ids { promises[id] = nil }
      }
      let message = (error as? APIError)?.message ?? lost
      return requests.map { Step(title: $0.title, fault: .journal(message)) }
    }
  }

  public func write(_ step: Step, _ work: StepWork) async -> Step {
    if let id = step.id, let request = fetches.withLock({ $0.removeValue(forKey: id) }) {
      let run = RemoteFetch.Run(request, work, by: fetch)
      made.withLock { $0.add(.here(run)) }
      return await run.outcome.step
    }
    guard let id = step.id, let (call, place) = promises.withLock({ $0.removeValue(forKey: id) }) else { return step }
    let answers = await deliver(call)
    // The answers are known until the last step of the call is written. What the other machine could not keep stays in the journal,
    // and those answers stay known, so that it is not sent again before the next session.
    if answers?.allSatisfy({ $0.fault == nil }) == true,
      promises.withLock({ promises in !promises.values.contains { $0.0.token == call.token } })
    {
      delivered.withLock { _ = $0.removeValue(forKey: call.token) }
    }
    guard let kept = answers, kept.indices.contains(place) else {
      return Step(title: step.title, fault: notSent)
    }
    let written: Step? = await write(kept[place], work)
    if written?.isInJournal == true { made.withLock { $0.add(.there) } }
    return written ?? Step(title: step.title, fault: notSent)
  }

  private func write(_ kept: Step, _ work: StepWork) async -> Step? {
    if kept.id == nil { return kept }
    return await carryOut(.write(title: kept.title, id: kept.id), work)
  }

  /// Has the other machine keep steps, once, and before them those of earlier calls, since the last decision is the one that
  /// counts. Returns nil if that must wait for the next session.
  private func deliver(_ call: StepJournal.OutgoingCall) async -> [Step]? {
    if let known = delivered.withLock({ $0[call.token] }) { return known }
    let earlier = ((try? await journal.outgoingCalls(to: machine)) ?? []).prefix { $0 != call }
    for call in unpromised(Array(earlier)) where await send(call) == nil { return nil }
    return await send(call)
  }

  private func send(_ call: StepJournal.OutgoingCall) async -> [Step]? {
    if let known = delivered.withLock({ $0[call.token] }) { return known }
    // What can't be read must not keep later calls from being sent.
    guard let entries = try? JSONDecoder().decode([RemoteStepRequest].self, from: call.content) else { return [] }
    guard case .steps(let steps)? = try? await connection.call(.keep(token: call.token, entries)) else { return nil }
    delivered.withLock { $0[call.token] = steps }
    // What the other machine could not keep is tried again in the next session.
    if steps.allSatisfy({ $0.fault == nil }) { try? await journal.forget(call) }
    return steps
  }

  /// The calls with steps that were kept and are written later.
  private var promised: Set<String> { promises.withLock { Set($0.values.map(\.0.token)) } }

  /// Leaves out the calls with steps that are written later.
  private func unpromised(_ calls: [StepJournal.OutgoingCall]) -> [StepJournal.OutgoingCall] {
    let promised = promised
    return calls.filter { !promised.contains($0.token) }
  }

  /// The calls that the machine has not answered, without those with steps that are written later.
  private var undelivered: [StepJournal.OutgoingCall] {
    get async { unpromised((try? await journal.outgoingCalls(to: machine)) ?? []) }
  }

  public func undo(_ work: StepWork) async -> Step? {
    let last = made.withLock { $0.undo() }
    if case .here(let run)? = last { return await run.undo(work) }
    let step = await undoThere(isSession: false, work)
    if last != nil, step?.fault != nil { made.withLock { $0.cancelUndo() } }
    return step
  }

  /// Undoes what the other machine has. It gets what was not delivered yet before, so that its last step is the last one of the user,
  /// without what was requested after the undo.
  private func undoThere(isSession: Bool, _ work: StepWork) async -> Step? {
    for call in await undelivered where await send(call) == nil { break }
    // Another gallery may have delivered the later ones, also while this one is connecting again.
    let token = UUID().uuidString
    return await carryOut(.undo(token: token, isSession: isSession, later: Array(promised)), work)
  }

  public func undoSession(_ work: StepWork) async -> Step? {
    var (copies, countThere): ([Step], Int) = ([], 0)
    while let step = made.withLock({ $0.undo() }) {
      switch step {
      case .here(let run): copies.append(await run.undo(work))
      case .there: countThere += 1
      }
    }
    let parts = copies.flatMap(\.parts)
    // Of a session that has only copied, the latest one on the other machine is not a part.
    if countThere == 0, !copies.isEmpty {
      let count = copies.count
      let title = count == 1 ? copies[0].title : localized("\(count) step", plural: "\(count) steps", count: count)
      return Step(title: title, parts: parts, fault: copies.last?.fault)
    }
    var step = await undoThere(isSession: true, work)
    step?.parts += parts
    return step
  }

  public func redo(_ work: StepWork) async -> Step? {
    let step = made.withLock { $0.redo { RemoteFetch.Run($0.request, work, by: fetch) } }
    if case .here(let run)? = step { return await run.outcome.step }
    return await carryOut(.redo(token: UUID().uuidString), work)
  }

  public func resume(_ work: StepWork) async -> Step? {
    var result: Step?
    // What an earlier session could not deliver comes first.
    for call in await undelivered {
      for kept in await deliver(call) ?? [] {
        guard let step = await write(kept, work) else { continue }
        result = Step(title: step.title, parts: (result?.parts ?? []) + step.parts, fault: step.fault ?? result?.fault)
      }
    }
    return await carryOut(.resume, work) ?? result
  }

  public func forecast(_ change: FileChange, of files: [FilePath]) async -> FileForecast {
    if let refusal = refusal(of: .files(change)) { return .refused(refusal) }
    guard case .copy(let folder, _) = change, !folder.isRemote else {
      return await forecast(.forecastFiles(change.there, files.map(\.there)))
    }
    var forecast = await fetch.steps.forecast(change, of: files)
    if case .files(let found)? = try? await connection.call(.describe(files.map(\.there))) {
      forecast.size = found.size
    }
    return forecast
  }

  public func forecast(_ exports: [PhotoExport]) async -> FileForecast {
    if let refusal = exports.first.flatMap({ refusal(of: .export($0)) }) { return .refused(refusal) }
    return await forecast(.forecastExports(exports.map(\.there)))
  }

  public func forecast(_ renames: [FileRename]) async -> RenameForecast {
    let requests = renames.enumerated().map { place, rename in
      RemoteRename(place: place, files: rename.files.map(\.there), stem: rename.stem)
    }
    guard case .renameForecast(let answer, let obstacles)? = try? await connection.call(.forecastRenames(requests))
    else { return RenameForecast() }
    var forecast = RenameForecast()
    forecast.obstacles = obstacles
    forecast.renames = answer.filter { renames.indices.contains($0.place) }.map { rename in
      FileRename(
        renames[rename.place].photo, at: rename.files.map { FilePath($0, on: machine) }, to: rename.stem)
    }
    return forecast
  }

  private func forecast(_ request: RemoteRequest) async -> FileForecast {
    guard case .fileForecast(let forecast)? = try? await connection.call(request) else { return FileForecast() }
    return forecast
  }

  /// Has the other machine carry out a request, which is made again for each attempt.
  private func carryOut(_ request: @autoclosure () -> RemoteRequest, _ work: StepWork) async -> Step? {
    let answer = try? await connection.call(request()) { progress in
      work.update { $0 = progress }
      return work.isStopped
    }
    guard case .step(let step)? = answer else { return nil }
    return step.map { step in
      var here = step
      here.parts = step.parts.map { part in
        Step.Part(
          part.photo.file.map { .file(FilePath($0, on: machine)) } ?? part.photo, part.outcome, part.effect,
          shortfall: part.shortfall)
      }
      return here
    }
  }

  private var lost: String { RemoteFault.invalidMessage(machine: machine).message }

  private var notSent: StepFault {
    StepFault(
      title: localized("Not sent yet"),
      message: localized("\(machine.printable) can't be reached. It is sent there when you open the folder again."))
  }
}

/// A service that appraises the images on another machine.
public struct RemoteAppraisals: AppraisalServiceProtocol {
  private let connection: RemoteConnection

  /// Creates the service of a connection that is open.
  public init(_ connection: RemoteConnection) { self.connection = connection }

  public func appraisals(of files: [FilePath], _ detail: ImageAppraisal.Detail) async -> [ImageAppraisal?] {
    guard case .appraisals(let answer)? = try? await connection.call(.appraise(files.map(\.there), detail)),
      answer.count == files.count
    else { return files.map { _ in nil } }
    return answer
  }

  public func contents(of files: [FilePath]) async -> [FileContent?] {
    guard case .contents(let answer)? = try? await connection.call(.contents(files.map(\.there))),
      answer.count == files.count
    else { return files.map { _ in nil } }
    return answer
  }
}

extension FileForecast {
  fileprivate static func refused(_ reason: String) -> FileForecast {
    var forecast = FileForecast()
    forecast.refusal = reason
    return forecast
  }
}

// Requests with the paths of the other machine.

extension FilePath {
  /// The path on the machine that has the file.
  fileprivate var there: FilePath { remote?.path ?? self }
}

extension FileChange {
  fileprivate var there: FileChange {
    switch self {
    case .trash, .rename: self
    case .move(let folder, let isSkipping): .move(to: folder.there, isSkipping: isSkipping)
    case .copy(let folder, let isSkipping): .copy(to: folder.there, isSkipping: isSkipping)
    case .importing(let stems): .importing(as: stems.map(\.there))
    }
  }
}

extension PhotoExport {
  fileprivate var there: PhotoExport {
    PhotoExport(of: file.there, shown: shown, as: specification, to: target.there)
  }
}

extension StepRequest {
  fileprivate var there: StepRequest {
    mapped(
      change: { change in
        switch change {
        case .decision: change
        case .files(let files): .files(files.there)
        case .export(let export): .export(export.there)
        case .sheet(let sheet): .sheet(sheet.mapped(\.there))
        case .collection: change
        }
      }, path: \.there)
  }
}
