import Foundation
import Gallery
import ImageWire
import Images
import Photos
import Services
import Steps
import WorkerPool

/// The services of a source, which the gallery on another machine uses.
public struct RemoteServices {
  let opened: RemoteOpened
  let photos: any APIServiceProtocol
  let steps: StepService
  let appraisals: any AppraisalServiceProtocol
  let places: any PlaceServiceProtocol
  let report: @Sendable () async -> [String]

  /// Creates a set of services.
  public init(
    opened: RemoteOpened, photos: any APIServiceProtocol, steps: StepService,
    appraisals: any AppraisalServiceProtocol, places: any PlaceServiceProtocol,
    report: @escaping @Sendable () async -> [String]
  ) {
    self.report = report
    self.places = places
    self.opened = opened
    self.photos = photos
    self.steps = steps
    self.appraisals = appraisals
  }
}

/// Serves the photos of this machine to the gallery on another one (`tintype serve`), with the services that a gallery here would
/// use. It opens one source, and ends when the connection does.
@MainActor
public final class RemoteServer {
  private let link: RemoteLink
  private let events: AsyncStream<RemoteLink.Event>
  private let open: @MainActor (RemoteOpening) async throws(APIError) -> RemoteServices
  private let images: RemoteImageQueue
  private var services: RemoteServices?
  /// The requests that wait until the source is open.
  private var waiting: [(RemoteLink.Channel, RemoteRequest)] = []
  private var works: [RemoteLink.Channel: StepWork] = [:]
  private var fetches: [RemoteLink.Channel: (task: Task<Void, Never>, received: AsyncStream<Void>.Continuation)] = [:]

  /// Creates a server between two descriptors.
  /// - Parameters:
  ///   - version: The version of the program.
  ///   - queue: The workers for images.
  ///   - workerCount: The number of these.
  ///   - open: Opens the source that the other gallery names.
  public init(
    input: Int32, output: Int32, version: String, queue: RenditionQueue?, workerCount: Int,
    open: @escaping @MainActor (RemoteOpening) async throws(APIError) -> RemoteServices
  ) {
    let (events, continuation) = AsyncStream.makeStream(of: RemoteLink.Event.self)
    self.events = events
    self.open = open
    link = RemoteLink(input: input, output: output, greeting: RemoteGreeting.line(version: version)) {
      continuation.yield($0)
    }
    images = RemoteImageQueue(queue, workerCount: workerCount, link: link)
  }

  /// Serves until the connection ends. What is not written then waits in the journal for the next server, to which the other gallery
  /// repeats its calls.
  public func run() async {
    link.start()
    loop: for await event in events {
      switch event {
      case .message(let channel, let bytes, isWhole: true):
        guard let request = try? RemoteCoding.request(bytes) else { break loop }
        receive(request, channel)
      case .canceled(let channel): cancel(channel)
      case .message, .greeting: break
      case .ended, .silent, .malformed: break loop
      }
    }
    link.end()
    for fetch in fetches.values { fetch.task.cancel() }
  }

  private func receive(_ request: RemoteCoding.IncomingRequest, _ channel: RemoteLink.Channel) {
    switch request {
    case .image(let request, let isAhead, let knownAt):
      images.add(request, channel, isAhead: isAhead, knownAt: knownAt)
    case .request(.open(let opening)): openSource(opening, channel)
    case .request(.stop): works[channel]?.stop()
    case .request(.received): fetches[channel]?.received.yield()
    case .request(let request):
      if let services { carryOut(request, channel, services) } else { waiting.append((channel, request)) }
    }
  }

  private func cancel(_ channel: RemoteLink.Channel) {
    link.drop(channel)
    images.cancel(channel)
    fetches.removeValue(forKey: channel)?.task.cancel()
  }

  private func openSource(_ opening: RemoteOpening, _ channel: RemoteLink.Channel) {
    guard services == nil else { return }
    Task.onMainActor { [self] in
      do throws(APIError) {
        let services = try await open(opening)
        self.services = services
        answer(.opened(services.opened), channel)
        for (channel, request) in waiting { carryOut(request, channel, services) }
        waiting = []
      } catch {
        answer(.refused(error.message), channel)
      }
    }
  }

  private func answer(_ answer: RemoteAnswer, _ channel: RemoteLink.Channel) {
    link.send(RemoteCoding.bytes(answer), on: channel, answer.priority)
  }

  private func carryOut(_ request: RemoteRequest, _ channel: RemoteLink.Channel, _ services: RemoteServices) {
    let steps = services.steps
    switch request {
    case .open, .stop, .received: break
    case .fetch: fetch(channel, services.photos)
    case .keep(let token, let requests):
      Task.onMainActor { [self] in
        let new = requests.map { request in
          (
            title: request.title,
            operations: zip(request.photos, request.operations).map { (photo: ImageLocation.file($0), redo: $1) }
          )
        }
        answer(.steps(await steps.keep(new, token: token)), channel)
      }
    case .write(let title, let id): work(channel) { await steps.write(Step(title: title, id: id), $0) }
    case .undo(let token, false, let later): work(channel) { await steps.undo($0, token: token, before: later) }
    case .undo(let token, true, let later):
      work(channel) { await steps.undoSession($0, token: token, before: later) }
    case .redo(let token): work(channel) { await steps.redo($0, token: token) }
    case .resume: work(channel) { await steps.resume($0) }
    case .forecastFiles(let change, let files):
      Task.onMainActor { [self] in answer(.fileForecast(await steps.forecast(change, of: files)), channel) }
    case .forecastExports(let exports):
      Task.onMainActor { [self] in answer(.fileForecast(await steps.forecast(exports)), channel) }
    case .forecastRenames(let renames):
      Task.onMainActor { [self] in answer(await forecast(renames, steps), channel) }
    case .appraise(let files, let detail):
      Task.onMainActor { [self] in
        answer(.appraisals(await services.appraisals.appraisals(of: files, detail)), channel)
      }
    case .list(let folder, let isOfArchives):
      Task.onMainActor { [self] in
        let places = services.places
        answer(.paths(await isOfArchives ? places.archives(in: folder) : places.folders(in: folder)), channel)
      }
    case .report: Task.onMainActor { [self] in answer(.report(await services.report()), channel) }
    case .describe(let files):
      Task.onMainActor { [self] in answer(.files(await RemoteFile.describe(files)), channel) }
    case .read(let path, let offset, let count):
      Task.onMainActor { [self] in
        let part = await RemoteFile.read(path, from: offset, atMost: min(max(0, count), Self.longestPart))
        link.send(RemoteCoding.bytes(ofFile: part), on: channel, .ahead)
      }
    case .summarize(let folder, let most):
      Task.onMainActor { [self] in
        let summary = await services.places.summary(of: folder, upTo: most)
        answer(.summary(photoCount: summary.photoCount, cover: summary.cover?.file), channel)
      }
    case .contents(let files):
      Task.onMainActor { [self] in answer(.contents(await services.appraisals.contents(of: files)), channel) }
    }
  }

  /// The most bytes of a file that are read at once.
  private static let longestPart = 1 << 22

  private func work(_ channel: RemoteLink.Channel, _ body: @escaping @Sendable (StepWork) async -> Step?) {
    let work = StepWork { [link] in
      // Of a progress that waits, only the last one counts.
      link.replace(RemoteCoding.bytes(.progress($0)), on: channel, .list)
    }
    works[channel] = work
    Task.onMainActor { [self] in
      let step = await body(work)
      works[channel] = nil
      link.drop(channel)
      answer(.step(step), channel)
    }
  }

  private func forecast(_ renames: [RemoteRename], _ steps: StepService) async -> RemoteAnswer {
    let photos = renames.map { rename in
      FileRename(
        Photo(
          id: rename.place, name: "", createdAt: .now, imageURL: "", image: .file(rename.files.first ?? "/")),
        at: rename.files, to: rename.stem)
    }
    let forecast = await steps.forecast(photos)
    return .renameForecast(
      forecast.renames.map { RemoteRename(place: $0.photo.id, files: $0.files, stem: $0.stem) },
      obstacles: forecast.obstacles)
  }

  /// Sends the photos and their changes. A snapshot is sent when the one before has come, so a slow line gets fewer.
  private func fetch(_ channel: RemoteLink.Channel, _ photos: any APIServiceProtocol) {
    let (received, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task(executorPreference: WorkerPool.shared) { [link] in
      var last: PhotoTable?
      var arrivals = received.makeAsyncIterator()
      for await answer in photos.fetchPhotos() {
        switch answer {
        case .success(let snapshot):
          link.send(RemoteCoding.bytes(RemoteSnapshot(snapshot, after: last)), on: channel, .list)
          last = snapshot.photos
          _ = await arrivals.next()
        case .failure(let error):
          link.send(RemoteCoding.bytes(.refused(error.message)), on: channel, .list)
        }
        if Task.isCancelled { return }
      }
    }
    fetches[channel] = (task, continuation)
  }
}

/// The images that the other gallery wants: previews and small images before large ones, and those in view before others.
///
/// Large images keep a worker busy for long, so they leave one to the others.
@MainActor
private final class RemoteImageQueue {
  private struct Waiting {
    let request: ImageRequest
    let channel: RemoteLink.Channel
    let isAhead: Bool

    var rank: Int { (isAhead ? 2 : 0) + (request.isLarge ? 1 : 0) }
  }

  private let queue: RenditionQueue?
  private let link: RemoteLink
  private let workerCount: Int
  private var waiting: [Waiting] = []
  private var underWay: [UInt32: (channel: RemoteLink.Channel, isLarge: Bool)] = [:]
  private var lastNumber: UInt32 = 0

  init(_ queue: RenditionQueue?, workerCount: Int, link: RemoteLink) {
    self.queue = queue
    self.workerCount = workerCount
    self.link = link
  }

  /// - Parameter knownAt: The modification time of the file whose image the other gallery has, or 0.
  func add(_ request: ImageRequest, _ channel: RemoteLink.Channel, isAhead: Bool, knownAt: Int) {
    guard knownAt != 0 else {
      waiting.append(Waiting(request: request, channel: channel, isAhead: isAhead))
      return start()
    }
    Task.onMainActor { [self] in
      guard await Self.modificationTime(of: request.path) == knownAt else {
        return add(request, channel, isAhead: isAhead, knownAt: 0)
      }
      link.send(
        RemoteCoding.bytes(
          ImageAnswer(number: request.number, content: .noPreview, info: ImageInfo(modifiedAt: knownAt))),
        on: channel, .urgent)
    }
  }

  /// Returns the modification time of a file, or of the archive that it is in, in nanoseconds since 1970; nil if it is gone.
  @concurrent
  private static func modificationTime(of path: FilePath) async -> Int? {
    var status = stat()
    guard (path.archive?.file ?? path).withCString({ stat($0, &status) }) == 0 else { return nil }
    return status.modificationTime
  }

  func cancel(_ channel: RemoteLink.Channel) {
    waiting.removeAll { $0.channel == channel }
    for (number, other) in underWay where other.channel == channel { underWay[number]?.channel = 0 }
  }

  /// Returns the index of the request that is carried out next, or nil if all have to wait.
  private func next() -> Int? {
    let hasRoom = underWay.values.count(where: \.isLarge) < max(1, workerCount - 1)
    return waiting.indices.filter { hasRoom || !waiting[$0].request.isLarge }
      .min { waiting[$0].rank < waiting[$1].rank }
  }

  private func start() {
    while underWay.count < workerCount, let index = next() {
      let next = waiting.remove(at: index)
      var request = next.request
      lastNumber = lastNumber % 0xFF_FFFF + 1
      request.number = lastNumber
      underWay[request.number] = (next.channel, request.isLarge)
      Task.onMainActor { [self, request] in
        let answer = await queue?.render(request) ?? ImageAnswer(number: request.number, content: .failure(.noPreview))
        let channel = underWay.removeValue(forKey: request.number)?.channel ?? 0
        if channel != 0 { link.send(RemoteCoding.bytes(answer), on: channel, next.isAhead ? .ahead : .visible) }
        start()
      }
    }
  }
}

extension ImageRequest {
  /// Whether the image itself has to be decoded, which takes long.
  fileprivate var isLarge: Bool { rendition.map { $0.stage == .full } ?? false }
}
