import Gallery

/// The records of a Canon CRW: a heap whose directory is at its end, and which may contain further heaps (Canon's "CIFF
/// Specification on Image Data File", 1.0).
struct CanonHeap {
  private struct Record {
    let tag: Int
    /// The place of the data in the file.
    let place: Int
    let count: Int
  }

  private let file: any ByteSource
  private let order: ByteOrder
  private var records: [Record] = []

  /// The most records that are read, and the depth of heaps in heaps. The offsets in a damaged file may lead in a circle.
  private static let (mostRecords, deepest) = (1000, 8)
  private static let recordSize = 10

  /// Returns nil if the file has no records.
  init?(_ file: ImageFile) {
    self.file = file
    order = file.bytes(at: 0, count: 2).elementsEqual("MM".utf8) ? .bigEndian : .littleEndian
    let start = file.number(at: 2, count: 4, order)
    guard start < file.size else { return nil }
    read(start..<file.size, depth: 0)
    if records.isEmpty { return nil }
  }

  private mutating func read(_ heap: Range<Int>, depth: Int) {
    guard depth < Self.deepest, heap.count > 6 else { return }
    let directory = heap.lowerBound + file.number(at: heap.upperBound - 4, count: 4, order)
    guard heap.contains(directory) else { return }
    for index in 0..<file.number(at: directory, count: 2, order) where records.count < Self.mostRecords {
      let entry = directory + 2 + index * Self.recordSize
      guard entry + Self.recordSize <= heap.upperBound else { return }
      let type = file.number(at: entry, count: 2, order)
      // A short value is in the entry itself.
      let isInside = type & 0xC000 == 0x4000
      let count = isInside ? 8 : file.number(at: entry + 2, count: 4, order)
      let place = isInside ? entry + 2 : heap.lowerBound + file.number(at: entry + 6, count: 4, order)
      guard place + count <= heap.upperBound else { continue }
      records.append(Record(tag: type & 0x3FFF, place: place, count: count))
      if [0x2800, 0x3000].contains(type & 0x3800) { read(place..<place + count, depth: depth + 1) }
    }
  }

  private func record(_ tag: Int, atLeast count: Int = 1) -> Record? {
    records.first { $0.tag == tag && $0.count >= count }
  }

  /// The places and lengths of the JPEGs: one of the whole image, and the thumbnail.
  var jpegs: [(offset: Int, count: Int)] {
    [0x2007, 0x2008].compactMap { tag in record(tag).map { ($0.place, $0.count) } }
  }

  /// The size of the image as it is stored, and the degrees by which it is rotated clockwise to be upright.
  private var imageInfo: (width: Int, height: Int, rotation: Int)? {
    record(0x1810, atLeast: 16).map { record in
      func number(_ offset: Int) -> Int { file.number(at: record.place + offset, count: 4, order) }
      return (number(0), number(4), number(12))
    }
  }

  /// The size of the image as it is stored, or zeros.
  var size: (width: Int, height: Int) { imageInfo.map { ($0.width, $0.height) } ?? (0, 0) }

  /// Exif's orientation, from 1 to 8.
  var orientation: Int { ImageOrientation.upright.rotated(quarters: (imageInfo?.rotation ?? 0) / 90).rawValue }

  /// The camera and the time at which the photo was taken.
  var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    if let record = record(0x080A) {
      let texts = file.bytes(at: record.place, count: min(record.count, 256))
        .split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map { MetadataText.decode($0) }
      metadata.camera = CameraName.joined(make: texts.first ?? nil, model: texts.dropFirst().first ?? nil)
    }
    if let record = record(0x180E, atLeast: 4) {
      let seconds = file.number(at: record.place, count: 4, order)
      // A camera whose clock was never set writes 0.
      if seconds > 0 { metadata.takenAt = CaptureTime(clock: Double(seconds)) }
    }
    return metadata
  }
}
