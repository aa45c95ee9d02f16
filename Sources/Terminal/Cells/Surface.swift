import ImageWire

/// A rectangle of cells to draw into. Text and cells outside it are cut off.
@MainActor
public struct Surface {
  /// The surface's place on the screen.
  public let bounds: Rect
  /// The look of the program on this terminal.
  public let theme: Theme
  private let canvas: any Canvas
  private var ground: Ground
  private var isDimmed = false

  init(_ canvas: any Canvas, theme: Theme) {
    self.canvas = canvas
    self.theme = theme
    bounds = Rect(canvas.size)
    ground = .window
  }

  private init(_ other: Surface, clippedTo bounds: Rect) {
    self.bounds = other.bounds.intersection(bounds)
    theme = other.theme
    canvas = other.canvas
    ground = other.ground
    isDimmed = other.isDimmed
  }

  /// Returns the part of this surface inside `rect`, which is in the screen's coordinates.
  public func clipped(to rect: Rect) -> Surface {
    Surface(self, clippedTo: rect)
  }

  /// Returns this surface with another ground under its texts.
  public func on(_ ground: Ground) -> Surface {
    var surface = self
    surface.ground = ground
    return surface
  }

  /// Returns this surface with its texts dimmed, or not.
  public func dimmed(_ isDimmed: Bool = true) -> Surface {
    var surface = self
    surface.isDimmed = isDimmed
    return surface
  }

  /// Draws text from a cell on. `column` and `row` count from the surface's own top left.
  /// - Returns: The column after the text.
  @discardableResult
  public func put(_ text: CellText, column: Int = 0, row: Int = 0, _ role: Role = .text) -> Int {
    var column = column
    let style = theme.style(role, on: ground, isDimmed: isDimmed)
    for cluster in text.clusters {
      put(cluster, column: column, row: row, style: style)
      column += cluster.width
    }
    return column
  }

  /// Draws text with the ranges that `found` returns highlighted.
  /// - Returns: The column after the text.
  @discardableResult
  public func put(
    _ text: CellText, column: Int = 0, row: Int = 0, _ role: Role = .text,
    lighting found: (String) -> [Range<String.Index>]
  ) -> Int {
    let end = put(text, column: column, row: row, role)
    for part in text.parts(found) { put(part.text, column: column + part.column, row: row, .found) }
    return end
  }

  /// Draws text from a cell on.
  /// - Returns: The column after the text.
  @discardableResult
  public func put(_ text: String, column: Int = 0, row: Int = 0, _ role: Role = .text) -> Int {
    put(CellText(text), column: column, row: row, role)
  }

  /// Draws text that ends at the surface's right edge.
  /// - Returns: The column in which the text starts.
  @discardableResult
  public func putRight(_ text: String, row: Int = 0, _ role: Role = .text) -> Int {
    let cells = CellText(text)
    put(cells, column: bounds.columns - cells.width, row: row, role)
    return bounds.columns - cells.width
  }

  /// Places the terminal's cursor in a cell of the surface, if the interface is plain: there is what the user works on.
  public func placeCursor(column: Int = 0, row: Int = 0) {
    guard Charset.isPlain, (0..<bounds.rows).contains(row), (0..<bounds.columns).contains(column) else { return }
    canvas.placeCursor(column: bounds.column + column, row: bounds.row + row)
  }

  /// Links cells of a row to an address, which terminals with hyperlinks open. The text must have been drawn.
  public func link(_ address: String, column: Int, row: Int, columns: Int) {
    guard (0..<bounds.rows).contains(row) else { return }
    let start = max(0, column)
    let end = min(bounds.columns, column + columns)
    guard start < end else { return }
    canvas.link(address, column: bounds.column + start, row: bounds.row + row, columns: end - start)
  }

  /// Fills the surface with blanks.
  public func clear() {
    let style = theme.style(.text, on: ground, isDimmed: isDimmed)
    let blank = Cluster(scalars: [" "], width: 1)
    for row in 0..<bounds.rows {
      for column in 0..<bounds.columns { put(blank, column: column, row: row, style: style) }
    }
  }

  /// Draws one character of an image. The colors are 0xRRGGBB, or indices into the palette if the theme's depth has one;
  /// nil is the terminal's own color.
  public func putImage(
    _ scalar: Unicode.Scalar, column: Int, row: Int, foreground: UInt32?, background: UInt32?
  ) {
    guard (0..<bounds.rows).contains(row), (0..<bounds.columns).contains(column) else { return }
    func number(_ color: UInt32?) -> Int32 {
      guard let color else { return -1 }
      return theme.depth == .truecolor ? max(ColorDepth.darkestNumber, Int32(color & 0xFFFFFF)) : Int32(clamping: color)
    }
    canvas.put(
      scalar, column: bounds.column + column, row: bounds.row + row,
      foreground: number(foreground), background: number(background))
  }

  /// Leaves the surface as the screen shows it, because drawing it would delay a key's answer. The next frame follows at
  /// once, and draws it.
  /// - Returns: Whether the surface may be left: only in a frame that answers a key.
  public func postpone() -> Bool { canvas.postpone(bounds) }

  /// Allows the characters of a large image, which are drawn next, to be sent in several frames on a slow line, from the top
  /// down. Until its turn comes, a row stays as the screen shows it.
  public func spread() { canvas.spread(bounds) }

  /// Draws an image that the terminal itself draws, with its top left in a cell of the surface. The image must fit.
  public func put(_ graphic: Graphic, column: Int, row: Int) {
    let style = theme.style(.text, on: ground, isDimmed: isDimmed)
    canvas.put(graphic, column: bounds.column + column, row: bounds.row + row, style: style)
  }

  /// Returns whether the terminal can show `graphic` now. If not, the image is sent, and another frame is drawn when it has
  /// arrived.
  public func hasArrived(_ graphic: Graphic) -> Bool { canvas.hasArrived(graphic) }

  /// Sends `graphic` ahead, as it may be shown soon.
  /// - Parameter isLineFree: Whether the line to the terminal has nothing else to carry, so that a large image may be sent.
  public func prepare(_ graphic: Graphic, isLineFree: Bool) { canvas.prepare(graphic, isLineFree: isLineFree) }

  /// Draws a line across the surface.
  public func horizontalRule(row: Int, _ role: Role = .faint) {
    put(String(repeating: "─", count: bounds.columns), row: row, role)
  }

  /// Draws a line down the surface.
  public func verticalRule(column: Int, _ role: Role = .faint) {
    for row in 0..<bounds.rows { put("│", column: column, row: row, role) }
  }

  /// Draws a border with round corners along the edge of the surface.
  public func border(_ role: Role = .faint) {
    guard bounds.columns >= 2, bounds.rows >= 2 else { return }
    let line = String(repeating: "─", count: bounds.columns - 2)
    put("╭\(line)╮", row: 0, role)
    put("╰\(line)╯", row: bounds.rows - 1, role)
    for row in 1..<bounds.rows - 1 {
      put("│", row: row, role)
      put("│", column: bounds.columns - 1, row: row, role)
    }
  }

  private func put(_ cluster: Cluster, column: Int, row: Int, style: Style) {
    guard (0..<bounds.rows).contains(row), column >= 0, column + cluster.width <= bounds.columns else { return }
    canvas.put(cluster, column: bounds.column + column, row: bounds.row + row, style: style)
  }
}
