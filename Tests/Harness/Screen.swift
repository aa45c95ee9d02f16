/// The contents and modes of a terminal's screen at one moment.
public struct Screen: Equatable, Sendable {
  /// The position of the cursor, in cells from 0, and its visibility.
  public struct Cursor: Hashable, Sendable {
    /// The row, from 0 at the top.
    public var row: Int
    /// The column, from 0 at the left.
    public var column: Int
    /// Whether the cursor is shown (mode 25).
    public var visible: Bool
  }

  /// The size in cells.
  public let size: Size
  /// The cells, by row and then by column.
  public let cells: [[Cell]]
  /// The text of each row without trailing blanks. A wide character appears once.
  public let lines: [String]
  /// The cursor.
  public let cursor: Cursor
  /// Whether the alternate screen is shown.
  public let isAlternateScreen: Bool
  /// The events that the mouse reports: 0 none, 1 clicks (1000), 2 clicks and drags (1002), 3 all motion (1003).
  public let mouseMode: Int
  /// The title of the window; empty until the program sets one.
  public let title: String
  /// The last state of each private mode that the program has set or reset, by its number (CSI ? n h or l).
  public let modes: [Int: Bool]

  init(
    size: Size, cells: [[Cell]], cursor: Cursor, isAlternateScreen: Bool, mouseMode: Int, title: String,
    modes: [Int: Bool]
  ) {
    self.size = size
    self.cells = cells
    self.lines = cells.map(Self.trimmedText)
    self.cursor = cursor
    self.isAlternateScreen = isAlternateScreen
    self.mouseMode = mouseMode
    self.title = title
    self.modes = modes
  }

  /// The lines joined by line feeds, without trailing empty lines.
  public var text: String {
    let last = lines.lastIndex { !$0.isEmpty }
    return last.map { lines[...$0].joined(separator: "\n") } ?? ""
  }

  /// Whether the program has set the private mode `number`.
  public func isModeSet(_ number: Int) -> Bool { modes[number] ?? false }

  /// Whether some row contains `text`.
  public func contains(_ text: String) -> Bool { position(of: text) != nil }

  /// Returns the cell at which the first occurrence of `text` begins, searched row by row from the top.
  public func position(of text: String) -> (row: Int, column: Int)? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return nil }
    for (row, cells) in cells.enumerated() {
      var bytes: [UInt8] = []
      var columns: [Int] = []
      for (column, cell) in cells.enumerated() {
        for byte in cell.text.utf8 {
          bytes.append(byte)
          columns.append(column)
        }
      }
      var start = 0
      while start + wanted.count <= bytes.count {
        if bytes[start] == first, bytes[start..<start + wanted.count].elementsEqual(wanted) {
          return (row, columns[start])
        }
        start += 1
      }
    }
    return nil
  }

  private static func trimmedText(of row: [Cell]) -> String {
    guard let last = row.lastIndex(where: { $0.text != " " && $0.width > 0 }) else { return "" }
    return row[...last].map(\.text).joined()
  }
}
