import Gallery
import Photos
import Services
import WorkerPool

/// The user's decisions about photos: stars, rejection, labels, keywords, captions and rotations.
///
/// A change shows at once. Until the source has read it from the photo's sidecar, ``decisions(about:_:)`` returns it in
/// place of what the source knows.
@MainActor
public final class PhotoDeciding {
  /// Called when decisions have changed that rows show.
  var onChange: () -> Void = {}
  /// Called with the new stars of photos.
  var onStars: ([ImageLocation: Int?]) -> Void = { _ in }
  /// Called with the reason why decisions could not be kept.
  var onAlert: (Alert) -> Void = { _ in }
  /// Counts the keywords of the source's photos, and calls the closure with them, the most used first.
  public internal(set) var countKeywords: (_ onCount: @escaping ([String]) -> Void) -> Void = { _ in }
  /// Called with what was done.
  var onNote: (String) -> Void = { _ in }
  /// Called with the photos of a step that was undone or made again, in their order, and with whether the next photo follows as it
  /// does when the user rates one.
  var onReturn: (_ photos: [ImageLocation], _ movesOn: Bool) -> Void = { _, _ in }

  /// Whether the highlight moves on after a photo was rated.
  public var advances = true
  /// The codes whose texts replace them in what the user types.
  public var codes = CodeList()
  /// The decisions that the source of the photos can keep.
  public internal(set) var possible = Set(Decision.allCases)
  /// Whether the files of the photos can be moved, as into the trash.
  public internal(set) var movesFiles = true

  private let service: any StepServiceProtocol
  private let shownFiles: ShownFiles
  /// The changes that the source may not have read yet. Those of videos are left out: the source never reads their sidecars.
  private var changed: [ImageLocation: DecisionEdits] = [:]
  /// The number of changes of each photo that are on their way.
  private var pending: [ImageLocation: Int] = [:]
  /// The photos on servers whose last decision waits.
  private var unsent: Set<ImageLocation> = []
  private let reports = StepReports()
  /// The calls of the service that write. Each waits for the one before, so that changes keep the order of the keys.
  public let jobs: StepJobs
  /// The changes that are kept next, or nil if there are none.
  private var batch: Batch?
  /// The last changes that were kept or that will be.
  private var keeping: Task<[Step], Never>?
  /// The last call that undoes or redoes.
  private var turning: Task<Void, Never>?
  private let clock: any Clock<Duration>
  /// The number of changes that show and are not kept yet.
  private var unkeptCount = 0
  /// The number of batches that are not kept although their first changes have shown for ``patience``.
  private var lateBatchCount = 0

  /// The time for which a change may show as done before it is kept.
  private static let patience = Duration.milliseconds(500)

  /// Changes that are kept together, which takes as long as keeping one of them. While a batch is on its way, the next one
  /// collects.
  @MainActor
  private final class Batch {
    var requests: [StepRequest]

    init(_ request: StepRequest) { requests = [request] }
  }

  /// - Parameter shownFiles: The files that rows show instead of the first ones, which name their shots.
  init(
    service: any StepServiceProtocol, shownFiles: ShownFiles = ShownFiles(),
    clock: any Clock<Duration> = WorkerPoolClock()
  ) {
    self.service = service
    self.shownFiles = shownFiles
    self.clock = clock
    jobs = StepJobs(clock: clock)
    jobs.onChange = { [weak self] in self?.onChange() }
    reports.onAlert = { [weak self] in self?.onAlert($0) }
    reports.onNote = { [weak self] in self?.onNote($0) }
  }

  /// Returns the decisions about a photo.
  ///
  /// - Parameter metadata: What the source has read.
  func decisions(about image: ImageLocation, _ metadata: PhotoMetadata?) -> PhotoDecisions {
    let known = PhotoDecisions(metadata)
    guard let change = changed[image] else { return known }
    let decisions = known.applying(change)
    if decisions == known, pending[image] == nil { changed[image] = nil }
    return decisions
  }

  /// Returns the decisions about a shot: for each part of them, those about the first file that has any.
  func decisions(about files: [Photo]) -> PhotoDecisions {
    var known = decisions(about: files[0].image, files[0].metadata)
    for file in files.dropFirst() { known.fill(from: decisions(about: file.image, file.metadata)) }
    return known
  }

  /// A step that was requested, and turns out to be in the journal or to have changed nothing.
  @MainActor
  final class RequestedStep {
    /// Whether the step can be undone; nil until that is known.
    fileprivate(set) var isInJournal: Bool?
  }

  /// Makes a change for all files of shots. Shots with a file that has not been read are left out of a change that depends
  /// on what the files contain.
  ///
  /// - Parameter remark: The end of the note about it; nil for none.
  /// - Returns: The step.
  @discardableResult
  func make(_ change: StepRequest.Change, forShots shots: [[Photo]], remark: String? = nil) -> RequestedStep {
    let change: StepRequest.Change =
      if case .decision(let decision) = change { .decision(decision.expanding(codes)) } else { change }
    let requested = RequestedStep()
    let all = shots.filter { $0.contains(where: change.isPossible) }
    let shots = change.dependsOnFile ? all.filter { $0.allSatisfy { $0.metadata != nil } } : all
    guard let first = shots.first.map(shownFile) else {
      if !all.isEmpty {
        onNote(localized("Not read yet: \(all.count == 1 ? shownFile(of: all[0]).displayName : all.count.photosText)"))
      }
      requested.isInJournal = false
      return requested
    }
    let files = shots.map(change.files)
    let photos = Array(files.joined())
    // The journal counts shots, as the list does.
    let subject =
      photos.count == shots.count
      ? nil : shots.count == 1 ? first.file?.printableName ?? first.name : shots.count.photosText
    let request = StepRequest(change, forShots: files, called: subject) {
      decisions(about: $0.image, $0.metadata)
    }
    if case .decision(let change) = change { for photo in photos { show(change, of: photo) } }
    let note = change.title(for: shots.count == 1 ? first.displayName : shots.count.photosText)
    let left = (all.count - shots.count).photosText
    let whole = shots.count == all.count ? note : localized("\(note) · not read yet: \(left)")
    onNote([whole, remark ?? change.remark].compactMap(\.self).joined(separator: " · "))
    carryOut(request, of: photos) { [weak self] step in
      requested.isInJournal = step?.isInJournal ?? false
      if case .files = change { self?.noteEnd(of: step) }
    }
    return requested
  }

  /// Makes the changes that a plan has for photos.
  func make(_ plan: any EditPlan) {
    guard !plan.changes.isEmpty else { return }
    let request = plan.request { decisions(about: $0.image, $0.metadata) }
    for (photo, edits) in plan.changes { show(.planned(edits, by: plan.origin), of: photo) }
    onNote(request.title)
    carryOut(request, of: plan.changes.map(\.photo))
  }

  /// Keeps and writes a request whose changes show already.
  private func carryOut(_ request: StepRequest, of photos: [Photo], then: @escaping (Step?) -> Void = { _ in }) {
    onChange()
    let (steps, place) = keep(request)
    work(request.title, photos.map(\.image)) {
      await $0.write(await steps.value[place], $1)
    } then: { [weak self] step in
      then(step)
      guard let self else { return }
      // What could not be kept counts no longer.
      let succeeded = step?.succeeded ?? []
      for photo in photos {
        if succeeded.contains(photo.image) { continue }
        onStars([photo.image: decisions(about: photo.image, photo.metadata).rating])
      }
    }
  }

  /// Carries out a request whose effect shows when the source reports it.
  func make(_ request: StepRequest) {
    onNote(request.title)
    let (steps, place) = keep(request)
    work(request.title, []) {
      await $0.write(await steps.value[place], $1)
    } then: { [weak self] in
      self?.noteEnd(of: $0)
    }
  }

  /// Says that files were changed or made, which a decision shows by itself.
  private func noteEnd(of step: Step?) {
    if let step, !step.succeeded.isEmpty { onNote(step.note(localized("Done"))) }
  }

  /// Returns the file of a shot that its row shows.
  private func shownFile(of shot: [Photo]) -> Photo {
    let shown = shownFiles[shot[0].id]
    return shot.first { $0.id == shown } ?? shot[0]
  }

  private func show(_ change: DecisionChange, of photo: Photo) {
    // It takes longer than the rest, and a plan can be about all photos of a source.
    var known: PhotoDecisions { decisions(about: photo.image, photo.metadata) }
    var edits = changed[photo.image] ?? DecisionEdits()
    switch change {
    case .set(let decision, let value): edits[decision] = DecisionEdit(value)
    case .keywords(let added, let removed):
      let keywords = DecisionChange.keywords(known.keywords ?? [], adding: added, removing: removed)
      edits[.keywords] = keywords.isEmpty ? .remove : .set(.list(keywords))
    case .rotation(let quarters):
      let own = photo.metadata?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .upright
      edits[.orientation] = .set(.number((known.orientation ?? own).rotated(quarters: quarters).rawValue))
    case .planned(let values, _):
      let shown = values.shown
      for decision in values.changed { edits[decision] = shown[decision] }
    }
    changed[photo.image] = edits
    if case .set(.rating, let value) = change { onStars([photo.image: value?.number]) }
  }

  /// Whether there are changes that the source may not have read yet.
  var hasChanges: Bool { !changed.isEmpty }

  /// The stars of photos that the source may not have read yet.
  var newStars: [ImageLocation: Int?] { changed.compactMapValues { $0[.rating].value.map { $0?.number } } }

  /// Returns the stars of a photo that the source may not have read yet; nil if it has read them.
  func newStars(of photo: ImageLocation) -> Int?? { changed[photo].flatMap { $0[.rating].value.map { $0?.number } } }

  /// Returns the title of a photo that the source may not have read yet; nil if it has.
  func newTitle(of photo: ImageLocation) -> String? { (changed[photo]?[.title].value ?? nil)?.text }

  /// The decisions that the source may not have read yet.
  var unread: [ImageLocation: DecisionEdits] { changed }

  /// The decisions about photos on servers, which are not asked again after each.
  var changedOnServers: [ImageLocation: DecisionEdits] { changed.filter { $0.key.file == nil } }

  /// The keywords of photos that the source may not have read yet.
  var newKeywords: Set<String> { changed.values.reduce(into: []) { $0.formUnion($1[.keywords].value??.list ?? []) } }

  /// Undoes the last step in the open folder, which may be one of an earlier session.
  public func undo() { undo(nil) }

  /// Undoes the last step in the open folder. If it was requested and has changed nothing, there is nothing to undo.
  func undo(_ requested: RequestedStep?) {
    stopLongJob()
    undoOrRedo(
      localized("Undo"), localized("Undone"), orElse: localized("There is nothing to undo."), requested
    ) { await $0.undo($1) }
  }

  /// Stops the last step if it takes long, since the user does not want to wait for what is undone then.
  private func stopLongJob() {
    if jobs.all.count == 1 { jobs.shown?.stop() }
  }

  /// Undoes all steps of the latest session that has some.
  public func undoSession() {
    stopLongJob()
    undoOrRedo(localized("Undo"), localized("Undone"), orElse: localized("There is nothing to undo.")) {
      await $0.undoSession($1)
    }
  }

  /// Makes the step again that was undone last.
  public func redo() { redo(nil) }

  /// Makes the step again that was undone last. If it was requested and has changed nothing, there is nothing to redo.
  func redo(_ requested: RequestedStep?) {
    undoOrRedo(
      localized("Redo"), localized("Redone"), orElse: localized("There is nothing to redo."), requested, isRedo: true
    ) { await $0.redo($1) }
  }

  /// Tries again to keep what could not be kept before, also in earlier sessions.
  public func resume() { work(localized("Steps that were interrupted"), []) { await $0.resume($1) } }

  /// Switches on or off that the highlight moves on after a photo was rated.
  public func toggleAdvance() {
    advances.toggle()
    onNote(
      advances ? localized("The next photo follows after a rating.") : localized("The photo stays after a rating."))
  }

  /// Returns the order in which photos can be renamed, or why they can't.
  func forecast(_ renames: [FileRename]) async -> RenameForecast { await service.forecast(renames) }

  /// Returns what a change of the files of shots would meet on the disk.
  func forecast(_ change: FileChange, ofShots shots: [[Photo]]) async -> FileForecast {
    var forecast = await service.forecast(change, of: shots.joined().compactMap(\.file))
    // What is on a server has the size that the server says.
    for photo in shots.joined() where photo.file == nil { forecast.size += Int64(photo.metadata?.fileSize ?? 0) }
    return forecast
  }

  /// Returns what exports would meet on the disk.
  func forecast(_ exports: [PhotoExport]) async -> FileForecast { await service.forecast(exports) }

  /// Waits until all changes are kept and written.
  public func settle() async { await jobs.last?.value }

  /// Waits until all changes are kept, so that the next session writes those that are not written, and until the last step is undone.
  public func settleKept() async {
    _ = await keeping?.value
    await turning?.value
  }

  /// The number of changes that show although they are not kept yet; 0 as long as each is kept within half a second.
  public var unsavedCount: Int { lateBatchCount > 0 ? unkeptCount : 0 }

  /// Keeps a change together with those that are requested until the earlier ones are kept.
  ///
  /// - Returns: The steps that will have been kept, and the place of the change among them.
  private func keep(_ request: StepRequest) -> (steps: Task<[Step], Never>, place: Int) {
    unkeptCount += 1
    if let batch, let keeping {
      batch.requests.append(request)
      return (keeping, batch.requests.count - 1)
    }
    let batch = Batch(request)
    let watching = Task.onMainActor { [weak self, clock] in
      guard (try? await clock.sleep(for: Self.patience)) != nil, let self else { return false }
      lateBatchCount += 1
      onChange()
      return true
    }
    let steps = Task.onMainActor { [weak self, service, before = keeping] in
      _ = await before?.value
      if self?.batch === batch { self?.batch = nil }
      let steps = await service.keep(batch.requests)
      watching.cancel()
      let wasLate = await watching.value
      self?.didKeep(batch.requests.count, wasLate: wasLate)
      return steps
    }
    self.batch = batch
    keeping = steps
    return (steps, 0)
  }

  private func didKeep(_ count: Int, wasLate: Bool) {
    unkeptCount -= count
    guard wasLate else { return }
    lateBatchCount -= 1
    onChange()
  }

  private func undoOrRedo(
    _ title: String, _ verb: String, orElse nothing: String, _ requested: RequestedStep? = nil,
    isRedo: Bool = false, _ call: @escaping @Sendable (any StepServiceProtocol, StepWork) async -> Step?
  ) {
    turning = work(title, [], of: requested, call) { [weak self] step in
      // If nothing was changed, another message says why.
      guard let self, step?.succeeded.isEmpty != true else { return }
      onNote(step.map { $0.note(verb) } ?? nothing)
      // A step that was requested here is about what is shown.
      guard let step, requested == nil else { return }
      onReturn(step.parts.map(\.photo), isRedo && step.isRating && advances)
    }
    batch = nil
  }

  /// - Parameters:
  ///   - title: The step in words.
  ///   - photos: The photos whose changes show already.
  ///   - requested: The step that the call is about. If it has changed nothing, the call is left out.
  @discardableResult
  private func work(
    _ title: String, _ photos: [ImageLocation], of requested: RequestedStep? = nil,
    _ call: @escaping @Sendable (any StepServiceProtocol, StepWork) async -> Step?,
    then: @escaping (Step?) -> Void = { _ in }
  ) -> Task<Void, Never> {
    for photo in photos { pending[photo, default: 0] += 1 }
    return jobs.add(title) { [weak self, service] job in
      if requested?.isInJournal == false { return }
      let step = await call(service, job.work)
      self?.finish(step, photos)
      then(step)
      if job.isStopped { self?.noteStop(of: job.work.progress, title) }
    }
  }

  private func noteStop(of progress: StepProgress, _ title: String) {
    onNote(localized("Stopped: \(title) · \(progress.done.grouped) of \(progress.total.grouped) done"))
  }

  /// Takes note of whether a decision about a photo on a server waits.
  private func note(_ part: Step.Part) {
    if part.outcome.isWaiting { unsent.insert(part.photo) } else { unsent.remove(part.photo) }
  }

  /// Takes note that the source has read all photos of a server again. What it says now counts, unless a decision is not sent yet.
  func sourceDidReload() {
    changed = changed.filter { photo, _ in photo.file != nil || pending[photo] != nil || unsent.contains(photo) }
  }

  private func finish(_ step: Step?, _ photos: [ImageLocation]) {
    let succeeded = step?.succeeded ?? []
    for part in step?.parts ?? [] where part.photo.file == nil { note(part) }
    for photo in photos {
      pending[photo] = pending[photo].flatMap { $0 > 1 ? $0 - 1 : nil }
      if pending[photo] == nil, !succeeded.contains(photo) { changed[photo] = nil }
    }
    if photos.isEmpty, let step { showEffects(of: step) }
    onChange()
    if let step { reports.report(step) }
  }

  /// Shows what was undone or made again, which does not show yet. Changes that are on their way are newer.
  private func showEffects(of step: Step) {
    var stars: [ImageLocation: Int?] = [:]
    for part in step.parts where pending[part.photo] == nil {
      let photo = part.photo
      var edits = part.effect.decisions.shown
      if photo.file == nil {
        note(part)
        // A server says only what the step was about. What it did not do shows nothing.
        if part.outcome.isGivenUp || part.outcome == .missing { continue }
        var all = changed[photo] ?? DecisionEdits()
        for decision in edits.changed { all[decision] = edits[decision] }
        edits = all
      }
      let isRated = [edits[.rating], changed[photo]?[.rating] ?? .keep].contains { $0 != .keep }
      if isRated { stars.updateValue(edits[.rating].value??.number, forKey: photo) }
      changed[photo] = edits
    }
    onStars(stars)
  }
}
