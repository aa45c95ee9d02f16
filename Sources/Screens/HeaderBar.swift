import Terminal

/// The header: the names of the rooms, the status of the current one, and a remark on the rule below.
@MainActor
final class HeaderBar {
  /// The contents of the header.
  struct Contents {
    let rooms: [String]
    /// The letter of each room in the menu of ``Command/goTo``, which stands out in its name; nil for none.
    let letters: [Character?]
    let current: Int
    /// The parts of the room's status, the most important first.
    let status: [String]
    let isLoading: Bool
    let spinner: String
    /// The text that every room shows, such as the greeting; empty for none.
    let remark: String
  }

  private var layout = HeaderLayout(rooms: [], current: 0, status: [], columns: 0)
  private var line = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// Returns the room whose name is at a cell of the screen.
  func room(atColumn column: Int, row: Int) -> Int? {
    line.contains(column: column, row: row) ? layout.room(at: column - line.column) : nil
  }

  func draw(_ contents: Contents, on surface: Surface) {
    line = surface.bounds.inset(columns: 1).split(rows: 1).0
    layout = HeaderLayout(
      rooms: contents.rooms, current: contents.current, status: contents.status, columns: line.columns)
    drawLine(contents, on: surface.clipped(to: line))
    surface.horizontalRule(row: 1)
    if !contents.remark.isEmpty {
      let text = CellText(" \(contents.remark) ", truncatedTo: surface.bounds.columns - 4)
      surface.put(text, column: surface.bounds.columns - text.width - 2, row: 1, .secondary)
    }
  }

  private func drawLine(_ contents: Contents, on line: Surface) {
    line.put(HeaderLayout.title, .accent)
    for (room, column) in layout.names {
      let name = contents.rooms[room]
      line.put(name, column: column, room == contents.current ? .title : .secondary)
      if let letter = contents.letters[room], let place = name.lowercased().firstIndex(of: letter) {
        line.put(String(name[place]), column: column + CellText(String(name[..<place])).width, .accent)
      }
    }
    if let status = layout.status {
      line.put(status, column: line.bounds.columns - status.width, contents.isLoading ? .accent : .secondary)
    } else if contents.isLoading {
      line.putRight(contents.spinner, .accent)
    }
  }
}

/// The parts of the header's first line that fit, with their columns.
struct HeaderLayout {
  /// The rooms whose names are shown: all of them, or only the current one if they don't fit.
  let names: [(room: Int, column: Int)]
  /// The parts of the status that fit; nil if not even the first part fits.
  let status: CellText?
  private let widths: [Int]

  static let title = "Tintype"

  init(rooms: [String], current: Int, status: [String], columns: Int) {
    widths = rooms.map { CellText($0).width }
    let start = CellText(Self.title).width + 3
    let width = widths.reduce(0) { $0 + $1 + 2 }
    var column = start
    names = (start + width <= columns ? Array(rooms.indices) : [current].filter(rooms.indices.contains)).map {
      [widths] room in
      defer { column += widths[room] + 2 }
      return (room, column)
    }
    // Two blank columns separate the status from the names.
    self.status = Self.join(status, columns: columns - column)
  }

  private static func join(_ parts: [String], columns: Int) -> CellText? {
    (0..<parts.count).reversed().lazy.map { CellText(parts[...$0].joined(separator: " · ")) }
      .first { $0.width <= columns }
  }

  /// Returns the room whose name is at a column.
  func room(at column: Int) -> Int? {
    names.first { ($0.column..<$0.column + widths[$0.room]).contains(column) }?.room
  }
}
