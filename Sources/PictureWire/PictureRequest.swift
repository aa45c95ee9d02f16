/// What the browser asks of a picture worker: a file, rendered for a box of cells.
public struct PictureRequest: Hashable, Sendable {
  /// Comes back with the answer.
  public var number: UInt32
  /// An absolute path.
  public var path: String
  /// The box that the picture must fit in, in cells.
  public var columns: Int
  public var rows: Int
  /// Whether the picture is cut to fill the box, instead of fitting in it whole.
  public var fillsBox: Bool
  /// A cell's height divided by its width, times 256.
  public var cellAspect: Int
  public var colors: PictureColors
  /// Whether the terminal shows more than ASCII.
  public var isUnicode: Bool
  /// What lies under transparent parts, 0xRRGGBB.
  public var background: UInt32

  public init(
    number: UInt32, path: String, columns: Int, rows: Int, fillsBox: Bool, cellAspect: Int, colors: PictureColors,
    isUnicode: Bool, background: UInt32
  ) {
    self.number = number
    self.path = path
    self.columns = columns
    self.rows = rows
    self.fillsBox = fillsBox
    self.cellAspect = cellAspect
    self.colors = colors
    self.isUnicode = isUnicode
    self.background = background
  }
}

/// The colours a rendition may use.
public enum PictureColors: UInt8, Hashable, Sendable {
  case truecolor, palette256, palette16, palette8, monochrome
}

/// What a worker answers.
public struct PictureAnswer: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case cells(CellPicture)
    /// Why there is no picture, in a sentence.
    case failure(String)
  }

  public var number: UInt32
  public var content: Content

  public init(number: UInt32, content: Content) {
    self.number = number
    self.content = content
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
