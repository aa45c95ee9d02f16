import ImageWire
import Terminal

/// Turns renditions into bytes for a terminal or a pipe. ``ImageRow`` puts them in their places.
public struct ImagePrinter {
  let format: OutputFormat
  /// Whether the cursor may be moved. fzf, which reads the output as lines, would take that for text.
  let movesCursor: Bool

  /// Creates a printer for renditions in one output format.
  /// - Parameter movesCursor: Whether the output gets to a terminal unchanged, so that the cursor may be moved.
  public init(format: OutputFormat, movesCursor: Bool = true) {
    self.format = format
    self.movesCursor = movesCursor
  }

  /// The commands for images that the terminal stores; nil if it stores none.
  public var commands: KittyCommands? { format.delivery.commands }

  /// Whether stored images are placed over the cells, and stay there until a command removes them.
  public var isPlaced: Bool { if case .placed = format.delivery { true } else { false } }

  /// Returns the lines of a rendition in characters or placeholders, without line breaks, and the bytes that must reach the
  /// terminal before them.
  /// - Parameter id: The number of the request.
  func text(of content: ImageAnswer.Content, id: UInt32) -> (transmission: [UInt8], lines: [[UInt8]]) {
    switch content {
    case .cells(let image): ([], lines(of: image))
    case .graphic(let image):
      (image.bytes, PlaceholderText.lines(id: id, columns: image.columns, rows: image.rows))
    case .failure, .noPreview, .appraisal, .exported, .listing, .transfer: ([], [])
    }
  }

  /// Returns the bytes that draw a rendition in pixels over the cells, from the cursor on.
  /// - Parameters:
  ///   - id: The number of the request.
  ///   - layer: The layer of an image that is placed, as in ``KittyCommands/place(_:layer:)``.
  ///   - isStored: Whether the terminal has stored the image, so that it is only placed.
  func drawing(
    of content: ImageAnswer.Content, id: UInt32, layer: Int = 0, isStored: Bool = false
  ) -> [UInt8] {
    guard case .graphic(let image) = content else { return [] }
    guard case .placed(let commands) = format.delivery else { return image.bytes }
    let cells = image.isEnlarged ? Size(columns: image.columns, rows: image.rows) : nil
    return (isStored ? [] : image.bytes) + commands.place(id, layer: layer, cells: cells)
  }

  private func lines(of image: CellImage) -> [[UInt8]] {
    guard let colors = format.characterColors else { return [] }
    return (0..<image.rows).map { row in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(image.columns * 16)
      var (foreground, background): (UInt32?, UInt32?) = (nil, nil)
      for cell in image.cells[row * image.columns..<(row + 1) * image.columns] {
        if colors != .monochrome, cell.foreground != foreground, cell.scalar != 0x20 {
          bytes.appendColor(cell.foreground, colors, isBackground: false)
          foreground = cell.foreground
        }
        if colors != .monochrome, cell.background != background {
          bytes.appendColor(cell.background, colors, isBackground: true)
          background = cell.background
        }
        bytes += (Unicode.Scalar(cell.scalar) ?? " ").utf8
      }
      return bytes + (colors == .monochrome ? "" : "\u{1B}[0m").utf8
    }
  }
}

extension [UInt8] {
  /// Appends the sequence that selects a color (ECMA-48 SGR; ISO 8613-6 for more than 16 colors).
  fileprivate mutating func appendColor(_ color: UInt32, _ colors: ColorDepth, isBackground: Bool) {
    let base = isBackground ? 40 : 30
    let none = CellImage.Cell.none
    self += "\u{1B}[".utf8
    switch colors {
    case _ where color == none: appendNumber(base + 9)
    case .truecolor:
      appendNumber(base + 8)
      self += ";2".utf8
      for shift in [16, 8, 0] {
        append(UInt8(ascii: ";"))
        appendNumber(Int(color >> shift & 0xFF))
      }
    case .palette256:
      appendNumber(base + 8)
      self += ";5;".utf8
      appendNumber(Int(color))
    case .palette16, .palette8, .monochrome: appendNumber(color < 8 ? base + Int(color) : base + 60 + Int(color) - 8)
    }
    append(UInt8(ascii: "m"))
  }

  /// Appends a number of at most three digits, as colors have, in decimal.
  private mutating func appendNumber(_ number: Int) {
    if number >= 100 { append(UInt8(ascii: "0") + UInt8(number / 100 % 10)) }
    if number >= 10 { append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
