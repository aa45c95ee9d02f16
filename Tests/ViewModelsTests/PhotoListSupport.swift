import Foundation
import Gallery
import Services
import Synchronization

@testable import Photos
@testable import ViewModels

/// Photos that come when the test gives them, in as many snapshots as it likes.
final class GivenPhotos: APIServiceProtocol {
  private struct Request {
    /// Of the snapshot that was to be gone on from.
    let nextPage: String?
    let answers: PhotoStream.Continuation
  }

  private let requests = Mutex<[Request]>([])

  func fetchPhotos(after snapshot: PhotoSnapshot?) -> PhotoStream {
    AsyncStream { continuation in
      requests.withLock { $0.append(Request(nextPage: snapshot?.nextPage, answers: continuation)) }
    }
  }

  /// What has been asked for: `first`, or the words for the next page.
  var asked: [String] { requests.withLock { $0.map { $0.nextPage ?? "first" } } }

  /// Answers a request.
  ///
  /// - Parameter number: The number of the request, counted from 0; nil for the last one.
  /// - Returns: Whether the caller still reads the answers.
  @discardableResult
  func give(_ answer: Result<PhotoSnapshot, APIError>, to number: Int? = nil) -> Bool {
    let answers = requests.withLock { requests in (number.map { requests[$0] } ?? requests.last)?.answers }
    if case .enqueued = answers?.yield(answer) { return true }
    return false
  }

  @discardableResult
  func give(_ snapshot: PhotoSnapshot, to number: Int? = nil) -> Bool { give(.success(snapshot), to: number) }

  func finish() { requests.withLock { $0.last }?.answers.finish() }
}

extension PhotoSnapshot {
  /// A beginning of these photos, to which more may be added.
  static func beginning(_ photos: [Photo]) -> PhotoSnapshot {
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    snapshot.isComplete = false
    return snapshot
  }

  static func beginning(_ names: String...) -> PhotoSnapshot { beginning(names.map { photo($0) }) }

  static func all(_ photos: [Photo]) -> PhotoSnapshot { PhotoSnapshot(photos: PhotoTable(photos)) }

  static func all(_ names: String...) -> PhotoSnapshot { all(names.map { photo($0) }) }

  /// The same with more, in the same table, and perhaps with more to come.
  func adding(_ names: String..., isComplete: Bool = false) -> PhotoSnapshot {
    var snapshot = self
    snapshot.photos.append(PhotoTable(names.map { photo($0) })) { _ in true }
    (snapshot.totalItems, snapshot.isComplete) = (snapshot.photos.count, isComplete)
    return snapshot
  }

  func with(_ change: (inout PhotoSnapshot) -> Void) -> PhotoSnapshot {
    var snapshot = self
    change(&snapshot)
    return snapshot
  }
}

/// What a desktop is asked to open, and what it answers.
final class GivenDesktop: DesktopServiceProtocol {
  let opened = Held<ImageLocation, Void>()

  func open(_ image: ImageLocation) async throws(APIError) { try await opened.ask(image) }
}

/// A list of photos with all that it said.
@MainActor
final class PhotoListFixture {
  let service = GivenPhotos()
  let desktop = GivenDesktop()
  /// What its hooks said but `onProgress`.
  let history = History()
  /// What there was to see when `onProgress` was called.
  let progress = History()
  let viewModel: PhotoListViewModel
  private let time = Time()

  private final class Time {
    var now = ContinuousClock.now
  }

  init() {
    viewModel = PhotoListViewModel(
      service: service, desktop: desktop, calendar: LocalClock { _ in -5 * 3600 }, now: { [time] in time.now })
    viewModel.onReload = { [unowned viewModel, history] in history.add("reload \(viewModel.rows.map(\.name))") }
    viewModel.onAlert = { [history] in history.add("alert \($0.title): \($0.message)") }
    viewModel.onLoading = { [history] in history.add("loading \($0)") }
    viewModel.onOpen = { [history] in history.add("open \($0.name)") }
    viewModel.onProgress = { [unowned viewModel, progress] in
      let parts = [
        viewModel.progress?.text, viewModel.isPaging ? "paging" : nil, viewModel.finding.fault,
        viewModel.finding.foundCount.map { "\($0) found" },
      ]
      progress.add(parts.compactMap(\.self).joined(separator: ", "))
    }
  }

  func advance(by duration: Duration) { time.now += duration }

  /// Fetches, and waits until this snapshot shows.
  func load(_ snapshot: PhotoSnapshot) async throws {
    viewModel.fetch()
    try await give(snapshot)
  }

  /// Gives a snapshot, and waits until it shows.
  func give(_ snapshot: PhotoSnapshot) async throws {
    let (said, told) = (history.entries.count, progress.entries.count)
    service.give(snapshot)
    try await progress.wait(for: told + 1)
    try await history.wait(for: said + 1)
  }

  /// Does something that makes new rows, and waits until they show.
  /// - Returns: Their names.
  @discardableResult
  func rows(after change: () -> Void) async throws -> [String] {
    let said = history.entries.count
    change()
    try await history.wait(for: said + 1)
    return viewModel.rows.map(\.name)
  }
}
