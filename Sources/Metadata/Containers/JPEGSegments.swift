/// The marker segments of a JPEG in the order of the file (ISO/IEC 10918-1, annex B).
///
/// Up to the first scan, segments follow one another. Some programs leave bytes between them, which are skipped as decoders do.
/// Behind the start of a scan, the coded data up to the next marker is skipped.
struct JPEGSegments: Sequence, IteratorProtocol {
  struct Segment {
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    /// The segments of Exif and XMP.
    static let app1: UInt8 = 0xE1
    /// The segments of Photoshop's resources, which hold IPTC.
    static let app13: UInt8 = 0xED

    /// The second byte of the marker.
    let marker: UInt8
    /// The place of what follows the marker and the length.
    let content: Range<Int>

    /// Whether the segment gives the image's size and its coding. DHT, JPG and DAC have numbers within the same range.
    var isFrameHeader: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
  }

  private let file: ImageFile
  /// The place where the next segment is read or looked for.
  private(set) var offset: Int
  private var isPastScan = false
  /// The number of segments that may still be read. Behind a scan, finding each takes a read of the file.
  private var remaining = 10_000

  private static let chunk = 1 << 16

  /// - Parameter start: The place of the JPEG's first byte in the file.
  init(of file: ImageFile, at start: Int = 0) {
    self.file = file
    offset = start + 2
  }

  mutating func next() -> Segment? {
    guard remaining > 0, var place = isPastScan ? nextMarker() : offset else { return nil }
    remaining -= 1
    var head = file.bytes(at: place, count: 4)
    if let first = head.first, first != 0xFF, let marker = nextMarker(within: Self.chunk) {
      place = marker
      head = file.bytes(at: place, count: 4)
    }
    // Any number of fill bytes may come before a marker.
    for _ in 0..<Self.chunk {
      guard head.starts(with: [0xFF, 0xFF]) else { break }
      place += 1
      head = file.bytes(at: place, count: 4)
    }
    guard head.count >= 2, head[0] == 0xFF, head[1] != 0xFF else { return nil }
    if head[1] == Segment.endOfImage { return Segment(marker: head[1], content: place + 2..<place + 2) }
    let length = head.dropFirst(2).number(.bigEndian)
    guard head.count == 4, length >= 2 else { return nil }
    offset = place + 2 + length
    isPastScan = isPastScan || head[1] == Segment.startOfScan
    return Segment(marker: head[1], content: place + 4..<offset)
  }

  /// Returns the place of the next marker that is not part of the coded data, as stuffed bytes and restart markers are, or nil if
  /// none is within about `most` bytes.
  private func nextMarker(within most: Int = .max) -> Int? {
    var place = offset
    while place - offset < most {
      let bytes = file.bytes(at: place, count: Self.chunk)
      guard bytes.count > 1 else { return nil }
      let found = bytes.withUnsafeBufferPointer { bytes in
        bytes.indices.dropLast().first { index in
          bytes[index] == 0xFF && bytes[index + 1] != 0 && bytes[index + 1] != 0xFF
            && !(0xD0...0xD7).contains(bytes[index + 1])
        }
      }
      if let found { return place + found }
      place += bytes.count - 1
    }
    return nil
  }
}

extension ImageFile {
  /// Returns the segments that come before a JPEG's first scan.
  func jpegHeader(at start: Int = 0) -> some Sequence<JPEGSegments.Segment> {
    JPEGSegments(of: self, at: start).lazy.prefix {
      $0.marker != JPEGSegments.Segment.startOfScan && $0.marker != JPEGSegments.Segment.endOfImage
    }
  }
}
