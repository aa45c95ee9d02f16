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
      foreground = cell.foreground
      background = cell.background
    }
    return count
  }
}

extension CellImage {
  func encode(to bytes: inout [UInt8]) {
    bytes.put(columns)
    bytes.put(rows)
    bytes.reserveCapacity(bytes.count + cells.count * MemoryLayout<Cell>.size)
    for cell in cells {
      bytes.put(cell.scalar)
      bytes.put(cell.foreground)
      bytes.put(cell.background)
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    let (columns, rows) = (try reader.int(in: WireReader.cellSides), try reader.int(in: WireReader.cellSides))
    var cells: [Cell] = []
    // An array that grows takes up to twice the memory of its elements for as long as it is kept. A message may claim to have
    // more cells than it has.
    cells.reserveCapacity(min(columns * rows, reader.byteCount / MemoryLayout<Cell>.size))
    for _ in 0..<columns * rows { cells.append(try Cell(from: &reader)) }
    self.init(columns: columns, rows: rows, cells: cells)
  }
}

extension CellImage.Cell {
  /// The characters that images are made of, which all take one cell: ASCII, blocks, Braille, octants and sextants.
  private static let characters: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0x2500...0x259F, 0x2800...0x28FF, 0x1CC00...0x1CEBF, 0x1FB00...0x1FBFF,
  ]

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(scalar: try reader.uint32(), foreground: try reader.uint32(), background: try reader.uint32())
    // A worker that a hostile file has taken over must not control the terminal.
    guard Self.characters.contains(where: { $0.contains(scalar) }) else { throw .malformed }
  }
}
