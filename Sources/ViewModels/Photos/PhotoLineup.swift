import Gallery
import Photos

/// Photos in the order that they had at some time. They keep it and stay, even if a search or a sort changes the list.
@MainActor
final class PhotoLineup {
  /// The identifiers of the photos.
  private(set) var ids: [Photo.ID]
  /// The indices of the photos in the table that was used last.
  private var order: [Int32]
  /// The table that was used last; nil if all photos were in it.
  private var tableWithGaps: PhotoTable?
  /// The rows, and the number of the snapshot that they were made of.
  private var made: (snapshot: Int, rows: PhotoRows)?

  /// - Parameter order: The indices of the photos in the current table.
  init(_ ids: [Photo.ID], order: [Int32]) { (self.ids, self.order) = (ids, order) }

  /// Returns the indices of the photos in a table. Those that are no longer there are left out.
  func order(in photos: PhotoTable) -> [Int32] {
    func isCurrent(_ place: Int) -> Bool {
      photos.indices.contains(Int(order[place])) && photos.id(at: Int(order[place])) == ids[place]
    }
    // Usually the photos are where they were.
    if order.count == ids.count, ids.indices.allSatisfy(isCurrent) { return order }
    let hasSameGaps = tableWithGaps.map { photos.changes(since: $0) != nil } ?? false
    tableWithGaps = photos
    if hasSameGaps { return order }
    let wanted = Set(ids)
    var indices: [Photo.ID: Int32] = [:]
    for photo in photos.indices {
      let id = photos.id(at: photo)
      if wanted.contains(id), indices[id] == nil { indices[id] = Int32(photo) }
    }
    order = ids.compactMap { indices[$0] }
    if order.count == ids.count { tableWithGaps = nil }
    return order
  }

  /// Returns the rows of the photos.
  ///
  /// - Parameters:
  ///   - snapshot: The number of the snapshot. The rows stay as long as it is the same.
  ///   - make: Makes the rows of photos.
  func rows(ofSnapshot snapshot: Int, in photos: PhotoTable, make: ([Int32]) -> PhotoRows) -> PhotoRows {
    if let made, made.snapshot == snapshot { return made.rows }
    let rows = make(order(in: photos))
    made = (snapshot, rows)
    return rows
  }

  /// Returns the row of the photo at an index of ``ids``, or nil if the photo is gone.
  func row(at place: Int, in rows: PhotoRows) -> PhotoRow? {
    // The rows before it may be fewer by the photos that are gone.
    let first = max(0, place - (ids.count - rows.count))
    let possible = first..<max(first, min(place + 1, rows.count))
    return possible.last { rows.id(at: $0) == ids[place] }.map { rows[$0] }
  }

  /// Puts another photo in the place of one.
  func replace(at place: Int, with id: Photo.ID) {
    ids[place] = id
    (order, tableWithGaps, made) = ([], nil, nil)
  }

  /// Creates the rows again when they are next requested.
  func renew() { made?.rows.renew() }
}
