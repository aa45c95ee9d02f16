import Metadata

/// A JPEG XL: a codestream, or boxes that contain it (ISO/IEC 18181-2).
struct JPEGXLFile {
  private let bytes: [UInt8]

  /// The boxes with which a file starts.
  private static let head =
    Self.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + Self.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the file with metadata.
  func with(_ metadata: NewMetadata) -> [UInt8] {
    var boxes: [UInt8] = []
    // Four bytes give the distance to the structure.
    if !metadata.exif.isEmpty { boxes += Self.box("Exif", [0, 0, 0, 0] + metadata.exif) }
    if !metadata.xmp.isEmpty { boxes += Self.box("xml ", metadata.xmp) }
    if boxes.isEmpty { return bytes }
    let isBare = bytes.starts(with: [0xFF, 0x0A])
    let image = isBare ? Self.box("jxlc", bytes) : Array(bytes[Self.head.count...])
    // The level of the codestream, if there is one, comes before everything else, and the metadata may be last.
    return Self.head + image + boxes
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { content.boxed(type) }
}
