import FoundationEssentials
import Gallery
import Synchronization

/// A compact collection of any number of photos. The texts of the photos are packed, and a `Photo` is created only when
/// it is requested.
///
/// Appending photos to a table does not change earlier copies of it, which share their rows with the table.
public struct PhotoTable: RandomAccessCollection, Sendable {
  @usableFromInline var segments: [PackedPhotos] = []
  /// The index of the first photo of each segment.
  @usableFromInline var starts: [TableIndex] = []
  /// The index behind the last photo.
  public private(set) var endIndex: TableIndex = 0
  /// Whether any photo may have metadata. Search and sort look at each photo, of which most catalogs have no metadata.
  @usableFromInline private(set) var mayHaveMetadata = false
  /// The identity of the photos that copies share. If two tables have the same lineage, the shorter one is the
  /// beginning of the longer one.
  public private(set) var lineage = PhotoLineage()
  /// The photos that consist of several files. A search finds the first file of each, by the contents of all its files.
  public var groups = PhotoGroups() {
    didSet { lineage = PhotoLineage(count: count) }
  }

  /// Creates an empty table.
  public init() {}

  /// The index of the first photo, which is always 0.
  public var startIndex: TableIndex { 0 }

  /// Creates the photo at an index.
  public subscript(index: TableIndex) -> Photo {
    let (segment, row) = place(of: index)
    return segments[segment].photo(row)
  }

  /// Returns the ID of the photo at an index.
  public func id(at index: TableIndex) -> Photo.ID {
    let (segment, row) = place(of: index)
    return segments[segment].rows[row].id
  }

  /// Returns the location of the image at an index without creating the photo.
  public func image(at index: TableIndex) -> ImageLocation {
    let (segment, row) = place(of: index)
    return segments[segment].image(row)
  }

  /// Returns the creation date of the photo at an index.
  public func createdAt(at index: TableIndex) -> Date {
    let (segment, row) = place(of: index)
    return Date(timeIntervalSince1970: segments[segment].rows[row].createdAt)
  }

  /// Returns the photo's ``Photo/clock`` without creating the photo.
  public func clock(at index: TableIndex) -> Double {
    let (segment, row) = place(of: index)
    return segments[segment].clock(row)
  }

  /// Returns the ``Photo/clock`` of each photo in a range without creating the photos.
  public func clocks(in range: Range<TableIndex>) -> [Double] {
    var clocks: [Double] = []
    clocks.reserveCapacity(range.count)
    while clocks.count < range.count {
      let (segment, row) = place(of: range.lowerBound + clocks.count)
      let end = Swift.min(segments[segment].rows.count, row + range.count - clocks.count)
      segments[segment].appendClocks(of: row..<end, to: &clocks)
    }
    return clocks
  }

  /// Returns the stars of a shot, as its row shows them: those of the first of its files that has some.
  public func stars(ofShot shot: TableIndex) -> Int? {
    guard mayHaveMetadata else { return nil }
    var stars: Int?
    groups.forEachPhoto(shownAs: shot) { file in
      let (segment, row) = place(of: file)
      stars = PhotoDecisions.rating(stars, orElse: segments[segment].rating(row))
    }
    return stars
  }

  /// Returns whether the photo is for sale, or nil if the source does not say.
  public func isForSale(at index: TableIndex) -> Bool? {
    let (segment, row) = place(of: index)
    return segments[segment].rows[row].isForSale
  }

  /// Returns the photo's metadata, or nil if it has not been read. The title, the caption and the camera may be missing,
  /// because they are texts of the table (``withText(_:at:_:)``).
  @inlinable public func metadataBesideColumns(at index: TableIndex) -> PhotoMetadata? {
    mayHaveMetadata ? unpackedMetadata(at: index) : nil
  }

  @usableFromInline func unpackedMetadata(at index: TableIndex) -> PhotoMetadata? {
    let (segment, row) = place(of: index)
    return segments[segment].metadataBesideColumns(row)
  }

  /// Calls `body` with one of a photo's texts in UTF-8, without copying it.
  ///
  /// The text is exactly what the source contains, so it may not be printable. A missing text is empty. The bytes are
  /// valid only until `body` returns.
  @inlinable public func withText<Result>(
    _ column: PhotoColumn, at index: TableIndex, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let (segment, row) = place(of: index)
    return try segments[segment].withText(column, at: row, body)
  }

  /// Appends packed photos.
  ///
  /// Small segments are joined. So the number of segments, and the number of times that a photo is copied, grow only
  /// with the logarithm of the number of photos, even if few photos are appended at a time.
  public mutating func append(_ segment: PackedPhotos) {
    if !lineage.grow(from: count, to: count + segment.rows.count) {
      lineage = PhotoLineage(count: count + segment.rows.count)
    }
    var segment = segment
    while let last = segments.last, last.rows.count <= segment.rows.count, let joined = last.joined(with: segment) {
      segment = joined
      segments.removeLast()
      endIndex = starts.removeLast()
    }
    add(segment)
  }

  private mutating func add(_ segment: PackedPhotos) {
    segments.append(segment)
    mayHaveMetadata = mayHaveMetadata || segment.mayHaveMetadata
    starts.append(endIndex)
    endIndex = endIndex + segment.rows.count
  }

  /// Appends the photos of another table whose IDs satisfy `isWanted`. The two tables share the photos' texts.
  public mutating func append(_ other: PhotoTable, where isWanted: (Photo.ID) -> Bool) {
    for segment in other.segments.compactMap({ $0.filtered(isWanted) }) { append(segment) }
  }

  @inlinable func place(of index: TableIndex) -> (segment: Int, row: Int) {
    precondition(indices.contains(index), "no photo has this index")
    var low = 0
    var high = starts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return (low, starts[low].distance(to: index))
  }
}

extension PhotoTable {
  /// Creates a table of segments as they are, which share their photos with other tables. A source that changes some of
  /// its photos packs only their segments again.
  public init(segments: [PackedPhotos]) {
    self.init()
    for segment in segments { add(segment) }
    lineage = PhotoLineage(count: count)
  }

  /// Returns a table in which some photos are changed. Only the segments of these are packed again.
  /// - Parameter change: Returns the photo that takes the place of one, at the same index and with the same ID.
  public func changing(_ photos: Set<TableIndex>, _ change: (Photo) -> Photo) -> PhotoTable {
    let segments = zip(starts, self.segments).map { start, segment in
      let places = segment.rows.indices.map { start + $0 }
      guard places.contains(where: photos.contains) else { return segment }
      var packer = PhotoPacker()
      for (row, index) in places.enumerated() {
        let photo = segment.photo(row)
        packer.append(photos.contains(index) ? change(photo) : photo)
      }
      return packer.pack()
    }
    var table = PhotoTable(segments: segments)
    table.groups = groups
    return table
  }

  /// Creates a table of photos that have their own images and metadata.
  public init(_ photos: some Sequence<Photo>) {
    self.init()
    var packer = PhotoPacker()
    for photo in photos {
      packer.append(photo)
      if packer.isFull { append(packer.pack()) }
    }
    if packer.count > 0 { append(packer.pack()) }
  }
}

/// The identity of the photos that a table and its copies have in common.
public final class PhotoLineage: Sendable {
  /// The number of photos in the longest of the tables.
  private let count: Atomic<Int>

  init(count: Int = 0) { self.count = Atomic(count) }

  /// Extends the lineage from `old` to `new` photos.
  ///
  /// - Returns: Whether the extension succeeded. It fails if another copy of the table has already appended photos
  ///   there.
  func grow(from old: Int, to new: Int) -> Bool {
    count.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }
}

extension PhotoTable {
  /// Calls `body` with the image addresses of two photos in UTF-8.
  public func withPaths<Result>(
    _ first: TableIndex, _ second: TableIndex,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withText(.imageURL, at: first) { first in withText(.imageURL, at: second) { body(first, $0) } }
  }
}

extension PhotoTable {
  /// Returns the photos of all files of a shot, the first one first.
  public func files(of shot: TableIndex) -> [Photo] { groups.group(of: shot)?.map { self[$0] } ?? [self[shot]] }

  /// Returns the ranges of photos that may differ from those of an earlier table, such as photos that were rated since; nil
  /// if the two tables don't have the same photos at the same indices, in the same groups.
  public func changes(since former: PhotoTable) -> [Range<TableIndex>]? {
    guard count == former.count, groups == former.groups else { return nil }
    var changes: [Range<TableIndex>] = []
    var start = startIndex
    while start < endIndex {
      let (place, formerPlace) = (place(of: start), former.place(of: start))
      let rows = segments[place.segment].rows[place.row...]
      let formerRows = former.segments[formerPlace.segment].rows[formerPlace.row...]
      let length = Swift.min(rows.count, formerRows.count)
      if place.row != formerPlace.row || segments[place.segment] !== former.segments[formerPlace.segment] {
        guard zip(rows, formerRows).allSatisfy({ $0.id == $1.id }) else { return nil }
        changes.append(start..<start + length)
      }
      start = start + length
    }
    return changes
  }
}
