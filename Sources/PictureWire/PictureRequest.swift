import Gallery

/// What the browser asks of a picture worker: a file, rendered for a box of cells.
public struct PictureRequest: Hashable, Sendable {
  /// Comes back with the answer, and names the picture to a terminal of the kitty protocol: from 1 to 2^24 - 1.
  public var number: UInt32
  /// An absolute path.
  public var path: FilePath
  /// The box that the picture must fit in, in cells.
  public var columns: Int
  public var rows: Int
  /// A cell's size in pixels.
  public var cellWidth: Int
  public var cellHeight: Int
  public var view: PictureView
  /// Which frame of an animation, counted from 0.
  public var frame: Int
  public var form: PictureForm
  /// What lies under transparent parts, 0xRRGGBB.
  public var background: UInt32
  /// The terminal's colors that ``PictureColors/palette16`` and ``PictureColors/palette8`` number, 0xRRGGBB; empty
  /// for all others.
  public var palette: [UInt32]
  public var stage: PictureStage

  public init(
    number: UInt32, path: FilePath, columns: Int, rows: Int, cellWidth: Int, cellHeight: Int,
    view: PictureView = .whole,
    frame: Int = 0, form: PictureForm, background: UInt32, palette: [UInt32] = [], stage: PictureStage = .full
  ) {
    self.number = number
    self.path = path
    self.columns = columns
    self.rows = rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.view = view
    self.frame = frame
    self.form = form
    self.background = background
    self.palette = palette
    self.stage = stage
  }
}

/// Which part of a picture is shown, and how large.
public enum PictureView: Hashable, Sendable {
  /// All of it, as large as fits in the box.
  case whole
  /// As much as fills the box, cut at the sides.
  case filling
  /// What is around a point of the picture, `scale` pixels of the screen to one of the picture (in units of 1/65536);
  /// the point's coordinates are parts of 65536 of the picture's width and height.
  case zoomed(scale: Int, centerX: Int, centerY: Int)
}

/// How much effort is wanted.
public enum PictureStage: UInt8, Hashable, Sendable {
  /// What is to be had at once: a picture embedded in the file, or kept from before. There may be none.
  case preview
  /// The picture itself; a thumbnail is kept for the next time.
  case full
  /// What is embedded or was kept, if it is as sharp as the picture itself would be; else that, as ``full``.
  case ahead
  /// The picture itself, and nothing is kept.
  case once
  /// Nothing but that a thumbnail is kept; the answer is ``PictureAnswer/Content/noPreview``.
  case thumbnail
}

/// What a rendition is made of.
public enum PictureForm: Hashable, Sendable {
  /// Characters.
  case symbols(PictureColors, SymbolSet)
  /// The kitty graphics protocol: pixels with an id.
  case kitty(KittyTransfer)
  /// Sixel graphics (DEC STD 070), with so many colours.
  case sixel(colors: Int)
  /// iTerm2's inline images (OSC 1337).
  case iterm
}

/// The colours a rendition may use.
public enum PictureColors: UInt8, Hashable, Sendable {
  case truecolor, palette256, palette16, palette8, monochrome
}

/// The characters a rendition may use.
public enum SymbolSet: UInt8, Hashable, Sendable {
  case ascii
  /// Blocks, halves and quadrants: what nearly every font has.
  case blocks
  /// The sextants of Unicode 13 besides.
  case sextants
}

/// How pixels get to a terminal of the kitty protocol.
public struct KittyTransfer: Hashable, Sendable {
  /// Whether the cells of the picture are characters that stand for it (Unicode placeholders).
  public var hasPlaceholders: Bool
  /// Whether the terminal can read this machine's files.
  public var isLocal: Bool
  /// Whether tmux must be told to pass it on.
  public var isInTmux: Bool

  public init(hasPlaceholders: Bool, isLocal: Bool, isInTmux: Bool) {
    self.hasPlaceholders = hasPlaceholders
    self.isLocal = isLocal
    self.isInTmux = isInTmux
  }
}

/// What a worker answers.
public struct PictureAnswer: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case cells(CellPicture)
    case graphic(GraphicPicture)
    /// The file has no preview, or none was wanted.
    case noPreview
    /// Why there is no picture, in a sentence.
    case failure(String)
  }

  public var number: UInt32
  public var content: Content
  public var facts: PictureFacts

  public init(number: UInt32, content: Content, facts: PictureFacts = PictureFacts()) {
    self.number = number
    self.content = content
    self.facts = facts
  }
}

/// What is known of a picture once it is rendered; 0 is not known.
public struct PictureFacts: Hashable, Sendable {
  /// Of the picture itself, upright, in pixels.
  public var width: Int
  public var height: Int
  /// Pixels of the screen to one of the picture, in units of 1/65536.
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

/// A picture made of characters.
public struct CellPicture: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    public var scalar: UInt32
    /// 0xRRGGBB, or the palette's index, as the request's colours have it; ``none`` is the terminal's own.
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

/// A picture made of pixels, that takes so many cells.
public struct GraphicPicture: Hashable, Sendable {
  public var columns: Int
  public var rows: Int
  /// In pixels.
  public var width: Int
  public var height: Int
  /// What the terminal is sent: for kitty the picture without its place, else what draws it where the cursor is.
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
