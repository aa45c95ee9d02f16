import Gallery

/// A request to an image worker: a file to be rendered for a box of cells.
public struct RenditionRequest: Hashable, Sendable {
  /// The number of the request, from 1 to 2^24 - 1. It comes back with the answer, and is the image's id for terminals that
  /// store images.
  public var number: UInt32
  /// The absolute path of the file.
  public var path: FilePath
  /// The width of the box that the image must fit in, in cells.
  public var columns: Int
  /// The height of the box, in cells.
  public var rows: Int
  /// A cell's width in pixels.
  public var cellWidth: Int
  /// A cell's height in pixels.
  public var cellHeight: Int
  /// The rotation of the image. It applies before ``view``.
  public var rotation: ImageRotation
  /// The part of the image that is shown.
  public var view: ImageView
  /// The index of an animation's frame, counted from 0.
  public var frame: Int
  /// The overlay that is drawn over the image.
  public var overlay: ImageOverlay
  /// The output format of the rendition.
  public var format: OutputFormat
  /// The color under transparent parts, 0xRRGGBB.
  public var background: UInt32
  /// The colors that ``ColorDepth/palette16`` and ``ColorDepth/palette8`` number, 0xRRGGBB; empty for other depths.
  public var palette: [UInt32]
  /// The effort that is wanted.
  public var stage: RenditionStage
  /// The most bytes that the rendition may take on the line to the terminal, or 0 for any number. A rendition that would
  /// take more is coarser. If the coarsest one takes more, it is the answer.
  public var budget: Int
  /// The most bytes that a rendition may take from which nothing is left out, if that is more than ``budget``.
  public var exactBudget: Int
  /// The throughput of a slow line to the terminal in bytes per second; 0 if it is fast or not known.
  public var throughput: Int

  /// Creates a request from its properties.
  public init(
    number: UInt32, path: FilePath, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int,
    rotation: ImageRotation = .upright, view: ImageView = .whole, frame: Int = 0, overlay: ImageOverlay = .none,
    format: OutputFormat,
    background: UInt32, palette: [UInt32] = [], stage: RenditionStage = .full, budget: Int = 0, exactBudget: Int = 0,
    throughput: Int = 0
  ) {
    self.number = number
    self.path = path
    self.columns = columns
    self.rows = rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.rotation = rotation
    self.view = view
    self.frame = frame
    self.overlay = overlay
    self.format = format
    self.background = background
    self.palette = palette
    self.stage = stage
    self.budget = budget
    self.exactBudget = exactBudget
    self.throughput = throughput
  }
}

/// The part of an image that is shown, and its size.
public enum ImageView: Hashable, Sendable {
  /// The whole image, as large as fits in the box. Pixels are not enlarged.
  case whole
  /// The whole image, as large as fits in the box, even if that enlarges it.
  case enlarged
  /// The largest part that fills the box. The rest is cut off at the sides.
  case filling
  /// The image as high as the box. What is wider than the box is cut off at the sides.
  case fillingHeight
  /// The part around a point. `scale` is the number of the screen's pixels for one of the image, in units of 1/65536. The
  /// coordinates are in units of 1/65536 of the image's width and height.
  case zoomed(scale: Int, centerX: Int, centerY: Int)
}

extension ImageView {
  /// Returns the pixels of an image's side that are seen in a window, in the view ``zoomed(scale:centerX:centerY:)``.
  ///
  /// - Parameters:
  ///   - length: The length of the side in pixels.
  ///   - room: The length of the window's side in pixels.
  ///   - center: The point in the middle, in units of 1/65536 of the side. The part ends at the image's edge.
  public static func stretch(of length: Int, in room: Int, scale: Int, around center: Int) -> Range<Int> {
    let scale = max(1, scale)
    let seen = min(length, max(1, (room * 65536 + scale - 1) / scale))
    let start = min(max(0, center * length / 65536 - seen / 2), length - seen)
    return start..<start + seen
  }
}

/// The effort that a request asks for.
public enum RenditionStage: UInt8, Hashable, Sendable {
  /// The preview, if the file or the thumbnail cache has one.
  case preview
  /// The image itself. A thumbnail is stored for the next time.
  case full
  /// The preview if it is as sharp as the image itself would be, or else the image as for ``full``.
  case ahead
  /// The image itself. Nothing is stored.
  case once
  /// Only a thumbnail is stored. The answer is ``RenditionAnswer/Content/noPreview``.
  case thumbnail
  /// The preview if it is as sharp as the image itself would be, or else the image as for ``once``.
  case glance
  /// Only the hash of the image, of which the smallest preview is enough. The answer is an ``ImageAppraisal``.
  case hash
  /// The hash and the sharpness of the whole image. The answer is an ``ImageAppraisal``.
  case appraisal

  /// Whether the request comes from a command that ends with its images: they have all processors, and nothing is stored.
  public var isForCommand: Bool { self == .once || self == .glance }
}

/// A worker's answer to a ``RenditionRequest``.
public struct RenditionAnswer: Hashable, Sendable {
  /// The result of a request.
  public enum Content: Hashable, Sendable {
    /// A rendition of characters.
    case cells(CellImage)
    /// A rendition of pixels.
    case graphic(GraphicImage)
    /// The file has no preview, or none was wanted.
    case noPreview
    /// The appraisal that was asked for.
    case appraisal(ImageAppraisal)
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

/// An overlay by which the user judges an image.
public enum ImageOverlay: UInt8, Hashable, Sendable, CaseIterable {
  case none
  /// The edges that are in focus (focus peaking).
  case peaking
  /// The pixels that are black or white, or have a channel at its maximum.
  case clipping
}

/// A rendition made of characters.
public struct CellImage: Hashable, Sendable {
  /// A character in two colors. Depending on the request's depth, a color is 0xRRGGBB or an index into the palette.
  public struct Cell: Hashable, Sendable {
    /// The character.
    public var scalar: UInt32
    /// The character's color.
    public var foreground: UInt32
    /// The background's color.
    public var background: UInt32

    /// The terminal's own color.
    public static let none = UInt32.max

    /// Creates a cell from its properties.
    public init(scalar: UInt32, foreground: UInt32, background: UInt32) {
      self.scalar = scalar
      self.foreground = foreground
      self.background = background
    }
  }

  /// The width in cells.
  public var columns: Int
  /// The height in cells.
  public var rows: Int
  /// The cells, row by row.
  public var cells: [Cell]

  /// Creates an image of `columns` times `rows` cells.
  public init(columns: Int, rows: Int, cells: [Cell]) {
    self.columns = columns
    self.rows = rows
    self.cells = cells
  }

  /// The bytes of a color of 24 bits that changes.
  private static let colorBytes = 17

  /// The approximate number of bytes that the image takes on the line to the terminal.
  public var byteCount: Int {
    var (count, foreground, background) = (0, Cell.none, Cell.none)
    for cell in cells {
      // Blocks have three bytes in UTF-8, and sextants and octants four.
      count += cell.scalar < 0x80 ? 1 : cell.scalar < 0x10000 ? 3 : 4
      if cell.foreground != foreground { count += Self.colorBytes }
      if cell.background != background { count += Self.colorBytes }
      (foreground, background) = (cell.foreground, cell.background)
    }
    return count
  }
}

/// A rendition made of pixels.
public struct GraphicImage: Hashable, Sendable {
  /// The width in cells.
  public var columns: Int
  /// The height in cells.
  public var rows: Int
  /// The width of the encoded image in pixels. A terminal that stores images scales it to the cells.
  public var width: Int
  /// The height of the encoded image in pixels.
  public var height: Int
  /// Whether the encoded image has fewer pixels than the cells, which it fills as a whole.
  public var isEnlarged: Bool
  /// Whether commands place the image over the cells. The program may choose so for an image of a terminal that knows
  /// placeholders.
  public var isPlaced: Bool
  /// The bytes for the terminal. They draw the image at the cursor, or send it to a terminal that stores images.
  public var bytes: [UInt8]
  /// The file that `bytes` names, which the terminal deletes when it has read it; empty if there is none.
  public var file: String

  /// Creates an image from its properties.
  public init(
    columns: Int, rows: Int, width: Int, height: Int, isEnlarged: Bool = false, isPlaced: Bool = false,
    bytes: [UInt8], file: String = ""
  ) {
    self.columns = columns
    self.rows = rows
    self.width = width
    self.height = height
    self.isEnlarged = isEnlarged
    self.isPlaced = isPlaced
    self.bytes = bytes
    self.file = file
  }
}
