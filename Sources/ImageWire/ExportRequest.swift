import Gallery

/// The export of a photo, as a worker gets it.
public struct ExportRequest: Hashable, Sendable {
  /// The choices of the export.
  public var specification: ExportSpecification
  /// The photo's metadata as the gallery shows them: with the decisions, which count before what the file says.
  public var metadata: MetadataRecord
  /// The absolute path of an existing file, which the worker writes.
  public var destination: FilePath

  /// The most seconds that an export may take. AVIF at its own size takes a hundred times as long as a rendition.
  public static let longest = 600

  /// The most memory that a worker may have, in bytes. The encoder of JPEG XL takes 44 for each pixel.
  public static let mostMemory = 3 << 30

  /// Creates a request from its properties.
  public init(_ specification: ExportSpecification, metadata: MetadataRecord, destination: FilePath) {
    self.specification = specification
    self.metadata = metadata
    self.destination = destination
  }
}

/// The file that a worker has written.
public struct ExportedImage: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The size of the file in bytes.
  public var bytes: Int
  /// The quality with which the image was encoded, or 0 if the format loses nothing.
  public var quality: Int

  /// Creates the description of a file.
  public init(width: Int, height: Int, bytes: Int, quality: Int) {
    self.width = width
    self.height = height
    self.bytes = bytes
    self.quality = quality
  }
}

extension ExportRequest {
  func encode(to bytes: inout [UInt8]) {
    specification.encode(to: &bytes)
    bytes.put(metadata.bytes)
    bytes.put(destination.bytes)
  }

  init(from reader: inout WireReader) throws(WireError) {
    specification = try ExportSpecification(from: &reader)
    do {
      metadata = try MetadataRecord(checking: try reader.blob())
    } catch { throw .malformed }
    destination = FilePath(try reader.blob())
  }
}

extension ExportedImage {
  func encode(to bytes: inout [UInt8]) {
    for value in [width, height, self.bytes, quality] { bytes.put(value) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    width = try reader.int(in: WireReader.pixelSides)
    height = try reader.int(in: WireReader.pixelSides)
    bytes = try reader.int()
    quality = try reader.int(in: 0...100)
  }
}

extension ExportSpecification {
  fileprivate func encode(to bytes: inout [UInt8]) {
    bytes += [format.rawValue, sharpening.rawValue, metadata.rawValue]
    bytes.put(keepsColors)
    switch size {
    case .original: bytes.append(0)
    case .longEdge(let side):
      bytes.append(1)
      bytes.put(side)
    case .box(let width, let height):
      bytes.append(2)
      for side in [width, height] { bytes.put(side) }
    case .fit(let width, let height):
      bytes.append(3)
      for side in [width, height] { bytes.put(side) }
    }
    switch quality {
    case nil: bytes.append(0)
    case .fixed(let quality):
      bytes.append(1)
      bytes.put(quality)
    case .limit(let limit):
      bytes.append(2)
      bytes.put(limit)
    }
    bytes.put(watermark)
    bytes.put(crop != nil)
    if let crop { for side in [crop.x, crop.y, crop.width, crop.height] { bytes.put(side.bitPattern) } }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init()
    format = try reader.value()
    sharpening = try reader.value()
    metadata = try reader.value()
    keepsColors = try reader.flag()
    switch try reader.uint8() {
    case 0: size = .original
    case 1: size = .longEdge(try reader.int(in: Self.sides))
    case 2: size = .box(width: try reader.int(in: Self.sides), height: try reader.int(in: Self.sides))
    case 3: size = .fit(width: try reader.int(in: Self.sides), height: try reader.int(in: Self.sides))
    default: throw .malformed
    }
    switch try reader.uint8() {
    case 0: quality = nil
    case 1: quality = .fixed(try reader.int(in: Self.qualities))
    case 2: quality = .limit(bytes: try reader.int())
    default: throw .malformed
    }
    watermark = try reader.text()
    guard try reader.flag() else { return }
    crop = PhotoCrop(
      x: try reader.fraction(), y: try reader.fraction(), width: try reader.fraction(), height: try reader.fraction())
  }
}

extension WireReader {
  fileprivate mutating func fraction() throws(WireError) -> Double {
    let value = Double(bitPattern: try uint64())
    guard (0...1).contains(value) else { throw .malformed }
    return value
  }
}
