import Foundation
import Gallery
import ImageWire
import WorkerPool

/// Requests renditions from the image workers, and caches them in memory.
///
/// Each frame requests the renditions that it shows. Requests that the next frame does not repeat are dropped, so scrolling
/// needs no explicit cancellation.
@MainActor
public final class ImageLoader {
  /// Called when a rendition has come that the last frame requested.
  public var onRendition: () -> Void = {}
  /// Called with the ids of renditions that will not be shown again.
  public var onForget: ([UInt32]) -> Void = { _ in }

  /// A rendition to be made.
  private struct Task: Hashable {
    var subject: Subject
    var stage: RenditionStage
    var rung = Rung.exact
    var isAhead: Bool

    /// The rank of the task; lower ranks come first. Previews of visible images come before the images themselves, then the
    /// same for images that may become visible.
    var rank: Int { (isAhead ? 2 : 0) + (stage == .preview ? 0 : 1) }
  }

  /// The bytes that renditions may take on a slow line to the terminal, or nil if any number may do. They are read when a
  /// rendition is requested.
  public var budgets: RenditionBudgets?
  /// Returns whether the terminal stores an image, or will soon have been sent all of it.
  public var isStored: (UInt32) -> Bool = { _ in false }

  private let workers: [ImageWorker]
  private let web: WebImages?
  private var memory: RenditionMemory<Subject, RenditionLadder>
  /// The images that had no preview when one was last requested.
  private var withoutPreview: Set<ImageLocation> = []
  private var wanted: [Task] = []
  /// The subjects that the last frame requested, with whether each was requested only ahead.
  private var asked: [Subject: Bool] = [:]
  /// The rungs of the subjects that the last frame showed on a slow line, and those of the frame before.
  private var shown: [Subject: Rung] = [:]
  private var shownBefore: [Subject: Rung] = [:]
  /// The renditions that are shown until the terminal has received the ones that replace them.
  private var predecessors: [Subject: (id: UInt32, image: GraphicImage)] = [:]
  private var inFlight: [UInt32: Task] = [:]
  /// The index of the worker that has last rendered a part of an image, and so has decoded its surroundings.
  private(set) var partWorkers: [ImageLocation: Int] = [:]
  /// The time that a worker may spend on another image before the parts that wait for it go to other workers. Rendering a
  /// part from its surroundings takes a few milliseconds, and decoding these elsewhere about 100.
  var partPatience = Duration.milliseconds(50)
  /// Whether ``startWorkers()`` will be called after ``partPatience``.
  private var isRetryScheduled = false
  private var lastNumber: UInt32

  /// The number of images after which ``withoutPreview`` is cleared. It is more than a screen shows.
  private static let mostWithoutPreview = 1000
  /// The number of images after which ``partWorkers`` is cleared. A worker keeps the surroundings of fewer.
  private static let mostPartImages = 16
  /// The most workers that render parts, so that few processes keep surroundings. A comparison has as many panes.
  private static let mostPartWorkers = 4
  /// The most megapixels of surroundings that all workers keep, which take 96 MB.
  private static let mostRegionMegapixels = 24
  private static let numbers: ClosedRange<UInt32> = 256...0xBF_FFFF

  /// Creates a loader, and starts its first worker.
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable.
  ///   - workerCount: The most workers that run at once.
  ///   - budget: The memory for renditions, in bytes.
  ///   - web: The cache through which images from the web are fetched; nil if they are not shown.
  ///   - patience: The time after which a worker that does not answer is killed; nil is a little more than a worker allows
  ///     itself.
  public init(
    workerPath: String, workerCount: Int, budget: Int = 64 << 20, web: WebImageCache? = nil,
    patience: DispatchTimeInterval? = nil
  ) {
    self.web = web.map { WebImages(cache: $0) }
    let regionMegapixels = Self.mostRegionMegapixels / min(max(3, workerCount), Self.mostPartWorkers)
    workers = (0..<max(1, workerCount)).map { _ in
      ImageWorker(
        path: workerPath, patience: patience ?? ImageWorker.usualPatience,
        arguments: ["--regions", "\(regionMegapixels)"])
    }
    memory = RenditionMemory(budget: budget)
    // A random start, since other programs on the same terminal number their images, too.
    lastNumber = UInt32.random(in: Self.numbers)
    for worker in workers { worker.onAnswer = { [weak self] in self?.receive($0) } }
    self.web?.onChange = { [weak self] in self?.receiveFile(from: $0) }
    // The first worker starts now, so that its libraries are loaded when the first photo is known. The others would only
    // slow the first frame, so they start when there is work.
    workers[0].startEarly()
  }

  /// Begins a frame. From now on only the renditions that it requests are wanted.
  public func beginFrame() {
    wanted = []
    asked = [:]
    (shown, shownBefore) = ([:], shown)
  }

  /// Returns the current rendition of a subject, and requests a better one if it is missing or only a preview.
  ///
  /// Renditions are made in the order in which a frame requests them. Those that are not visible yet (`isAhead`) come after
  /// all visible ones.
  /// - Parameter skipsPreview: Whether the image itself is wanted first.
  public func rendition(
    of subject: Subject, isAhead: Bool = false, skipsPreview: Bool = false
  ) -> (Rendition, ImageInfo) {
    asked[subject] = isAhead && asked[subject] ?? true
    if let budgets { return rendition(of: subject, isAhead: isAhead, skipsPreview: skipsPreview, budgets) }
    let known = memory[subject]?.best
    if let known, known.info.isSharp { return (known.rendition, known.info) }
    let isPreviewDone = known != nil || skipsPreview || subject.frame > 0 || withoutPreview.contains(subject.image)
    // If the user moves on faster than images come, a preview of each is better than the whole image of a few.
    let isInTime = isAhead && !wanted.contains { !$0.isAhead && $0.subject.hasSameExtent(as: subject) }
    let stage = isPreviewDone ? RenditionStage.full : isInTime ? .ahead : .preview
    wanted.append(Task(subject: subject, stage: stage, isAhead: isAhead))
    return known.map { ($0.rendition, $0.info) } ?? missing(subject)
  }

  private func missing(_ subject: Subject) -> (Rendition, ImageInfo) {
    (failureToFetch(subject.image) ?? .loading, ImageInfo())
  }

  /// Returns the current rendition of a subject on a slow line, and requests a better one.
  ///
  /// A visible subject begins with the rendition that is at the terminal first. It gets the next better one when the line is
  /// idle, so that is sent only while the user stays on the photo.
  private func rendition(
    of subject: Subject, isAhead: Bool, skipsPreview: Bool, _ budgets: RenditionBudgets
  ) -> (Rendition, ImageInfo) {
    guard let ladder = memory[subject] else {
      // An enlarged part of a thumbnail shows nothing.
      let isPreviewMissing =
        skipsPreview || subject.isPart || subject.frame > 0 || withoutPreview.contains(subject.image)
      let stage = isPreviewMissing ? RenditionStage.full : .preview
      wanted.append(Task(subject: subject, stage: stage, rung: .preview, isAhead: isAhead))
      return missing(subject)
    }
    if isAhead {
      requestAhead(subject, after: ladder.best, budgets)
      // If the user comes to it while the fine one is on its way, the readable one is there.
      let step = ladder.steps.first { $0.rung >= .readable && !$0.isStored(isStored) } ?? ladder.best
      return (step.rendition, step.info)
    }
    func bytes(_ rung: Rung) -> Int { budgets.bytes(rung, cells: subject.columns * subject.rows).exact }
    var rung = shownBefore[subject] ?? ladder.start(bytes: bytes(.preview), isStored: isStored)
    if shownBefore[subject] != nil {
      switch ladder.next(after: rung, bytes: bytes, isStored: isStored) {
      case .cached(let next) where next > .readable && !areOthersReadable(subject): break
      case .request(let next) where next > .readable && !areOthersReadable(subject): break
      case .cached(let next) where budgets.isLineIdle || next >= .fine && ladder.step(rung).isStored(isStored):
        rung = next
      // A fine rendition takes long to encode, and that can go on while the readable one is on its way.
      case .request(let next) where budgets.isLineIdle || next >= .fine:
        wanted.append(Task(subject: subject, stage: .full, rung: next, isAhead: false))
      case .cached, .request, nil: break
      }
    }
    shown[subject] = rung
    let step = ladder.step(rung)
    return (step.rendition, step.info)
  }

  /// Returns whether all images beside a part are readable, so that a finer one of it doesn't hold them up.
  private func areOthersReadable(_ subject: Subject) -> Bool {
    guard subject.isPart else { return true }
    return shownBefore.allSatisfy { other, rung in
      other == subject || rung >= .readable || memory[other]?.step(rung).isFinal ?? true
    }
  }

  /// Requests a readable and then a fine rendition of a subject that is not visible yet, for a terminal that stores them.
  private func requestAhead(_ subject: Subject, after known: RenditionLadder.Step, _ budgets: RenditionBudgets) {
    guard budgets.isLineIdle, known.rung < .fine, !known.isFinal, case .kitty = subject.look.format,
      !wanted.contains(where: { !$0.isAhead }), !inFlight.values.contains(where: { !$0.isAhead })
    else { return }
    wanted.append(Task(subject: subject, stage: .full, rung: known.rung < .readable ? .readable : .fine, isAhead: true))
  }

  /// Returns the finest rendition of a subject that the terminal has already, for the time until it has that of another
  /// subject; nil if there is none, or if the line is not slow. Nothing better is requested or sent.
  public func standing(_ subject: Subject, isThere: (UInt32) -> Bool) -> (id: UInt32, image: GraphicImage)? {
    guard budgets != nil, let ladder = memory[subject],
      let step = ladder.steps.last(where: { $0.rendition.graphic.map { isThere($0.id) } ?? false })
    else { return nil }
    asked[subject] = false
    shown[subject] = step.rung
    return step.rendition.graphic
  }

  /// Returns the largest rendition of a subject's whole image that is smaller than the subject, or nil if there is none.
  public func smaller(than subject: Subject) -> Rendition? {
    guard subject.view == .whole, subject.frame == 0 else { return nil }
    return memory.all.filter { other, _ in
      other.image == subject.image && other.view == .whole && other.rotation == subject.rotation && other.frame == 0
        && other.look == subject.look && other.columns <= subject.columns && other.rows <= subject.rows
    }.max { $0.0.columns * $0.0.rows < $1.0.columns * $1.0.rows }?.1.best.rendition
  }

  /// Returns the rendition of a subject that is shown, or nil if there is none.
  public func known(_ subject: Subject) -> Rendition? { step(of: subject)?.rendition }

  private func step(of subject: Subject) -> RenditionLadder.Step? { memory[subject]?.step(shown[subject] ?? .exact) }

  /// Whether a better rendition of the subject is on its way or will be requested.
  public func isImproving(_ subject: Subject) -> Bool {
    budgets != nil && step(of: subject).map { !$0.isFinal } ?? false
  }

  /// Returns the renditions of which one is shown until the terminal has received the subject's own, best first.
  public func predecessors(of subject: Subject) -> [(id: UInt32, image: GraphicImage)] {
    guard budgets != nil, let ladder = memory[subject], let rung = shown[subject] else {
      return [predecessors[subject]].compactMap(\.self)
    }
    let graphics = ladder.steps.filter { $0.rung < rung }.compactMap(\.rendition.graphic)
    let stored = graphics.filter { isStored($0.id) }
    return stored.isEmpty ? Array(graphics.prefix(1)) : stored.reversed()
  }

  /// Returns the rendition in characters that is shown until the terminal has received the subject's own.
  public func predecessorInCells(of subject: Subject) -> CellImage? { memory[subject]?.cells }

  /// Releases a subject's predecessor, as the terminal can now show the subject's own rendition.
  public func forgetPredecessor(of subject: Subject) {
    guard let old = predecessors.removeValue(forKey: subject) else { return }
    discard([old])
    onForget([old.id])
  }

  /// Ends a frame, and gives the workers what is missing.
  public func endFrame() {
    for subject in predecessors.keys where asked[subject] != false { forgetPredecessor(of: subject) }
    // A better rendition is requested in the next frame, and perhaps nothing else leads to one: the terminal is not asked
    // whether a few bytes have arrived.
    if shown.contains(where: { shownBefore[$0.key] != $0.value && isImproving($0.key) }) { onRendition() }
    startWorkers()
    web?.want(wanted.compactMap { if case .web(let address) = $0.subject.image { address } else { nil } })
  }

  private func startWorkers() {
    wanted.sort { $0.rank < $1.rank }
    var index = 0
    while index < wanted.count, workers.contains(where: \.isIdle) {
      guard isStartable(wanted[index]), let worker = idleWorker(for: wanted[index]) else {
        index += 1
        continue
      }
      send(wanted.remove(at: index), to: worker)
    }
  }

  /// Returns an idle worker for a task: for a part of an image, the one that has decoded what is around it.
  private func idleWorker(for task: Task) -> ImageWorker? {
    guard task.subject.isPart, task.stage != .preview else { return workers.first(where: \.isIdle) }
    if let known = partWorkers[task.subject.image].map({ workers[$0] }) {
      if known.isIdle { return known }
      if isWorthWaiting(for: known, task) { return nil }
    }
    // The panes of a comparison are shared among the workers.
    let idle = workers.indices.prefix(Self.mostPartWorkers).filter { workers[$0].isIdle }
    let worker = idle.min { partWorkers.values.count(of: $0) < partWorkers.values.count(of: $1) }
    guard let worker else { return nil }
    if partWorkers.count >= Self.mostPartImages { partWorkers = [:] }
    partWorkers[task.subject.image] = worker
    return workers[worker]
  }

  /// Returns whether a part should wait for the busy worker that has its surroundings, or will soon have them.
  private func isWorthWaiting(for worker: ImageWorker, _ task: Task) -> Bool {
    guard worker.underWay?.path != path(of: task.subject.image) else { return true }
    let rest = worker.lastStart + partPatience - .now
    guard rest > .zero else { return false }
    // Without an answer or a frame, nothing else would start the workers.
    guard !isRetryScheduled else { return true }
    isRetryScheduled = true
    DispatchQueue.main.asyncAfter(deadline: .now() + rest / .seconds(1)) { [weak self] in
      MainActor.assumeIsolated {
        self?.isRetryScheduled = false
        self?.startWorkers()
      }
    }
    return true
  }

  /// Retries all images that could not be shown, those from the web included.
  public func retry() {
    let undecodable = memory.all.compactMap { subject, entry -> String? in
      if case .web(let address) = subject.image, case .failed = entry.best.rendition { address } else { nil }
    }
    web?.retry(undecodable: Set(undecodable))
    revalidate()
  }

  /// Forgets which images could not be shown at once, and the renditions of changed files as soon as these are known.
  public func revalidate() {
    _ = memory.removeAll { if case .failed = $1.best.rendition { true } else { false } }
    var times: [FilePath: Set<Int>] = [:]
    for (subject, entry) in memory.all {
      if case .file(let path) = subject.image { times[path, default: []].insert(entry.best.info.modifiedAt) }
    }
    guard !times.isEmpty else { return }
    _Concurrency.Task.onMainActor { [weak self] in
      let changed = await Self.changed(times)
      self?.forget(changed)
    }
  }

  /// Returns the files whose modification times differ from the given ones, with their new times.
  @concurrent
  private static func changed(_ times: [FilePath: Set<Int>]) async -> [FilePath: Int] {
    var changed: [FilePath: Int] = [:]
    for (path, times) in times {
      var status = stat()
      guard path.withCString({ stat($0, &status) }) == 0 else { continue }
      let now = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
      if times != [now] { changed[path] = now }
    }
    return changed
  }

  private func forget(_ changed: [FilePath: Int]) {
    func timeIfChanged(_ image: ImageLocation) -> Int? {
      if case .file(let path) = image { changed[path] } else { nil }
    }
    withoutPreview = withoutPreview.filter { timeIfChanged($0) == nil }
    let gone = memory.removeAll { subject, entry in
      timeIfChanged(subject.image).map { $0 != entry.best.info.modifiedAt } ?? false
    }
    guard !gone.isEmpty else { return }
    let graphics = gone.flatMap(\.graphics)
    discard(graphics)
    onForget(graphics.map(\.id))
    onRendition()
  }

  /// Forgets all renditions, as when the terminal has lost its images.
  public func forgetAll() {
    discard(memory.removeAll().flatMap(\.graphics))
    discard(Array(predecessors.values))
    predecessors = [:]
    withoutPreview = []
  }

  /// Returns whether a worker may start a task now. Whole images keep a worker busy for a long time, so one worker is kept
  /// free for previews.
  private func isStartable(_ task: Task) -> Bool {
    guard path(of: task.subject.image) != nil else { return false }
    let siblings = inFlight.values.filter { $0.subject == task.subject }
    // The preview of an image may be there before the image itself, even if that was requested first.
    if task.stage == .preview { return siblings.allSatisfy { $0.stage != .preview } }
    guard siblings.isEmpty else { return false }
    // A part that is visible has no preview, and several may be side by side.
    if !task.isAhead, task.subject.isPart { return true }
    return inFlight.values.count { $0.stage != .preview } < max(1, workers.count - 1)
  }

  private func send(_ task: Task, to worker: ImageWorker) {
    guard let path = path(of: task.subject.image) else { return }
    lastNumber = lastNumber < Self.numbers.upperBound ? lastNumber + 1 : Self.numbers.lowerBound
    inFlight[lastNumber] = task
    let (subject, look) = (task.subject, task.subject.look)
    let cells = subject.columns * subject.rows
    var (format, budget) = (look.format, budgets?.bytes(task.rung, cells: cells))
    if task.rung == .preview, let bytes = budget {
      let (previewFormat, rest) = look.format.forPreviews(cells: cells, budget: bytes.coarse)
      (format, budget) = (previewFormat, (rest, min(rest, bytes.exact)))
    }
    worker.send(
      RenditionRequest(
        number: lastNumber, path: path, columns: subject.columns, rows: subject.rows, cellWidth: look.cellWidth,
        cellHeight: look.cellHeight, rotation: subject.rotation, view: subject.view, frame: subject.frame,
        overlay: subject.overlay, format: format, background: look.background, palette: look.palette, stage: task.stage,
        budget: budget?.coarse ?? 0, exactBudget: budget?.exact ?? 0,
        throughput: budgets.map { Int(min($0.throughput, Double(Int32.max))) } ?? 0))
  }

  private func receive(_ answer: RenditionAnswer) {
    guard let task = inFlight.removeValue(forKey: answer.number) else { return }
    if task.stage == .preview, let known = memory[task.subject], known.best.info.isSharp {
      // The image itself came before its preview.
      if case .graphic(let late) = answer.content { discard([(answer.number, late)]) }
      return startWorkers()
    }
    let rendition: Rendition? =
      switch answer.content {
      case .cells(let image): .cells(image)
      case .graphic(let image): .graphic(id: answer.number, image)
      // The image itself may still be readable.
      case .failure where task.stage == .preview: nil
      case .failure(let fault): .failed(fault)
      // A worker that says so of the image itself would be asked again for ever.
      case .noPreview, .appraisal: task.stage == .full ? .failed(.invalidAnswer) : nil
      }
    // The request is answered. If the last frame wants more of the image, it is requested below.
    wanted.removeAll { $0.subject == task.subject }
    if let rendition {
      // A rendition of any size may have left a thumbnail, which fills the place of the others.
      if task.stage != .preview { withoutPreview.remove(task.subject.image) }
      keep(RenditionLadder.Step(rendition: rendition, info: answer.info, rung: task.rung), for: task.subject)
    } else {
      withoutPreview.insert(task.subject.image)
      // Like the renditions, they are not kept for ever.
      if withoutPreview.count > Self.mostWithoutPreview { withoutPreview = [task.subject.image] }
    }
    if rendition == nil || !answer.info.isSharp && budgets == nil, let isAhead = asked[task.subject] {
      let rung = budgets == nil ? Rung.exact : .preview
      wanted.append(Task(subject: task.subject, stage: .full, rung: rung, isAhead: isAhead))
    }
    startWorkers()
    // A rendition that was requested ahead is drawn when it becomes visible. On a slow line it is sent ahead.
    if rendition != nil, asked[task.subject] == false || budgets != nil { onRendition() }
  }

  private func keep(_ step: RenditionLadder.Step, for subject: Subject) {
    forgetPredecessor(of: subject)
    var ladder = RenditionLadder(step)
    if let old = memory[subject] {
      if budgets == nil {
        if asked[subject] == false { predecessors[subject] = old.best.rendition.graphic }
      } else if case .failed = step.rendition {
        shown[subject] = nil
      } else {
        ladder = old
        ladder.insert(step)
      }
    }
    let kept = Set(ladder.graphics.map(\.id) + [predecessors[subject]?.id].compactMap(\.self))
    let gone = memory.insert(ladder, for: subject, cost: ladder.cost)
    let unused = gone.flatMap(\.graphics).filter { !kept.contains($0.id) }
    discard(unused)
    let ids = unused.map(\.id)
    if !ids.isEmpty { onForget(ids) }
  }

  /// Deletes the files of renditions that will not be shown again. Most were read, and deleted, by the terminal.
  private func discard(_ graphics: [(id: UInt32, image: GraphicImage)]) {
    let files = graphics.map(\.image.file).filter { !$0.isEmpty }
    guard !files.isEmpty else { return }
    _Concurrency.Task(executorPreference: WorkerPool.shared) { for file in files { unlink(file) } }
  }
}

// Images from the web. Once fetched, they are files.
extension ImageLoader {
  private func path(of image: ImageLocation) -> FilePath? {
    switch image {
    case .file(let path): return path
    case .web(let address):
      guard case .ready(let path)? = web?[address] else { return nil }
      return FilePath(path)
    }
  }

  /// Returns what to show in place of an image whose fetch has failed, or nil.
  private func failureToFetch(_ image: ImageLocation) -> Rendition? {
    guard case .web(let address) = image else { return nil }
    guard let web else { return .failed(.noCache) }
    guard case .failed(let error)? = web[address] else { return nil }
    return .notFetched(error)
  }

  private func receiveFile(from address: String) {
    startWorkers()
    // If the fetch has failed, the reason is shown in place of the image.
    guard failureToFetch(.web(address)) != nil else { return }
    if asked.contains(where: { $0.key.image == .web(address) && !$0.value }) { onRendition() }
  }
}

extension Collection<Int> {
  fileprivate func count(of number: Int) -> Int { count { $0 == number } }
}
