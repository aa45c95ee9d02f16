import FoundationEssentials
import Gallery
import Photos
import Services
import WorkerPool

/// The view model of what the user does with the photos of a list: marks them, decides about them, culls and compares them.
///
/// It is composed with the list once, and then follows it:
///
/// ```swift
/// let list = PhotoListViewModel(service: service)
/// let choosing = PhotoChoosingViewModel(list: list, decisions: decisions, desktop: desktop, exporter: exporter)
/// choosing.decide(.rating(3), orRow: 0)
/// ```
///
/// An action applies to the marked photos, or to one photo if none is marked, and to all files of each photo.
@MainActor
public final class PhotoChoosingViewModel {
  /// Called with an alert to show.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with a sentence about what was done, to show in passing.
  public var onNote: (String) -> Void = { _ in }
  /// Called when decisions have changed that rows show.
  public var onChange: () -> Void = {}
  /// Called with the photos of a step that was undone or made again, in their order, and with whether the next photo follows as it
  /// does when the user rates one.
  public var onReturn: (_ photos: [ImageLocation], _ movesOn: Bool) -> Void = { _, _ in }

  /// The marked photos.
  public let marks: PhotoMarks
  /// The number of marked photos that a search leaves out of the list.
  @Published public internal(set) var unlistedMarkCount = 0
  /// The count that is going on; nil if the number is up to date.
  var unlistedCounting: Task<Void, Never>?
  /// The user's decisions about photos.
  public let deciding: PhotoDeciding
  /// The stacks of similar photos.
  public let stacks: PhotoStacks
  /// The photos that are there in several files.
  public let duplicates: PhotoDuplicates
  /// The actions that open and export photos.
  public let sharing: PhotoSharing
  /// The action that copies an image to the clipboard.
  let copying: ImageCopying
  /// The service that looks for photos on cards; nil if there is none.
  let imports: (any ImportServiceProtocol)?
  /// The service that reads tracks; nil if there is none.
  let tracks: (any TrackServiceProtocol)?
  /// The cull that the user has begun, or nil for none.
  public internal(set) var cull: PhotoCull?
  /// The comparison that the user has left last, whose beaten photos can still be rejected.
  public internal(set) var lastComparison: PhotoComparison?

  /// The list of the photos.
  public let list: PhotoListViewModel
  let shownFiles = ShownFiles()
  /// Whether the cull was counted after the source had been read.
  var isCullCounted = false
  /// Whether ``showOpenedFile()`` is done. After that, the user chooses among the files of a shot.
  private var isOpenedFileShown = false
  /// The last addition to a collection. Each waits for the one before.
  var collecting: Task<Void, Never>?

  /// The distance from the highlighted row within which the shots of stacks are sorted by their sharpness.
  private static let stackRowsAhead = 12

  /// Composes the view model with a list.
  ///
  /// - Parameters:
  ///   - list: The list of the photos.
  ///   - decisions: The service that keeps what the user decides about photos.
  ///   - appraisals: The service that looks at photos to stack similar ones, or nil for none.
  ///   - desktop: The service that opens photos.
  ///   - exporter: The service that writes photos as a catalog.
  ///   - maker: The service that makes new files of photos; nil if there is none.
  ///   - imports: The service that looks for photos on cards; nil if there is none.
  ///   - tracks: The service that reads tracks; nil if there is none.
  ///   - marks: The marks of the photos.
  ///   - kept: The shots that the user keeps of stacks.
  public init(
    list: PhotoListViewModel, decisions: any StepServiceProtocol, appraisals: (any AppraisalServiceProtocol)? = nil,
    desktop: any DesktopServiceProtocol, exporter: any ExportServiceProtocol,
    maker: (any PhotoExporterProtocol)? = nil, imports: (any ImportServiceProtocol)? = nil,
    tracks: (any TrackServiceProtocol)? = nil,
    marks: PhotoMarks = PhotoMarks(), kept: PhotoMarks = PhotoMarks(),
    clock: any Clock<Duration> = WorkerPoolClock()
  ) {
    self.list = list
    self.imports = imports
    self.tracks = tracks
    self.marks = marks
    deciding = PhotoDeciding(service: decisions, shownFiles: shownFiles, clock: clock)
    stacks = PhotoStacks(service: appraisals, kept: kept)
    duplicates = PhotoDuplicates(service: appraisals)
    sharing = PhotoSharing(desktop: desktop, exporter: exporter)
    copying = ImageCopying(maker: maker, desktop: desktop)
    followList()
    let alert: (Alert) -> Void = { [weak self] in self?.onAlert($0) }
    let note: (String) -> Void = { [weak self] in self?.onNote($0) }
    marks.onAlert = alert
    kept.onAlert = alert
    marks.onRestore = { [weak self, search = list.search] in
      search.addMarked($0)
      self?.onNote(localized("Marked in the last session: \($0.count.photosText)"))
    }
    sharing.onAlert = alert
    sharing.onNote = note
    copying.onAlert = alert
    copying.onNote = note
    deciding.onAlert = alert
    deciding.onNote = note
    list.search.unread = { [weak self] in self?.deciding.changedOnServers ?? [:] }
    deciding.onReturn = { [weak self] in self?.onReturn($0, $1) }
    deciding.onChange = { [weak self] in self?.onChange() }
    deciding.countKeywords = { [weak self] in self?.countKeywords(onCount: $0) }
    stacks.choice = { [weak self, marks] shot, photos in
      let new = self?.deciding.newStars(of: photos.image(at: shot)) ?? nil
      let stars = max(0, (new ?? photos.stars(ofShot: shot)) ?? 0)
      // A mark counts more than five stars.
      return marks.contains(photos.id(at: shot)) ? stars + 6 : stars
    }
    stacks.onFind = { [weak self] in
      guard let self, let cull else { return }
      cull.fold(stacks.listed.folding(of: snapshot.photos), in: snapshot.photos)
      measureNextBursts(of: cull)
    }
    stacks.onChange = { [weak self] in
      guard let self else { return }
      list.search.stack(stacks.listed)
      cull?.sort { stacks.order(of: $0) }
    }
    list.search.onAskForDuplicates = { [duplicates] in duplicates.want($0) }
    duplicates.onChange = { [weak self] in if let groups = self?.duplicates.groups { self?.list.search.take(groups) } }
    duplicates.onProgress = { [weak self] in self?.list.onProgress() }
  }

  /// Takes the collections that searches ask for.
  public func follow(_ collections: PhotoCollections) {
    list.search.filesOfCollection = { [weak collections] in await collections?.files(of: $0) ?? [] }
    list.search.collectionNames = { [weak collections] in collections?.all.map(\.name) ?? [] }
  }

  private func followList() {
    list.context.marks = marks
    list.context.files = shownFiles
    list.context.onShowFile = { [weak self] in self?.show(file: $1, of: $0) }
    list.search.marked = { [marks] in marks.ids }
    list.onSnapshot = { [weak self] in self?.take($0) }
    list.onShow = { [weak self] in
      self?.approachNearest()
      self?.countUnlistedMarks()
    }
    marks.onChange = { [weak self] in self?.countUnlistedMarks() }
  }

  /// The sets of photos that outlast the session.
  private var keptMarks: [PhotoMarks] { [marks, stacks.kept] }

  /// Goes on where the last session ended: restores its marks and kept shots, and writes the decisions that wait.
  public func resume() {
    deciding.resume()
    for marks in keptMarks { marks.load() }
  }

  /// Stores the marks and the kept shots. What could not be stored is in ``failures``.
  public func settleMarks() async { for marks in keptMarks { await marks.settle() } }

  /// The reasons why marks or kept shots could not be stored.
  public var failures: [Alert] {
    // One file has both.
    let (marks, kept) = (marks.failure, stacks.kept.failure)
    return [marks, kept == marks ? nil : kept].compactMap(\.self)
  }

  /// The rows of the list.
  var rows: PhotoRows { list.rows }
  /// The newest snapshot of the list's source.
  var snapshot: PhotoSnapshot { list.source.snapshot }
  /// The row near which photos are looked for first.
  var nearestRow: RowIndex { list.nearestRow ?? 0 }

  private func take(_ snapshot: PhotoSnapshot) {
    deciding.possible = snapshot.capabilities.decisions
    deciding.movesFiles = canMoveFiles
    if snapshot.isComplete, snapshot.keptSince == nil { deciding.sourceDidReload() }
    list.context.deciding = canDecide ? deciding : nil
    // The source may have read what was decided before.
    if let cull, !isCullCounted { count(cull) { [weak self] in self?.onChange() } }
    // A photo that is missing may be in a folder or an entry that could not be read.
    let isWhole = snapshot.isComplete && snapshot.nextPage == nil && snapshot.problems.count == 0
    for marks in keptMarks { marks.sourceDidChange(snapshot.photos, isComplete: isWhole) }
    showOpenedFile()
    stacks.sourceDidChange(snapshot.photos, isComplete: snapshot.isComplete && canStack)
    duplicates.sourceDidChange(canStack ? snapshot.photos : PhotoTable(), isComplete: snapshot.isComplete)
  }

  /// Takes note of the row that the user has moved to: extends a range of marks, sorts the shots of the stacks near it, and
  /// lets the list fetch its next page.
  public func approach(row: RowIndex) {
    guard row != list.nearestRow else { return }
    list.approach(row: row)
    approachNearest()
  }

  private func approachNearest() {
    marks.extendRange(to: nearestRow, in: rows)
    approachStacks(around: nearestRow)
  }

  /// Sorts the shots of the stacks near a row, those of the nearest stack first.
  private func approachStacks(around row: RowIndex) {
    let near = (0...Self.stackRowsAhead).flatMap { $0 == 0 ? [row] : [row + $0, row - $0] }
    var seen: Set<TableIndex> = []
    // An open stack counts at the place of its nearest shot.
    let found = near.filter(rows.indices.contains).compactMap(rows.burst).filter { shots in
      shots.first.map { seen.insert($0).inserted } ?? false
    }
    stacks.approach(found.reversed(), in: rows.photos)
  }
}

// MARK: - Files and stacks

extension PhotoChoosingViewModel {
  /// Opens the photo that the user named to open it in its folder, or else the first one.
  public func viewFirst() {
    let row = snapshot.opened.flatMap { rows.index(ofPhoto: $0) } ?? 0
    if rows.contains(row: row) { rows[row].view() }
  }

  /// Returns the photo of a file that could not be read, or nil if it is gone.
  public func photo(with problem: SourceProblem) -> Photo.ID? {
    guard let file = problem.file?.utf8 else { return nil }
    let photos = snapshot.photos
    return photos.indices.first { photos.withText(.imageURL, at: $0) { $0.elementsEqual(file) } }.map(photos.id)
  }

  /// Returns the shot of an image, or nil if the source does not have the image.
  public func shot(of image: ImageLocation) async -> Photo.ID? { await Self.shot(of: image, in: snapshot.photos) }

  @concurrent
  private static func shot(of file: ImageLocation, in photos: PhotoTable) async -> Photo.ID? {
    photos.indices.first { photos.image(at: $0) == file }.map { photos.id(at: photos.groups.leader(of: $0)) }
  }

  /// Returns the row of a photo, or nil if the search leaves it out. If other photos represent it, its stack is opened, and its
  /// file is shown.
  public func reveal(_ photo: Photo.ID) -> RowIndex? {
    guard var row = rows.index(ofPhoto: photo, guess: nearestRow) else { return nil }
    if rows.id(at: row) == photo { return row }
    let isFile = { [self] (row: RowIndex) in rows.files(of: rows.photoIndex(at: row)).contains { $0.id == photo } }
    if !isFile(row) {
      toggleStack(row: row)
      row = rows.index(ofPhoto: photo, guess: row) ?? row
    }
    if rows.id(at: row) != photo, isFile(row) { show(file: photo, of: rows.id(at: row)) }
    return row
  }

  /// Opens the stack of a row, or closes it.
  public func toggleStack(row: RowIndex) {
    guard rows.indices.contains(row), let shots = rows.stack(ofRow: row) else { return }
    stacks.toggle(shots.map { rows.photos.id(at: $0) })
  }

  func show(file: Photo.ID, of shot: Photo.ID) {
    shownFiles[shot] = file
    renewRows()
  }

  /// Makes the rows again, whose texts have changed.
  public func renewRows() {
    rows.renew()
    cull?.lineup.renew()
    list.onReload()
  }

  /// Shows the file that the user named instead of the first one of its shot.
  private func showOpenedFile() {
    guard !isOpenedFileShown, let opened = snapshot.opened, !snapshot.groups.isEmpty,
      let file = snapshot.photos.indices.first(where: { snapshot.photos.id(at: $0) == opened })
    else { return }
    isOpenedFileShown = true
    shownFiles[snapshot.photos.id(at: snapshot.groups.leader(of: file))] = opened
  }
}
