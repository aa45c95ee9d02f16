import Gallery
import Terminal
import ViewModels

/// The lines of a popup that the user chooses from. One of them is highlighted.
@MainActor
struct ChoiceList {
  struct Choice {
    /// The name of the choice's key.
    let key: String
    let text: String
    /// A note at the right, for instance how the current choice is set.
    var note = ""
    /// Whether the choice can be made at the moment.
    var isPossible = true
    /// The heading of the section that the choice belongs to; nil for none. If one choice has a heading, all have.
    var heading: String?
  }

  /// The choices, which may be replaced by some of the first ones.
  var choices: [Choice] { didSet { position.setCount(choices.count) } }
  private(set) var position = ListPosition()
  /// The width at which every text and note is complete.
  let columns: Int
  private let textColumn: Int
  /// The width of a column if the choices have no notes, with the gap behind it.
  private var narrowColumns: Int { columns - 4 }
  private static let gap = 2
  /// The number of choices in a column.
  private var rows = 1
  /// The note of the highlighted choice if the last frame had no room for it.
  private(set) var hiddenNote: String?
  /// The places of the last frame's choices on the screen.
  private var places: [(choice: Int, rect: Rect)] = []

  /// The least height of a list with headings that does not fit as a whole, in lines.
  private static let headingLines = 5

  init(_ choices: [Choice], highlighted: Int = 0) {
    self.choices = choices
    let keys = choices.map { CellText($0.key).width }
    textColumn = (keys.max() ?? 0) + 4
    columns = textColumn + (choices.map { CellText($0.text).width + CellText($0.note).width }.max() ?? 0) + 6
    position.setCount(choices.count)
    position.highlight(highlighted)
  }

  /// The number of lines of the whole list.
  var lines: Int { choices.count + choices.indices.count(where: beginsSection) }

  mutating func move(_ move: Move) { position.move(move) }

  mutating func highlight(_ choice: Int) { position.highlight(choice) }

  /// The highlighted choice in words, with its number; nil if there is none.
  var announcement: String? {
    let highlighted = position.highlighted
    guard choices.indices.contains(highlighted) else { return nil }
    let choice = choices[highlighted]
    let heading = beginsSection(highlighted) ? choice.heading : nil
    let words = [heading ?? "", choice.text, choice.note, choice.key].filter { !$0.isEmpty }.joined(separator: ", ")
    let (number, count) = ((highlighted + 1).grouped, choices.count.grouped)
    return localized("\(number) of \(count): \(words)")
  }

  /// Returns the choice that was clicked. The wheel moves the highlight.
  mutating func handle(_ mouse: Mouse) -> Int? {
    switch mouse.action {
    case .wheelUp: move(.rows(-1))
    case .wheelDown: move(.rows(1))
    case .press: return places.first { $0.rect.contains(column: mouse.column, row: mouse.row) }?.choice
    case .release, .drag: break
    }
    return nil
  }

  private func beginsSection(_ choice: Int) -> Bool {
    choices[choice].heading != nil && (choice == 0 || choices[choice - 1].heading != choices[choice].heading)
  }

  /// Draws the choices in view, under the headings of their sections.
  /// - Parameter found: Returns the parts of a text that stand out, since they match what was typed.
  mutating func draw(on surface: Surface, lighting found: (String) -> [Range<String.Index>] = { _ in [] }) {
    let bounds = surface.bounds
    let hasHeadings = choices.first?.heading != nil && bounds.rows >= min(Self.headingLines, lines)
    let starts = hasHeadings ? Set(choices.indices.filter(beginsSection)) : []
    position.setRoom(
      bounds.rows,
      layout: ListPosition.Layout(beginsSection: { starts.contains($0) }, isInSection: { _ in hasHeadings }))
    places = []
    var row = bounds.row
    func line() -> Surface {
      defer { row += 1 }
      return surface.clipped(to: Rect(column: bounds.column, row: row, columns: bounds.columns, rows: 1))
    }
    for choice in position.visible {
      if hasHeadings, choice == position.top || starts.contains(choice), let heading = choices[choice].heading {
        line().put(CellText(heading, truncatedTo: bounds.columns - 4), column: 2, .heading)
      }
      place(choice, on: line(), lighting: found)
    }
    surface.drawArrows(above: position.top > 0, below: position.visible.upperBound < choices.count)
  }

  /// Draws all choices in columns, from the top to the bottom of each.
  mutating func drawColumns(on surface: Surface) {
    let (bounds, width) = (surface.bounds, narrowColumns)
    places = []
    rows = rows(onColumns: bounds.columns)
    for choice in choices.indices {
      let (column, row) = (bounds.column + choice / rows * width, bounds.row + choice % rows)
      place(choice, on: surface.clipped(to: Rect(column: column, row: row, columns: width, rows: 1))) { _ in [] }
    }
  }

  /// Returns the number of lines that all choices take in columns on a screen of a width.
  func rows(onColumns columns: Int) -> Int {
    // Behind the last column, no gap is needed.
    let count = max(1, (columns + Self.gap) / narrowColumns)
    return max(1, (choices.count + count - 1) / count)
  }

  /// Moves the highlight to another column, if there is a choice.
  mutating func move(columns: Int) {
    let choice = position.highlighted + columns * rows
    if choices.indices.contains(choice) { highlight(choice) }
  }

  private mutating func place(
    _ choice: Int, on line: Surface, lighting found: (String) -> [Range<String.Index>]
  ) {
    places.append((choice, line.bounds))
    let isHighlighted = choice == position.highlighted
    let hasNote = draw(choices[choice], on: line.on(isHighlighted ? .selection : .window), lighting: found)
    guard isHighlighted else { return }
    hiddenNote = hasNote ? nil : choices[choice].note
    line.placeCursor(column: 2)
  }

  /// Draws a choice, with its note if that leaves enough room for the text.
  /// - Returns: Whether there is room for the note.
  private func draw(_ choice: Choice, on line: Surface, lighting found: (String) -> [Range<String.Index>]) -> Bool {
    let full = CellText(choice.key)
    // On a narrow screen, a long text begins closer to its key, and a long key takes the room of a short text.
    let usual = min(textColumn, line.bounds.columns * 2 / 5 + 2)
    let behindKey = full.width + (full.width > 0 ? 4 : 2)
    let room = line.bounds.columns - 1 - CellText(choice.text).width
    let column = max(min(max(usual, behindKey), room), min(usual, behindKey))
    let key = full.truncated(to: max(0, column - 4))
    let text = CellText(choice.text, truncatedTo: max(0, line.bounds.columns - column))
    let note = CellText(choice.note)
    line.clear()
    line.put(key, column: 2, choice.isPossible ? .accent : .secondary, lighting: found)
    line.put(text, column: column, choice.isPossible ? .text : .secondary, lighting: found)
    let noteColumn = line.bounds.columns - note.width - 2
    let fits = noteColumn > column + text.width
    if fits { line.put(note, column: noteColumn, .secondary) }
    return fits
  }
}
