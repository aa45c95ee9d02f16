import Gallery
import Terminal
import ViewModels

/// The line above a list with the text to search for, and the result at its right.
@MainActor
final class SearchField {
  var onChange: (String) -> Void {
    get { editor.onChange }
    set { editor.onChange = newValue }
  }
  /// Whether the field has the keys.
  var isTyping = false

  private let hint: String
  private let editor = FieldEditor(longest: 200)
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The least width of the text, in columns.
  private static let narrowest = 12

  /// - Parameter hint: The text shown while the field is empty.
  init(hint: String) { self.hint = hint }

  var text: String {
    get { editor.text }
    set { editor.text = newValue }
  }

  func clear() { editor.clear() }

  /// The text in words.
  var announcement: String { localized("Search: \(text)") }

  func type(_ event: InputEvent) -> Bool { isTyping && editor.handle(event) }

  /// Gives the keys to the field if it was clicked, or takes them away if something else was.
  /// - Returns: Whether the click was on the field.
  func click(_ mouse: Mouse) -> Bool {
    let isOnField = bounds.contains(column: mouse.column, row: mouse.row)
    if mouse.action == .press { isTyping = isOnField }
    return isOnField
  }

  /// Takes note that the field is not on the screen, so that it can't be clicked.
  func hide() { bounds = Rect(column: 0, row: 0, columns: 0, rows: 0) }

  /// - Parameter result: The result of the search, and its style.
  func draw(result: (text: String, role: Role)? = nil, on surface: Surface) {
    let start = surface.put(localized("Search"), isTyping ? .heading : .idleHeading) + 2
    let room = max(0, surface.bounds.columns - start - Self.narrowest - 2)
    let text = result.map { CellText($0.text, truncatedTo: room) } ?? CellText("")
    surface.put(text, column: surface.bounds.columns - text.width, result?.role ?? .secondary)
    let (_, place) = surface.bounds.split(columns: start)
    bounds = place.split(columns: place.columns - (text.width > 0 ? text.width + 2 : 0)).0
    editor.draw(
      hint: hint, hasFocus: isTyping, on: surface.clipped(to: bounds).on(isTyping ? .field : .window))
  }
}
