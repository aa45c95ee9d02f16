import Gallery
import Photos

/// The place of a photo in a ``PhotoLineup``. It stays when photos before it are gone, which move to other rows.
public typealias PlaceIndex = TypedIndex<PhotoLineup>

/// Photos in the order that they had at some time. They keep it and stay, even if a search or a sort changes the list.
@MainActor
public final class PhotoLineup {
  /// The identifiers of the photos.
  private(set) var ids: [Photo.ID]
  /// The index of each photo in the table that was used last, or ``missing``.
  private var indices: [TableIndex]
  /// The table that was used last; nil if all photos were in it.
  private var tableWithGaps: PhotoTable?
  /// The rows, and the number of the snapshot that they were made of.
  private var made: (snapshot: Int, rows: PhotoRows)?

  /// The index of a photo that is in no table.
  static let missing: TableIndex = -1

  /// - Parameter indices: The indices of the photos in the current table.
  init(_ ids: [Photo.ID], indices: [TableIndex]) {
    self.ids = ids
    self.indices = indices
  }

  /// The places of all photos, those that are gone included.
  var places: Range<PlaceIndex> { 0..<PlaceIndex(ids.count) }

  /// The photo at a place.
  subscript(place: PlaceIndex) -> Photo.ID { ids[place.value] }

  /// Returns the indices of the photos in a table. Those that are no longer there are left out.
  func order(in photos: PhotoTable) -> [TableIndex] {
    find(in: photos)
    return tableWithGaps == nil ? indices : indices.filter { $0 != Self.missing }
  }

  private func find(in photos: PhotoTable) {
    func isCurrent(_ place: Int) -> Bool {
      let index = indices[place]
      return photos.indices.contains(index) && photos.id(at: index) == ids[place]
    }
    // Usually the photos are where they were.
    if ids.indices.allSatisfy(isCurrent) { return }
    let hasSameGaps = tableWithGaps.map { photos.changes(since: $0) != nil } ?? false
    tableWithGaps = photos
    if hasSameGaps { return }
    let wanted = Set(ids)
    var found: [Photo.ID: TableIndex] = [:]
    for photo in photos.indices {
      let id = photos.id(at: photo)
      if wanted.contains(id), found[id] == nil { found[id] = photo }
    }
    indices = ids.map { found[$0] ?? Self.missing }
    if !indices.contains(Self.missing) { tableWithGaps = nil }
  }

  /// Returns the index of a photo in the table that was used last, or nil if the photo was not in it.
  func index(at place: PlaceIndex) -> TableIndex? {
    indices[place.value] == Self.missing ? nil : indices[place.value]
  }

  /// Returns the rows of the photos.
  ///
  /// - Parameters:
  ///   - snapshot: The number of the snapshot. The rows stay as long as it is the same.
  ///   - make: Makes the rows of photos.
  func rows(ofSnapshot snapshot: Int, in photos: PhotoTable, make: ([TableIndex]) -> PhotoRows) -> PhotoRows {
    if let made, made.snapshot == snapshot { return made.rows }
    let rows = make(order(in: photos))
    made = (snapshot, rows)
    return rows
  }

  /// Returns the row of the photo at a place, or nil if the photo is gone.
  func row(at place: PlaceIndex, in rows: PhotoRows) -> RowIndex? {
    // The rows before it may be fewer by the photos that are gone.
    let first = RowIndex(max(0, place.value - (ids.count - rows.count)))
    let possible = first..<max(first, min(RowIndex(place.value + 1), rows.endIndex))
    return possible.last { rows.id(at: $0) == self[place] }
  }

  /// Puts another photo in the place of one.
  ///
  /// - Parameter index: The index of the photo in the table that was used last.
  func replace(at place: PlaceIndex, with id: Photo.ID, index: TableIndex) {
    ids[place.value] = id
    indices[place.value] = index
    tableWithGaps = nil
    made = nil
  }

  /// Creates the rows again when they are next requested.
  func renew() { made?.rows.renew() }
}

extension PhotoRows {
  /// Returns the photos at some indices of the table, which keep this order.
  func lineup(of photos: [TableIndex]) -> PhotoLineup {
    PhotoLineup(photos.map { self.photos.id(at: $0) }, indices: photos)
  }
}
