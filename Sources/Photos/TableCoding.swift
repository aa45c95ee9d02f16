import Gallery

/// The coding of a table of photos for another machine, which has an earlier table already. Rows that are in both are not sent
/// again, so that a rating among a million photos takes some hundred bytes.
///
/// The bytes are the segments one after the other. A segment is that of a number in the earlier table, or it has runs of rows, of
/// which each is in the earlier table or follows. Numbers are those of ``MetadataRecord``.
public struct TableCoding {
  /// The parts of a segment.
  private enum Part {
    static let end = 0
    /// Rows of the earlier table: the segment, the first row, and the number of rows.
    static let known = 1
    /// New rows: their number, and the rows.
    static let new = 2
  }

  private let former: PhotoTable
  /// The places of rows in the earlier table by their IDs. They are needed only if rows have moved.
  private lazy var places: [Photo.ID: (segment: Int, row: Int)] = former.segments.enumerated().reduce(into: [:]) {
    for (row, photo) in $1.element.rows.enumerated() { $0[photo.id] = ($1.offset, row) }
  }

  /// - Parameter former: The earlier table, which the other machine has.
  public init(after former: PhotoTable) { self.former = former }

  /// Returns the bytes of a table.
  public mutating func encode(_ table: PhotoTable) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendInteger(table.segments.count)
    for (index, segment) in table.segments.enumerated() { encode(segment, at: index, into: &bytes) }
    encode(table.groups, into: &bytes)
    return bytes
  }

  private mutating func encode(_ segment: PackedPhotos, at index: Int, into bytes: inout [UInt8]) {
    if let known = former.segments.firstIndex(where: { $0 === segment }) {
      bytes.appendInteger(known + 1)
      return
    }
    bytes.appendInteger(0)
    var news: [UInt8] = []
    var newCount = 0
    func flush() {
      guard newCount > 0 else { return }
      bytes.appendInteger(Part.new)
      bytes.appendInteger(newCount)
      bytes += news
      (news, newCount) = ([], 0)
    }
    var row = 0
    while row < segment.rows.count {
      guard let start = place(of: segment, row, in: index) else {
        CodedRow(segment, row).encode(into: &news)
        newCount += 1
        row += 1
        continue
      }
      let other = former.segments[start.segment]
      let most = min(segment.rows.count - row, other.rows.count - start.row)
      let count = 1 + (1..<max(1, most)).prefix { segment.isSame(row + $0, as: start.row + $0, of: other) }.count
      flush()
      for number in [Part.known, start.segment, start.row, count] { bytes.appendInteger(number) }
      row += count
    }
    flush()
    bytes.appendInteger(Part.end)
  }

  /// Returns the place of an equal row in the earlier table, or nil if there is none.
  private mutating func place(of segment: PackedPhotos, _ row: Int, in index: Int) -> (segment: Int, row: Int)? {
    if former.segments.indices.contains(index), former.segments[index].rows.indices.contains(row),
      former.segments[index].rows[row].id == segment.rows[row].id
    {
      return segment.isSame(row, as: row, of: former.segments[index]) ? (index, row) : nil
    }
    guard !former.segments.isEmpty, let place = places[segment.rows[row].id] else { return nil }
    return segment.isSame(row, as: place.row, of: former.segments[place.segment]) ? place : nil
  }

  private func encode(_ groups: PhotoGroups, into bytes: inout [UInt8]) {
    if groups == former.groups {
      bytes.appendInteger(0)
      return
    }
    bytes.appendInteger(groups.count + 1)
    // Most members of a group follow each other.
    var last = 0
    for group in groups.all {
      bytes.appendInteger(group.count)
      for member in group {
        bytes.appendInteger(member.value - last)
        last = member.value
      }
    }
  }

  /// Returns the table that bytes from the other machine describe.
  ///
  /// - Parameter base: The place that the images start from. Their addresses lead to nowhere else.
  /// - Throws: `MalformedMetadata` if the bytes are those of no table after the earlier one.
  public func decode(_ bytes: [UInt8], base: some RemoteImageBase) throws(MalformedMetadata) -> PhotoTable {
    try bytes.withUnsafeBufferPointer { bytes throws(MalformedMetadata) in
      var reader = PackedReader(bytes: bytes)
      var segments: [PackedPhotos] = []
      for _ in 0..<(try reader.count()) {
        let known = try reader.integer()
        if known == 0 {
          segments.append(try segment(&reader, base))
        } else {
          guard known > 0, former.segments.indices.contains(known - 1) else { throw MalformedMetadata() }
          segments.append(former.segments[known - 1])
        }
      }
      var table = PhotoTable(segments: segments)
      if let groups = try groups(&reader, of: table.count) {
        table.groups = groups
      } else if !former.groups.isEmpty {
        table.groups = former.groups
      }
      guard reader.offset == bytes.count else { throw MalformedMetadata() }
      return table
    }
  }

  private func segment(
    _ reader: inout PackedReader, _ base: some RemoteImageBase
  ) throws(MalformedMetadata) -> PackedPhotos {
    var packer = PhotoPacker(base: base)
    // Either all rows of a segment have images of their own, or none has.
    var hasImages: Bool?
    while true {
      switch try reader.integer() {
      case Part.end: return packer.pack()
      case Part.known:
        let (index, row, count) = (try reader.integer(), try reader.integer(), try reader.integer())
        guard former.segments.indices.contains(index), row >= 0, count > 0,
          count <= former.segments[index].rows.count - row
        else { throw MalformedMetadata() }
        hasImages = hasImages ?? former.segments[index].hasImages
        guard hasImages == former.segments[index].hasImages else { throw MalformedMetadata() }
        for row in row..<row + count { packer.append(CodedRow(former.segments[index], row)) }
      case Part.new:
        for _ in 0..<(try reader.count()) {
          let row = try CodedRow(&reader, base)
          hasImages = hasImages ?? (row.image != nil)
          guard hasImages == (row.image != nil) else { throw MalformedMetadata() }
          packer.append(row)
        }
      default: throw MalformedMetadata()
      }
      guard packer.count <= PackedPhotos.mostRows else { throw MalformedMetadata() }
    }
  }

  private func groups(
    _ reader: inout PackedReader, of photoCount: Int
  ) throws(MalformedMetadata) -> PhotoGroups? {
    let count = try reader.integer()
    if count == 0 { return nil }
    guard count > 0, count - 1 <= photoCount else { throw MalformedMetadata() }
    var (groups, last): ([[TableIndex]], Int) = ([], 0)
    var isGrouped = [Bool](repeating: false, count: photoCount)
    for _ in 0..<count - 1 {
      var group: [TableIndex] = []
      for _ in 0..<(try reader.count()) {
        let distance = try reader.integer()
        let (member, hasOverflow) = last.addingReportingOverflow(distance)
        guard !hasOverflow, isGrouped.indices.contains(member), !isGrouped[member] else { throw MalformedMetadata() }
        isGrouped[member] = true
        group.append(TableIndex(member))
        last = member
      }
      guard !group.isEmpty else { throw MalformedMetadata() }
      groups.append(group)
    }
    return PhotoGroups(groups, photoCount: photoCount)
  }
}

/// A row of a segment, as it is sent.
private struct CodedRow: Equatable {
  var id = 0
  var isForSale: Bool?
  var createdAt = 0.0
  var createdOffset = 0
  var columns: [[UInt8]] = []
  /// The image, or nil if it follows from the columns.
  var image: ImageLocation?
  /// The packed metadata without the values of the columns, or nil if there is none.
  var metadata: [UInt8]?

  /// The bits of what a row may have.
  private enum Mark {
    static let (forSale, notForSale, image, metadata) = (1, 2, 4, 8)
  }

  init(_ segment: PackedPhotos, _ index: Int) {
    let row = segment.rows[index]
    id = row.id
    isForSale = row.isForSale
    createdAt = row.createdAt
    createdOffset = Int(row.createdOffset)
    columns = PhotoColumn.allCases.map { segment.withText($0, at: index) { Array($0) } }
    image = segment.hasImages ? segment.image(index) : nil
    metadata = segment.packedMetadataBytes(index)
  }

  func encode(into bytes: inout [UInt8]) {
    bytes.appendInteger(id)
    let sale = isForSale.map { $0 ? Mark.forSale : Mark.notForSale } ?? 0
    bytes.appendInteger(sale | (image == nil ? 0 : Mark.image) | (metadata == nil ? 0 : Mark.metadata))
    Swift.withUnsafeBytes(of: createdAt.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.appendInteger(createdOffset)
    for text in columns + [image?.bytes, metadata].compactMap(\.self) {
      bytes.appendInteger(text.count)
      bytes += text
    }
  }

  init(_ reader: inout PackedReader, _ base: some RemoteImageBase) throws(MalformedMetadata) {
    id = try reader.integer()
    let marks = try reader.integer()
    isForSale = marks & Mark.forSale != 0 ? true : marks & Mark.notForSale != 0 ? false : nil
    createdAt = try reader.number()
    createdOffset = try reader.integer()
    guard createdAt.isFinite, Int(Int16.min)...Int(Int16.max) ~= createdOffset else { throw MalformedMetadata() }
    for _ in PhotoColumn.allCases { columns.append(Array(reader.bytes[try reader.range()])) }
    if marks & Mark.image != 0 { image = base.location(ofPath: Array(reader.bytes[try reader.range()])) }
    if marks & Mark.metadata != 0 {
      metadata = try MetadataRecord(checking: Array(reader.bytes[try reader.range()])).bytes
    }
  }
}

extension PhotoPacker {
  fileprivate mutating func append(_ row: CodedRow) {
    append(
      id: row.id, createdAt: row.createdAt, createdOffset: row.createdOffset * 60, isForSale: row.isForSale,
      image: row.image
    ) { $1 += row.columns[$0.rawValue] }
    if let metadata = row.metadata { append(packedBesidePhoto: metadata) }
  }
}

extension PackedPhotos {
  /// Returns whether a row is equal to that of another segment.
  fileprivate func isSame(_ row: Int, as otherRow: Int, of other: PackedPhotos) -> Bool {
    CodedRow(self, row) == CodedRow(other, otherRow)
  }
}

/// The place on another machine that the images of a table start from.
public protocol RemoteImageBase: ImageBase {
  /// Returns the location of the image with an absolute path on the other machine.
  func location(ofPath path: [UInt8]) -> ImageLocation
}
