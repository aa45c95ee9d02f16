import Finding
import Gallery
import Photos

/// The photos of a table that a list shows, and their order.
struct PhotoArrangement: Sendable {
  /// The table with all photos of the source.
  let photos: PhotoTable
  /// The indices of the listed photos in their order, or nil for all photos in the order of the table.
  private(set) var order: [TableIndex]?
  /// The indices of all photos in their order, or nil for the order of the table.
  private(set) var sorted: [TableIndex]?
  /// The sections of the listed photos, or nil for none.
  private(set) var grouping: PhotoGrouping?
  /// The number of matches, or nil if nothing is searched for.
  private(set) var matchCount: Int?
  /// The rows of the matches in ascending order, or nil if all rows match.
  private(set) var matchingRows: [RowIndex]?
  /// The photos that are shown in place of others.
  let folding: PhotoFolding
  /// The ``ShotStacks/version`` of the stacks.
  private let stacksVersion: Int
  /// The same as the rows show it. A search lists each shot of a stack, and no stack.
  private(set) var shownFolding: PhotoFolding

  /// Creates the arrangement that lists all photos in the order of the table.
  ///
  /// - Parameters:
  ///   - groupsByFolder: Whether the photos of each folder are listed together.
  ///   - last: The previous arrangement, whose stacks are reused if they are still valid.
  init(
    _ photos: PhotoTable, groupsByFolder: Bool = false, stacks: ShotStacks = ShotStacks(),
    after last: PhotoArrangement? = nil
  ) {
    if let last, last.stacksVersion == stacks.version, photos.changes(since: last.photos) != nil {
      folding = last.folding
    } else {
      folding = stacks.folding(of: photos)
    }
    self.photos = photos
    stacksVersion = stacks.version
    shownFolding = folding
    grouping = groupsByFolder && photos.hasFolders ? .folder : nil
    order = folding.folded(nil, photoCount: photos.count)
  }

  /// Sorts the photos and searches them.
  ///
  /// - Parameters:
  ///   - last: The previous arrangement, whose stacks are reused if they are still valid.
  ///   - query: The query, or nil for none.
  ///   - listsAll: Whether the list shows all photos rather than only the matches.
  ///   - sorted: The indices of all photos in the given order, if they are known from an earlier arrangement.
  ///   - found: The photos with all decisions about them, by which they are found and sorted.
  ///   - sets: The photos of the sets that the query may ask for.
  ///   - duplicates: The groups of duplicates, for a query that asks for them.
  ///   - ranks: The ranks of the photos that the server has found, from 0 for the best one. They are the order unless the user has chosen
  ///     another one.
  @concurrent
  init(
    _ photos: PhotoTable, groupsByFolder: Bool, stacks: ShotStacks, after last: PhotoArrangement, query: PhotoQuery?,
    listsAll: Bool, order: PhotoOrder, sorted: [TableIndex]?, finder: PhotoFinder, in found: PhotoTable,
    sets: PhotoSets,
    duplicates: DuplicateGroups, ranks: [Photo.ID: Int]
  ) async throws(CancellationError) {
    self.init(photos, groupsByFolder: groupsByFolder, stacks: stacks, after: last)
    switch order.key {
    case .source, .name: break
    case .date: grouping = .day
    case .camera, .size, .metadata: grouping = nil
    }
    if order != PhotoOrder() {
      if let sorted {
        self.sorted = sorted
      } else {
        let indices = try await order.indices(of: found)
        self.sorted = grouping == .folder ? indices.grouped(byFolderOf: photos, order) : indices
      }
    }
    if self.sorted != nil { self.order = folding.folded(self.sorted, photoCount: photos.count) }
    guard let query else { return }
    let matches = try await finder.find(query, in: found, order: self.sorted, sets: sets)
    if listsAll {
      let rows = rows(of: matches)
      matchingRows = rows
      matchCount = rows.count
    } else {
      // The best matches come first, wherever they are. Each shot of a stack is listed by itself.
      var shots = folding.shots(of: matches)
      if !ranks.isEmpty, order == PhotoOrder() { shots = shots.sorted(by: ranks, in: photos) }
      grouping = nil
      matchCount = shots.count
      shownFolding.stacks = PhotoGroups()
      self.order = shots
      if query.asks(for: .duplicates) {
        (self.order, shownFolding) = folding.listing(duplicates, among: shots, of: photos)
      }
    }
  }

  /// Returns the rows of photos in the list of all photos, in ascending order.
  private func rows(of matches: [TableIndex]) -> [RowIndex] {
    guard let order else { return matches.map { RowIndex($0.value) }.sorted() }
    var rows = [RowIndex](repeating: -1, count: photos.count)
    for (row, photo) in order.enumerated() { rows[photo.value] = RowIndex(row) }
    let found = matches.compactMap { match in
      folding.candidates(for: match).map { rows[$0.value] }.first { $0 >= 0 }
    }
    return folding.isEmpty ? found.sorted() : Set(found).sorted()
  }
}

extension [RowIndex] {
  /// Returns the index of the first element for which a predicate holds, or the number of elements if there is none.
  ///
  /// The predicate must hold for all elements after the first one for which it holds.
  func partitioningIndex(where predicate: (RowIndex) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension PhotoTable {
  /// Whether the photos of a folder are in several folders, or in one below it.
  fileprivate var hasFolders: Bool {
    guard !isEmpty else { return false }
    return withText(.imageURL, at: 0) { $0.contains(UInt8(ascii: "/")) }
      || !PhotoGrouping.folder.areTogether(0, endIndex - 1, in: self)
  }
}

extension [TableIndex] {
  /// Returns sorted photos with those of each folder together. The folders are in the order of the table, or in the
  /// reverse order if the photos are.
  fileprivate func grouped(byFolderOf photos: PhotoTable, _ order: PhotoOrder) -> [TableIndex] {
    var folders: [[UInt8]: Int] = [:]
    var folderOfPhoto: [Int] = []
    folderOfPhoto.reserveCapacity(photos.count)
    for photo in photos.indices {
      if photo > 0, PhotoGrouping.folder.areTogether(photo - 1, photo, in: photos) {
        folderOfPhoto.append(folderOfPhoto[photo.value - 1])
      } else {
        let folder = photos.withText(.imageURL, at: photo) { [UInt8](PhotoGrouping.folder($0)) }
        folderOfPhoto.append(folders[folder, default: folders.count])
        folders[folder] = folderOfPhoto[photo.value]
      }
    }
    var groups = [[TableIndex]](repeating: [], count: folders.count)
    for photo in self { groups[folderOfPhoto[photo.value]].append(photo) }
    return Array((order.isAscending ? groups : groups.reversed()).joined())
  }
}
