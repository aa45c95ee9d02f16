import Gallery
import Photos
import Terminal
import ViewModels

/// A box with a field for the pattern of many names, above each photo's old and new name.
@MainActor
final class RenamePopup: Popup {
  var onClose: () -> Void = {}
  /// Called when the popup changes without a key, to request a frame.
  var onChange: () -> Void = {}

  let name: String
  private let viewModel: RenameViewModel
  private let editor: FieldEditor
  /// The first line in view.
  private var top = 0
  private var visible = 1

  private static let size = Size(columns: 88, rows: 22)
  /// The pattern of the field at first: the day, a number and the old name, by which nothing is lost.
  private static let proposal = "{date:%Y-%m-%d}_{seq:3}_{name}"

  init(_ viewModel: RenameViewModel) {
    self.viewModel = viewModel
    name = localized("Rename \(viewModel.count.photosText)")
    editor = FieldEditor(Self.proposal, longest: 200, isSelected: true)
    editor.onChange = { [unowned self] in
      top = 0
      viewModel.type($0)
    }
    viewModel.onChange = { [unowned self] in onChange() }
    viewModel.type(editor.text)
  }

  let extent = Extent.popup
  let isTyping = true
  let hints: [Command] = [.press, .moveUp, .close]

  var announcement: String? {
    let first = viewModel.lines.first.map { "\($0.old) → \($0.new)" }
    return ["\(name): \(editor.announcement)", viewModel.fault ?? first].compactMap(\.self).joined(separator: " · ")
  }

  @ActionList var actions: [Action] {
    Action.moves { [self] in move($0) }
    Action(.press, label: localized("Rename"), refusal: viewModel.fault) { [self] in
      onClose()
      viewModel.rename()
    }
    Action(.close) { [self] in onClose() }
  }

  private func move(_ move: Move) {
    var position = ListPosition()
    position.setCount(max(1, viewModel.lines.count - visible + 1))
    position.highlight(top)
    position.move(move)
    top = position.highlighted
  }

  func draw(on surface: Surface) {
    let box = surface.bounds.centered(columns: Self.size.columns, rows: Self.size.rows, spreads: true)
    surface.drawBox(box, title: name)
    let inside = box.inset(columns: 3, rows: 1)
    let (field, below) = inside.split(rows: 1)
    editor.draw(hint: "", hasFocus: true, on: surface.clipped(to: field).on(.field))
    let fields = CellText(NamePattern.fields.map(\.field).joined(separator: " ")).wrapped(to: inside.columns)
    let (help, rest) = below.split(rows: min(fields.count, max(1, below.rows / 4)))
    for (row, line) in fields.prefix(help.rows).enumerated() {
      surface.clipped(to: help).put(line, row: row, .secondary)
    }
    let (lines, end) = rest.split(rows: max(0, rest.rows - 1))
    drawLines(on: surface.clipped(to: lines))
    if let fault = viewModel.fault {
      surface.clipped(to: end).put(CellText(fault, truncatedTo: end.columns), .negative)
    }
  }

  private func drawLines(on surface: Surface) {
    let (_, place) = surface.bounds.split(rows: 1)
    visible = max(1, place.rows)
    let list = surface.clipped(to: place)
    let half = (place.columns - 3) / 2
    for (row, line) in viewModel.lines.dropFirst(top).prefix(visible).enumerated() {
      list.put(CellText(line.old).truncatedInMiddle(to: half), row: row, .secondary)
      list.put(Charset.isPlain ? ">" : "→", column: half + 1, row: row, .secondary)
      let isBad = line.obstacle != nil
      let text = CellText(line.new.isEmpty ? "?" : line.new).truncatedInMiddle(to: half)
      list.put(text, column: half + 3, row: row, isBad ? .negative : .text)
    }
    list.drawArrows(above: top > 0, below: top + visible < viewModel.lines.count)
  }

  func type(_ event: InputEvent) -> Bool {
    if case .key(let key) = event, [.up, .down, .pageUp, .pageDown].contains(key.code) { return false }
    return editor.handle(event)
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: move(.rows(-1))
    case .wheelDown: move(.rows(1))
    case .press, .release, .drag: break
    }
  }
}
