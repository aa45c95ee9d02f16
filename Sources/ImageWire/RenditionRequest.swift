import Gallery

/// What the browser asks of an image worker: a file, rendered for a box of cells.
public struct RenditionRequest: Hashable, Sendable {
  /// Comes back with the answer, and names the image to a terminal of the kitty protocol: from 1 to 2^24 - 1.
  public var number: UInt32
  /// An absolute path.
  public var path: FilePath
  /// The box that the image must fit in, in cells.
  public var columns: Int
  public var rows: Int
  /// A cell's size in pixels.
  public var cellWidth: Int
  public var cellHeight: Int
  public var view: ImageView
  /// Which frame of an animation, counted from 0.
  public var frame: Int
  public var format: OutputFormat
  /// What lies under transparent parts, 0xRRGGBB.
  public var background: UInt32
  /// The terminal's colors that ``ColorDepth/palette16`` and ``ColorDepth/palette8`` number, 0xRRGGBB; empty
  /// for all others.
  public var palette: [UInt32]
  public var stage: RenditionStage

  public init(
    number: UInt32, path: FilePath, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int,
    view: ImageView = .whole,
    frame: Int = 0, format: OutputFormat, background: UInt32, palette: [UInt32] = [], stage: RenditionStage = .full
  ) {
    self.number = number
    self.path = path
    self.columns = columns
    self.rows = rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.view = view
    self.frame = frame
    self.format = format
    self.background = background
    self.palette = palette
    self.stage = stage
  }
}

/// Which part of an image is shown, and how large.
public enum ImageView: Hashable, Sendable {
  /// All of it, as large as fits in the box.
  case whole
  /// As much as fills the box, cut at the sides.
  case filling
  /// What is around a point of the image, `scale` pixels of the screen to one of the image (in units of 1/65536);
  /// the point's coordinates are parts of 65536 of the image's width and height.
  case zoomed(scale: Int, centerX: Int, centerY: Int)
}

/// How much effort is wanted.
public enum RenditionStage: UInt8, Hashable, Sendable {
  /// What is to be had at once: an image embedded in the file, or kept from before. There may be none.
  case preview
  /// The image itself; a thumbnail is kept for the next time.
  case full
  /// What is embedded or was kept, if it is as sharp as the image itself would be; else that, as ``full``.
  case ahead
  /// The image itself, and nothing is kept.
  case once
  /// Nothing but that a thumbnail is kept; the answer is ``RenditionAnswer/Content/noPreview``.
  case thumbnail
}

/// What a worker answers.
public struct RenditionAnswer: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case cells(CellImage)
    case graphic(GraphicImage)
    /// The file has no preview, or none was wanted.
    case noPreview
    /// Why there is no image, in a sentence.
    case failure(String)
  }

  public var number: UInt32
  public var content: Content
  public var info: ImageInfo

  public init(number: UInt32, content: Content, info: ImageInfo = ImageInfo()) {
    self.number = number
    self.content = content
    self.info = info
  }
}

/// What is known of an image once it is rendered; 0 is not known.
public struct ImageInfo: Hashable, Sendable {
  /// Of the image itself, upright, in pixels.
  public var width: Int
  public var height: Int
  /// Pixels of the screen to one of the image, in units of 1/65536.
  public var scale: Int
  public var frames: Int
  /// How long this frame is shown, in milliseconds.
  public var delay: Int
  /// Whether nothing better is to be had for the box.
  public var isSharp: Bool
  /// Whether the file ends before its image does, so that only a part of that could be decoded.
  public var isIncomplete: Bool
  /// When its file had last been changed before it was read, in nanoseconds since 1970.
  public var modifiedAt: Int

  public init(
    width: Int = 0, height: Int = 0, scale: Int = 0, frames: Int = 1, delay: Int = 0, isSharp: Bool = true,
    isIncomplete: Bool = false, modifiedAt: Int = 0
  ) {
    self.width = width
    self.height = height
    self.scale = scale
    self.frames = frames
    self.delay = delay
    self.isSharp = isSharp
    self.isIncomplete = isIncomplete
    self.modifiedAt = modifiedAt
  }
}

/// An image made of characters.
public struct CellImage: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    public var scalar: UInt32
    /// 0xRRGGBB, or the palette's index, as the request's colors have it; ``none`` is the terminal's own.
    public var foreground: UInt32
    public var background: UInt32

    public static let none = UInt32.max

    public init(scalar: UInt32, foreground: UInt32, background: UInt32) {
      self.scalar = scalar
      self.foreground = foreground
      self.background = background
    }
  }

  public var columns: Int
  public var rows: Int
  /// Row by row.
  public var cells: [Cell]

  public init(columns: Int, rows: Int, cells: [Cell]) {
    self.columns = columns
    self.rows = rows
    self.cells = cells
  }
}

/// An image made of pixels, that takes so many cells.
public struct GraphicImage: Hashable, Sendable {
  public var columns: Int
  public var rows: Int
  /// In pixels.
  public var width: Int
  public var height: Int
  /// What the terminal is sent: for kitty the image without its place, else what draws it where the cursor is.
  public var bytes: [UInt8]
  /// The file that `bytes` names, which the terminal deletes when it has read it; empty where there is none.
  public var file: String

  public init(columns: Int, rows: Int, width: Int, height: Int, bytes: [UInt8], file: String = "") {
    self.columns = columns
    self.rows = rows
    self.width = width
    self.height = height
    self.bytes = bytes
    self.file = file
  }
}
