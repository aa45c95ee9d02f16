import Foundation
import Gallery
import ImageWire
import WorkerPool

/// Gets images rendered, and keeps what was rendered.
///
/// Whoever draws asks for what it wants to show, in every frame; what a frame no longer asks for is not rendered any
/// more. So scrolling cancels by itself.
@MainActor
public final class ImageLoader {
  /// What there is to show of an image at the moment.
  public enum Rendition: Sendable {
    case loading
    case cells(CellImage)
    /// Pixels, by the id under which the terminal knows them.
    case graphic(id: UInt32, GraphicImage)
    /// Why there is none.
    case failed(String)
  }

  /// How images are rendered; the same for all of a screen.
  public struct Look: Hashable, Sendable {
    public var format: OutputFormat
    /// A cell's size in pixels.
    public var cellWidth: Int
    public var cellHeight: Int
    /// 0xRRGGBB.
    public var background: UInt32
    /// As in ``RenditionRequest/palette``.
    public var palette: [UInt32]

    public init(format: OutputFormat, cellWidth: Int, cellHeight: Int, background: UInt32, palette: [UInt32] = []) {
      self.format = format
      self.cellWidth = cellWidth
      self.cellHeight = cellHeight
      self.background = background
      self.palette = palette
    }
  }

  /// An image, and how it is wanted.
  public struct Subject: Hashable, Sendable {
    public var image: ImageLocation
    /// The box in cells.
    public var columns: Int
    public var rows: Int
    public var view: ImageView
    /// Of an animation, counted from 0.
    public var frame: Int
    public var look: Look

    public init(
      _ image: ImageLocation, columns: Int, rows: Int, view: ImageView = .whole, frame: Int = 0, look: Look
    ) {
      self.image = image
      self.columns = columns
      self.rows = rows
      self.view = view
      self.frame = frame
      self.look = look
    }

    fileprivate func hasSameExtent(as other: Subject) -> Bool { (columns, rows) == (other.columns, other.rows) }
  }

  /// Called when a rendition that was asked for has come.
  public var onRendition: () -> Void = {}
  /// Called with the ids of images that will not be shown again.
  public var onForget: ([UInt32]) -> Void = { _ in }

  /// A piece of work, the more pressing the smaller: first something to see, then the image itself, of what is on the
  /// screen; then the same of what may come.
  private struct Task: Hashable {
    var subject: Subject
    var stage: RenditionStage
    var isAhead: Bool

    var urgency: Int { (isAhead ? 2 : 0) + (stage == .preview ? 0 : 1) }
  }

  private struct Entry {
    var rendition: Rendition
    var info: ImageInfo

    var graphic: (id: UInt32, image: GraphicImage)? {
      if case .graphic(let id, let image) = rendition { (id, image) } else { nil }
    }
  }

  private let workers: [ImageWorker]
  private let web: WebImages?
  private var memory: RenditionMemory<Subject, Entry>
  /// Those of which it is known that nothing is to be had at once.
  private var withoutPreview: Set<Subject> = []
  private var wanted: [Task] = []
  /// What the last frame asked for, and whether it did so ahead.
  private var asked: [Subject: Bool] = [:]
  /// What was shown of an image before its rendition came, while the terminal does not have that yet.
  private var predecessors: [Subject: (id: UInt32, image: GraphicImage)] = [:]
  private var inFlight: [UInt32: Task] = [:]
  private var lastNumber: UInt32

  /// More than screens show; who has looked at so many asks once more.
  private static let mostWithoutPreview = 1000
  private static let numbers: ClosedRange<UInt32> = 256...0xFF_FFFF

  /// - Parameters:
  ///   - workerPath: The worker's executable.
  ///   - workerCount: At most this many run at once.
  ///   - budget: In bytes, for the renditions kept in memory.
  ///   - web: Gets images from the web; without it they are not shown.
  ///   - patience: How long a worker may take for one before it is killed; nil is a little more than it allows itself.
  public init(
    workerPath: String, workerCount: Int, budget: Int = 64 << 20, web: WebImageCache? = nil,
    patience: DispatchTimeInterval? = nil
  ) {
    self.web = web.map { WebImages(cache: $0) }
    workers = (0..<max(1, workerCount)).map { _ in
      ImageWorker(path: workerPath, patience: patience ?? ImageWorker.usualPatience)
    }
    memory = RenditionMemory(budget: budget)
    // Somewhere, since other programs of the same terminal number their images as well.
    lastNumber = UInt32.random(in: Self.numbers)
    for worker in workers { worker.onAnswer = { [weak self] in self?.receive($0) } }
    self.web?.onChange = { [weak self] in self?.receiveFile(from: $0) }
    // One now, so that the libraries are loaded when the first photo is known; the others when there is work, since
    // until then they would only be in the way of the first frame.
    workers[0].startEarly()
  }

  /// Begins a frame: what it will ask for, and nothing else, is wanted from now on.
  public func beginFrame() {
    wanted = []
    asked = [:]
  }

  /// What there is to show of an image, and what is known of it. What is asked for first in a frame is rendered first;
  /// what `isAhead` is not shown yet, and comes behind all that is.
  public func rendition(of subject: Subject, isAhead: Bool = false) -> (Rendition, ImageInfo) {
    asked[subject] = isAhead && asked[subject] ?? true
    let known = memory[subject]
    if let known, known.info.isSharp { return (known.rendition, known.info) }
    let isPreviewDone = known != nil || subject.frame > 0 || withoutPreview.contains(subject)
    // Who moves on faster than images come is better served with something of each.
    let isInTime = isAhead && !wanted.contains { !$0.isAhead && $0.subject.hasSameExtent(as: subject) }
    let stage = isPreviewDone ? RenditionStage.full : isInTime ? .ahead : .preview
    wanted.append(Task(subject: subject, stage: stage, isAhead: isAhead))
    if let known { return (known.rendition, known.info) }
    return (failureToFetch(subject.image).map { .failed($0) } ?? .loading, ImageInfo())
  }

  /// What may be shown instead of an image that is still on its way to the terminal.
  public func predecessor(of subject: Subject) -> (id: UInt32, image: GraphicImage)? { predecessors[subject] }

  /// Says that the terminal has the image itself now.
  public func forgetPredecessor(of subject: Subject) {
    guard let old = predecessors.removeValue(forKey: subject) else { return }
    discard([old])
    onForget([old.id])
  }

  /// Ends a frame: sets the workers to what is missing.
  public func endFrame() {
    for subject in predecessors.keys where asked[subject] != false { forgetPredecessor(of: subject) }
    startWorkers()
    web?.want(wanted.compactMap { if case .web(let address) = $0.subject.image { address } else { nil } })
  }

  private func startWorkers() {
    wanted.sort { $0.urgency < $1.urgency }
    for worker in workers where worker.isIdle {
      guard let index = wanted.firstIndex(where: isStartable) else { return }
      send(wanted.remove(at: index), to: worker)
    }
  }

  /// Tries all images again that could not be shown, those from the web included.
  public func retry() {
    let undecodable = memory.all.compactMap { subject, entry -> String? in
      if case .web(let address) = subject.image, case .failed = entry.rendition { address } else { nil }
    }
    web?.retry(undecodable: Set(undecodable))
    revalidate()
  }

  /// Forgets which images could not be shown, and, as soon as that is known, those whose files are others now.
  public func revalidate() {
    _ = memory.removeAll { if case .failed = $1.rendition { true } else { false } }
    var times: [FilePath: Set<Int>] = [:]
    for (subject, entry) in memory.all {
      if case .file(let path) = subject.image { times[path, default: []].insert(entry.info.modifiedAt) }
    }
    guard !times.isEmpty else { return }
    _Concurrency.Task.onMainActor { [weak self] in
      let changed = await Self.changed(times)
      self?.forget(changed)
    }
  }

  /// The files that were changed since then.
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
    func isChanged(_ subject: Subject) -> Int? {
      if case .file(let path) = subject.image { changed[path] } else { nil }
    }
    withoutPreview = withoutPreview.filter { isChanged($0) == nil }
    let gone = memory.removeAll { subject, entry in isChanged(subject).map { $0 != entry.info.modifiedAt } ?? false }
    guard !gone.isEmpty else { return }
    let graphics = gone.compactMap(\.graphic)
    discard(graphics)
    onForget(graphics.map(\.id))
    onRendition()
  }

  /// Forgets everything, as when the terminal has lost its images, or at the end.
  public func forgetAll() {
    discard(memory.removeAll().compactMap(\.graphic))
    discard(Array(predecessors.values))
    predecessors = [:]
    withoutPreview = []
  }

  /// Whole images keep a worker busy for long: one is left for what can be seen at once.
  private func isStartable(_ task: Task) -> Bool {
    guard path(of: task.subject.image) != nil else { return false }
    let siblings = inFlight.values.filter { $0.subject == task.subject }
    // What is prepared may be on the screen before it is ready.
    if task.stage == .preview { return siblings.allSatisfy { $0.stage == .ahead } }
    guard siblings.isEmpty else { return false }
    return inFlight.values.count { $0.stage != .preview } < max(1, workers.count - 1)
  }

  private func send(_ task: Task, to worker: ImageWorker) {
    guard let path = path(of: task.subject.image) else { return }
    lastNumber = lastNumber < Self.numbers.upperBound ? lastNumber + 1 : Self.numbers.lowerBound
    inFlight[lastNumber] = task
    let (subject, look) = (task.subject, task.subject.look)
    worker.send(
      RenditionRequest(
        number: lastNumber, path: path, columns: subject.columns, rows: subject.rows, cellWidth: look.cellWidth,
        cellHeight: look.cellHeight, view: subject.view, frame: subject.frame, format: look.format,
        background: look.background, palette: look.palette, stage: task.stage))
  }

  private func receive(_ answer: RenditionAnswer) {
    guard let task = inFlight.removeValue(forKey: answer.number) else { return }
    if task.stage == .preview, let known = memory[task.subject], known.info.isSharp {
      // The image itself was faster.
      if case .graphic(let late) = answer.content { discard([(answer.number, late)]) }
      return startWorkers()
    }
    let rendition: Rendition? =
      switch answer.content {
      case .cells(let image): .cells(image)
      case .graphic(let image): .graphic(id: answer.number, image)
      // The image itself may be had yet.
      case .failure where task.stage == .preview: nil
      case .failure(let reason): .failed(reason.printable)
      case .noPreview: nil
      }
    // Answered: what the last frame wanted of it is either there or asked for below.
    wanted.removeAll { $0.subject == task.subject }
    if let rendition {
      keep(Entry(rendition: rendition, info: answer.info), for: task.subject)
    } else {
      withoutPreview.insert(task.subject)
      // As the renditions themselves, they are not kept for ever.
      if withoutPreview.count > Self.mostWithoutPreview { withoutPreview = [task.subject] }
    }
    if rendition == nil || !answer.info.isSharp, let isAhead = asked[task.subject] {
      wanted.append(Task(subject: task.subject, stage: .full, isAhead: isAhead))
    }
    startWorkers()
    // What is not on the screen yet shows when it gets there.
    if rendition != nil, asked[task.subject] == false { onRendition() }
  }

  private func keep(_ entry: Entry, for subject: Subject) {
    let cost =
      switch entry.rendition {
      case .cells(let image): image.cells.count * 12
      case .graphic(_, let image): max(image.bytes.count, image.width * image.height * 3)
      case .loading, .failed: 256
      }
    forgetPredecessor(of: subject)
    if asked[subject] == false, let shown = memory[subject]?.graphic { predecessors[subject] = shown }
    let kept = predecessors[subject]?.id
    let gone = memory.insert(entry, for: subject, cost: cost + 256)
    let unused = gone.compactMap(\.graphic).filter { $0.id != kept }
    discard(unused)
    let ids = unused.map(\.id)
    if !ids.isEmpty { onForget(ids) }
  }

  /// Deletes the files of images that will not be shown any more; most were read, and deleted, by the terminal.
  private func discard(_ graphics: [(id: UInt32, image: GraphicImage)]) {
    let files = graphics.map(\.image.file).filter { !$0.isEmpty }
    guard !files.isEmpty else { return }
    _Concurrency.Task(executorPreference: WorkerPool.shared) { for file in files { unlink(file) } }
  }
}

// Images from the web are files once they have been fetched.
extension ImageLoader {
  private func path(of image: ImageLocation) -> FilePath? {
    switch image {
    case .file(let path): return path
    case .web(let address):
      guard case .ready(let path)? = web?[address] else { return nil }
      return FilePath(path)
    }
  }

  private func failureToFetch(_ image: ImageLocation) -> String? {
    guard case .web(let address) = image else { return nil }
    guard let web else { return "Images from the web cannot be kept here: set XDG_CACHE_HOME or HOME" }
    guard case .failed(let reason)? = web[address] else { return nil }
    return reason
  }

  private func receiveFile(from address: String) {
    startWorkers()
    // Where that failed, the reason takes the image's place.
    guard failureToFetch(.web(address)) != nil else { return }
    if asked.contains(where: { $0.key.image == .web(address) && !$0.value }) { onRendition() }
  }
}
