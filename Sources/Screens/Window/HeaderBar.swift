import Terminal

/// The header: the names of the rooms, the status of the current one, and a remark at the end of the rule below.
@MainActor
final class HeaderBar {
  /// The contents of the header.
  struct Contents {
    let rooms: [String]
    /// The letter of each room in the menu of ``Command/goTo``, which stands out in its name; nil for none.
    let letters: [Character?]
    let current: Int
    /// The parts of the room's status, the most important first.
    let status: [StatusPart]
    let isLoading: Bool
    let spinner: String
    /// The announcement of a change or of the highlighted row, in place of the rule of a plain screen; nil for the rule.
    let announcement: String?
    /// The parts of the text that every room shows, such as the greeting, the most important last.
    let remark: [String]
  }

  private var layout = HeaderLayout(rooms: [], current: 0, status: [], columns: 0)
  private var line = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// Returns the room whose name is at a cell of the screen.
  func room(atColumn column: Int, row: Int) -> Int? {
    line.contains(column: column, row: row) ? layout.room(at: column - line.column) : nil
  }

  /// Returns the command of the part of the status that is at a cell of the screen.
  func command(atColumn column: Int, row: Int) -> Command? {
    line.contains(column: column, row: row) ? layout.statusPart(at: column - line.column)?.command : nil
  }

  func draw(_ contents: Contents, on surface: Surface) {
    line = surface.bounds.inset(columns: 1).split(rows: 1).0
    layout = HeaderLayout(
      rooms: contents.rooms, current: contents.current, status: contents.status, columns: line.columns)
    drawLine(contents, on: surface.clipped(to: line))
    let (_, rule) = surface.bounds.split(rows: 1)
    let remark = Self.fitting(contents.remark, columns: max(0, rule.columns - 4))
    let end = remark.width == 0 ? rule.columns : rule.columns - remark.width - 2
    let rest = surface.clipped(to: rule.split(columns: end).0)
    if let announcement = contents.announcement {
      rest.put(CellText(announcement, truncatedTo: max(0, end - 1)), column: 1)
    } else {
      rest.horizontalRule(row: 0)
    }
    surface.put(remark, column: end + 1, row: 1, .secondary)
  }

  /// Returns as many of the last parts as fit, or the part of the last one that does.
  private static func fitting(_ parts: [String], columns: Int) -> CellText {
    parts.indices.lazy.map { CellText(parts[$0...].joined(separator: " · ")) }.first { $0.width <= columns }
      ?? CellText(parts.last ?? "", truncatedTo: columns)
  }

  private func drawLine(_ contents: Contents, on line: Surface) {
    if layout.hasTitle { line.put(HeaderLayout.title, .accent) }
    for (room, column) in layout.names {
      let name = contents.rooms[room]
      line.put(name, column: column, room == contents.current ? .title : .secondary)
      if let place = name.firstIndex(where: { contents.letters[room] == $0.lowercased().first }) {
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
  /// Whether the program's name is shown. The status is more important.
  let hasTitle: Bool
  /// The rooms whose names are shown: all of them, or only the current one if they don't fit.
  let names: [(room: Int, column: Int)]
  /// The parts of the status that fit; nil if not even the first part fits.
  let status: CellText?
  private let statusParts: [StatusPart]
  private let widths: [Int]
  private let columns: Int

  static let title = "Tintype"

  init(rooms: [String], current: Int, status: [StatusPart], columns: Int) {
    self.columns = columns
    statusParts = status
    widths = rooms.map { CellText($0).width }
    let start = CellText(Self.title).width + 3
    let width = widths.reduce(0) { $0 + $1 + 2 }
    // Two blank columns separate the status from the names.
    let needed = width + (status.first.map { CellText($0.text).width } ?? 0)
    let hasRoomForAll = needed <= columns
    hasTitle = !hasRoomForAll || start + needed <= columns
    var column = hasTitle ? start : 0
    names = (hasRoomForAll ? Array(rooms.indices) : [current].filter(rooms.indices.contains)).map {
      [widths] room in
      defer { column += widths[room] + 2 }
      return (room, column)
    }
    self.status = Self.join(status.map(\.text), columns: columns - column)
  }

  private static let separator = " · "

  private static func join(_ parts: [String], columns: Int) -> CellText? {
    (0..<parts.count).reversed().lazy.map { CellText(parts[...$0].joined(separator: separator)) }
      .first { $0.width <= columns }
  }

  /// Returns the part of the status at a column.
  func statusPart(at column: Int) -> StatusPart? {
    guard let status else { return nil }
    var start = columns - status.width
    return statusParts.first { part in
      let range = start..<start + CellText(part.text).width
      start = range.upperBound + CellText(Self.separator).width
      return range.contains(column)
    }
  }

  /// Returns the room whose name is at a column.
  func room(at column: Int) -> Int? {
    names.first { ($0.column..<$0.column + widths[$0.room]).contains(column) }?.room
  }
}
