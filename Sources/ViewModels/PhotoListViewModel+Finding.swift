import Finding
import Gallery
import Photos
import WorkerPool

/// What is searched for in a list of photos, and how they are sorted.
public struct Finding: Sendable {
  /// As it was typed.
  public internal(set) var text = ""
  /// What is not understood of it, with what can be written instead.
  public internal(set) var fault: String?
  /// nil where nothing is searched for.
  public internal(set) var query: PhotoQuery?
  /// How many photos were found; nil until that is known, or where nothing is searched for.
  public internal(set) var foundCount: Int?
  /// Whether the list shows all photos, and what was found among them, instead of what was found alone.
  public internal(set) var keepsWholeList = false
  public internal(set) var order = PhotoOrder()

  /// The rows of what was found, where the list is kept whole; in their order.
  var foundRows: [Int32] = []
}

extension PhotoListViewModel {
  /// Searches for what has been typed so far. The newest search wins; what was shown stays until it has an answer.
  public func find(_ text: String) {
    guard text != finding.text else { return }
    finding.text = text
    do throws(QueryError) {
      let query = try PhotoQuery(text)
      finding.fault = nil
      finding.query = query.isEmpty ? nil : query
      arrange()
    } catch {
      finding.fault = error.message
    }
    onProgress()
  }

  /// Has the words read that will be searched, so that the first key need not wait for it.
  public func prepareToFind() {
    Task.onMainActor { [finder, photos = snapshot.photos] in await finder.prepare(photos) }
  }

  /// Shows all photos with what was found lit up, or what was found alone.
  public func toggleWholeList() {
    finding.keepsWholeList.toggle()
    arrange()
    onProgress()
  }

  /// Sorts by a key; by the same once more the other way round.
  public func sort(by key: PhotoOrder.Key) {
    let isAgain = key == finding.order.key
    finding.order = PhotoOrder(key, isAscending: isAgain ? !finding.order.isAscending : nil)
    arrange()
    onProgress()
  }

  /// The next row that was found behind `row`, or before it; from the last on to the first. nil where there is none.
  public func foundRow(after row: Int, isBackwards: Bool = false) -> Int? {
    guard finding.query != nil, finding.foundCount ?? 0 > 0 else { return nil }
    guard finding.keepsWholeList else {
      guard !rows.isEmpty else { return nil }
      return (row + (isBackwards ? rows.count - 1 : 1)) % rows.count
    }
    let found = finding.foundRows
    let next = found.partitioningIndex { isBackwards ? $0 >= row : $0 > row }
    guard !found.isEmpty else { return nil }
    return Int(isBackwards ? found[(next + found.count - 1) % found.count] : found[next % found.count])
  }

  /// Whether the rows are still those of before a search or a sort.
  public var isArranging: Bool { arranging != nil }

  /// Makes rows of the photos as they are now, sorted and searched.
  func arrange() {
    arranging?.cancel()
    arranging = nil
    let (finding, photos, number) = (finding, snapshot.photos, snapshotNumber)
    guard finding.query != nil || finding.order != PhotoOrder() else {
      return show(Arrangement(), of: photos, for: finding)
    }
    let known = sorted.flatMap { $0.order == finding.order && $0.snapshot == number ? $0.indices : nil }
    arranging = Task.onMainActor { [weak self, finder] in
      guard let arrangement = try? await Arrangement(of: photos, finding, sorted: known, finder) else { return }
      guard let self, !Task.isCancelled else { return }
      arranging = nil
      sorted = arrangement.sorted.map { (finding.order, number, $0) }
      show(arrangement, of: photos, for: finding)
      onProgress()
    }
  }

  private func show(_ arrangement: Arrangement, of photos: PhotoTable, for finding: Finding) {
    self.finding.foundCount = arrangement.foundCount
    self.finding.foundRows = arrangement.foundRows
    rows = PhotoRows(
      photos, order: arrangement.order,
      PhotoRows.Context(
        marks: marks, onPress: { [weak self] in self?.press($0) }, query: finding.query,
        foundRows: finding.keepsWholeList ? arrangement.foundRows : nil))
  }
}

/// Which photos are shown in which order.
private struct Arrangement: Sendable {
  /// nil for all, as the source has them.
  var order: [Int32]?
  var sorted: [Int32]?
  var foundCount: Int?
  var foundRows: [Int32] = []

  init() {}

  /// - Parameter sorted: The order, where it is known.
  @concurrent
  init(
    of photos: PhotoTable, _ finding: Finding, sorted: [Int32]?, _ finder: PhotoFinder
  ) async throws(CancellationError) {
    if finding.order != PhotoOrder() {
      self.sorted = if let sorted { sorted } else { try await finding.order.indices(of: photos) }
    }
    order = self.sorted
    guard let query = finding.query else { return }
    let found = try await finder.find(query, in: photos, order: self.sorted)
    foundCount = found.count
    if finding.keepsWholeList { foundRows = rows(of: found, count: photos.count) } else { order = found }
  }

  /// Where photos stand in the whole list.
  private func rows(of found: [Int32], count: Int) -> [Int32] {
    guard let order else { return found.sorted() }
    var rows = [Int32](repeating: 0, count: count)
    for (row, photo) in order.enumerated() { rows[Int(photo)] = Int32(row) }
    return found.map { rows[Int($0)] }.sorted()
  }
}

extension [Int32] {
  /// The first index from which on `isBehind` is true, of values for which it is so from some index on.
  func partitioningIndex(where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(Int(self[middle])) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
