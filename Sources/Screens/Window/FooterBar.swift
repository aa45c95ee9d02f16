import Terminal

/// The footer: hints that can be clicked, or a notice.
@MainActor
final class FooterBar {
  private var layout = FooterLayout([], columns: 0)
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// Takes note that the footer has no hints, so that none can be clicked.
  func hide() { layout = FooterLayout([], columns: 0) }

  /// Returns the command of the hint at a cell of the screen.
  func command(atColumn column: Int, row: Int) -> Command? {
    bounds.contains(column: column, row: row) ? layout.command(at: column - bounds.column) : nil
  }

  /// The blank columns around the line between a notice and the hints.
  private static let gap = 3
  /// The least columns of hints beside a notice.
  private static let fewestHintColumns = 16

  /// Draws a notice, and the first of the hints in the rest of the footer.
  func draw(notice: String, _ hints: [FooterHint] = [], on surface: Surface) {
    hide()
    let end = surface.put(CellText(notice, truncatedTo: surface.bounds.columns), .accent)
    let rest = surface.bounds.split(columns: min(end + Self.gap, surface.bounds.columns)).1
    guard rest.columns >= Self.fewestHintColumns else { return }
    bounds = rest
    layout = FooterLayout(Self.besideNotice(hints), columns: rest.columns)
    // A hint that is cut says nothing.
    if layout.width > rest.columns { return hide() }
    surface.put("│", column: end + 1, .secondary)
    drawHints(on: surface.clipped(to: rest))
  }

  /// Returns the hints in the order in which they are offered beside a notice: after a step, the way back comes first, and the
  /// keys that the user knows by then come last.
  private static func besideNotice(_ hints: [FooterHint]) -> [FooterHint] {
    let undo = hints.filter { $0.command == .undo }
    let known = hints.filter { $0.command == nil || $0.command == .reject }
    return undo + hints.filter { ![nil, .moveUp, .undo, .reject].contains($0.command) } + known
  }

  /// - Parameter isImproving: Whether a sharper image is on its way, which a sign at the right end shows.
  func draw(_ hints: [FooterHint], isImproving: Bool, on surface: Surface) {
    bounds = surface.bounds
    layout = FooterLayout(hints, columns: bounds.columns - (isImproving ? 2 : 0))
    if isImproving { surface.putRight("○", .secondary) }
    drawHints(on: surface)
  }

  private func drawHints(on surface: Surface) {
    if let divider = layout.divider { surface.put("│", column: divider, .secondary) }
    for (hint, start) in layout.hints {
      let column = hint.keys.reduce(start) { surface.put($1.name, column: $0, .accent) }
      surface.put(hint.label, column: column + 1, .secondary)
    }
  }
}
