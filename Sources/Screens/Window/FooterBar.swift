import Terminal

/// The footer: hints that can be clicked, or a notice.
@MainActor
final class FooterBar {
  /// The lines that have hints, each with its place on the screen.
  private var lines: [(layout: FooterLayout, bounds: Rect)] = []

  /// Takes note that the footer has no hints, so that none can be clicked.
  func hide() { lines = [] }

  /// Returns the command of the hint at a cell of the screen.
  func command(atColumn column: Int, row: Int) -> Command? {
    let line = lines.first { $0.bounds.contains(column: column, row: row) }
    return line.flatMap { $0.layout.command(at: column - $0.bounds.column) }
  }

  /// The number of hints that lead elsewhere and come before what can be done with photos: moving, opening, searching, the
  /// sheet, other places, the parent, sorting and culling.
  private static let mostUsedWays = 8
  /// The blank columns around the line between a notice and the hints.
  private static let gap = 3
  /// The least columns of hints beside a notice.
  private static let fewestHintColumns = 16

  /// Draws the hints, and a notice if there is one.
  /// - Parameters:
  ///   - isImproving: Whether a sharper image is on its way, which a sign at the right end shows.
  ///   - upper: The line above the footer, which has the hints of what is done with photos; nil if only one line is free.
  func draw(_ hints: [FooterHint], notice: String?, isImproving: Bool, upper: Surface?, on surface: Surface) {
    hide()
    let acts = hints.filter(\.actsOnPhotos)
    guard let upper, !acts.isEmpty else {
      return draw(hints, notice: notice, isImproving: isImproving, on: surface)
    }
    let layout = FooterLayout(acts, columns: upper.bounds.columns)
    drawHints(layout, on: upper)
    // What has no place in the upper line may have one in the lower one, behind the ways that are used most.
    let ways = hints.filter { !$0.actsOnPhotos }
    let others = acts.filter { hint in !layout.hints.contains { $0.hint == hint } }
    let lower = ways.prefix(Self.mostUsedWays) + others + ways.dropFirst(Self.mostUsedWays)
    draw(Array(lower), notice: notice, isImproving: isImproving, on: surface)
  }

  private func draw(_ hints: [FooterHint], notice: String?, isImproving: Bool, on surface: Surface) {
    if let notice { return draw(notice: notice, hints, on: surface) }
    if isImproving { surface.putRight("○", .secondary) }
    drawHints(FooterLayout(hints, columns: surface.bounds.columns - (isImproving ? 2 : 0)), on: surface)
  }

  /// Draws a notice, and the first of the hints in the rest of the line.
  private func draw(notice: String, _ hints: [FooterHint], on surface: Surface) {
    let end = surface.put(CellText(notice, truncatedTo: surface.bounds.columns), .accent)
    let rest = surface.bounds.split(columns: min(end + Self.gap, surface.bounds.columns)).1
    guard rest.columns >= Self.fewestHintColumns else { return }
    let layout = FooterLayout(Self.besideNotice(hints), columns: rest.columns)
    // A hint that is cut says nothing.
    if layout.width > rest.columns { return }
    surface.put("│", column: end + 1, .secondary)
    drawHints(layout, on: surface.clipped(to: rest))
  }

  /// Returns the hints in the order in which they are offered beside a notice: after a step, the way back comes first, and the
  /// keys that the user knows by then come last.
  private static func besideNotice(_ hints: [FooterHint]) -> [FooterHint] {
    let undo = hints.filter { $0.command == .undo }
    let known = hints.filter { $0.command == nil || $0.command == .reject }
    return undo + hints.filter { ![nil, .moveUp, .undo, .reject].contains($0.command) } + known
  }

  private func drawHints(_ layout: FooterLayout, on surface: Surface) {
    lines.append((layout, surface.bounds))
    if let divider = layout.divider { surface.put("│", column: divider, .secondary) }
    for (hint, start) in layout.hints {
      let column = hint.keys.reduce(start) { surface.put($1.name, column: $0, .accent) }
      surface.put(hint.label, column: column + 1, .secondary)
    }
  }
}
