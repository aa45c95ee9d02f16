import Gallery
import Photos
import Services
import WorkerPool

// The photos that actions are about: the marked ones, or else that of a row.
extension PhotoChoosingViewModel {
  /// The marked photos in the order of the source.
  public var markedPhotos: [Photo] { marks.count > 0 ? photos(where: marks.contains) : [] }

  /// The photos that the cull picks, in the order of the source.
  public var pickedPhotos: [Photo] { (cull?.picks).map { photos(where: Set($0).contains) } ?? [] }

  /// The photos that the cull rejects, in the order of the source.
  public var rejectedPhotos: [Photo] { (cull?.rejects).map { photos(where: Set($0).contains) } ?? [] }

  /// Returns the photos of the source with certain identities, each with one of its files.
  private func photos(where isChosen: (Photo.ID) -> Bool) -> [Photo] {
    let photos = snapshot.photos
    let groups = snapshot.groups
    var seen: Set<TableIndex> = []
    return photos.indices.compactMap { photo in
      guard isChosen(photos.id(at: photo)) else { return nil }
      let shot = groups.leader(of: photo)
      // Two files of a shot may have been marked before they were known to belong together.
      return seen.insert(shot).inserted ? photos[shot] : nil
    }
  }

  /// Returns the marked photos in the order of the source, or the photo of a row if none is marked.
  public func markedPhotos(orRow row: RowIndex) -> [Photo] {
    if marks.count > 0 { return markedPhotos }
    return rows.indices.contains(row) ? [rows.photo(at: row)] : []
  }

  /// Whether the user can decide about the photos.
  public var canDecide: Bool { !snapshot.capabilities.decisions.isEmpty }

  /// Whether files can be moved, as into the trash.
  public var canMoveFiles: Bool { snapshot.capabilities.contains(.moving) }

  /// Whether the originals can be copied to a folder.
  public var canCopyFiles: Bool { snapshot.capabilities.contains(.copying) }

  /// Whether new files can be made of the photos.
  public var canExport: Bool { snapshot.capabilities.contains(.exporting) }

  /// Whether similar photos can be stacked.
  public var canStack: Bool { snapshot.capabilities.contains(.stacking) }

  /// Decides about the marked photos, or about the photo of a row if none is marked. Of a closed burst, that is the shown shot, as
  /// the note says before the remark.
  public func decide(_ change: DecisionChange, orRow row: RowIndex, remark: String? = nil) {
    let shown = marks.count == 0 && rows.indices.contains(row) ? rows.shots(ofRow: row) : nil
    let part = shown.flatMap { $0.kind == .burst ? localized("1 of \($0.shots.count) shots") : nil }
    let photos = markedPhotos(orRow: row)
    let remarks = [part, unlistedText(among: photos), remark].compactMap(\.self)
    make(.decision(change), of: photos, remark: remarks.isEmpty ? nil : remarks.joined(separator: " · "))
  }

  /// Decides about photos.
  public func decide(_ change: DecisionChange, about photos: [Photo]) { make(.decision(change), of: photos) }

  /// Returns what a change of the files of photos is about.
  public func filePreview(of photos: [Photo]) -> FilePreview {
    FilePreview(filesByShot(photos), remark: unlistedText(among: photos))
  }

  /// Finds out what a change of the files of photos would meet on the disk.
  public func forecast(_ change: FileChange, of photos: [Photo], onAnswer: @escaping (FileForecast) -> Void) {
    let shots = filesByShot(photos)
    Task.onMainActor { [deciding] in onAnswer(await deciding.forecast(change, ofShots: shots)) }
  }

  /// Moves, copies or renames the files of photos. Those that are moved are where they belong, so they lose their marks.
  public func changeFiles(of photos: [Photo], _ change: FileChange) {
    let ids = files(of: photos).map(\.id)
    make(.files(change), of: photos)
    if change.isMove { marks.unmark(ids) }
  }

  /// Makes a change of photos.
  /// - Parameter remark: The end of the note about it; nil for none.
  public func make(_ change: StepRequest.Change, of photos: [Photo], remark: String? = nil) {
    if canDecide { deciding.make(change, forShots: filesByShot(photos), remark: remark) }
  }

  /// Returns the decisions about photos.
  public func decisions(about photos: [Photo]) -> [PhotoDecisions] {
    filesByShot(photos).map(deciding.decisions)
  }

  /// Returns the photos of all files of shots, to which the actions apply.
  public func files(of shots: [Photo]) -> [Photo] { filesByShot(shots).flatMap(\.self) }

  /// Returns the photos of the files of each shot. A shot that represents a closed set, such as a bracket, is followed by the
  /// others.
  public func filesByShot(_ shots: [Photo]) -> [[Photo]] {
    guard !snapshot.groups.isEmpty || rows.hasSets else { return shots.map { [$0] } }
    // The highlighted photo is found without a search.
    if shots.count == 1, rows.indices.contains(nearestRow), rows.id(at: nearestRow) == shots[0].id {
      return rows.filesOfSet(with: rows.photoIndex(at: nearestRow))
    }
    let photos = rows.photos
    let wanted = Set(shots.map(\.id))
    var files: [Photo.ID: [[Photo]]] = [:]
    for photo in photos.indices where wanted.contains(photos.id(at: photo)) {
      files[photos.id(at: photo)] = rows.filesOfSet(with: photo)
    }
    var seen: Set<Photo.ID> = []
    // Another shot of a set may be marked itself.
    return shots.flatMap { files[$0.id] ?? [[$0]] }.filter { seen.insert($0[0].id).inserted }
  }

  /// Counts the keywords of all photos, with those that the source has not read yet.
  func countKeywords(onCount: @escaping ([String]) -> Void) {
    Task.onMainActor { [photos = snapshot.photos, new = deciding.newKeywords] in
      onCount(await KeywordCensus.keywords(of: photos, and: new))
    }
  }
}

// MARK: - Marked photos that are not listed

extension PhotoChoosingViewModel {
  /// Counts the marked photos that a search leaves out. There may be a million, so another thread counts them, and the number can
  /// change a moment after the list.
  func countUnlistedMarks() {
    unlistedCounting?.cancel()
    guard marks.count > 0, let found = rows.found else {
      unlistedCounting = nil
      if unlistedMarkCount > 0 { unlistedMarkCount = 0 }
      return
    }
    unlistedCounting = Task.onMainActor { [weak self, ids = marks.ids, photos = rows.photos] in
      let count = await Self.count(of: ids, in: photos, unlessIn: found)
      guard let self, !Task.isCancelled else { return }
      unlistedCounting = nil
      if unlistedMarkCount != count { unlistedMarkCount = count }
    }
  }

  @concurrent
  private static func count(
    of marked: Set<Photo.ID>, in photos: PhotoTable, unlessIn found: [TableIndex]
  ) async -> Int { photos.count(of: marked, unlessIn: found) }

  /// Says how many of the photos that an action is about are not listed, or returns nil if all are.
  func unlistedText(among shots: [Photo]) -> String? {
    guard marks.count > 0, let found = rows.found else { return nil }
    let count = rows.photos.count(of: Set(shots.map(\.id)), unlessIn: found)
    if count == 0 { return nil }
    return shots.count == 1 ? localized("not listed") : localized("\(count.grouped) not listed")
  }
}

extension PhotoTable {
  /// Returns the number of photos with some identifiers whose shots are not found by a search.
  fileprivate func count(of wanted: Set<Photo.ID>, unlessIn found: [TableIndex]) -> Int {
    var isFound = [Bool](repeating: false, count: count)
    for shot in found { isFound[shot.value] = true }
    return indices.count { !isFound[groups.leader(of: $0).value] && wanted.contains(id(at: $0)) }
  }
}
