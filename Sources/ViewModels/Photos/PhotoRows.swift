import Finding
import Gallery
import Photos

/// The rows of the photo list.
///
/// A row is created when it is first requested, so that a list of a million photos costs nothing.
@MainActor
public struct PhotoRows: @MainActor RandomAccessCollection, RowList {
  /// The table with all photos of the source.
  let photos: PhotoTable
  /// The indices of the listed photos in their order, or nil for all photos in the order of the table.
  let order: [TableIndex]?
  /// The rows that match the query, in ascending order, or nil if all rows do.
  private let matchingRows: [RowIndex]?
  /// The photos that are shown in place of others.
  private let folding: PhotoFolding
  /// The stacks of the rows if they are others than the list's, or nil.
  private let stacks: (any RowStacks)?
  /// The properties that all rows share, such as the sections.
  private let context: PhotoRow.Context
  private let cache = Cache()

  /// The rows that have been created, so that a repeated request gets the same row.
  private final class Cache {
    var rows: [RowIndex: PhotoRow] = [:]
    /// Sections whose ends have been looked for, which takes time in a long one.
    var sections: [Range<RowIndex>] = []
    /// The rows in sections that fill rows of a contact sheet, with the number of photos in such a row. They are nil if they are the rows
    /// that have this cache, which would otherwise keep each other.
    var sheet: (columns: Int, sections: PhotoRows?)?
  }

  /// The largest numbers of cached rows and sections: more than a screen ever shows.
  private static let (mostCached, mostSections) = (4096, 256)
  /// The number of rows from which the length of sections is estimated.
  private static let sampleSize = 256

  /// Creates the rows of photos.
  ///
  /// - Parameters:
  ///   - order: The indices of the listed photos, or nil for all photos in the order of the table.
  ///   - matchingRows: The rows that match the query, in ascending order, or nil if all rows do.
  ///   - folding: The photos that are shown in place of others.
  ///   - stacks: The stacks of the rows if they are others than the list's, or nil.
  init(
    _ photos: PhotoTable, order: [TableIndex]? = nil, matchingRows: [RowIndex]? = nil,
    folding: PhotoFolding = PhotoFolding(),
    stacks: (any RowStacks)? = nil, _ context: PhotoRow.Context = PhotoRow.Context()
  ) {
    self.photos = photos
    self.order = order
    self.matchingRows = matchingRows
    self.folding = folding
    self.stacks = stacks
    self.context = context
  }

  /// Creates the rows of an arrangement.
  init(_ arrangement: PhotoArrangement, _ context: PhotoRow.Context) {
    var context = context
    context.grouping = arrangement.grouping
    self.init(
      arrangement.photos, order: arrangement.order, matchingRows: arrangement.matchingRows,
      folding: arrangement.shownFolding, context)
  }

  /// The number of cached rows.
  var cachedCount: Int { cache.rows.count }

  public var startIndex: RowIndex { 0 }
  public var endIndex: RowIndex { RowIndex(order?.count ?? photos.count) }
  public var indices: Range<RowIndex> { 0..<endIndex }
  public var isEmpty: Bool { endIndex == 0 }
  public func index(after index: RowIndex) -> RowIndex { index + 1 }
  public func index(before index: RowIndex) -> RowIndex { index - 1 }

  public subscript(index: RowIndex) -> PhotoRow {
    if let row = cache.rows[index] { return row }
    if cache.rows.count >= Self.mostCached { cache.rows = [:] }
    let photo = photoIndex(at: index)
    let id = id(at: index)
    var context = context
    if !isMatch(index) { context.query = nil }
    let row = PhotoRow(
      files(of: photo), with: others(with: photo).map { files(of: $0) }, at: index, photoIndex: photo,
      stack: stacks?.stackPlace(of: id) ?? folding.stack(of: photo, id: id), starsBehind: starsBehind(photo, at: index),
      repeatsName: repeatsName(index), context)
    cache.rows[index] = row
    return row
  }

  /// Returns the function that returns the stars of the shots behind the row of a closed stack. Each frame calls it, so the
  /// table is read once, and so are the files if there are decisions that the source has not read yet.
  private func starsBehind(_ photo: TableIndex, at index: RowIndex) -> @MainActor () -> [Int] {
    let (kind, shots) = shots(ofRow: index)
    guard stacks == nil, kind != nil else { return { [] } }
    let others = shots.filter { $0 != photo }
    var files: [[Photo]]?
    lazy var read = others.compactMap { photos.stars(ofShot: $0) }
    // The rows keep the function, so it must not keep the rows.
    return { [photos, folding, deciding = context.deciding] in
      guard let deciding, deciding.hasChanges else { return read }
      let known = files ?? others.map { folding.files(of: $0, in: photos) }
      files = known
      return known.compactMap { deciding.decisions(about: $0).rating }
    }
  }

  /// Returns whether the row before or after a row has the same name, which is then no name in a list.
  private func repeatsName(_ index: RowIndex) -> Bool {
    let photo = photo(at: index)
    guard photo.name != photo.file?.printableName else { return false }
    return [index - 1, index + 1].contains { indices.contains($0) && self.photo(at: $0).name == photo.name }
  }

  /// Returns whether a row matches the query as a whole. In the others, nothing is highlighted.
  private func isMatch(_ row: RowIndex) -> Bool {
    guard let matchingRows else { return true }
    let next = matchingRows.partitioningIndex { $0 >= row }
    return next < matchingRows.count && matchingRows[next] == row
  }

  public func row(at index: RowIndex) -> any RowViewModel { self[index] }
  public var areAlike: Bool { true }

  private var grouping: PhotoGrouping? { context.grouping }

  /// Whether the rows are in sections.
  public var hasSections: Bool { grouping != nil }

  public func isInSection(_ index: RowIndex) -> Bool { hasSections }

  public func section(ofRow index: RowIndex) -> String? {
    grouping?.heading(of: photoIndex(at: index), in: photos)
  }

  public func beginsSection(_ index: RowIndex) -> Bool {
    guard let grouping else { return false }
    return index == 0 || !grouping.areTogether(photoIndex(at: index - 1), photoIndex(at: index), in: photos)
  }

  /// Returns the rows of the section that a row belongs to, or all rows if they are not in sections.
  public func section(around index: RowIndex) -> Range<RowIndex> {
    guard grouping != nil else { return indices }
    if let known = cache.sections.first(where: { $0.contains(index) }) { return known }
    var (start, end) = (index, index + 1)
    while !beginsSection(start) { start = start - 1 }
    while end < endIndex, !beginsSection(end) { end = end + 1 }
    if cache.sections.count >= Self.mostSections { cache.sections = [] }
    cache.sections.append(start..<end)
    return start..<end
  }

  /// Returns the same rows for a contact sheet of some columns, in the smallest sections that fill a row on average, or
  /// without sections if none do.
  public func forSheet(columns: Int) -> PhotoRows {
    if let known = cache.sheet, known.columns == columns { return known.sections ?? self }
    var grouping = grouping
    while let known = grouping, sectionLength(in: known) < Double(columns) { grouping = known.coarser }
    let sections = grouping == self.grouping ? nil : grouped(by: grouping)
    cache.sheet = (columns, sections)
    return sections ?? self
  }

  private func grouped(by grouping: PhotoGrouping?) -> PhotoRows {
    var context = context
    context.grouping = grouping
    return PhotoRows(photos, order: order, matchingRows: matchingRows, folding: folding, stacks: stacks, context)
  }

  /// Estimates the mean length of sections from some rows, in photos.
  private func sectionLength(in grouping: PhotoGrouping) -> Double {
    let count = Swift.min(Self.sampleSize, self.count - 1)
    guard count > 0 else { return 1 }
    let ends = (0..<count).count { sample in
      let row = RowIndex(1 + sample * (self.count - 1) / count)
      return !grouping.areTogether(photoIndex(at: row - 1), photoIndex(at: row), in: photos)
    }
    return Double(count + 1) / Double(ends + 1)
  }

  public func index(of row: any RowViewModel) -> RowIndex? {
    guard let row = row as? PhotoRow else { return nil }
    // Usually only the order has changed, and the photo is still at the same index of the table.
    guard
      let photo = hasPhoto(row.photoID, at: row.photoIndex)
        ? row.photoIndex : photos.indices.first(where: { hasPhoto(row.photoID, at: $0) })
    else { return nil }
    return indexOfRow(standingFor: photo)
  }

  /// Creates the rows again when they are next requested.
  func renew() {
    cache.rows = [:]
    cache.sheet = nil
  }

  /// Returns the index of the row of a photo, or nil if the photo is not listed.
  ///
  /// - Parameter guess: The index to look at first, which makes the search of a long list unnecessary if it is right.
  public func index(ofPhoto id: Photo.ID, guess: RowIndex = 0) -> RowIndex? {
    if indices.contains(guess), self.id(at: guess) == id { return guess }
    if let row = indices.first(where: { self.id(at: $0) == id }) { return row }
    return photos.indices.first { hasPhoto(id, at: $0) }.flatMap(indexOfRow(standingFor:))
  }

  /// Returns the index of the row of a photo, or of the row that is shown in its place.
  private func indexOfRow(standingFor photo: TableIndex) -> RowIndex? {
    guard let order else { return RowIndex(photo.value) }
    return folding.candidates(for: photo).lazy.compactMap { order.firstIndex(of: $0) }.first.map { RowIndex($0) }
  }

  private func hasPhoto(_ id: Photo.ID, at index: TableIndex) -> Bool {
    photos.indices.contains(index) && photos.id(at: index) == id
  }
}

extension PhotoRows {
  /// Returns the photo of a row.
  public func photo(at index: RowIndex) -> Photo { photos[photoIndex(at: index)] }

  /// Returns the identifier of a row's photo without reading the photo.
  func id(at index: RowIndex) -> Photo.ID { photos.id(at: photoIndex(at: index)) }

  /// Returns the indices of the shots in the stack of a row, the sharpest first, or nil if it is in none. They are those of
  /// the rows' own table, which may be older than the newest one.
  func stack(ofRow row: RowIndex) -> ArraySlice<TableIndex>? { folding.stacks.group(of: photoIndex(at: row)) }

  /// Returns the same of a burst.
  func burst(ofRow row: RowIndex) -> ArraySlice<TableIndex>? {
    stack(ofRow: row).flatMap { $0.first.map(folding.kind) == .burst ? $0 : nil }
  }

  /// Returns the place of a row's photo in its stack, or nil if it is in none.
  func stackPlace(ofRow row: RowIndex) -> StackPlace? { folding.stack(of: photoIndex(at: row), id: id(at: row)) }

  /// Returns the indices of the shots of a row that stands for a closed stack, or that of its photo alone.
  func shots(ofRow row: RowIndex) -> (kind: StackKind?, shots: ArraySlice<TableIndex>) {
    let photo = photoIndex(at: row)
    return folding.closedStack(of: photo).map { ($0.kind, $0.shots) } ?? (nil, [photo])
  }

  /// Returns the indices of the other shots that a decision about a shot is about, too, because they are a closed set.
  func others(with shot: TableIndex) -> [TableIndex] {
    stacks?.others(with: photos.id(at: shot)) ?? folding.others(with: shot)
  }

  /// The indices of the shots that a search has found, if only these are listed, or else nil.
  var found: [TableIndex]? { context.query == nil || matchingRows != nil ? nil : order }

  /// The identifiers of the photos that match the search, or of all photos if nothing is searched for.
  var matchingIDs: [Photo.ID] { matchingRows?.map(id) ?? indices.map(id(at:)) }

  /// Returns the indices of the shots in the table whose identifiers satisfy `isWanted`, listed or not.
  func shots(where isWanted: (Photo.ID) -> Bool) -> [TableIndex] {
    photos.indices.filter { isWanted(photos.id(at: $0)) && !folding.files.isHidden($0) }
  }

  /// Returns the photos of all files of a shot, the first one first.
  func files(of photo: TableIndex) -> [Photo] { folding.files(of: photo, in: photos) }

  /// Whether some rows stand for sets, such as brackets.
  var hasSets: Bool { !folding.kinds.isEmpty }

  /// Returns the files of a shot, and of each other shot that a decision about it is about, too.
  func filesOfSet(with shot: TableIndex) -> [[Photo]] {
    [files(of: shot)] + others(with: shot).map { files(of: $0) }
  }

  /// Returns the index of a row's photo.
  func photoIndex(at index: RowIndex) -> TableIndex { order.map { $0[index.value] } ?? TableIndex(index.value) }
}
