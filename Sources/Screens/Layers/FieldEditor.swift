import Gallery
import Terminal
import ViewModels

/// A text field: it applies keys to its text, and draws it.
@MainActor
final class FieldEditor {
  /// Called with the text when it has changed.
  var onChange: (String) -> Void = { _ in }

  private(set) var field: TextField {
    didSet { if field.text != oldValue.text { onChange(field.text) } }
  }
  /// The first character in view.
  private var start = 0

  /// - Parameter isSelected: Whether the text is selected, so that typing replaces it.
  init(_ text: String = "", longest: Int, isSelected: Bool = false) {
    field = TextField(text, longest: longest)
    if isSelected { field.selectAll() }
  }

  var text: String {
    get { field.text }
    set { field = TextField(newValue, longest: field.longest) }
  }

  func clear() { text = "" }

  /// The text in words, with the note that typing replaces it if it is selected.
  var announcement: String { field.isSelected ? localized("\(text), selected") : text }

  /// Applies a key or a pasted text.
  /// - Returns: Whether the event was meant for the field.
  func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .paste(let text): field.insert(text)
    case .key(let key): return handle(key)
    case .mouse, .reply: return false
    }
    return true
  }

  private func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.character(let character), []), (.character(let character), .shift): field.insert(String(character))
    case (.left, []): field.moveLeft()
    case (.right, []): field.moveRight()
    case (.home, []), (.character("a"), .control): field.moveToStart()
    case (.end, []), (.character("e"), .control): field.moveToEnd()
    case (.backspace, []), (.character("h"), .control): field.deleteBackward()
    case (.delete, []), (.character("d"), .control): field.deleteForward()
    case (.character("w"), .control): field.deleteWordBackward()
    case (.character("u"), .control): field.clear()
    case (.character("k"), .control): field.deleteToEnd()
    default: return false
    }
    return true
  }

  /// Draws the field in one line: the text, or `hint` if it is empty, and the cursor if the field has the keys.
  func draw(hint: String, hasFocus: Bool, on surface: Surface) {
    surface.clear()
    let width = surface.bounds.columns
    guard width > 1 else { return }
    if field.text.isEmpty {
      let hint = CellText(hint, truncatedTo: width - 1)
      surface.put(hint, column: hasFocus ? 1 : 0, .secondary)
    }
    // The text scrolls to the left if the cursor would be out of view,
    start = min(start, field.cursor)
    // which at most `width` characters before it fit in,
    start = max(start, field.cursor - width)
    while CellText(String(field.beforeCursor.dropFirst(start))).width >= width { start += 1 }
    // and back to the right when there is room again.
    while start > 0, CellText(String(field.text.dropFirst(start - 1).prefix(width))).width < width { start -= 1 }
    // The cursor of a selected text is behind it.
    let role: Role = hasFocus && field.isSelected ? .cursor : .text
    let column = surface.put(CellText(String(field.beforeCursor.dropFirst(start))), role)
    let after = field.afterCursor
    guard hasFocus else {
      surface.put(CellText(String(after), truncatedTo: width - column), column: column)
      return
    }
    surface.placeCursor(column: column)
    let next = surface.put(CellText(after.isEmpty ? " " : String(after.prefix(1))), column: column, .cursor)
    surface.put(CellText(String(after.dropFirst()), truncatedTo: max(0, width - next)), column: next)
  }
}
