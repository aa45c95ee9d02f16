import CNcurses
import ImageWire

/// The color pairs of ncurses' screen. Each is allocated when it is first needed.
///
/// Colors are numbers at the screen's depth; -1 is the terminal's own color.
struct ColorPairs {
  private struct Colors: Hashable {
    let foreground: Int32
    let background: Int32
  }

  /// The number of the color on which everything is drawn.
  var ground: Int32 = -1

  private let depth: ColorDepth
  private var pairs: [Colors: Int32] = [:]

  /// The number of ncurses' color pairs without the first, which is the terminal's own colors.
  private static let most = 65_535

  init(depth: ColorDepth) { self.depth = depth }

  /// The pair of text without colors of its own.
  var plain: Int32 { mutating get { pair(foreground: -1, background: -1) } }

  /// Returns the pair of a style's colors.
  mutating func pair(for style: Style) -> Int32 {
    pair(foreground: style.foreground.map(depth.number) ?? -1, background: style.background.map(depth.number) ?? -1)
  }

  /// Returns the pair of two colors; the first one, 0, if no other is left.
  mutating func pair(foreground: Int32, background: Int32) -> Int32 {
    let colors = Colors(foreground: foreground, background: background == -1 ? ground : background)
    guard depth != .monochrome, colors != Colors(foreground: -1, background: -1) else { return 0 }
    if let pair = pairs[colors] { return pair }
    let pair = Int32(pairs.count + 1)
    guard pair <= Self.most, init_extended_pair(pair, colors.foreground, colors.background) == OK else { return 0 }
    pairs[colors] = pair
    return pair
  }

  /// Releases all pairs if they are running out.
  ///
  /// A pair that still colors a cell on the screen must not get other colors, and it is not known which pairs do. So all
  /// are released together.
  /// - Parameter cells: The number of the screen's cells.
  /// - Returns: Whether the pairs were released, so that the next frame has to draw every cell.
  mutating func renewIfNeeded(cells: Int) -> Bool {
    // On a very large screen half of them must do, or else every frame would release them.
    guard pairs.count > max(Self.most / 2, Self.most - 2 * cells), depth != .monochrome else { return false }
    reset_color_pairs()
    // As many will come again, so the memory stays.
    pairs.removeAll(keepingCapacity: true)
    reserve()
    return true
  }

  /// Makes ncurses allocate all pairs that truecolor needs. If the table grew later, ncurses would sort all pairs again each
  /// time, between two frames.
  func reserve() {
    if depth == .truecolor { init_extended_pair(Int32(Self.most), 0, 0) }
  }
}
