import Finding
import Photos

/// The photos of a table that a list shows, and their order.
struct PhotoArrangement: Sendable {
  /// The table with all photos of the source.
  let photos: PhotoTable
  /// The indices of the listed photos in their order, or nil for all photos in the order of the table.
  private(set) var order: [Int32]?
  /// The indices of all photos in their order, or nil for the order of the table.
  private(set) var sorted: [Int32]?
  /// The number of matches, or nil if nothing is searched for.
  private(set) var matchCount: Int?
  /// The rows of the matches in ascending order, or nil if all rows match.
  private(set) var matchingRows: [Int32]?

  /// Creates the arrangement that lists all photos in the order of the table.
  init(_ photos: PhotoTable) {
    self.photos = photos
  }

  /// Sorts the photos and searches them.
  ///
  /// - Parameters:
  ///   - query: The query, or nil for none.
  ///   - listsAll: Whether the list shows all photos rather than only the matches.
  ///   - sorted: The indices of all photos in the given order, if they are known from an earlier arrangement.
  @concurrent
  init(
    _ photos: PhotoTable, query: PhotoQuery?, listsAll: Bool, order: PhotoOrder, sorted: [Int32]?, finder: PhotoFinder
  ) async throws(CancellationError) {
    self.photos = photos
    if order != PhotoOrder() {
      self.sorted = if let sorted { sorted } else { try await order.indices(of: photos) }
    }
    self.order = self.sorted
    guard let query else { return }
    let matches = try await finder.find(query, in: photos, order: self.sorted)
    matchCount = matches.count
    if listsAll { matchingRows = rows(of: matches) } else { self.order = matches }
  }

  /// Returns the rows of photos in the list of all photos, in ascending order.
  private func rows(of matches: [Int32]) -> [Int32] {
    guard let order else { return matches.sorted() }
    var rows = [Int32](repeating: 0, count: photos.count)
    for (row, photo) in order.enumerated() { rows[Int(photo)] = Int32(row) }
    return matches.map { rows[Int($0)] }.sorted()
  }
}

extension [Int32] {
  /// Returns the index of the first element for which a predicate holds, or the number of elements if there is none.
  ///
  /// The predicate must hold for all elements after the first one for which it holds.
  func partitioningIndex(where predicate: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(Int(self[middle])) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
