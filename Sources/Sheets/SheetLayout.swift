import Gallery
import ImageWire

/// The places on the pages of a contact sheet. All lengths are in points (1/72 inch).
///
/// A page is landscape if the grid has more columns than rows. Pictures stand on their captions, in the middle of their column.
public struct SheetLayout: Hashable, Sendable {
  /// The columns and rows of a page.
  public let grid: PageGrid
  /// The width of a page.
  public let width: Double
  /// The height of a page.
  public let height: Double
  /// The pixels of a picture for an inch.
  public let resolution: Int
  /// The fewest pixels of a picture for an inch. A photo that has fewer for its cell is smaller than that.
  private let leastResolution: Int
  /// The number of lines below a picture.
  public let captionLines: Int

  /// The margins of the page.
  static let margin = 36.0
  /// The height of the header, with the space below it.
  static let header = 36.0
  /// The height of the footer, with the space above it.
  static let footer = 24.0
  /// The space between two columns, and between two rows.
  static let gap = 12.0
  /// The space between a picture and its name.
  static let captionGap = 3.0

  /// - Parameters:
  ///   - resolution: The pixels of a picture for an inch.
  ///   - leastResolution: The fewest pixels for an inch of a photo that is too small for its cell; nil for `resolution`.
  ///   - captionLines: The number of lines below a picture.
  public init(
    _ grid: PageGrid, on paper: SheetPaper, resolution: Int, leastResolution: Int? = nil, captionLines: Int
  ) {
    self.grid = grid
    self.resolution = resolution
    self.leastResolution = leastResolution ?? resolution
    self.captionLines = captionLines
    let sides = paper.sides
    let isLandscape = grid.columns > grid.rows
    (width, height) = isLandscape ? (sides.longer, sides.shorter) : (sides.shorter, sides.longer)
  }

  /// The width of a column.
  var cellWidth: Double { (width - 2 * Self.margin + Self.gap) / Double(grid.columns) - Self.gap }

  /// The height of a row.
  private var cellHeight: Double {
    (height - 2 * Self.margin - Self.header - Self.footer + Self.gap) / Double(grid.rows) - Self.gap
  }

  /// The size of the captions' font, which is smaller in narrow columns.
  var captionSize: Double { min(max(cellWidth / 13, 5.5), 9) }

  /// The height of a line of a caption.
  var captionHeight: Double { captionSize * 1.4 }

  /// The most height of a picture.
  private var pictureHeight: Double {
    max(1, cellHeight - Double(captionLines) * captionHeight - Self.captionGap)
  }

  /// The most pixels of a picture, in which it is made.
  public var pictureSize: (width: Int, height: Int) { (max(16, pixels(cellWidth)), max(16, pixels(pictureHeight))) }

  private func pixels(_ length: Double) -> Int { Int(length * Double(resolution) / 72) }

  /// The number of pages for a number of photos.
  public func pageCount(_ photos: Int) -> Int { (photos + grid.count - 1) / grid.count }

  /// Returns the place of a picture in a cell of a page. It is never larger than its pixels allow.
  func picture(_ picture: SheetPicture, inCell cell: Int) -> SheetDrawing.Picture {
    let points = 72 / Double(leastResolution)
    let scale = min(
      points, cellWidth / Double(max(1, picture.width)), pictureHeight / Double(max(1, picture.height)))
    let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
    let corner = corner(ofCell: cell)
    return SheetDrawing.Picture(
      bytes: picture.bytes, x: corner.x + (cellWidth - width) / 2, y: corner.y + pictureHeight - height, width: width,
      height: height)
  }

  /// Returns the place of a line of a caption.
  func captionLine(_ line: Int, inCell cell: Int) -> (x: Double, y: Double) {
    let corner = corner(ofCell: cell)
    return (corner.x, corner.y + pictureHeight + Self.captionGap + Double(line) * captionHeight)
  }

  /// Returns the upper left corner of a cell. Cells are counted from left to right, then downward.
  private func corner(ofCell cell: Int) -> (x: Double, y: Double) {
    let (row, column) = cell.quotientAndRemainder(dividingBy: grid.columns)
    return (
      Self.margin + Double(column) * (cellWidth + Self.gap),
      Self.margin + Self.header + Double(row) * (cellHeight + Self.gap)
    )
  }
}

/// A JPEG in the file of a sheet's pictures.
public struct SheetPicture: Hashable, Sendable {
  /// The bytes of the JPEG in the file.
  public var bytes: Range<Int>
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a picture from its properties.
  public init(bytes: Range<Int>, width: Int, height: Int) {
    self.bytes = bytes
    self.width = width
    self.height = height
  }
}
