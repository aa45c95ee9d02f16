import Metadata

/// A WebP (RFC 9649), of which only the chunks with the image are kept.
struct WebPFile {
  private var image: [UInt8] = []

  init(_ bytes: [UInt8]) {
    var offset = 12
    while offset + 8 <= bytes.count {
      let count = bytes[(offset + 4)..<(offset + 8)].number(.littleEndian)
      let end = min(bytes.count, offset + 8 + count + count % 2)
      if bytes[offset...].starts(with: "VP8 ".utf8) || bytes[offset...].starts(with: "VP8L".utf8) {
        image += bytes[offset..<end]
      }
      offset = end
    }
  }

  /// Returns the file with metadata and a profile.
  func with(_ metadata: NewMetadata, _ profile: [UInt8]?, _ size: PixelSize) -> [UInt8] {
    let flags: [UInt8] = [
      profile == nil ? 0 : 0x20, metadata.exif.isEmpty ? 0 : 0x08, metadata.xmp.isEmpty ? 0 : 0x04,
    ]
    var content = Array("WEBP".utf8)
    if flags != [0, 0, 0] {
      content += Self.chunk(
        "VP8X", [flags.reduce(0, |), 0, 0, 0] + Self.number(size.width - 1, 3) + Self.number(size.height - 1, 3))
    }
    if let profile { content += Self.chunk("ICCP", profile) }
    content += image
    if !metadata.exif.isEmpty { content += Self.chunk("EXIF", metadata.exif) }
    if !metadata.xmp.isEmpty { content += Self.chunk("XMP ", metadata.xmp) }
    return Self.chunk("RIFF", content)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + number(content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
