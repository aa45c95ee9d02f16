import Gallery

/// A worker's answer to a ``ImageRequest``.
public struct ImageAnswer: Hashable, Sendable {
  /// The result of a request.
  public enum Content: Hashable, Sendable {
    /// A rendition of characters.
    case cells(CellImage)
    /// A rendition of pixels.
    case graphic(GraphicImage)
    /// A rendition as a file for another machine.
    case transfer(TransferredImage)
    /// The file has no preview, or none was wanted.
    case noPreview
    /// The appraisal that was asked for.
    case appraisal(ImageAppraisal)
    /// The file that was written.
    case exported(ExportedImage)
    /// The photos of an archive.
    case listing(ArchiveListing)
    /// The reason why there is no rendition.
    case failure(ImageFault)
  }

  /// The number of the request.
  public var number: UInt32
  /// The rendition, or why there is none.
  public var content: Content
  /// The properties of the image.
  public var info: ImageInfo

  /// Creates an answer to the request with a number.
  public init(number: UInt32, content: Content, info: ImageInfo = ImageInfo()) {
    self.number = number
    self.content = content
    self.info = info
  }
}

/// The properties of an image that are known once it is rendered. A number is 0 if it is unknown.
public struct ImageInfo: Hashable, Sendable {
  /// The width of the upright image in pixels.
  public var width: Int
  /// The height of the upright image in pixels.
  public var height: Int
  /// The number of the screen's pixels for one of the image, in units of 1/65536.
  public var scale: Int
  /// The number of an animation's frames.
  public var frames: Int
  /// The time for which this frame is shown, in milliseconds.
  public var delay: Int
  /// The duration of a video in milliseconds.
  public var duration = 0
  /// The time of the shown frame of a video in milliseconds.
  public var position = 0
  /// Whether the pixels are developed from a raw file's data, and not those of its preview.
  public var isDeveloped = false
  /// Whether the rendition is as sharp as the box allows.
  public var isSharp: Bool
  /// Whether the file ends before its image does, so that only a part of the image could be decoded.
  public var isIncomplete: Bool
  /// The file's modification time before it was read, in nanoseconds since 1970.
  public var modifiedAt: Int
  /// The tones of what is shown, or nil if they were not counted.
  public var histogram: ToneHistogram?
  /// The sharpness of what is shown, from 0 to 1000, or nil unless the image's own pixels are shown, or more than those.
  public var sharpness: Int?

  /// The pixel in the middle of what is shown, or nil unless the image's own pixels are shown, or more than those.
  public var pixel: PixelSample?

  /// Creates the properties of a sharp still image, where not given otherwise.
  public init(
    width: Int = 0, height: Int = 0, scale: Int = 0, frames: Int = 1, delay: Int = 0, isSharp: Bool = true,
    isIncomplete: Bool = false, modifiedAt: Int = 0, histogram: ToneHistogram? = nil, sharpness: Int? = nil
  ) {
    self.width = width
    self.height = height
    self.scale = scale
    self.frames = frames
    self.delay = delay
    self.isSharp = isSharp
    self.isIncomplete = isIncomplete
    self.modifiedAt = modifiedAt
    self.histogram = histogram
    self.sharpness = sharpness
  }
}

/// A rendition as a file for another machine: a JPEG in progressive scans, or a PNG.
public struct TransferredImage: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The bytes of the file, or those that have come so far.
  public var bytes: [UInt8]

  /// Creates an image from its properties.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

/// A pixel of an upright image.
public struct PixelSample: Hashable, Sendable {
  /// The column, counted from 0 at the left.
  public let x: Int
  /// The row, counted from 0 at the top.
  public let y: Int
  /// The color in sRGB, 0xRRGGBB.
  public let color: UInt32

  /// Creates a pixel.
  public init(x: Int, y: Int, color: UInt32) {
    self.x = x
    self.y = y
    self.color = color
  }
}

extension ImageAnswer: WireMessage {
  public func encode(to bytes: inout [UInt8]) {
    bytes.put(number)
    for value in [info.width, info.height, info.scale, info.frames, info.delay, info.duration, info.position] {
      bytes.put(value)
    }
    bytes.put(info.isSharp)
    bytes.put(info.isIncomplete)
    bytes.put(info.isDeveloped)
    bytes.put(UInt64(bitPattern: Int64(info.modifiedAt)))
    bytes.put(info.histogram != nil)
    info.histogram?.encode(to: &bytes)
    bytes.put(info.sharpness != nil)
    if let sharpness = info.sharpness { bytes.put(sharpness) }
    bytes.put(info.pixel != nil)
    if let pixel = info.pixel {
      bytes.put(pixel.x)
      bytes.put(pixel.y)
      bytes.put(pixel.color)
    }
    switch content {
    case .cells(let image):
      bytes.append(0)
      image.encode(to: &bytes)
    case .graphic(let image):
      bytes.append(1)
      image.encode(to: &bytes)
    case .noPreview: bytes.append(2)
    case .failure(let fault):
      bytes.append(3)
      fault.encode(to: &bytes)
    case .appraisal(let appraisal):
      bytes.append(4)
      bytes.put(appraisal.hash)
      bytes.put(appraisal.sharpness.count)
      for value in appraisal.sharpness { bytes.put(Int(value)) }
      bytes.put(appraisal.cells)
    case .exported(let image):
      bytes.append(5)
      image.encode(to: &bytes)
    case .listing(let listing):
      bytes.append(6)
      listing.encode(to: &bytes)
    case .transfer(let image):
      bytes.append(7)
      bytes.put(image.width)
      bytes.put(image.height)
      bytes.put(image.bytes)
    }
  }

  public init(from reader: inout WireReader) throws(WireError) {
    number = try reader.uint32()
    let info = 0...Int(Int32.max)
    let (width, height, scale) = (try reader.int(in: info), try reader.int(in: info), try reader.int(in: info))
    // A side of which the other is unknown would lead to infinite scales.
    guard (width == 0) == (height == 0) else { throw .malformed }
    let (frames, delay) = (try reader.int(in: info), try reader.int(in: info))
    let (duration, position) = (try reader.int(in: info), try reader.int(in: info))
    self.info = ImageInfo(
      width: width, height: height, scale: scale, frames: frames, delay: delay, isSharp: try reader.flag(),
      isIncomplete: try reader.flag())
    self.info.isDeveloped = try reader.flag()
    self.info.modifiedAt = Int(Int64(bitPattern: try reader.uint64()))
    self.info.histogram = try reader.flag() ? ToneHistogram(from: &reader) : nil
    self.info.sharpness = try reader.flag() ? reader.int(in: 0...1000) : nil
    self.info.duration = duration
    self.info.position = position
    if try reader.flag() {
      self.info.pixel = PixelSample(
        x: try reader.int(in: info), y: try reader.int(in: info), color: try reader.uint32())
    }
    switch try reader.uint8() {
    case 0: content = .cells(try CellImage(from: &reader))
    case 1: content = .graphic(try GraphicImage(from: &reader))
    case 2: content = .noPreview
    case 3: content = .failure(try ImageFault(from: &reader))
    case 4:
      let hash = try reader.uint64()
      var sharpness: [UInt16] = []
      for _ in 0..<(try reader.int(in: 0...ImageAppraisal.side * ImageAppraisal.side)) {
        sharpness.append(UInt16(try reader.int(in: 0...Int(UInt16.max))))
      }
      let cells = try reader.blob()
      guard cells.count <= ImageAppraisal.cellSide * ImageAppraisal.cellSide else { throw .malformed }
      content = .appraisal(ImageAppraisal(hash: hash, sharpness: sharpness, cells: cells))
    case 5: content = .exported(try ExportedImage(from: &reader))
    case 6: content = .listing(try ArchiveListing(from: &reader))
    case 7:
      let (width, height) = (try reader.int(in: WireReader.pixelSides), try reader.int(in: WireReader.pixelSides))
      content = .transfer(TransferredImage(width: width, height: height, bytes: try reader.blob()))
    default: throw .malformed
    }
  }
}
