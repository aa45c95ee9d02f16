import FoundationEssentials
import Gallery

/// A segment of a ``PhotoTable``. It stores the numbers of each photo in a row, and the texts of all photos in one
/// UTF-8 buffer.
public final class PackedPhotos: Sendable {
  /// The maximum number of rows.
  public static let mostRows = 1 << 15
  /// The number of bytes, of texts and metadata, at which a segment is full.
  static let mostBytes = 1 << 23

  @usableFromInline struct Row: Sendable {
    var id = 0
    /// The creation time in seconds since 1970.
    var createdAt = 0.0
    /// The offset of the row's texts, which follow each other in the order of the columns.
    @usableFromInline var start: UInt32 = 0
    /// The length of each column's text in bytes.
    @usableFromInline var lengths = [6 of UInt32](repeating: 0)
    var isForSale: Bool?
    /// The offset from UTC, in minutes, with which the catalog writes `createdAt`. It fits into the row's padding and
    /// takes no additional memory.
    var createdOffset: Int16 = 0
  }

  @usableFromInline let rows: [Row]
  @usableFromInline let bytes: [UInt8]
  private let base: any ImageBase
  /// The image of each photo, or nil if the images follow from the `imageURL` column and `base`.
  private let images: [ImageLocation]?
  /// The metadata of the photos, or nil if none of them has any.
  private let packedMetadata: PackedMetadata?

  init(
    rows: [Row], bytes: [UInt8], base: any ImageBase, images: [ImageLocation]? = nil, metadata: PackedMetadata? = nil
  ) {
    packedMetadata = metadata
    self.rows = rows
    self.bytes = bytes
    self.base = base
    self.images = images
  }

  func photo(_ index: Int) -> Photo {
    let row = rows[index]
    return Photo(
      id: row.id,
      name: text(.name, at: index).printable,
      description: text(.description, at: index).printableLines.nonEmpty,
      createdAt: Date(timeIntervalSince1970: row.createdAt),
      createdOffset: Int(row.createdOffset) * 60,
      imageURL: text(.imageURL, at: index),
      image: image(index),
      isForSale: row.isForSale,
      camera: text(.camera, at: index).printable.nonEmpty,
      author: text(.author, at: index).printable.nonEmpty,
      license: text(.license, at: index).printable.nonEmpty,
      metadata: metadata(index))
  }

  func image(_ index: Int) -> ImageLocation {
    if let images { return images[index] }
    let imageURL = text(.imageURL, at: index)
    return base.location(of: imageURL) ?? .web(imageURL)
  }

  /// Whether the photos have images of their own, which don't follow from their columns.
  var hasImages: Bool { images != nil }

  /// Returns the packed metadata of a photo without what its columns contain, or nil if it has none.
  func packedMetadataBytes(_ index: Int) -> [UInt8]? { packedMetadata?.record(index) }

  /// Whether any of the photos may have metadata.
  var mayHaveMetadata: Bool { packedMetadata != nil }

  /// Returns the photo's metadata, of which the title, the caption and the camera may be missing.
  func metadataBesideColumns(_ index: Int) -> PhotoMetadata? {
    packedMetadata?.metadata(index)
  }

  private func metadata(_ index: Int) -> PhotoMetadata? {
    guard var metadata = packedMetadata?.metadata(index) else { return nil }
    metadata.title = title(at: index)
    metadata.caption = text(.description, at: index).printableLines.nonEmpty
    metadata.camera = text(.camera, at: index).printable.nonEmpty
    return metadata
  }

  /// Returns the photo's ``Photo/clock`` without creating the photo.
  func clock(_ index: Int) -> Double {
    if let clock = packedMetadata?.clock(index) { return clock }
    return rows[index].createdAt + Double(rows[index].createdOffset) * 60
  }

  /// Returns the photo's rating without decoding its other metadata, or nil if it is unknown.
  func rating(_ index: Int) -> Int? { packedMetadata?.rating(index) }

  /// Appends the clock of each photo in a range.
  func appendClocks(of range: Range<Int>, to clocks: inout [Double]) {
    for index in range { clocks.append(clock(index)) }
  }

  /// Returns the photo's name, or nil if it is only the name of the file.
  private func title(at index: Int) -> String? {
    let name = text(.name, at: index).printable
    let file = text(.imageURL, at: index).split(separator: "/").last.map(String.init)
    return file?.printable == name ? nil : name.nonEmpty
  }

  @inlinable func withText<Result>(
    _ column: PhotoColumn, at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let row = rows[index]
    var start = Int(row.start)
    for before in 0..<column.rawValue { start += Int(row.lengths[before]) }
    return try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<start + Int(row.lengths[column.rawValue])]))
    }
  }

  private func text(_ column: PhotoColumn, at index: Int) -> String {
    withText(column, at: index) { String(decoding: $0, as: UTF8.self) }
  }

  private var size: Int { bytes.count + (packedMetadata?.bytes.count ?? 0) }

  /// Returns the photos whose IDs satisfy `isWanted`, or nil if there are none.
  func filtered(_ isWanted: (Photo.ID) -> Bool) -> PackedPhotos? {
    let wanted = rows.indices.filter { isWanted(rows[$0].id) }
    if wanted.count == rows.count { return self }
    if wanted.isEmpty { return nil }
    return PackedPhotos(
      rows: wanted.map { rows[$0] }, bytes: bytes, base: base,
      images: images.map { images in wanted.map { images[$0] } },
      metadata: packedMetadata?.filtered(wanted))
  }

  /// Returns one segment with the photos of both, or nil if it would be too large or if the two segments locate their
  /// images differently.
  func joined(with next: PackedPhotos) -> PackedPhotos? {
    guard AnyHashable(base) == AnyHashable(next.base), (images == nil) == (next.images == nil),
      rows.count + next.rows.count <= Self.mostRows, size + next.size <= Self.mostBytes
    else { return nil }
    let moved = next.rows.map { row in
      var row = row
      row.start += UInt32(bytes.count)
      return row
    }
    let images = images.flatMap { images in next.images.map { images + $0 } }
    let metadata = PackedMetadata.joined(
      packedMetadata, next.packedMetadata, count: rows.count, nextCount: next.rows.count)
    return PackedPhotos(rows: rows + moved, bytes: bytes + next.bytes, base: base, images: images, metadata: metadata)
  }
}

/// A builder that packs photos into a segment, one by one.
public struct PhotoPacker {
  private let base: any ImageBase
  private var rows: [PackedPhotos.Row] = []
  private var bytes: [UInt8] = []
  private var images: [ImageLocation] = []
  private var metadata: PackedMetadata?

  /// Creates a packer for photos whose `image_url` is relative to `base`.
  public init(base: any ImageBase = FilePath("")) { self.base = base }

  /// The number of photos that ``pack()`` would return.
  public var count: Int { rows.count }
  /// Whether the photos fill one segment of a table, so that the caller should pack them.
  public var isFull: Bool {
    rows.count >= PackedPhotos.mostRows || bytes.count + (metadata?.bytes.count ?? 0) >= PackedPhotos.mostBytes
  }

  /// Appends a photo column by column.
  ///
  /// - Parameters:
  ///   - id: The photo's ID.
  ///   - createdAt: The creation time in seconds since 1970.
  ///   - createdOffset: The offset from UTC, in seconds, with which the creation time is written.
  ///   - isForSale: Whether the photo is for sale, or nil if the source does not say.
  ///   - image: The image, or nil if it follows from the `imageURL` column. Either all photos have one or none has.
  ///   - write: A closure that appends the text of a column to a buffer. It is called once for each column, in order.
  public mutating func append(
    id: Int, createdAt: Double, createdOffset: Int = 0, isForSale: Bool? = nil, image: ImageLocation? = nil,
    _ write: (PhotoColumn, inout [UInt8]) -> Void
  ) {
    var row = PackedPhotos.Row(id: id, createdAt: createdAt, start: UInt32(bytes.count), isForSale: isForSale)
    row.createdOffset = Int16(clamping: createdOffset / 60)
    for column in PhotoColumn.allCases {
      let start = bytes.count
      write(column, &bytes)
      row.lengths[column.rawValue] = UInt32(bytes.count - start)
    }
    rows.append(row)
    if let image { images.append(image) }
  }

  /// Sets the metadata of the last photo. The values that the photo's columns contain are not stored again.
  public mutating func append(_ lastInfo: PhotoMetadata) {
    extendMetadata()
    metadata?.setLast(lastInfo)
  }

  /// Sets the metadata of the last photo, which is packed already.
  public mutating func append(_ lastInfo: MetadataRecord) {
    extendMetadata()
    metadata?.setLast(lastInfo)
  }

  /// Sets the metadata of the last photo, which is packed already and without the values of its columns.
  mutating func append(packedBesidePhoto bytes: [UInt8]) {
    extendMetadata()
    metadata?.setLast(packedBesidePhoto: bytes)
  }

  private mutating func extendMetadata() {
    if metadata == nil { metadata = PackedMetadata(emptyRows: 0) }
    metadata?.extend(to: rows.count)
  }

  /// Appends a photo with its own image and metadata.
  public mutating func append(_ photo: Photo) {
    append(
      id: photo.id, createdAt: photo.createdAt.timeIntervalSince1970, createdOffset: photo.createdOffset,
      isForSale: photo.isForSale, image: photo.image
    ) { column, bytes in
      let text: String? =
        switch column {
        case .name: photo.name
        case .description: photo.description
        case .imageURL: photo.imageURL
        case .camera: photo.camera
        case .author: photo.author
        case .license: photo.license
        }
      if let text { bytes.append(contentsOf: text.utf8) }
    }
    if let metadata = photo.metadata { append(metadata) }
  }

  /// Appends the photos of another packer with the same base.
  public mutating func append(_ next: PhotoPacker) {
    metadata?.extend(to: rows.count)
    var nextMetadata = next.metadata
    nextMetadata?.extend(to: next.rows.count)
    metadata = PackedMetadata.joined(metadata, nextMetadata, count: rows.count, nextCount: next.rows.count)
    let start = UInt32(bytes.count)
    for var row in next.rows {
      row.start += start
      rows.append(row)
    }
    bytes += next.bytes
    images += next.images
  }

  /// Removes all photos and returns them as a segment without unused capacity.
  public mutating func pack() -> PackedPhotos {
    metadata?.extend(to: rows.count)
    let packed = PackedPhotos(
      rows: rows.withUnsafeBufferPointer(Array.init), bytes: bytes.withUnsafeBufferPointer(Array.init), base: base,
      images: images.isEmpty ? nil : images, metadata: metadata?.trimmed())
    metadata = nil
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    images.removeAll()
    return packed
  }
}
