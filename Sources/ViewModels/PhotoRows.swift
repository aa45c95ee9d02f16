import Finding
import Gallery
import Photos

/// The rows of some photos of a table, in some order. A row is made when it is asked for, so that a million cost nothing.
@MainActor
public struct PhotoRows: @MainActor RandomAccessCollection, RowList {
  /// What all rows have in common.
  struct Context {
    let marks: PhotoMarks
    let onPress: (Photo) -> Void
    /// What was searched for, to be lit up.
    var query: PhotoQuery?
    /// The rows of what was found, in their order; nil where all rows were.
    var foundRows: [Int32]?

    /// What is lit up in a row: nothing of one that was not found, though it may have some of the words.
    func query(ofRow row: Int) -> PhotoQuery? {
      guard let foundRows else { return query }
      let next = foundRows.partitioningIndex { $0 >= row }
      return next < foundRows.count && foundRows[next] == row ? query : nil
    }
  }

  /// Rows that have been made, by their places: who asks again gets the same one.
  private final class Made {
    var rows: [Int: PhotoRow] = [:]
  }

  let photos: PhotoTable
  /// The indices of the photos; nil for all, as they are in the table.
  let order: [Int32]?
  private let context: Context
  private let made = Made()

  /// More than are ever on a screen.
  private static let mostMade = 4096

  init(_ photos: PhotoTable, order: [Int32]? = nil, _ context: Context) {
    (self.photos, self.order, self.context) = (photos, order, context)
  }

  /// How many rows are kept.
  var madeCount: Int { made.rows.count }

  public var startIndex: Int { 0 }
  public var endIndex: Int { order?.count ?? photos.count }
  public var indices: Range<Int> { 0..<endIndex }
  public var isEmpty: Bool { endIndex == 0 }
  public func index(after index: Int) -> Int { index + 1 }
  public func index(before index: Int) -> Int { index - 1 }

  public subscript(index: Int) -> PhotoRow {
    if let row = made.rows[index] { return row }
    if made.rows.count >= Self.mostMade { made.rows = [:] }
    let row = PhotoRow(
      photo(at: index), marks: context.marks, query: context.query(ofRow: index), onPress: context.onPress)
    row.photoIndex = photoIndex(at: index)
    made.rows[index] = row
    return row
  }

  func photoIndex(at index: Int) -> Int { order.map { Int($0[index]) } ?? index }
  func photo(at index: Int) -> Photo { photos[photoIndex(at: index)] }
  func id(at index: Int) -> Photo.ID { photos.id(at: photoIndex(at: index)) }

  public func row(at index: Int) -> any RowViewModel { self[index] }
  public var areAlike: Bool { true }

  public func index(of row: any RowViewModel) -> Int? {
    guard let row = row as? PhotoRow else { return nil }
    // Mostly the photo is still where it was in the table, and only the order has changed.
    guard
      let photo = isSame(row, at: row.photoIndex)
        ? row.photoIndex : photos.indices.first(where: { isSame(row, at: $0) })
    else { return nil }
    guard let order else { return photo }
    return order.firstIndex(of: Int32(photo))
  }

  private func isSame(_ row: PhotoRow, at photo: Int) -> Bool {
    photos.indices.contains(photo) && photos.id(at: photo) == row.photoID
  }
}
