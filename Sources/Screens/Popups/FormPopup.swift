import Gallery
import Terminal
import ViewModels

/// A box with the fields of a form, one on each line, above what follows from them.
@MainActor
final class FormPopup: Popup {
  var onClose: () -> Void = {}

  private let form: any Form
  /// The editors of the fields; nil for fields with choices.
  private let editors: [FieldEditor?]
  /// The field that has the keys.
  private var focus = 0
  private let onChange: () -> Void
  /// The folders that complete the field.
  private var suggestions: [DestinationViewModel.Suggestion] = []
  private var listing: Subscription?
  /// Whether the user wants the folder for the text, which is still looked for.
  private var isCompleting = false
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  private static let columns = 76
  /// The lines below the fields.
  private static let rowsBelow = 8
  private static let longestText = 4096

  /// - Parameter onChange: Called when the popup changes without a key, to request a frame.
  init(_ form: any Form, onChange: @escaping () -> Void) {
    self.form = form
    self.onChange = onChange
    // What is proposed is replaced by what is typed.
    editors = form.fields.map {
      $0.choices == nil ? FieldEditor($0.value, longest: Self.longestText, isSelected: true) : nil
    }
    for (field, editor) in editors.enumerated() {
      editor?.onChange = { [unowned self] in change($0, of: field) }
    }
    form.onChange = { [weak self] in
      guard let self else { return }
      show()
      // There may be other folders to offer now.
      enter(focus)
    }
    enter(0)
  }

  var name: String { form.title }
  let extent = Extent.popup
  let hints: [Command] = [.press, .switchWindow, .moveUp, .moveLeft, .close]
  var isTyping: Bool { editors[focus] != nil }

  var announcement: String? {
    let field = form.fields[focus]
    return
      "\(name): \(field.label): \(editors[focus]?.announcement ?? field.value) · \(form.fault ?? form.preview.first ?? "")"
  }

  @ActionList var actions: [Action] {
    Action(.press, label: form.button, refusal: form.fault) { [self] in
      onClose()
      form.submit()
    }
    Action(.moveUp) { [self] in enter(focus - 1) }
    Action(.moveDown) { [self] in enter(focus + 1) }
    Action(.switchWindow, label: completion == nil ? localized("Next field") : localized("Complete")) { [self] in
      if form.folders(of: focus)?.isListing == true { isCompleting = true } else { complete() }
    }
    if !isTyping {
      Action(.moveLeft, label: localized("Change")) { [self] in choose(by: -1) }
      Action(.moveRight) { [self] in choose(by: 1) }
    }
    Action(.close) { [self] in onClose() }
  }

  /// Gives the keys to a field. After the last one comes the first.
  private func enter(_ field: Int) {
    focus = (field + editors.count) % editors.count
    suggestions = []
    listing = nil
    isCompleting = false
    guard let folders = form.folders(of: focus), let editor = editors[focus] else { return }
    listing = folders.$suggestions.bind { [weak self] in
      self?.suggestions = $0
      if self?.isCompleting == true { self?.complete() }
      self?.onChange()
    }
    folders.type(editor.text)
  }

  /// The folder that goes on from the text; nil if there is none.
  private var completion: String? { suggestions.first { $0.text != editors[focus]?.text }?.text }

  /// Completes the text, or goes on to the next field if it is complete.
  private func complete() {
    isCompleting = false
    if let completion { editors[focus]?.text = completion } else { enter(focus + 1) }
  }

  private func change(_ text: String, of field: Int) {
    isCompleting = false
    if form.fields[field].value != text { form.set(text, of: field) }
    form.folders(of: field)?.type(text)
    show()
  }

  private func choose(by step: Int) {
    let field = form.fields[focus]
    guard let choices = field.choices, let place = choices.firstIndex(of: field.value) else { return }
    form.set(choices[(place + step + choices.count) % choices.count], of: focus)
    show()
  }

  /// Takes over what the form has changed.
  private func show() {
    for (editor, field) in zip(editors, form.fields) {
      if let editor, editor.text != field.value { editor.text = field.value }
    }
    onChange()
  }

  func type(_ event: InputEvent) -> Bool {
    guard let editor = editors[focus] else {
      guard event == .key(" ") else { return false }
      choose(by: 1)
      return true
    }
    if case .key(let key) = event, let place = suggestions.indices.first(where: { Self.key(of: $0) == key }) {
      editor.text = suggestions[place].text
      return true
    }
    return editor.handle(event)
  }

  /// The key that takes a suggestion. A digit alone may belong to the text.
  private static func key(of suggestion: Int) -> Key {
    Key(.character(Character("\((suggestion + 1) % 10)")), .alt)
  }

  func handle(_ mouse: Mouse) {
    guard mouse.action == .press else { return }
    let field = mouse.row - box.row - 1
    if box.isMissed(by: mouse) { onClose() } else if editors.indices.contains(field) { enter(field) }
  }
}

// MARK: - Drawing

extension FormPopup {
  func draw(on surface: Surface) {
    box = surface.bounds.centered(columns: Self.columns, rows: editors.count + Self.rowsBelow + 2, spreads: true)
    surface.drawBox(box, title: name)
    let (lines, below) = box.inset(columns: 3, rows: 1).split(rows: editors.count)
    let longest = form.fields.map { CellText($0.label).width }.max() ?? 0
    let labelColumns = min(longest + 2, lines.columns / 2)
    for field in editors.indices {
      let line = Rect(column: lines.column, row: lines.row + field, columns: lines.columns, rows: 1)
      if field < lines.rows { draw(field, labelColumns, on: surface.clipped(to: line)) }
    }
    drawBelow(on: surface.clipped(to: below.split(rows: below.rows > 3 ? 1 : 0).1))
  }

  private func draw(_ field: Int, _ labelColumns: Int, on line: Surface) {
    let (content, isFocused) = (form.fields[field], field == focus)
    line.put(CellText(content.label, truncatedTo: labelColumns - 1), isFocused ? .accent : .secondary)
    let bounds = line.bounds
    let place = line.clipped(
      to: Rect(
        column: bounds.column + labelColumns, row: bounds.row, columns: bounds.columns - labelColumns, rows: 1))
    if let editor = editors[field] {
      editor.draw(hint: content.hint, hasFocus: isFocused, on: isFocused ? place.on(.field) : place)
    } else {
      place.put(CellText("< \(content.value) >", truncatedTo: place.bounds.columns), isFocused ? .text : .secondary)
      if isFocused { place.placeCursor(column: 0) }
    }
  }

  /// Draws the folders that complete the field, or else what the form will do.
  private func drawBelow(on surface: Surface) {
    let fault = form.fault.map { CellText($0).wrapped(to: surface.bounds.columns) } ?? []
    let (top, end) = surface.bounds.split(rows: max(0, surface.bounds.rows - fault.count))
    let rows = suggestions.isEmpty ? previewLines(top.columns) : suggestionLines(top.columns)
    for (row, line) in rows.prefix(top.rows).enumerated() { surface.clipped(to: top).put(line, row: row, .secondary) }
    for (row, line) in fault.enumerated() { surface.clipped(to: end).put(line, row: row, .negative) }
  }

  private func previewLines(_ columns: Int) -> [CellText] {
    form.preview.flatMap { CellText($0).wrapped(to: columns) }
  }

  private func suggestionLines(_ columns: Int) -> [CellText] {
    suggestions.enumerated().map { place, suggestion in
      let note = suggestion.note.isEmpty ? "" : "  \(suggestion.note)"
      return CellText("\(Self.key(of: place).name)  \(suggestion.text)\(note)").truncatedInMiddle(to: columns)
    }
  }
}
