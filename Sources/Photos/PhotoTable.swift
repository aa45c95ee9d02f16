import FoundationEssentials
import Gallery
import Synchronization

/// Any number of photos in little memory: their texts lie packed side by side, and a `Photo` is made when it is asked
/// for. A table that grows leaves the copies handed out before as they are, and shares its rows with them.
public struct PhotoTable: RandomAccessCollection, Sendable {
  /// What a photo says, as texts to sort and search by without making a `Photo`.
  public enum Column: Int, Sendable, CaseIterable {
    case name, description, imageURL, camera, author, license
  }

  @usableFromInline var segments: [PackedPhotos] = []
  /// The index of the first photo of each segment.
  @usableFromInline var starts: [Int] = []
  public private(set) var endIndex = 0
  /// The identity of the photos that copies share. If two tables have the same lineage, the shorter one is the beginning
  /// of the longer one.
  public private(set) var lineage = PhotoLineage()

  public init() {}

  public var startIndex: Int { 0 }

  public subscript(index: Int) -> Photo {
    let (segment, row) = place(of: index)
    return segment.photo(row)
  }

  public func id(at index: Int) -> Photo.ID {
    let (segment, row) = place(of: index)
    return segment.rows[row].id
  }

  public func createdAt(at index: Int) -> Date {
    let (segment, row) = place(of: index)
    return Date(timeIntervalSince1970: segment.rows[row].createdAt)
  }

  /// As ``Photo/clock``, without making the photo.
  public func clock(at index: Int) -> Double {
    let (segment, row) = place(of: index)
    return segment.clock(row)
  }

  /// Whether it can be bought; nil where the source does not say.
  public func isForSale(at index: Int) -> Bool? {
    let (segment, row) = place(of: index)
    return segment.rows[row].isForSale
  }

  /// What the photo's file says of it; nil where it has not been read.
  public func metadata(at index: Int) -> PhotoMetadata? {
    let (segment, row) = place(of: index)
    return segment.metadata(row)
  }

  /// Hands `body` a text of a photo, in UTF-8 and as the source has it, which may not be printable; what is absent is
  /// empty. The bytes are there until `body` returns.
  @inlinable public func withText<Result>(
    _ column: Column, at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let (segment, row) = place(of: index)
    return try segment.withText(column, of: segment.rows[row], body)
  }

  /// Appends packed photos.
  ///
  /// Small segments are joined, so that their number and the copies of a photo stay near the binary logarithm of the
  /// number of photos, however few photos come at a time.
  public mutating func append(_ segment: PackedPhotos) {
    if !lineage.grow(from: endIndex, to: endIndex + segment.rows.count) {
      lineage = PhotoLineage(count: endIndex + segment.rows.count)
    }
    var segment = segment
    while let last = segments.last, last.rows.count <= segment.rows.count, let joined = last.joined(with: segment) {
      segment = joined
      segments.removeLast()
      endIndex = starts.removeLast()
    }
    segments.append(segment)
    starts.append(endIndex)
    endIndex += segment.rows.count
  }

  /// Appends the photos of another table whose id `isWanted`, and shares their rows.
  public mutating func append(_ other: PhotoTable, where isWanted: (Photo.ID) -> Bool) {
    for segment in other.segments.compactMap({ $0.filtered(isWanted) }) { append(segment) }
  }

  @usableFromInline func place(of index: Int) -> (PackedPhotos, Int) {
    precondition(indices.contains(index), "no photo has this index")
    var low = 0
    var high = starts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return (segments[low], index - starts[low])
  }
}

extension PhotoTable {
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
  /// The photos of the longest of the tables.
  private let count: Atomic<Int>

  init(count: Int = 0) { self.count = Atomic(count) }

  /// Takes more photos behind the others; false if other photos have been put there already, by another copy.
  func grow(from old: Int, to new: Int) -> Bool {
    count.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }
}
