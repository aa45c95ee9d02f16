import Terminal
import ViewModels

/// The line above a list in which one types what to search for, with what came of it at its right.
@MainActor
final class SearchField {
  var onChange: (String) -> Void {
    get { editor.onChange }
    set { editor.onChange = newValue }
  }
  /// Whether it has the keys.
  var isTyping = false

  private let hint: String
  private let editor = FieldEditor(longest: 200)
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The narrowest place for what is typed.
  private static let narrowest = 12

  /// - Parameter hint: What may be typed, where nothing is.
  init(hint: String) { self.hint = hint }

  var text: String { editor.text }

  func clear() { editor.clear() }

  func type(_ event: InputEvent) -> Bool { isTyping && editor.handle(event) }

  /// Takes the keys where it is clicked, and gives them back where something else is.
  /// - Returns: Whether the click was on it.
  func click(_ mouse: Mouse) -> Bool {
    let isOnField = bounds.contains(column: mouse.column, row: mouse.row)
    if mouse.action == .press { isTyping = isOnField }
    return isOnField
  }

  /// Says that it is not on the screen.
  func hide() { bounds = Rect(column: 0, row: 0, columns: 0, rows: 0) }

  /// - Parameter result: What came of it, and how it is drawn.
  func draw(result: (text: String, role: Role)? = nil, on surface: Surface) {
    let start = surface.put("Search", isTyping ? .heading : .idleHeading) + 2
    let room = max(0, surface.bounds.columns - start - Self.narrowest - 2)
    let text = result.map { CellText($0.text, truncatedTo: room) } ?? CellText("")
    surface.put(text, column: surface.bounds.columns - text.width, result?.role ?? .secondary)
    let (_, place) = surface.bounds.split(columns: start)
    bounds = place.split(columns: place.columns - (text.width > 0 ? text.width + 2 : 0)).0
    editor.draw(
      hint: hint, hasFocus: isTyping, on: surface.clipped(to: bounds).on(isTyping ? .image : .window))
  }
}
