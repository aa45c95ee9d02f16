import Gallery
import Terminal
import WorkerPool

/// A setting that the user can change in the gallery.
public struct SettingLine: Equatable, Sendable {
  /// The name in the configuration file.
  public let name: String
  /// The name on the screen.
  public let title: String
  /// The values in their order.
  public let values: [String]
  /// The current value.
  public var value: String
  /// The reason why the setting can't be changed; nil if it can.
  public var refusal: String?

  /// Creates the line of a setting that can be changed.
  public init(name: String, title: String, values: [String], value: String) {
    self.name = name
    self.title = title
    self.values = values
    self.value = value
  }
}

/// Reads the settings of the user's configuration, and changes them.
@MainActor
public protocol SettingsEditor: AnyObject {
  /// Returns the settings in their order.
  func lines() async -> [SettingLine]
  /// Changes a setting in the gallery and in the file.
  func set(_ name: String, to value: String)
}

/// The settings with their values, one on each line. A change takes effect at once, so that it can be seen behind the popup.
@MainActor
final class SettingsPopup: Popup {
  var onClose: () -> Void = {}

  private let editor: any SettingsEditor
  private var lines: [SettingLine] = []
  private var list = ChoiceList([])
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// - Parameter onChange: Called when the lines have arrived.
  init(editor: any SettingsEditor, onChange: @escaping () -> Void) {
    self.editor = editor
    Task.onMainActor { [weak self] in
      let lines = await editor.lines()
      self?.show(lines)
      onChange()
    }
  }

  var name: String { localized("Settings") }
  let extent = Extent.popup
  let hints: [Command] = [.moveUp, .moveLeft, .close]
  var announcement: String? { "\(name): \(list.announcement ?? "")" }

  @ActionList var actions: [Action] {
    Action.moves { [self] in list.move($0) }
    if lines.indices.contains(list.position.highlighted) {
      let refusal = lines[list.position.highlighted].refusal
      Action(.moveLeft, label: localized("Change"), refusal: refusal) { [self] in change(by: -1) }
      Action(.moveRight, refusal: refusal) { [self] in change(by: 1) }
      Action(.press, refusal: refusal) { [self] in change(by: 1) }
    }
    Action(.close) { [self] in onClose() }
    Action(.settings) { [self] in onClose() }
  }

  private func show(_ lines: [SettingLine]) {
    self.lines = lines
    // The box keeps its size whatever the values are.
    list = ChoiceList(
      lines.map { line in
        let longest = line.values.max { CellText($0).width < CellText($1).width } ?? ""
        return ChoiceList.Choice(key: "", text: line.title, note: line.refusal ?? note(for: longest))
      })
    update()
  }

  private func update() {
    list.choices = lines.map { line in
      ChoiceList.Choice(
        key: "", text: line.title, note: line.refusal ?? note(for: line.value), isPossible: line.refusal == nil)
    }
  }

  private func note(for value: String) -> String {
    switch value {
    case "true": "< \(localized("on")) >"
    case "false": "< \(localized("off")) >"
    default: "< \(value.printable) >"
    }
  }

  private func change(by step: Int) {
    let index = list.position.highlighted
    let values = lines[index].values
    guard !values.isEmpty else { return }
    let place = values.firstIndex(of: lines[index].value) ?? 0
    lines[index].value = values[(place + step + values.count) % values.count]
    update()
    editor.set(lines[index].name, to: lines[index].value)
  }

  /// Draws the settings in a corner, so that the list and the images stay visible.
  func draw(on surface: Surface) {
    let size = Size(columns: list.columns + 2, rows: lines.count + 2)
    let bounds = surface.bounds
    let columns = min(size.columns, bounds.columns)
    let rows = min(size.rows, bounds.rows)
    box = Rect(column: bounds.endColumn - columns, row: bounds.endRow - rows, columns: columns, rows: rows)
    surface.drawBox(box, title: name)
    list.draw(on: surface.clipped(to: box.inset(columns: 1, rows: 1)))
  }

  func handle(_ mouse: Mouse) {
    if let line = list.handle(mouse) {
      list.highlight(line)
      if lines[line].refusal == nil { change(by: 1) }
    } else if box.isMissed(by: mouse) {
      onClose()
    }
  }
}
