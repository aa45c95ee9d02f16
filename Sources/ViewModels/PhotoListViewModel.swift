import Finding
import Gallery
import Photos
import Services
import WorkerPool

/// The list of photos: fetches them, turns them into rows, and decides what a press on one does. It also finds, sorts and
/// marks them (`PhotoListViewModel+Finding`, `+Choosing`).
///
/// Bound by closure hooks. A hook says that something changed and what for; what is shown is read from the properties.
@MainActor
public final class PhotoListViewModel {
  public enum State: Hashable, Sendable {
    case idle, loading, loaded
    case failed(APIError)
  }

  /// Called when ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with whether photos are being fetched of which none are there yet, whenever that changes.
  public var onLoading: (Bool) -> Void = { _ in }
  /// Called with the photo to be shown in full.
  public var onOpen: (Photo) -> Void = { _ in }
  /// Called when ``progress``, ``isPaging``, ``problemCount`` or ``finding`` have changed.
  public var onProgress: () -> Void = {}

  public private(set) var state = State.idle {
    didSet {
      if isLoading != (oldValue == .loading) { onLoading(isLoading) }
    }
  }
  public internal(set) var rows: PhotoRows {
    didSet { onReload() }
  }
  /// The photo that was pressed and opened last; nil once another is refused.
  public private(set) var selectedPhoto: Photo?
  /// How far the source has been read; nil where that is not known, or all is there.
  public private(set) var progress: ReadingProgress?
  /// Whether a page is being fetched that follows what is there.
  public private(set) var isPaging = false {
    didSet { if isPaging != oldValue { onProgress() } }
  }

  public let marks = PhotoMarks()
  /// What is searched for, and how the photos are sorted.
  public internal(set) var finding = Finding()

  let service: any APIServiceProtocol
  let desktop: any DesktopServiceProtocol
  let calendar: LocalClock
  let finder = PhotoFinder()
  private(set) var snapshot = PhotoSnapshot()
  /// Counts the snapshots.
  public private(set) var snapshotNumber = 0
  var arranging: Task<Void, Never>?
  /// The last order that was worked out, and of which snapshot.
  var sorted: (order: PhotoOrder, snapshot: Int, indices: [Int32])?
  var opening: Task<Void, Never>?
  private let now: () -> ContinuousClock.Instant
  private var meter = ReadingMeter()
  /// Counts the fetches, so that the answer to an abandoned one is known for what it is.
  private var generation = 0
  private var stateBeforeFetch = State.idle
  private(set) var fetching: Task<Void, Never>?

  /// So many rows before the end the next page is asked for.
  private static let rowsAhead = 30
  /// What the person came near to last.
  private var nearestRow = 0

  public init(
    service: any APIServiceProtocol, desktop: any DesktopServiceProtocol = DesktopOpener(),
    calendar: LocalClock = .system,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.service = service
    self.desktop = desktop
    self.calendar = calendar
    self.now = now
    rows = PhotoRows(PhotoTable(), PhotoRows.Context(marks: marks, onPress: { _ in }))
  }

  deinit {
    fetching?.cancel()
    arranging?.cancel()
  }

  public var isLoading: Bool { state == .loading }
  /// Whether more of the photos is being read than is there yet.
  public var isReading: Bool { isLoading || isPaging || state == .loaded && !snapshot.isComplete }
  /// How many photos are there, whatever is searched for.
  public var loadedCount: Int { snapshot.photos.count }
  /// How many photos the source has, on all its pages.
  public var totalItems: Int { snapshot.totalItems }
  /// How much of the source is no photo, or could not be read.
  public var problemCount: Int { snapshot.problems.count }
  /// What that is: ready lines, the first thousand at most.
  public var problems: [String] { snapshot.problems.first.map(\.description.printable) }
  /// What there is to say of a source without photos: ready lines.
  public var emptyNotice: [String] {
    guard snapshot.isOfFolder else { return ["There are no photos in this catalog."] }
    return ["No photos in this folder.", "Hidden files are skipped."]
  }
  /// When the photos were fetched that are shown because the source cannot be reached; nil where they are from there.
  public var keptSince: String? { snapshot.keptSince.map(calendar.minute) }

  /// Fetches the photos, anew if there are some. Does nothing while a fetch is under way.
  public func fetch() {
    guard !isLoading else { return }
    generation += 1
    let generation = generation
    let before = state
    state = .loading
    // The hook may have thought better of it.
    guard generation == self.generation else { return }
    stateBeforeFetch = before
    isPaging = false
    take(service.fetchPhotos(), generation)
  }

  /// Abandons the fetch that is under way, or the reading of the rest; what was shown stays.
  public func cancelFetch() {
    guard isReading else { return }
    generation += 1
    fetching?.cancel()
    if isLoading { state = stateBeforeFetch } else { endReading() }
  }

  /// The person comes near a row: near the end, the next page is asked for.
  public func approach(row: Int) {
    nearestRow = row
    guard snapshot.nextPage != nil, !isReading, finding.query == nil, row >= rows.count - Self.rowsAhead else { return }
    isPaging = true
    generation += 1
    take(service.fetchPhotos(after: snapshot), generation)
  }

  private func take(_ answers: PhotoStream, _ generation: Int) {
    fetching?.cancel()
    meter = ReadingMeter()
    fetching = Task.onMainActor { [weak self] in
      var isFirst = true
      for await answer in answers {
        self?.receive(answer, isFirst: isFirst, generation)
        isFirst = false
      }
      self?.end(generation)
    }
  }

  private func receive(_ answer: Result<PhotoSnapshot, APIError>, isFirst: Bool, _ generation: Int) {
    guard generation == self.generation else { return }
    switch answer {
    case .success(let snapshot):
      self.snapshot = snapshot
      snapshotNumber += 1
      progress = snapshot.progress.map { meter.measure($0, at: now()) }
      if isFirst, isLoading { selectedPhoto = nil }
      arrange()
      if snapshot.isComplete { isPaging = false }
      state = .loaded
      onProgress()
    case .failure(let error):
      // What was there may still be looked at, and a page asked for again, but not before the person does.
      nearestRow = 0
      if isPaging { isPaging = false } else { state = .failed(error) }
      onAlert(Alert(title: "Can't load photos", error))
    }
  }

  private func end(_ generation: Int) {
    guard generation == self.generation else { return }
    if isLoading { state = stateBeforeFetch }
    endReading()
    // It may have been near the end all the while.
    if nearestRow > 0 { approach(row: nearestRow) }
  }

  private func endReading() {
    snapshot.isComplete = true
    isPaging = false
    progress = nil
    onProgress()
  }

  /// Presses a row: a photo for sale is selected and opened, one that is not is refused with an alert.
  /// Where the source does not say, there is nothing to refuse.
  public func press(row: Int) {
    if let photo = photo(row: row) { press(photo) }
  }

  func press(_ photo: Photo) {
    guard photo.isForSale != false else {
      selectedPhoto = nil
      onAlert(Alert(message: "This item is not for sale"))
      return
    }
    selectedPhoto = photo
    onOpen(photo)
  }

  /// Shows a row's photo in full, for sale or not.
  public func view(row: Int) {
    if let photo = photo(row: row) { onOpen(photo) }
  }

  public func detail(row: Int) -> PhotoDetail? {
    photo(row: row).map { PhotoDetail($0) }
  }

  /// The row of the photo with this id.
  public func row(of id: Photo.ID) -> Int? {
    rows.indices.first { rows.id(at: $0) == id }
  }

  public func photo(row: Int) -> Photo? {
    rows.indices.contains(row) ? rows.photo(at: row) : nil
  }
}
