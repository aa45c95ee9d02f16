import Gallery
import Terminal
import ViewModels

/// A box over the screen with the files and photos that could not be read. Enter leads to the highlighted one.
@MainActor
final class ProblemsPopup: Popup {
  var onClose: () -> Void = {}

  let name = localized("Problems")
  private let problems: [SourceProblem]
  private let note: String?
  private let onChoice: (SourceProblem) -> Void
  private var position = ListPosition()
  /// The places of the last frame's problems on the screen.
  private var places: [(problem: Int, rect: Rect)] = []
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  private static let widest = 100

  /// - Parameters:
  ///   - note: The line behind the problems, which says how many more there are; nil for none.
  ///   - onChoice: Called with a problem that has a row in the list, to go there.
  init(_ problems: [SourceProblem], note: String? = nil, onChoice: @escaping (SourceProblem) -> Void) {
    self.problems = problems
    self.note = note
    self.onChoice = onChoice
    position.setCount(problems.count)
  }

  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .press, .close]

  var announcement: String? {
    problems.isEmpty ? nil : problems[position.highlighted].text
  }

  @ActionList var actions: [Action] {
    Action.moves { [self] in position.move($0) }
    Action(.press, label: localized("Go to photo"), refusal: refusal) { [self] in choose() }
    Action(.close) { [self] in onClose() }
  }

  private var refusal: String? {
    problems.indices.contains(position.highlighted) && problems[position.highlighted].isListed
      ? nil : localized("This entry has no row in the list.")
  }

  private func choose() {
    let problem = problems[position.highlighted]
    onClose()
    onChoice(problem)
  }

  func draw(on surface: Surface) {
    let columns = max(1, min(Self.widest, surface.bounds.columns - 6))
    let texts = problems.map { CellText($0.text).wrapped(to: columns - 2) }
    let noteRows = note == nil ? 0 : 1
    let count = texts.reduce(noteRows) { $0 + $1.count }
    // A low screen has no room for blank rows.
    let spacing = surface.bounds.rows < count + 4 ? 0 : 1
    let widest = texts.lazy.flatMap(\.self).map(\.width).max() ?? 0
    box = surface.bounds.centered(
      columns: max(widest, note.map { CellText($0).width } ?? 0, 24) + 6, rows: count + 2 + 2 * spacing)
    surface.drawBox(box, title: name)

    let inside = box.inset(columns: 1, rows: 1 + spacing)
    let (list, end) = inside.split(rows: max(1, inside.rows - noteRows))
    position.setRoom(list.rows, layout: ListPosition.Layout(height: { max(1, texts[$0].count) }))
    draw(texts, in: list, on: surface)
    if let note { surface.clipped(to: end).put(note, column: 2, .secondary) }
    surface.clipped(to: list).drawArrows(
      above: position.top > 0, below: position.visible.upperBound < problems.count)
  }

  private func draw(_ texts: [[CellText]], in list: Rect, on surface: Surface) {
    places = []
    var row = list.row
    for problem in position.visible {
      let place = Rect(column: list.column, row: row, columns: list.columns, rows: texts[problem].count)
        .intersection(list)
      places.append((problem, place))
      row += place.rows
      let isHighlighted = problem == position.highlighted
      let lines = surface.clipped(to: place).on(isHighlighted ? .selection : .window)
      lines.clear()
      for (index, text) in texts[problem].prefix(place.rows).enumerated() {
        lines.put(text, column: index == 0 ? 2 : 4, row: index, problems[problem].isListed ? .text : .secondary)
      }
      if isHighlighted { lines.placeCursor(column: 2) }
    }
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: position.move(.rows(-1))
    case .wheelDown: position.move(.rows(1))
    case .press:
      if let place = places.first(where: { $0.rect.contains(column: mouse.column, row: mouse.row) }) {
        position.highlight(place.problem)
        if refusal == nil { choose() }
      } else if box.isMissed(by: mouse) {
        onClose()
      }
    case .release, .drag: break
    }
  }
}
