import Foundation
import Gallery
import Services
import Synchronization

@testable import Photos
@testable import ViewModels

/// A source whose answers are held until the test gives them.
final class HeldPhotos: APIServiceProtocol {
  private struct Request {
    /// The `nextPage` of the snapshot to continue from, or nil for the first page.
    let nextPage: String?
    let answers: PhotoStream.Continuation
  }

  private let requests = Mutex<[Request]>([])

  func fetchPhotos(after snapshot: PhotoSnapshot?) -> PhotoStream {
    AsyncStream { continuation in
      requests.withLock { $0.append(Request(nextPage: snapshot?.nextPage, answers: continuation)) }
    }
  }

  /// The requested pages: `first`, or the `nextPage` of a snapshot.
  var asked: [String] { requests.withLock { $0.map { $0.nextPage ?? "first" } } }

  /// Answers a request.
  ///
  /// - Parameter number: The number of the request, counted from 0, or nil for the last one.
  /// - Returns: Whether the caller still reads the answers.
  @discardableResult
  func give(_ answer: Result<PhotoSnapshot, APIError>, to number: Int? = nil) -> Bool {
    let answers = requests.withLock { requests in (number.map { requests[$0] } ?? requests.last)?.answers }
    if case .enqueued = answers?.yield(answer) { return true }
    return false
  }

  @discardableResult
  func give(_ snapshot: PhotoSnapshot, to number: Int? = nil) -> Bool { give(.success(snapshot), to: number) }

  /// Ends the answers to the last request.
  func finish() { requests.withLock { $0.last }?.answers.finish() }
}

/// A server whose searches are held until the test answers them.
final class HeldContentSearch: ContentSearchProtocol {
  let texts = Held<String, [ImageLocation]>()

  func photos(fitting text: String) async throws(APIError) -> [ImageLocation] { try await texts.ask(text) }
}

/// A desktop that opens images when the test says so.
final class HeldDesktop: DesktopServiceProtocol {
  let opened = Held<ImageLocation, Void>()

  func open(_ image: ImageLocation) async throws(APIError) { try await opened.ask(image) }

  func browse(_ address: String) async throws(APIError) { try await opened.ask(.web(address)) }

  let run = Held<[String], Void>()
  /// The standard inputs of commands.
  let inputs = Mutex<[[UInt8]]>([])
  /// Whether there is a program that copies images.
  let copiesImages = Mutex(false)

  func run(_ arguments: [[UInt8]], input: [UInt8]) async throws(APIError) {
    inputs.withLock { $0.append(input) }
    try await run.ask(arguments.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Whether there is a program that plays videos.
  let playsVideos = Mutex(false)

  func playCommand(from seconds: Double) async -> [[UInt8]]? {
    playsVideos.withLock(\.self) ? ["mpv", "\(seconds)"].map { Array($0.utf8) } : nil
  }

  func imageCopyCommand() async -> [[UInt8]]? { copiesImages.withLock(\.self) ? [Array("wl-copy".utf8)] : nil }
}

/// An exporter that remembers what it was to write, and gives a fixed answer.
final class FakeExporter: ExportServiceProtocol {
  private let state = Mutex((answer: Result<ExportReport, ExportError>.success(ExportReport(count: 0)), written: [""]))

  /// The names of the exported photos and their file, for each export.
  var written: [String] { state.withLock { Array($0.written.dropFirst()) } }

  /// Sets the answer to all exports from now on.
  func answer(with answer: Result<ExportReport, ExportError>) { state.withLock { $0.answer = answer } }

  func export(_ photos: [Photo], to path: FilePath, replaces: Bool) async throws(ExportError) -> ExportReport {
    try state.withLock { state in
      state.written.append("\(photos.map(\.name)) to \(path.printable)\(replaces ? " replacing" : "")")
      return state.answer
    }.get()
  }
}

/// Two cards, of which a fixed number of photos is new.
final class FakeImports: ImportServiceProtocol {
  let forecast = Mutex(Result<ImportForecast, ImportFault>.success(ImportForecast()))

  func cards() async -> [FilePath] { ["/media/ann/EOS", "/media/ann/Z6"] }

  func forecast(
    of card: FilePath, _ rule: ImportRule, _ work: StepWork
  ) async throws(ImportFault) -> ImportForecast { try forecast.withLock(\.self).get() }

  func create(_ folder: FilePath) async -> Bool { true }
}

/// A maker of files whose contents say what they were made of.
final class FakeMaker: PhotoExporterProtocol {
  let usefulCount = 1
  let fault = Mutex<ImageFault?>(nil)

  func export(_: PhotoExport) async throws(ImageFault) -> Bool { true }

  func contents(
    of photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification
  ) async throws(ImageFault) -> [UInt8] {
    if let fault = fault.withLock(\.self) { throw fault }
    let text = "\(photo.printable) as \(specification.format.name), \(specification.size), \(specification.metadata)"
    return Array((shown.crop == nil ? text : text + ", cropped").utf8)
  }
}

extension PhotoSnapshot {
  /// Returns an incomplete snapshot, which can be continued by ``adding(_:isComplete:)``.
  static func beginning(_ photos: [Photo]) -> PhotoSnapshot { all(photos).with { $0.isComplete = false } }

  static func beginning(_ names: String...) -> PhotoSnapshot { beginning(names.map { photo($0) }) }

  /// Returns a complete snapshot.
  static func all(_ photos: [Photo]) -> PhotoSnapshot { PhotoSnapshot(photos: PhotoTable(photos)) }

  static func all(_ names: String...) -> PhotoSnapshot { all(names.map { photo($0) }) }

  /// Returns the snapshot with more photos in the same table.
  func adding(_ names: String..., isComplete: Bool = false) -> PhotoSnapshot {
    with { snapshot in
      snapshot.photos.append(PhotoTable(names.map { photo($0) })) { _ in true }
      (snapshot.totalItems, snapshot.isComplete) = (snapshot.photos.count, isComplete)
    }
  }

  /// Returns the snapshot with a change.
  func with(_ change: (inout PhotoSnapshot) -> Void) -> PhotoSnapshot {
    var snapshot = self
    change(&snapshot)
    return snapshot
  }
}

/// A photo list with fake services, and the history of its hooks.
@MainActor
final class PhotoListFixture {
  let service = HeldPhotos()
  let desktop = HeldDesktop()
  let exporter = FakeExporter()
  let decisions = HeldDecisions()
  let maker = FakeMaker()
  let imports = FakeImports()
  /// The calls of all hooks except `onProgress`.
  let history = History()
  /// The progress that the list showed at each call of `onProgress`.
  let progress = History()
  let viewModel: PhotoListViewModel
  let choosing: PhotoChoosingViewModel
  private let time = Time()

  private final class Time {
    var now = ContinuousClock.now
  }

  init(
    marks: PhotoMarks = PhotoMarks(), appraisals: (any AppraisalServiceProtocol)? = nil,
    clock: any Clock<Duration> = ManualClock(), server: (any ContentSearchProtocol)? = nil
  ) {
    viewModel = PhotoListViewModel(
      service: service, search: PhotoSearchViewModel(server: server, clock: clock),
      calendar: LocalClock { _ in -5 * 3600 }, now: { [time] in time.now })
    choosing = PhotoChoosingViewModel(
      list: viewModel, decisions: decisions, appraisals: appraisals, desktop: desktop, exporter: exporter, maker: maker,
      imports: imports, marks: marks, clock: clock)
    viewModel.onReload = { [unowned viewModel, history] in history.add("reload \(viewModel.rows.map(\.name))") }
    viewModel.onAlert = { [history] in history.add("alert \($0.title): \($0.message)") }
    choosing.onAlert = viewModel.onAlert
    choosing.onChange = { [unowned viewModel] in viewModel.onProgress() }
    choosing.onNote = { [history] in history.add("note \($0)") }
    viewModel.onLoading = { [history] in history.add("loading \($0)") }
    viewModel.onOpen = { [history] in history.add("open \($0.name)") }
    viewModel.onProgress = { [unowned viewModel, progress] in
      let parts = [
        viewModel.source.progress?.text, viewModel.source.isPaging ? "paging" : nil, viewModel.search.fault,
        viewModel.search.matchCount.map { "\($0) found" },
      ]
      progress.add(parts.compactMap(\.self).joined(separator: ", "))
    }
  }

  /// Advances the time by which the list estimates how long a fetch will take.
  func advance(by duration: Duration) { time.now += duration }

  /// Fetches, and waits until a snapshot is shown.
  func load(_ snapshot: PhotoSnapshot) async throws {
    viewModel.fetch()
    try await give(snapshot)
  }

  /// Gives a snapshot, and waits until it is shown.
  func give(_ snapshot: PhotoSnapshot) async throws {
    let (entries, progressEntries) = (history.entries.count, progress.entries.count)
    service.give(snapshot)
    try await progress.wait(for: progressEntries + 1)
    try await history.wait(for: entries + 1)
  }

  /// Makes a change that leads to new rows, and waits for them.
  ///
  /// - Returns: The names of the new rows.
  @discardableResult
  func rows(after change: () -> Void) async throws -> [String] {
    let entries = history.entries.count
    change()
    try await history.wait(for: entries + 1)
    return viewModel.rows.map(\.name)
  }
}
