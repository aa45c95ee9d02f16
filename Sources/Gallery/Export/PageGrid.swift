/// The number of columns and rows of a page of a contact sheet.
public struct PageGrid: Hashable, Codable, Sendable {
  /// The number of columns.
  public let columns: Int
  /// The number of rows.
  public let rows: Int

  /// The numbers of columns or rows that a page can have.
  public static let counts = 1...20

  /// The usual grid for photos of which most are landscape.
  public static let standard = PageGrid(columns: 5, rows: 7)

  private init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates a grid from a text such as `5x7`: the columns, and the rows. Returns nil for another text.
  public init?(_ text: String) {
    let counts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard counts.count == 2, counts.allSatisfy(Self.counts.contains) else { return nil }
    columns = counts[0]
    rows = counts[1]
  }

  /// The grid as it is written: `5x7`.
  public var text: String { "\(columns)x\(rows)" }

  /// The number of photos on a page.
  public var count: Int { columns * rows }
}

/// The sizes of paper.
public enum SheetPaper: String, CaseIterable, Codable, Sendable {
  case a4, letter

  /// The shorter and the longer side in points (ISO 216; ANSI/ASME Y14.1).
  public var sides: (shorter: Double, longer: Double) {
    switch self {
    case .a4: (595.276, 841.89)
    case .letter: (612, 792)
    }
  }
}
