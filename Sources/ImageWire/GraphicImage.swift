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

extension GraphicImage {
  func encode(to bytes: inout [UInt8]) {
    for value in [columns, rows, width, height] { bytes.put(value) }
    bytes.put(isEnlarged)
    bytes.put(isPlaced)
    bytes.put(self.bytes)
    bytes.put(file)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(
      columns: try reader.int(in: WireReader.cellSides), rows: try reader.int(in: WireReader.cellSides),
      width: try reader.int(in: WireReader.pixelSides), height: try reader.int(in: WireReader.pixelSides),
      isEnlarged: try reader.flag(), isPlaced: try reader.flag(), bytes: try reader.blob(), file: try reader.text())
    guard ImageSequences.isValid(bytes, file: file) else { throw .malformed }
  }
}
