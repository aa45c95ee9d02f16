import Gallery

/// All that a rendition of an image depends on. It identifies the rendition in memory, and a worker gets it as it is.
public struct RenditionSpecification: Hashable, Sendable {
  /// The place where the image comes from.
  public var image: ImageLocation
  /// The width of the box that the image must fit in, in cells.
  public var columns: Int
  /// The height of the box, in cells.
  public var rows: Int
  /// The way in which the image is shown.
  public var presentation: ImagePresentation
  /// The screen for which the rendition is made.
  public var screen: RenditionScreen

  /// Creates a specification from its properties.
  public init(
    _ image: ImageLocation, columns: Int, rows: Int, as presentation: ImagePresentation = ImagePresentation(),
    on screen: RenditionScreen
  ) {
    self.image = image
    self.columns = columns
    self.rows = rows
    self.presentation = presentation
    self.screen = screen
  }

  /// Whether only a part of the image is shown, which the user has enlarged.
  public var isPart: Bool { presentation.view.isPart }

  /// The number of cells of the box.
  public var cellCount: Int { columns * rows }

  /// Hashes everything but the screen. Nearly all specifications that are compared have the same one, so that would only
  /// take time in each frame.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(image)
    hasher.combine(columns)
    hasher.combine(rows)
    hasher.combine(presentation)
  }
}

/// The properties of a screen on which renditions depend. They are the same for all images of a frame.
public struct RenditionScreen: Hashable, Sendable {
  /// The output format.
  public var format: OutputFormat
  /// A cell's width in pixels.
  public var cellWidth: Int
  /// A cell's height in pixels.
  public var cellHeight: Int
  /// The color under transparent parts, 0xRRGGBB.
  public var background: UInt32
  /// The colors that ``ColorDepth/palette16`` and ``ColorDepth/palette8`` number, 0xRRGGBB; empty for other depths.
  public var palette: [UInt32]

  /// Creates a screen from its properties.
  public init(
    format: OutputFormat, cellWidth: Int, cellHeight: Int, background: UInt32 = 0, palette: [UInt32] = []
  ) {
    self.format = format
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.background = background
    self.palette = palette
  }
}

// The coding in messages. The image is left out, since a worker knows it by its file.
extension RenditionSpecification {
  func encode(to bytes: inout [UInt8]) {
    bytes.put(columns)
    bytes.put(rows)
    presentation.encode(to: &bytes)
    screen.encode(to: &bytes)
  }

  init(of image: ImageLocation, from reader: inout WireReader) throws(WireError) {
    self.image = image
    columns = try reader.int(in: WireReader.cellSides)
    rows = try reader.int(in: WireReader.cellSides)
    presentation = try ImagePresentation(from: &reader)
    screen = try RenditionScreen(from: &reader)
  }
}

extension RenditionScreen {
  /// The valid numbers of a palette's colors.
  private static let paletteCounts = 0...16

  fileprivate func encode(to bytes: inout [UInt8]) {
    format.encode(to: &bytes)
    bytes.put(cellWidth)
    bytes.put(cellHeight)
    bytes.put(background)
    bytes.put(palette.count)
    for color in palette { bytes.put(color) }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    format = try OutputFormat(from: &reader)
    cellWidth = try reader.int(in: WireReader.cellSides)
    cellHeight = try reader.int(in: WireReader.cellSides)
    background = try reader.uint32()
    palette = []
    for _ in 0..<(try reader.int(in: Self.paletteCounts)) { palette.append(try reader.uint32()) }
  }
}
