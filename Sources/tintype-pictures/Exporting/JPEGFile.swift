import Metadata

/// A JPEG that libjpeg has encoded (ISO/IEC 10918-1). It starts with the marker of JFIF, behind which the segments come.
struct JPEGFile {
  private let bytes: [UInt8]

  /// The most bytes of a segment's content.
  private static let longest = 65_533

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the file with metadata (Exif 2.32, 4.7.2; XMP Specification, part 3, 1.1.3) and a profile (ICC.1:2022, annex B.4).
  func with(_ metadata: NewMetadata, _ profile: [UInt8]?) -> [UInt8] {
    var segments: [UInt8] = []
    func add(_ marker: UInt8, _ mark: String, _ content: some Collection<UInt8>) {
      guard mark.utf8.count + content.count <= Self.longest else { return }
      segments += [0xFF, marker]
      segments.putBigEndian(mark.utf8.count + content.count + 2, bytes: 2)
      segments += Array(mark.utf8) + content
    }
    if !metadata.exif.isEmpty { add(0xE1, "Exif\0\0", metadata.exif) }
    if !metadata.xmp.isEmpty { add(0xE1, "http://ns.adobe.com/xap/1.0/\0", metadata.xmp) }
    let pieces = profile.map { profile in
      stride(from: 0, to: profile.count, by: 65_000).map { profile[$0...].prefix(65_000) }
    }
    for (index, piece) in (pieces ?? []).enumerated() {
      add(0xE2, "ICC_PROFILE\0", [UInt8(index + 1), UInt8(pieces?.count ?? 0)] + piece)
    }
    let head = 4 + Int(bytes[4]) << 8 + Int(bytes[5])
    return bytes[..<head] + segments + bytes[head...]
  }
}
