/// An image that the terminal itself draws.
public struct Graphic: Sendable {
  /// How the terminal gets it, and where it lies.
  public enum Way: Hashable, Sendable {
    /// Sent once; then characters stand for its cells, which move and are covered as others (kitty). Through tmux
    /// where `isInTmux`.
    case placeholders(isInTmux: Bool)
    /// Sent once, then placed over the cells (kitty).
    case placed
    /// Drawn over the cells, anew each time (sixel, iTerm2).
    case drawn
  }

  /// From 8 to 2^24 - 1; of two images never the same.
  public let id: UInt32
  public let way: Way
  /// The cells it takes.
  public let columns: Int
  public let rows: Int
  /// In pixels.
  public let width: Int
  public let height: Int
  /// What sends it, or what draws it.
  public let bytes: [UInt8]

  public init(id: UInt32, way: Way, columns: Int, rows: Int, width: Int, height: Int, bytes: [UInt8]) {
    self.id = id
    self.way = way
    self.columns = columns
    self.rows = rows
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}
