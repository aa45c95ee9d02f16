import FoundationEssentials
import Gallery

/// Photos side by side: a row of numbers for each, and the texts of all in one piece of UTF-8.
public final class PackedPhotos: Sendable {
  /// The most rows that are joined in one, and the most bytes of their texts.
  static let mostRows = 1 << 15
  static let mostBytes = 1 << 23

  @usableFromInline struct Row: Sendable {
    var id = 0
    /// In seconds since 1970.
    var createdAt = 0.0
    /// Where the texts start, which follow each other in the order of the columns.
    @usableFromInline var start: UInt32 = 0
    /// The bytes of each column's text.
    @usableFromInline var lengths = [6 of UInt32](repeating: 0)
    var isForSale: Bool?
    /// How far the clock by which the photo's catalog writes `createdAt` is ahead of UTC, in minutes: it fits into the
    /// padding of the row.
    var createdOffset: Int16 = 0
  }

  @usableFromInline let rows: [Row]
  @usableFromInline let bytes: [UInt8]
  private let base: any ImageBase
  /// Of each photo, where its image is and what its file says, if they do not follow from the rest.
  private let files: [File]?
  /// What the catalog says of the photos' files.
  private let packedMetadata: PackedMetadata?

  struct File: Sendable {
    let image: ImageLocation
    let metadata: PhotoMetadata?
  }

  init(rows: [Row], bytes: [UInt8], base: any ImageBase, files: [File]? = nil, metadata: PackedMetadata? = nil) {
    packedMetadata = metadata
    self.rows = rows
    self.bytes = bytes
    self.base = base
    self.files = files
  }

  func photo(_ index: Int) -> Photo {
    let row = rows[index]
    let imageURL = text(.imageURL, of: row)
    return Photo(
      id: row.id,
      name: text(.name, of: row).printable,
      description: text(.description, of: row).printableLines.nonEmpty,
      createdAt: Date(timeIntervalSince1970: row.createdAt),
      createdOffset: Int(row.createdOffset) * 60,
      imageURL: imageURL,
      image: files?[index].image ?? base.location(of: imageURL) ?? .web(imageURL),
      isForSale: row.isForSale,
      camera: text(.camera, of: row).printable.nonEmpty,
      author: text(.author, of: row).printable.nonEmpty,
      license: text(.license, of: row).printable.nonEmpty,
      metadata: metadata(index))
  }

  func metadata(_ index: Int) -> PhotoMetadata? {
    guard var metadata = packedMetadata?.metadata(index) else { return files?[index].metadata }
    let row = rows[index]
    (metadata.title, metadata.caption) = (title(of: row), text(.description, of: row).printableLines.nonEmpty)
    metadata.camera = text(.camera, of: row).printable.nonEmpty
    return metadata
  }

  /// As ``Photo/clock``, without making the photo.
  func clock(_ index: Int) -> Double {
    if let clock = packedMetadata?.clock(index) ?? files?[index].metadata?.takenAt?.clock { return clock }
    return rows[index].createdAt + Double(rows[index].createdOffset) * 60
  }

  /// The photo's name, unless that is its file's.
  private func title(of row: Row) -> String? {
    let name = text(.name, of: row).printable
    let file = text(.imageURL, of: row).split(separator: "/").last.map(String.init)
    return file?.printable == name ? nil : name.nonEmpty
  }

  @inlinable func withText<Result>(
    _ column: PhotoTable.Column, of row: Row, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    var start = Int(row.start)
    for before in 0..<column.rawValue { start += Int(row.lengths[before]) }
    return try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<start + Int(row.lengths[column.rawValue])]))
    }
  }

  private func text(_ column: PhotoTable.Column, of row: Row) -> String {
    withText(column, of: row) { String(decoding: $0, as: UTF8.self) }
  }

  private var size: Int { bytes.count + (packedMetadata?.bytes.count ?? 0) }

  /// Those whose id it wants; nil if there are none.
  func filtered(_ isWanted: (Photo.ID) -> Bool) -> PackedPhotos? {
    let wanted = rows.indices.filter { isWanted(rows[$0].id) }
    if wanted.count == rows.count { return self }
    if wanted.isEmpty { return nil }
    return PackedPhotos(
      rows: wanted.map { rows[$0] }, bytes: bytes, base: base, files: files.map { files in wanted.map { files[$0] } },
      metadata: packedMetadata?.filtered(wanted))
  }

  /// Both in one; nil if that is too much for one, or they are not of one kind.
  func joined(with next: PackedPhotos) -> PackedPhotos? {
    guard AnyHashable(base) == AnyHashable(next.base), (files == nil) == (next.files == nil),
      rows.count + next.rows.count <= Self.mostRows, size + next.size <= Self.mostBytes
    else { return nil }
    let moved = next.rows.map { row in
      var row = row
      row.start += UInt32(bytes.count)
      return row
    }
    let files = files.flatMap { files in next.files.map { files + $0 } }
    let metadata = PackedMetadata.joined(
      packedMetadata, next.packedMetadata, count: rows.count, nextCount: next.rows.count)
    return PackedPhotos(rows: rows + moved, bytes: bytes + next.bytes, base: base, files: files, metadata: metadata)
  }
}

/// Packs photos that are appended one by one.
public struct PhotoPacker {
  private let base: any ImageBase
  private var rows: [PackedPhotos.Row] = []
  private var bytes: [UInt8] = []
  private var files: [PackedPhotos.File] = []
  private var metadata: PackedMetadata?

  /// Creates a packer for photos whose `image_url` is relative to `base`.
  public init(base: any ImageBase = FilePath("")) { self.base = base }

  /// The number of photos that ``pack()`` would return.
  public var count: Int { rows.count }
  /// Whether one segment of a table holds no more than this.
  public var isFull: Bool {
    rows.count >= PackedPhotos.mostRows || bytes.count + (metadata?.bytes.count ?? 0) >= PackedPhotos.mostBytes
  }

  /// - Parameters:
  ///   - createdAt: In seconds since 1970.
  ///   - createdOffset: How far the clock by which it is written is ahead of UTC, in seconds.
  ///   - write: Appends the text of a column. It is called for each column in their order.
  public mutating func append(
    id: Int, createdAt: Double, createdOffset: Int = 0, isForSale: Bool?,
    _ write: (PhotoTable.Column, inout [UInt8]) -> Void
  ) {
    var row = PackedPhotos.Row(id: id, createdAt: createdAt, start: UInt32(bytes.count), isForSale: isForSale)
    row.createdOffset = Int16(clamping: createdOffset / 60)
    for column in PhotoTable.Column.allCases {
      let start = bytes.count
      write(column, &bytes)
      row.lengths[column.rawValue] = UInt32(bytes.count - start)
    }
    rows.append(row)
  }

  /// Says what the file of the last photo says, but for what its columns have.
  public mutating func append(_ lastInfo: PhotoMetadata) {
    if metadata == nil { metadata = PackedMetadata(emptyRows: 0) }
    metadata?.extend(to: rows.count)
    metadata?.setLast(lastInfo)
  }

  /// Appends a photo with its own image and metadata.
  public mutating func append(_ photo: Photo) {
    append(
      id: photo.id, createdAt: photo.createdAt.timeIntervalSince1970, createdOffset: photo.createdOffset,
      isForSale: photo.isForSale
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
    files.append(PackedPhotos.File(image: photo.image, metadata: photo.metadata))
  }

  /// Removes all photos and returns them in no more memory than they need.
  public mutating func pack() -> PackedPhotos {
    metadata?.extend(to: rows.count)
    let packed = PackedPhotos(
      rows: rows.withUnsafeBufferPointer(Array.init), bytes: bytes.withUnsafeBufferPointer(Array.init), base: base,
      files: files.isEmpty ? nil : files, metadata: metadata?.trimmed())
    metadata = nil
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    files.removeAll()
    return packed
  }
}
