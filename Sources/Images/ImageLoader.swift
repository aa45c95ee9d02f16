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
  struct Task: Hashable {
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
  /// Whether the terminal has not taken all of the last frame. Until it has, nothing is rendered ahead: on few cores, that would
  /// slow the terminal down.
  public var isTerminalBusy = false {
    didSet { if oldValue, !isTerminalBusy { startWorkers() } }
  }
  /// Returns whether the terminal stores an image, or will soon have been sent all of it.
  public var isStored: (UInt32) -> Bool = { _ in false }

  let workers: [ImageWorker]
  let web: WebImages?
  var memory: RenditionMemory<Subject, RenditionLadder>
  /// The images that had no preview when one was last requested.
  var withoutPreview: Set<ImageLocation> = []
  var wanted: [Task] = []
  /// The subjects that the last frame requested, with whether each was requested only ahead.
  var asked: [Subject: Bool] = [:]
  /// The rungs of the subjects that the last frame showed on a slow line, and those of the frame before.
  private var shown: [Subject: Rung] = [:]
  private var shownBefore: [Subject: Rung] = [:]
  /// The renditions that are shown until the terminal has received the ones that replace them.
  private var predecessors: [Subject: (id: UInt32, image: GraphicImage)] = [:]
  /// The subjects whose predecessors may be shown for another subject in this frame.
  private var lenders: Set<Subject> = []
  var inFlight: [UInt32: Task] = [:]
  /// The index of the worker that has last rendered a part of an image, and so has decoded its surroundings.
  var partWorkers: [ImageLocation: Int] = [:]
  /// The time that a worker may spend on another image before the parts that wait for it go to other workers. Rendering a
  /// part from its surroundings takes a few milliseconds, and decoding these elsewhere about 100.
  var partPatience = Duration.milliseconds(50)
  /// Whether ``startWorkers()`` will be called after ``partPatience``.
  var isRetryScheduled = false
  var lastNumber: UInt32

  /// The most workers that render parts, so that few processes keep surroundings. A comparison has as many panes.
  static let mostPartWorkers = 4
  /// The most megapixels of surroundings that all workers keep, which take 96 MB.
  private static let mostRegionMegapixels = 24
  static let numbers: ClosedRange<UInt32> = 256...0xBF_FFFF

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
    lenders = []
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
    // A part that the user moves to is better shown a little later than blurred.
    let isPreviewDone =
      known != nil || skipsPreview || isAhead && subject.isPart || subject.frame > 0
      || withoutPreview.contains(subject.image)
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

  /// Returns all renditions of other parts of a subject's image, or in other sizes, each with its subject. Predecessors are
  /// among them, as the terminal may not have received what replaces them.
  public func others(than subject: Subject) -> [(subject: Subject, rendition: Rendition, info: ImageInfo)] {
    memory.all.filter { other, _ in
      other.image == subject.image && other.rotation == subject.rotation && other.frame == subject.frame
        && other.look == subject.look && other != subject
    }.flatMap { other, ladder in
      let renditions = ladder.steps.map { (other, $0.rendition, $0.info) }
      guard let predecessor = predecessors[other] else { return renditions }
      lenders.insert(other)
      return renditions + [(other, .graphic(id: predecessor.id, predecessor.image), ladder.best.info)]
    }
  }

  /// Returns whether characters take no longer than a preview of a subject on the line to the terminal.
  public func isQuick(_ image: CellImage, for subject: Subject) -> Bool {
    budgets.map { image.byteCount <= $0.bytes(.preview, cells: subject.columns * subject.rows).exact } ?? true
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
    for subject in predecessors.keys where asked[subject] != false && !lenders.contains(subject) {
      forgetPredecessor(of: subject)
    }
    // A better rendition is requested in the next frame, and perhaps nothing else leads to one: the terminal is not asked
    // whether a few bytes have arrived.
    if shown.contains(where: { shownBefore[$0.key] != $0.value && isImproving($0.key) }) { onRendition() }
    startWorkers()
    web?.want(wanted.compactMap { if case .web(let address) = $0.subject.image { address } else { nil } })
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

  func keep(_ step: RenditionLadder.Step, for subject: Subject) {
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
  func discard(_ graphics: [(id: UInt32, image: GraphicImage)]) {
    let files = graphics.map(\.image.file).filter { !$0.isEmpty }
    guard !files.isEmpty else { return }
    _Concurrency.Task(executorPreference: WorkerPool.shared) { for file in files { unlink(file) } }
  }
}
