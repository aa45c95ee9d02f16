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
  private let order: [Int32]?
  private let context: Context
  private let cache = Cache()

  /// The properties that all rows share.
  struct Context {
    let marks: PhotoMarks
    /// Called with the photo of a pressed row.
    let onPress: (Photo) -> Void
    /// The query whose matches are highlighted, or nil for none.
    var query: PhotoQuery?
    /// The rows that match the query, in ascending order, or nil if all rows do.
    var matchingRows: [Int32]?

    /// Returns the query for a row, or nil if the row doesn't match as a whole and nothing in it is highlighted.
    func query(ofRow row: Int) -> PhotoQuery? {
      guard let matchingRows else { return query }
      let next = matchingRows.partitioningIndex { $0 >= row }
      return next < matchingRows.count && matchingRows[next] == row ? query : nil
    }
  }

  /// The rows that have been created, so that a repeated request gets the same row.
  private final class Cache {
    var rows: [Int: PhotoRow] = [:]
  }

  /// The largest number of cached rows: more than a screen ever shows.
  private static let mostCached = 4096

  /// Creates the rows of photos.
  ///
  /// - Parameter order: The indices of the listed photos, or nil for all photos in the order of the table.
  init(_ photos: PhotoTable, order: [Int32]? = nil, _ context: Context) {
    (self.photos, self.order, self.context) = (photos, order, context)
  }

  /// The number of cached rows.
  var cachedCount: Int { cache.rows.count }

  public var startIndex: Int { 0 }
  public var endIndex: Int { order?.count ?? photos.count }
  public var indices: Range<Int> { 0..<endIndex }
  public var isEmpty: Bool { endIndex == 0 }
  public func index(after index: Int) -> Int { index + 1 }
  public func index(before index: Int) -> Int { index - 1 }

  public subscript(index: Int) -> PhotoRow {
    if let row = cache.rows[index] { return row }
    if cache.rows.count >= Self.mostCached { cache.rows = [:] }
    let row = PhotoRow(
      photo(at: index), photoIndex: photoIndex(at: index), marks: context.marks, query: context.query(ofRow: index),
      onPress: context.onPress)
    cache.rows[index] = row
    return row
  }

  public func row(at index: Int) -> any RowViewModel { self[index] }
  public var areAlike: Bool { true }

  public func index(of row: any RowViewModel) -> Int? {
    guard let row = row as? PhotoRow else { return nil }
    // Usually only the order has changed, and the photo is still at the same index of the table.
    guard
      let photo = hasPhoto(row.photoID, at: row.photoIndex)
        ? row.photoIndex : photos.indices.first(where: { hasPhoto(row.photoID, at: $0) })
    else { return nil }
    guard let order else { return photo }
    return order.firstIndex(of: Int32(photo))
  }

  /// Returns the index of the row of a photo, or nil if the photo is not listed.
  ///
  /// - Parameter guess: The index to look at first, which makes the search of a long list unnecessary if it is right.
  public func index(ofPhoto id: Photo.ID, guess: Int = 0) -> Int? {
    if indices.contains(guess), self.id(at: guess) == id { return guess }
    return indices.first { self.id(at: $0) == id }
  }

  private func hasPhoto(_ id: Photo.ID, at index: Int) -> Bool {
    photos.indices.contains(index) && photos.id(at: index) == id
  }
}

extension PhotoRows {
  /// Returns the photo of a row.
  func photo(at index: Int) -> Photo { photos[photoIndex(at: index)] }

  /// Returns the identifier of a row's photo without reading the photo.
  func id(at index: Int) -> Photo.ID { photos.id(at: photoIndex(at: index)) }

  /// The identifiers of the photos that match the search, or of all photos if nothing is searched for.
  var matchingIDs: [Photo.ID] { context.matchingRows?.map { id(at: Int($0)) } ?? indices.map(id(at:)) }

  private func photoIndex(at index: Int) -> Int { order.map { Int($0[index]) } ?? index }
}
