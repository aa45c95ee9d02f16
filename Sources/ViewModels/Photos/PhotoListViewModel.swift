import Finding
import Gallery
import Photos
import Services
import WorkerPool

/// The view model of the photo list: fetches photos page by page, turns them into rows, and decides what a press of a row
/// does.
///
/// A screen sets the closure hooks and fetches. A hook reports that something has changed; the properties say what to
/// show:
///
/// ```swift
/// let viewModel = PhotoListViewModel(service: service)
/// viewModel.onReload = { list.setRows(viewModel.rows) }
/// viewModel.onAlert = { alert in show(alert) }
/// viewModel.onLoading = { isLoading in spinner.isTurning = isLoading }
/// viewModel.onOpen = { photo in viewer.show(photo) }
/// viewModel.fetch()
/// ```
///
/// ``search`` finds and sorts the photos. What the user does with them, such as marking and rating, is not part of the list:
/// see ``PhotoChoosingViewModel``.
@MainActor
public final class PhotoListViewModel {
  /// Called after ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with an alert to show.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with ``isLoading`` whenever it changes.
  public var onLoading: (Bool) -> Void = { _ in }
  /// Called with a photo to show in full.
  public var onOpen: (Photo) -> Void = { _ in }
  /// Called after ``source`` or ``search`` have changed.
  public var onProgress: () -> Void = {}

  /// The search of the list, and its order.
  public let search: PhotoSearchViewModel
  /// The progress of the last fetch.
  public private(set) var state = FetchState.idle {
    didSet { if isLoading != (oldValue == .loading) { onLoading(isLoading) } }
  }
  /// The listed photos.
  public private(set) var rows = PhotoRows(PhotoTable()) { didSet { onReload() } }
  /// The photo that was opened last by a press, or nil if the last press was refused.
  public private(set) var selectedPhoto: Photo?
  /// The numbers and notices to show about the source, and the progress of reading it.
  public private(set) var source: SourceStatus

  /// Called with each snapshot before its photos are listed.
  var onSnapshot: (PhotoSnapshot) -> Void = { _ in }
  /// Called after ``rows`` have changed and the screen has taken them over.
  var onShow: () -> Void = {}
  /// The properties that all rows share.
  var context = PhotoRow.Context()
  /// The row that the user has moved to last, or nil for none.
  private(set) var nearestRow: RowIndex?

  private let service: any APIServiceProtocol
  private let now: () -> ContinuousClock.Instant
  private var meter = ReadingMeter()
  /// The number of the current fetch. An answer to an earlier one is ignored.
  private var generation = 0
  private var stateBeforeFetch = FetchState.idle
  private(set) var fetching: Task<Void, Never>?

  /// The distance from the last row at which the next page is fetched.
  private static let rowsAhead = 30

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - service: The source of the photos.
  ///   - search: The search of the list.
  ///   - calendar: The calendar for dates that are not a photo's own.
  ///   - now: Returns the time, from which the remaining time of a fetch is estimated.
  public init(
    service: any APIServiceProtocol, search: PhotoSearchViewModel = PhotoSearchViewModel(),
    calendar: LocalClock = .system, now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.service = service
    self.search = search
    self.now = now
    source = SourceStatus(calendar: calendar)
    context.onPress = { [weak self] in self?.press($0) }
    context.onView = { [weak self] in self?.onOpen($0) }
    search.onArrange = { [weak self] in self?.show($0) }
    search.onChange = { [weak self] in self?.onProgress() }
  }

  deinit { fetching?.cancel() }

  /// Whether a fetch is in progress that has not returned any photos yet.
  public var isLoading: Bool { state == .loading }

  /// Fetches the photos from the beginning. Does nothing while a fetch is in progress.
  public func fetch() {
    guard !isLoading else { return }
    generation += 1
    let generation = generation
    stateBeforeFetch = state
    source.retriedError = nil
    source.isPaging = false
    source.isReading = true
    state = .loading
    // `onLoading` may have canceled the fetch.
    guard generation == self.generation else { return }
    take(service.fetchPhotos(), generation)
  }

  /// Cancels the fetch in progress, or ends the watching of the source. The photos that have been loaded stay.
  public func cancelFetch() {
    generation += 1
    fetching?.cancel()
    nearestRow = nil
    if source.isReading { end() }
  }

  /// Takes note of the row that the user has moved to, and fetches the next page if it is near the last one.
  public func approach(row: RowIndex) {
    guard row != nearestRow else { return }
    nearestRow = row
    fetchNextPage()
  }

  private func fetchNextPage() {
    guard let nearestRow, nearestRow >= rows.endIndex - Self.rowsAhead, source.snapshot.nextPage != nil,
      search.query == nil, !source.isReading
    else { return }
    source.isPaging = true
    source.isReading = true
    generation += 1
    take(service.fetchPhotos(after: source.snapshot), generation)
    onProgress()
  }

  /// Selects and opens a photo. A photo that is not for sale is refused with an alert; if the source doesn't say whether
  /// it is for sale, it is opened.
  private func press(_ photo: Photo) {
    guard photo.isForSale != false else {
      selectedPhoto = nil
      return onAlert(Alert(message: localized("This item is not for sale"), offer: .view))
    }
    selectedPhoto = photo
    onOpen(photo)
  }

  private func take(_ answers: PhotoStream, _ generation: Int) {
    fetching?.cancel()
    meter = ReadingMeter()
    fetching = Task.onMainActor { [weak self] in
      var isFirst = true
      for await answer in answers {
        guard generation == self?.generation else { return }
        self?.receive(answer, isFirst: isFirst)
        isFirst = false
      }
      if generation == self?.generation { self?.end() }
    }
  }

  private func receive(_ answer: Result<PhotoSnapshot, APIError>, isFirst: Bool) {
    switch answer {
    case .success(let snapshot):
      source.retriedError = snapshot.retriedError
      // As long as there are no photos to show, the list keeps those of before.
      if isLoading, snapshot.retriedError != nil, snapshot.photos.count == 0 { return onProgress() }
      receive(snapshot, isFirst: isFirst)
    case .failure(let error):
      source.retriedError = nil
      // The next page is fetched again when the user moves, not by itself.
      nearestRow = nil
      if !source.isPaging { state = .failed(error) }
      source.isPaging = false
      source.isReading = false
      onAlert(Alert(title: localized("Can't load photos"), error))
    }
  }

  private func receive(_ snapshot: PhotoSnapshot, isFirst: Bool) {
    source.take(snapshot, progress: snapshot.progress.map { meter.measure($0, at: now()) })
    if isFirst, isLoading { selectedPhoto = nil }
    onSnapshot(snapshot)
    search.arrange(snapshot.photos, groupsByFolder: snapshot.capabilities.contains(.folders))
    source.isReading = !snapshot.isComplete
    if snapshot.isComplete { source.isPaging = false }
    state = .loaded
    onProgress()
  }

  /// The table, and the photos that a search has found in it, as a map shows them; nil for all photos, whichever are in
  /// stacks.
  var photosForMap: (photos: PhotoTable, listed: [TableIndex]?) {
    (rows.photos, rows.found)
  }

  private func show(_ arrangement: PhotoArrangement) {
    context.query = search.query
    context.hasFileDates = source.snapshot.capabilities.contains(.fileDates)
    rows = PhotoRows(arrangement, context)
    onShow()
    fetchNextPage()
  }

  private func end() {
    if isLoading { state = stateBeforeFetch }
    source.end()
    onProgress()
    // The user may have been near the last row all the time.
    fetchNextPage()
  }
}
