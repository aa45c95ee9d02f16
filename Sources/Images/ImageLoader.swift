import Foundation
import Gallery
import HTTP
import ImageWire
import Store
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

  /// A rendition that a frame wants, and that is missing.
  struct Wish: Hashable {
    var specification: RenditionSpecification
    var stage: RenditionStage
    var rung = Rung.exact
    var isAhead: Bool
    /// The version of an image on another machine that a worker renders; 0 for another image.
    var version = 0
    /// The version of an image from the web that a worker renders, if it is smaller than the image.
    var smaller: WebImageVersion?
    /// Whether the request leaves nothing to be better: it is for the image itself, in any number of bytes.
    var isExact = false

    /// The rank of the wish; lower ranks come first. Previews of visible images come before the images themselves, then the
    /// same for images that may become visible.
    var rank: Int { (isAhead ? 2 : 0) + (stage == .preview ? 0 : 1) }
  }

  /// An image that the terminal stores, or that is to be sent to it.
  public typealias StoredImage = (id: UInt32, image: GraphicImage)

  /// The bytes that renditions may take on a slow line to the terminal, or nil if any number may do. They are read when a
  /// rendition is requested.
  public var budgets: RenditionBudgets? { didSet { updatePolicy() } }
  /// Whether the terminal has not taken all of the last frame. Until it has, no photo is rendered ahead: on few cores, that would
  /// slow the terminal down.
  public var isTerminalBusy = false {
    didSet { if oldValue, !isTerminalBusy { startWorkers() } }
  }
  /// Whether a video plays in this frame. Then no position of it is shown long enough for a finer rendition.
  public var isPlaying = false
  /// Returns whether the terminal stores an image, or will soon have been sent all of it.
  public var isStored: (UInt32) -> Bool = { _ in false }

  let workers: [ImageWorker]
  let web: WebImages?
  let remote: RemoteImages
  private(set) lazy var policy: any LinePolicy = LocalLinePolicy(loader: self)
  var memory: RenditionMemory<RenditionSpecification, RenditionLadder>
  /// The images that had no preview when one was last requested.
  var withoutPreview: Set<ImageLocation> = []
  var wanted: [Wish] = []
  /// The specifications that the last frame requested, with whether each was requested only ahead.
  var asked: [RenditionSpecification: Bool] = [:]
  /// The renditions that are shown until the terminal has received the ones that replace them.
  var predecessors: [RenditionSpecification: StoredImage] = [:]
  /// The specifications whose predecessors may be shown for another one in this frame.
  private var lenders: Set<RenditionSpecification> = []
  var inFlight: [UInt32: Wish] = [:]
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
  /// The memory for renditions unless the user wants another one, in units of 2^20 bytes.
  public nonisolated static let usualMegabytes = 20

  /// Creates a loader, and starts its first worker.
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable.
  ///   - workerCount: The most workers that run at once.
  ///   - budget: The memory for renditions, in bytes.
  ///   - web: The cache through which images from the web are fetched; nil if they are not shown.
  ///   - remote: The folder for the images of other machines; nil if they are not shown.
  ///   - patience: The time after which a worker that does not answer is killed; nil is a little more than a worker allows
  ///     itself.
  public init(
    workerPath: String, workerCount: Int, budget: Int = usualMegabytes << 20, web: WebImageCache? = nil,
    remote: CacheFolder? = nil, patience: DispatchTimeInterval? = nil
  ) {
    self.web = web.map { WebImages(cache: $0) }
    self.remote = RemoteImages(folder: remote)
    let regionMegapixels = Self.mostRegionMegapixels / min(max(3, workerCount), Self.mostPartWorkers)
    let starts = WorkerStarts()
    workers = (0..<max(1, workerCount)).map { _ in
      ImageWorker(
        path: workerPath, patience: patience ?? ImageWorker.usualPatience,
        arguments: ["--regions", "\(regionMegapixels)"], starts: starts)
    }
    memory = RenditionMemory(budget: budget)
    // A random start, since other programs on the same terminal number their images, too.
    lastNumber = UInt32.random(in: Self.numbers)
    for worker in workers { worker.onAnswer = { [weak self] in self?.receive($0) } }
    self.web?.onChange = { [weak self] in self?.receive($0) }
    self.remote.onChange = { [weak self] in self?.receiveVersion(of: $0) }
    // The first worker starts now, so that its libraries are loaded when the first photo is known. The others would only
    // slow the first frame, so they start when there is work.
    workers[0].startEarly()
  }

  private func updatePolicy() {
    switch (policy, budgets) {
    case (let slow as SlowLinePolicy, let budgets?): slow.budgets = budgets
    case (_, let budgets?): policy = SlowLinePolicy(budgets, loader: self)
    case (is SlowLinePolicy, nil): policy = LocalLinePolicy(loader: self)
    case (_, nil): break
    }
  }

  /// Begins a frame. From now on only the renditions that it requests are wanted.
  public func beginFrame() {
    wanted = []
    asked = [:]
    lenders = []
    isPlaying = false
    policy.beginFrame()
  }

  /// Returns the current rendition of a specification, and requests a better one if it is missing or only a preview.
  ///
  /// Renditions are made in the order in which a frame requests them. Those that are not visible yet (`isAhead`) come after
  /// all visible ones.
  /// - Parameter skipsPreview: Whether the image itself is wanted first.
  public func rendition(
    of specification: RenditionSpecification, isAhead: Bool = false, skipsPreview: Bool = false
  ) -> (Rendition, ImageInfo) {
    asked[specification] = isAhead && asked[specification] ?? true
    let entry = policy.entry(toShow: specification, isAhead: isAhead, skipsPreview: skipsPreview)
    return entry.map { ($0.rendition, $0.info) } ?? (failureToFetch(specification) ?? .loading, ImageInfo())
  }

  /// Returns whether an image has no preview, or none of the frame that is wanted.
  func lacksPreview(_ specification: RenditionSpecification) -> Bool {
    specification.presentation.frame != 0 || withoutPreview.contains(specification.image)
  }

  /// Returns the finest rendition of a specification that the terminal has already, for the time until it has another one
  /// that is wanted; nil if there is none, or if the line is not slow. Nothing better is requested or sent.
  public func standing(_ specification: RenditionSpecification, isThere: (UInt32) -> Bool) -> StoredImage? {
    policy.standing(specification, isThere: isThere)
  }

  /// Returns all renditions of other parts of an image, or in other sizes, each with its specification. Predecessors are
  /// among them, as the terminal may not have received what replaces them.
  public func others(
    than specification: RenditionSpecification
  ) -> [(specification: RenditionSpecification, rendition: Rendition, info: ImageInfo)] {
    memory.all.filter { other, _ in other.isOther(than: specification) }.flatMap { other, ladder in
      let renditions = ladder.entries.map { (other, $0.rendition, $0.info) }
      guard let predecessor = predecessors[other] else { return renditions }
      lenders.insert(other)
      return renditions + [(other, .graphic(id: predecessor.id, predecessor.image), ladder.best.info)]
    }
  }

  /// Returns the rendition of a specification that is shown, or nil if there is none.
  public func known(_ specification: RenditionSpecification) -> Rendition? {
    memory[specification]?.entry(policy.shownRung(of: specification)).rendition
  }

  /// Whether a better rendition is on its way or will be requested.
  public func isImproving(_ specification: RenditionSpecification) -> Bool { policy.isImproving(specification) }

  /// Returns the renditions of which one is shown until the terminal has received the one of a specification, best first.
  public func predecessors(of specification: RenditionSpecification) -> [StoredImage] {
    policy.predecessors(of: specification)
  }

  /// Returns the rendition in characters that is shown until the terminal has received the one of a specification.
  public func predecessorInCells(of specification: RenditionSpecification) -> CellImage? {
    memory[specification]?.cells
  }

  /// Releases the predecessor of a rendition, which the terminal can now show.
  public func forgetPredecessor(of specification: RenditionSpecification) {
    guard let old = predecessors.removeValue(forKey: specification) else { return }
    discard([old])
    onForget([old.id])
  }

  /// Ends a frame, and gives the workers what is missing.
  public func endFrame() {
    for specification in predecessors.keys where asked[specification] != false && !lenders.contains(specification) {
      forgetPredecessor(of: specification)
    }
    if policy.needsFrame { onRendition() }
    startWorkers()
    remote.want(
      asked.filter { $0.key.image.isRemote && !remote.isFinal($0.key) }
        .map { (specification: $0.key, isAhead: $0.value) }
        .sorted { !$0.isAhead && $1.isAhead })
    web?.want(wanted.compactMap(webFile))
  }

  /// Retries all images that could not be shown, those from the web included.
  public func retry() {
    let undecodable = memory.all.compactMap { specification, entry -> [WebImageFile]? in
      if case .failed = entry.best.rendition { webFiles(of: specification.image) } else { nil }
    }
    web?.retry(undecodable: Set(undecodable.joined()))
    revalidate()
  }

  /// Forgets which images could not be shown at once, and the renditions of changed files as soon as these are known.
  public func revalidate() {
    remote.revalidate()
    _ = memory.removeAll { if case .failed = $1.best.rendition { true } else { false } }
    var times: [FilePath: Set<Int>] = [:]
    for (specification, entry) in memory.all {
      if case .file(let path) = specification.image, !path.isRemote {
        times[path, default: []].insert(entry.best.info.modifiedAt)
      }
    }
    guard !times.isEmpty else { return }
    Task.onMainActor { [weak self] in
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
      guard (path.archive?.file ?? path).withCString({ stat($0, &status) }) == 0 else { continue }
      let now = status.modificationTime
      if times != [now] { changed[path] = now }
    }
    return changed
  }

  func forget(_ changed: [FilePath: Int]) {
    func timeIfChanged(_ image: ImageLocation) -> Int? {
      if case .file(let path) = image { changed[path] } else { nil }
    }
    withoutPreview = withoutPreview.filter { timeIfChanged($0) == nil }
    let gone = memory.removeAll { specification, entry in
      timeIfChanged(specification.image).map { $0 != entry.best.info.modifiedAt } ?? false
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

  /// Adds a server that the user has named, from which images are fetched with its headers.
  public func add(_ server: NamedServer) { web?.add(server) }

  /// Adds another machine, whose images are fetched through a connection.
  public func add(_ fetcher: any RemoteImageFetcher, for machine: String) { remote.add(fetcher, for: machine) }

  func keep(_ entry: RenditionLadder.Entry, for specification: RenditionSpecification) {
    forgetPredecessor(of: specification)
    let ladder =
      memory[specification].map { policy.ladder($0, with: entry, for: specification) } ?? RenditionLadder(entry)
    let kept = Set(ladder.graphics.map(\.id) + [predecessors[specification]?.id].compactMap(\.self))
    let gone = memory.insert(ladder, for: specification, cost: ladder.cost)
    let unused = gone.flatMap(\.graphics).filter { !kept.contains($0.id) }
    discard(unused)
    let ids = unused.map(\.id)
    if !ids.isEmpty { onForget(ids) }
  }

  /// Deletes the files of renditions that will not be shown again. Most were read, and deleted, by the terminal.
  func discard(_ graphics: [StoredImage]) {
    let files = graphics.map(\.image.file).filter { !$0.isEmpty }
    guard !files.isEmpty else { return }
    Task(executorPreference: WorkerPool.shared) { for file in files { unlink(file) } }
  }
}

extension RenditionSpecification {
  /// Returns whether this is the same image on the same screen, in another part or size.
  fileprivate func isOther(than other: RenditionSpecification) -> Bool {
    image == other.image && presentation.rotation == other.presentation.rotation
      && presentation.frame == other.presentation.frame && screen == other.screen && self != other
  }
}
