import Gallery
import Terminal
import ViewModels

/// A box with a field for the folder that photos are moved or copied to, and folders that complete it.
@MainActor
final class DestinationPopup: Popup {
  var onClose: () -> Void = {}

  /// Called when the popup changes without a key, to request a frame.
  var onChange: () -> Void = {}

  let name: String
  private let button: String
  private let viewModel: DestinationViewModel
  private let onEnter: (FilePath) -> Void
  private let editor = FieldEditor(longest: 4096)
  private var list = ChoiceList([])
  /// Whether the user has moved the highlight since the last letter.
  private var hasChosen = false
  /// The actions of the keys that were typed before the folders for the text were found, in their order.
  private var waiting: [() -> Void] = []
  private var listing: Subscription?
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  private static let size = Size(columns: 72, rows: 16)
  /// The most columns of a folder's path.
  private static let pathColumns = 54

  /// - Parameters:
  ///   - button: The footer's label for the key that accepts the folder.
  ///   - onEnter: Called with the folder when the user accepts it.
  init(
    title: String, button: String, _ viewModel: DestinationViewModel,
    onEnter: @escaping (FilePath) -> Void
  ) {
    name = title
    self.button = button
    self.viewModel = viewModel
    self.onEnter = onEnter
    editor.onChange = { [unowned self] in
      hasChosen = false
      waiting = []
      viewModel.type($0)
    }
    listing = viewModel.$suggestions.bind { [weak self] suggestions in
      // A key may close the popup.
      guard let self else { return }
      show(suggestions)
      let keys = waiting
      waiting = []
      for key in keys { key() }
      onChange()
    }
    viewModel.type("")
  }

  private func show(_ suggestions: [DestinationViewModel.Suggestion]) {
    list = ChoiceList(
      suggestions.enumerated().map { index, suggestion in
        let text = CellText(suggestion.text).truncatedInMiddle(to: Self.pathColumns).string
        return ChoiceList.Choice(key: key(of: index), text: text, note: suggestion.note)
      })
  }

  let extent = Extent.popup
  let isTyping = true
  let hints: [Command] = [.press, .switchWindow, .moveUp, .close]

  var announcement: String? {
    ["\(name): \(editor.announcement)", list.announcement].compactMap(\.self).joined(separator: " · ")
  }

  @ActionList var actions: [Action] {
    Action.moves(refusal: noneFound) { [self] in
      list.move($0)
      hasChosen = true
    }
    Action(.press, label: button, refusal: editor.text.isEmpty ? noneFound : nil) { [self] in
      // Enter after Tab is meant for the completed text.
      if waiting.isEmpty { enter() } else { waiting.append { [unowned self] in enter() } }
    }
    Action(.switchWindow, label: localized("Complete"), refusal: viewModel.isListing ? nil : noneFound) { [self] in
      if viewModel.isListing { waiting.append { [unowned self] in complete() } } else { complete() }
    }
    Action(.close, label: editor.text.isEmpty ? nil : localized("Clear")) { [self] in
      if editor.text.isEmpty {
        onClose()
      } else {
        editor.clear()
      }
    }
  }

  private var noneFound: String? {
    list.choices.isEmpty ? localized("No folder begins like this. Enter creates it.") : nil
  }

  /// The key that chooses a folder while the field is empty. A digit alone may begin the name of a folder.
  private func key(of index: Int) -> String {
    editor.text.isEmpty ? Key(.character(Character("\((index + 1) % 10)")), .alt).name : ""
  }

  /// Takes the typed folder, or the highlighted one if nothing is typed or the user has moved to it.
  private func enter() {
    let typed = hasChosen ? nil : viewModel.folder(of: editor.text)
    let highlighted = list.choices.isEmpty ? nil : viewModel.suggestions[list.position.highlighted].folder
    if let folder = typed ?? highlighted { accept(folder) }
  }

  private func accept(_ folder: FilePath) {
    onClose()
    viewModel.use(folder)
    onEnter(folder)
  }

  private func complete() {
    if list.choices.isEmpty { return }
    editor.text = viewModel.suggestions[list.position.highlighted].text
  }

  func draw(on surface: Surface) {
    box = surface.bounds.centered(columns: Self.size.columns, rows: Self.size.rows, spreads: true)
    surface.drawBox(box, title: name)
    let inside = surface.clipped(to: box.inset(columns: 3, rows: 1))
    inside.put(
      CellText(localized("A missing folder is created."), truncatedTo: inside.bounds.columns), .secondary)
    let (field, rest) = inside.bounds.split(rows: 1).1.split(rows: 1)
    editor.draw(
      hint: viewModel.machine.map { localized("name or ../name on \($0), ~/name or /path on this machine") }
        ?? localized("name, ../name, ~/name or /path"), hasFocus: true, on: inside.clipped(to: field).on(.field))
    let below = rest.split(rows: 1).1
    if let noneFound, !editor.text.isEmpty {
      inside.clipped(to: below).put(CellText(noneFound, truncatedTo: below.columns), .secondary)
    }
    list.draw(
      on: surface.clipped(to: Rect(column: box.column + 1, row: below.row, columns: box.columns - 2, rows: below.rows)))
  }

  func type(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event else { return editor.handle(event) }
    if key.code == .up || key.code == .down { return false }
    if editor.text.isEmpty, let choice = list.choices.firstIndex(where: { $0.key == key.name }) {
      accept(viewModel.suggestions[choice].folder)
      return true
    }
    return editor.handle(event)
  }

  func handle(_ mouse: Mouse) {
    if let choice = list.handle(mouse) {
      accept(viewModel.suggestions[choice].folder)
    } else if box.isMissed(by: mouse) {
      onClose()
    }
  }
}
