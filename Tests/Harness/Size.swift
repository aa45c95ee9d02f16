/// The size of a terminal, in character cells.
public struct Size: Hashable, Sendable, CustomStringConvertible {
  /// The number of cells in a row.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Creates a size of `columns` by `rows` cells.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size as "columns×rows".
  public var description: String { "\(columns)×\(rows)" }

  /// Whether the emulator can have this size. Below two columns libvterm writes out of bounds.
  var isUsable: Bool { (2...9999).contains(columns) && (1...9999).contains(rows) }
}
