import Terminal

/// The header: where the user is, the status of the current room, and a remark at the end of the rule below.
@MainActor
final class HeaderBar {
  /// The contents of the header.
  struct Contents {
    /// The parts at the left, from the widest choice to the narrowest.
    let leads: [[HeaderPart]]
    /// The parts of the room's status, the most important first.
    let status: [StatusPart]
    let isLoading: Bool
    let spinner: String
    /// The announcement of a change or of the highlighted row, in place of the rule of a plain screen; nil for the rule.
    let announcement: String?
    /// The parts of the text that every room shows, such as the greeting, the most important last.
    let remark: [String]
  }

  private var layout = HeaderLayout([], status: [], columns: 0)
  private var line = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// Returns what a click on a part at the left does, if there is one at a cell of the screen.
  func click(atColumn column: Int, row: Int) -> (@MainActor () -> Void)? {
    line.contains(column: column, row: row) ? layout.part(at: column - line.column)?.onClick : nil
  }

  /// Returns the command of the part that is at a cell of the screen.
  func command(atColumn column: Int, row: Int) -> Command? {
    guard line.contains(column: column, row: row) else { return nil }
    let place = column - line.column
    return layout.part(at: place)?.command ?? layout.statusPart(at: place)?.command
  }

  func draw(_ contents: Contents, on surface: Surface) {
    line = surface.bounds.inset(columns: 1).split(rows: 1).0
    layout = HeaderLayout(contents.leads, status: contents.status, columns: line.columns)
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
    for (part, column) in layout.parts {
      line.put(CellText(part.text, truncatedTo: max(0, line.bounds.columns - column)), column: column, part.role)
      if let place = part.text.firstIndex(where: { part.letter == $0.lowercased().first }) {
        line.put(String(part.text[place]), column: column + CellText(String(part.text[..<place])).width, .accent)
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
  /// The parts at the left.
  let parts: [(part: HeaderPart, column: Int)]
  /// The parts of the status that fit; nil if not even the first part fits.
  let status: CellText?
  private let statusParts: [StatusPart]
  private let columns: Int

  /// - Parameters:
  ///   - leads: The choices of parts at the left. The first one that leaves room for the first part of the status is taken,
  ///     or else the last one.
  ///   - status: The parts of the status, the most important first.
  init(_ leads: [[HeaderPart]], status: [StatusPart], columns: Int) {
    self.columns = columns
    statusParts = status
    let needed = status.first.map { CellText($0.text).width } ?? 0
    let fitting = leads.first { $0.reduce(needed) { $0 + $1.width + $1.gap } <= columns } ?? leads.last ?? []
    var column = 0
    parts = fitting.map { part in
      defer { column += part.width + part.gap }
      return (part, column)
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

  /// Returns the part of the left side at a column.
  func part(at column: Int) -> HeaderPart? {
    parts.first { ($0.column..<$0.column + $0.part.width).contains(column) }?.part
  }
}
