import Finding
import FoundationEssentials
import Gallery
import Photos
import Services
import WorkerPool

/// The view model of the photo list: fetches photos, turns them into rows, and decides what a press of a row does.
///
/// A screen sets the closure hooks and fetches. A hook reports that something has changed; the properties say what to
/// show:
///
/// ```swift
/// viewModel.onReload = { list.setRows(viewModel.rows) }
/// viewModel.onAlert = { alert in show(alert) }
/// viewModel.onLoading = { isLoading in spinner.isTurning = isLoading }
/// viewModel.onOpen = { photo in viewer.show(photo) }
/// viewModel.fetch()
/// ```
///
/// Five objects of the list do the rest: ``search`` finds and sorts, ``marks`` holds the marked photos, ``deciding`` what
/// the user decides about photos, ``stacks`` puts similar photos together, and ``sharing`` opens and exports photos.
@MainActor
public final class PhotoListViewModel {
  /// The progress of the last fetch.
  public enum State: Hashable, Sendable {
    case idle, loading, loaded
    case failed(APIError)
  }

  /// Called after ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with an alert to show.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with ``isLoading`` whenever it changes.
  public var onLoading: (Bool) -> Void = { _ in }
  /// Called with a sentence about what was done, to show in passing.
  public var onNote: (String) -> Void = { _ in }
  /// Called with a photo to show in full.
  public var onOpen: (Photo) -> Void = { _ in }
  /// Called after ``progress``, ``isPaging``, ``source`` or ``search`` have changed.
  public var onProgress: () -> Void = {}

  /// The search of the list, and its order.
  public let search: PhotoSearchViewModel
  /// The marked photos.
  public let marks: PhotoMarks
  /// The actions that open and export photos.
  public let sharing: PhotoSharing
  /// The user's decisions about photos.
  public let deciding: PhotoDeciding
  /// The stacks of similar photos.
  public let stacks: PhotoStacks

  /// The progress of the last fetch.
  public private(set) var state = State.idle {
    didSet {
      if isLoading != (oldValue == .loading) { onLoading(isLoading) }
    }
  }
  /// The listed photos.
  public private(set) var rows: PhotoRows {
    didSet {
      marks.extendRange(to: nearestRow, in: rows)
      onReload()
    }
  }
  /// The comparison that the user has left last, whose beaten photos can still be rejected.
  public internal(set) var lastComparison: PhotoComparison?
  /// The photo that was opened last by a press, or nil if the last press was refused.
  public private(set) var selectedPhoto: Photo?
  /// The progress of reading the source, or nil if it is unknown or all of the source has been read.
  public private(set) var progress: ReadingProgress?
  /// Whether the next page is being fetched.
  public private(set) var isPaging = false {
    didSet { if isPaging != oldValue { onProgress() } }
  }
  /// The error of the last attempt to fetch photos, while the source tries again; nil for none.
  public private(set) var retriedError: APIError?
  /// The number of snapshots that the source has sent. Images may have changed whenever it changes.
  public private(set) var snapshotNumber = 0

  /// The cull that the user has begun, or nil for none.
  public internal(set) var cull: PhotoCull?
  /// Whether the cull was counted after the source had been read.
  var isCullCounted = false

  private let service: any APIServiceProtocol
  private let calendar: LocalClock
  private let now: () -> ContinuousClock.Instant
  private(set) var snapshot = PhotoSnapshot()
  let shownFiles = ShownFiles()
  private var meter = ReadingMeter()
  /// The number of the current fetch. An answer to an earlier one is ignored.
  private var generation = 0
  private var stateBeforeFetch = State.idle
  /// Whether ``showOpenedFile()`` is done. After that, the user chooses among the files of a shot.
  private var isOpenedFileShown = false
  private(set) var fetching: Task<Void, Never>?
  /// The row that was last passed to ``approach(row:)``.
  private(set) var nearestRow = 0

  /// The distance from the last row at which the next page is fetched.
  private static let rowsAhead = 30
  /// The distance from the highlighted row within which the shots of stacks are sorted by their sharpness.
  private static let stackRowsAhead = 12

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - desktop: The service that opens photos.
  ///   - exporter: The service that writes photos as a catalog.
  ///   - decisions: The service that keeps what the user decides about photos.
  ///   - appraisals: The service that looks at photos to stack similar ones, or nil for none.
  ///   - marks: The marks of the photos.
  ///   - calendar: The calendar for dates that are not a photo's own.
  ///   - date: Returns the date, from which a search such as `taken:last-week` counts.
  ///   - now: Returns the time, from which the remaining time of a fetch is estimated.
  public init(
    service: any APIServiceProtocol, desktop: any DesktopServiceProtocol, exporter: any ExportServiceProtocol,
    decisions: any DecisionServiceProtocol, appraisals: (any AppraisalServiceProtocol)? = nil,
    marks: PhotoMarks = PhotoMarks(), calendar: LocalClock = .system,
    date: @escaping () -> Date = { Date() }, clock: any Clock<Duration> = WorkerPoolClock(),
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.service = service
    self.calendar = calendar
    self.now = now
    self.marks = marks
    search = PhotoSearchViewModel(now: { calendar.time(of: date()) }, marked: { marks.ids })
    sharing = PhotoSharing(desktop: desktop, exporter: exporter)
    deciding = PhotoDeciding(service: decisions, shownFiles: shownFiles, clock: clock)
    stacks = PhotoStacks(service: appraisals)
    rows = PhotoRows(PhotoTable(), PhotoRows.Context(marks: marks, onPress: { _ in }))
    marks.onAlert = { [weak self] in self?.onAlert($0) }
    marks.onRestore = { [search] in search.addMarked($0) }
    sharing.onAlert = { [weak self] in self?.onAlert($0) }
    sharing.onNote = { [weak self] in self?.onNote($0) }
    deciding.onAlert = { [weak self] in self?.onAlert($0) }
    deciding.onNote = { [weak self] in self?.onNote($0) }
    deciding.onChange = { [weak self] in self?.onProgress() }
    deciding.countKeywords = { [weak self] in self?.countKeywords(onCount: $0) }
    stacks.onChange = { [weak self] in
      guard let self else { return }
      search.stack(stacks.listed)
      cull?.sort { stacks.order(of: $0) }
    }
    search.onArrange = { [weak self] in self?.show($0) }
    search.onChange = { [weak self] in self?.onProgress() }
  }

  deinit {
    fetching?.cancel()
  }

  /// Whether a fetch is in progress that has not returned any photos yet.
  public var isLoading: Bool { state == .loading }
  /// Whether more photos of the source are being read.
  public var isReading: Bool { isLoading || isPaging || state == .loaded && !snapshot.isComplete }
  /// The numbers and notices to show about the source.
  public var source: SourceStatus { SourceStatus(snapshot, calendar: calendar) }

  /// Calls ``onOpen`` with the photo of a row, whether it is for sale or not.
  public func view(row: Int) {
    if rows.indices.contains(row) { onOpen(rows.photo(at: row)) }
  }

  /// Calls ``onOpen`` with the photo that the user named to open it in its folder, or else with the first one.
  public func viewFirst() {
    view(row: snapshot.opened.flatMap { rows.index(ofPhoto: $0) } ?? 0)
  }

  /// Selects and opens a photo. A photo that is not for sale is refused with an alert; if the source doesn't say whether
  /// it is for sale, it is opened.
  private func press(_ photo: Photo) {
    guard photo.isForSale != false else {
      selectedPhoto = nil
      onAlert(Alert(message: localized("This item is not for sale")))
      return
    }
    selectedPhoto = photo
    onOpen(photo)
  }

  /// Returns the photo of a file that could not be read, or nil if it is gone.
  public func photo(with problem: SourceProblem) -> Photo.ID? {
    guard let file = problem.file?.utf8 else { return nil }
    let photos = snapshot.photos
    return photos.indices.first { photos.withText(.imageURL, at: $0) { $0.elementsEqual(file) } }.map(photos.id)
  }

  /// Returns the row of a photo, or nil if the search leaves it out. If other photos represent it, its stack is opened, and its
  /// file is shown.
  public func reveal(_ photo: Photo.ID) -> Int? {
    guard var row = rows.index(ofPhoto: photo, guess: nearestRow) else { return nil }
    if rows.id(at: row) == photo { return row }
    let isFile = { [self] (row: Int) in rows.files(of: rows.photoIndex(at: row)).contains { $0.id == photo } }
    if !isFile(row) {
      toggleStack(row: row)
      row = rows.index(ofPhoto: photo, guess: row) ?? row
    }
    if rows.id(at: row) != photo, isFile(row) { show(file: photo, of: rows.id(at: row)) }
    return row
  }

  /// Opens the stack of a row, or closes it.
  public func toggleStack(row: Int) {
    guard rows.indices.contains(row), let shots = rows.stack(ofRow: row) else { return }
    stacks.toggle(shots.map { rows.photos.id(at: Int($0)) })
  }

  private func show(_ arrangement: PhotoArrangement) {
    rows = PhotoRows(
      arrangement.photos, order: arrangement.order, grouping: arrangement.grouping,
      context(query: search.query, matchingRows: arrangement.matchingRows, folding: arrangement.shownFolding))
    approachStacks(around: nearestRow)
  }

  func context(
    query: PhotoQuery? = nil, matchingRows: [Int32]? = nil, folding: PhotoFolding
  ) -> PhotoRows.Context {
    PhotoRows.Context(
      marks: marks, deciding: canDecide ? deciding : nil, onPress: { [weak self] in self?.press($0) },
      onShowFile: { [weak self] in self?.show(file: $1, of: $0) },
      hasFileDates: snapshot.hasFileDates, folding: folding, files: shownFiles, query: query,
      matchingRows: matchingRows)
  }
}

// MARK: - Fetching

extension PhotoListViewModel {
  /// Fetches the photos from the beginning. Does nothing while a fetch is in progress.
  public func fetch() {
    guard !isLoading else { return }
    generation += 1
    let generation = generation
    let before = state
    retriedError = nil
    state = .loading
    // `onLoading` may have canceled the fetch.
    guard generation == self.generation else { return }
    stateBeforeFetch = before
    isPaging = false
    take(service.fetchPhotos(), generation)
  }

  /// Cancels the fetch in progress. The photos that have been loaded stay.
  public func cancelFetch() {
    guard isReading else { return }
    generation += 1
    fetching?.cancel()
    retriedError = nil
    if isLoading { state = stateBeforeFetch } else { endReading() }
  }

  /// Extends a range of marks to a row, and fetches the next page if there is one and the row is near the last one.
  ///
  /// - Parameter row: The row that the user has moved to.
  public func approach(row: Int) {
    nearestRow = row
    marks.extendRange(to: row, in: rows)
    approachStacks(around: row)
    guard snapshot.nextPage != nil, !isReading, search.query == nil, row >= rows.count - Self.rowsAhead else { return }
    isPaging = true
    generation += 1
    take(service.fetchPhotos(after: snapshot), generation)
  }

  /// Sorts the shots of the stacks near a row, those of the nearest stack first.
  private func approachStacks(around row: Int) {
    let near = (0...Self.stackRowsAhead).flatMap { $0 == 0 ? [row] : [row + $0, row - $0] }
    var (seen, found): (Set<Int32>, [ArraySlice<Int32>]) = ([], [])
    // An open stack counts at the place of its nearest shot.
    for row in near where rows.indices.contains(row) {
      guard let shots = rows.burst(ofRow: row), let first = shots.first, seen.insert(first).inserted else { continue }
      found.append(shots)
    }
    stacks.approach(found.reversed(), in: rows.photos)
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
    retriedError = nil
    switch answer {
    case .success(let snapshot):
      retriedError = snapshot.retriedError
      // As long as there are no photos to show, the list keeps those of before.
      if isLoading, retriedError != nil, snapshot.photos.count == 0 { return onProgress() }
      receive(snapshot, isFirst: isFirst)
    case .failure(let error):
      // The next page is fetched again when the user moves, not by itself.
      nearestRow = 0
      if isPaging { isPaging = false } else { state = .failed(error) }
      onAlert(Alert(title: localized("Can't load photos"), error))
    }
  }

  private func receive(_ snapshot: PhotoSnapshot, isFirst: Bool) {
    self.snapshot = snapshot
    snapshotNumber += 1
    // The source may have read what was decided before.
    if let cull, !isCullCounted { count(cull) { [weak self] in self?.onProgress() } }
    progress = snapshot.progress.map { meter.measure($0, at: now()) }
    if isFirst, isLoading { selectedPhoto = nil }
    // A photo that is missing may be in a folder or an entry that could not be read.
    let isWhole = snapshot.isComplete && snapshot.nextPage == nil && snapshot.problems.count == 0
    marks.sourceDidChange(snapshot.photos, isComplete: isWhole)
    showOpenedFile()
    stacks.sourceDidChange(snapshot.photos, isComplete: snapshot.isComplete && snapshot.isOfFolder)
    search.arrange(snapshot.photos, isOfFolder: snapshot.isOfFolder)
    if snapshot.isComplete { isPaging = false }
    state = .loaded
    onProgress()
  }

  /// Shows the file that the user named instead of the first one of its shot.
  private func showOpenedFile() {
    guard !isOpenedFileShown, let opened = snapshot.opened, !snapshot.groups.isEmpty,
      let file = snapshot.photos.indices.first(where: { snapshot.photos.id(at: $0) == opened })
    else { return }
    isOpenedFileShown = true
    shownFiles[snapshot.photos.id(at: snapshot.groups.leader(of: file))] = opened
  }

  private func end(_ generation: Int) {
    guard generation == self.generation else { return }
    if isLoading { state = stateBeforeFetch }
    endReading()
    // The user may have been near the last row all the time.
    if nearestRow > 0 { approach(row: nearestRow) }
  }

  private func endReading() {
    retriedError = nil
    snapshot.isComplete = true
    isPaging = false
    progress = nil
    onProgress()
  }
}
