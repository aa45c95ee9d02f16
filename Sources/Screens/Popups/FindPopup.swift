import Gallery
import Terminal
import ViewModels

/// A box over the screen with a field and a list of entries. A typed text finds some of them, and Enter chooses one.
@MainActor
final class FindPopup: Popup {
  /// A line of the list.
  struct Entry {
    /// The texts by which the entry is found. The list shows the title and the keys.
    let texts: CommandField.Entry
    /// A note at the right.
    var note = ""
    /// The reason why the entry can't be chosen at the moment; nil if it can.
    var refusal: String?
    /// The heading of the entry's section while there is no text; nil for none.
    var heading: String?
    /// Whether the entry comes after all others that a text finds, however well it fits.
    var isLast = false
    /// The image that is shown beside the list while the entry is highlighted; nil for none.
    var image: ImageLocation?
  }

  var onClose: () -> Void = {}
  /// The entries, in the order in which they are listed if there is no text.
  var entries: [Entry] { didSet { find(keepingHighlight: true) } }
  /// The further actions of the popup. Their keys reach them even if the field has a use for them.
  var moreActions: () -> [Action] = { [] }
  /// Called with the text when it has changed.
  var onType: (String) -> Void = { _ in }
  /// The label of the key that chooses an entry.
  var choiceLabel = localized("Run")
  /// The least width of the box, for a list whose entries are shorter than its title and its hint.
  var leastColumns = 0
  /// Draws the images of the entries; nil if there are none.
  var images: ImageLayer?
  /// The subscription that keeps ``entries`` up to date.
  var updating: Subscription?

  let name: String
  let hints: [Command]
  private let field: CommandField
  /// The lines that are shown if there are no entries.
  private let notice: [String]
  /// Returns the lines that are shown if no entry matches a text. The first one is also the reason why none can be chosen.
  private let noMatch: (String) -> [String]
  private let onChoice: (Int) -> Void
  /// The indices of the entries that the text finds.
  private var found: [Int] = []
  private var list = ChoiceList([])
  /// The height of the list of all entries, in lines.
  private var allLines = 0
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The height that every list may have, in lines. On a high screen, a long list is two thirds as high as that.
  private static let usualLines = 16

  /// The width of the image beside the list, and its greatest height, in cells.
  private static let imageSize = Size(columns: 30, rows: 11)

  /// - Parameters:
  ///   - noMatch: Returns the lines that say that no entry matches a text.
  ///   - onChoice: Called with the index of the entry that the user chooses.
  init(
    name: String, hint: String, entries: [Entry], notice: [String] = [], noMatch: @escaping (String) -> [String],
    hints: [Command],
    keys: CommandTable, onChoice: @escaping (Int) -> Void
  ) {
    self.name = name
    self.entries = entries
    self.notice = notice
    self.noMatch = noMatch
    self.hints = hints
    self.onChoice = onChoice
    field = CommandField(hint: hint, keys: keys)
    field.onChange = { [unowned self] in
      find()
      onType(field.text)
    }
    find()
  }

  let extent = Extent.popup
  let isTyping = true

  @ActionList var actions: [Action] {
    moreActions()
    Action.moves { [self] in list.move($0) }
    Action(.press, label: choiceLabel, refusal: noneFound ?? highlighted.flatMap { entries[$0].refusal }) {
      [self] in
      choose(list.position.highlighted)
    }
    Action(.switchWindow, label: localized("Complete"), refusal: noneFound) { [self] in
      if let highlighted { field.text = entries[highlighted].texts.title }
    }
    Action(.close, label: field.text.isEmpty ? nil : localized("Clear")) { [self] in
      if field.text.isEmpty { onClose() } else { field.text = "" }
    }
  }

  var announcement: String? {
    "\(name): \(field.announcement) · \(list.announcement ?? noneFoundLines.joined(separator: " "))"
  }

  /// The reason why the highlighted entry is refused, if its line has no room for it.
  var warning: String? { highlighted.flatMap { entries[$0].refusal == nil ? nil : list.hiddenNote } }

  /// The index of the highlighted entry, or nil if no entry matches.
  var highlighted: Int? { found.isEmpty ? nil : found[list.position.highlighted] }

  private var noneFound: String? { found.isEmpty ? noneFoundLines.first : nil }

  /// The lines that say why the list is empty.
  private var noneFoundLines: [String] { entries.isEmpty ? notice : noMatch(field.text) }

  /// Finds the entries again, and highlights the best match unless the highlight stays.
  private func find(keepingHighlight: Bool = false) {
    let row = keepingHighlight ? list.position.highlighted : 0
    let matches = field.found(in: entries.map(\.texts)) { entries[$0].refusal == nil }
    found = matches.filter { !entries[$0].isLast } + matches.filter { entries[$0].isLast }
    list = ChoiceList(entries.map(choice))
    allLines = max(allLines, list.lines)
    list.choices = found.map { choice(entries[$0]) }
    list.highlight(row)
  }

  private func choice(_ entry: Entry) -> ChoiceList.Choice {
    ChoiceList.Choice(
      key: entry.texts.keys.joined(separator: ", "), text: entry.texts.title, note: entry.note,
      isPossible: entry.refusal == nil, heading: field.text.isEmpty ? entry.heading : nil)
  }

  /// Chooses an entry, or highlights it if it is refused.
  private func choose(_ row: Int) {
    list.highlight(row)
    if entries[found[row]].refusal != nil { return }
    onClose()
    onChoice(found[row])
  }

  func draw(on surface: Surface) {
    let room = max(1, min(52, surface.bounds.columns - 8, entries.isEmpty ? .max : list.columns - 4))
    let lines = (found.isEmpty ? noneFoundLines : []).flatMap { CellText($0).wrapped(to: room) }
    let textColumns = max(leastColumns, entries.isEmpty ? (lines.map(\.width).max() ?? 0) + 4 : list.columns)
    let imageColumns = imageColumns(beside: textColumns, on: surface)
    let columns = textColumns + imageColumns
    let most = max(Self.usualLines, surface.bounds.rows * 2 / 3)
    // The box keeps its size while the user types.
    let rows = max(lines.count, min(allLines, most))
    box = surface.bounds.centered(columns: columns + 2, rows: rows + 3, spreads: true)
    surface.drawBox(box, title: name)
    let (top, below) = box.inset(columns: 1, rows: 1).split(rows: 1)
    field.draw(on: surface.clipped(to: top.inset(columns: 2)))
    let (rest, image) = below.split(columns: below.columns - imageColumns)
    if imageColumns > 0 {
      surface.clipped(to: image).verticalRule(column: 0)
      drawImage(on: surface.clipped(to: image))
    }
    if found.isEmpty {
      for (row, line) in lines.enumerated() { surface.clipped(to: rest).put(line, column: 2, row: row, .secondary) }
    } else {
      list.draw(on: surface.clipped(to: rest), lighting: field.ranges)
    }
  }

  /// Returns the columns for the images of the entries; 0 if there are none, or too few columns for them.
  private func imageColumns(beside columns: Int, on surface: Surface) -> Int {
    guard let images, images.areShown, entries.contains(where: { $0.image != nil }) else { return 0 }
    return columns + Self.imageSize.columns + 4 <= surface.bounds.columns ? Self.imageSize.columns : 0
  }

  private func drawImage(on surface: Surface) {
    guard let images, let image = highlighted.flatMap({ entries[$0].image }) else { return }
    let place = surface.bounds.inset(columns: 1).split(rows: min(Self.imageSize.rows, surface.bounds.rows)).0
    images.draw(image, on: surface.clipped(to: place))
  }

  func type(_ event: InputEvent) -> Bool {
    if case .key(let key) = event {
      let commands = field.keys.commands(for: key)
      // The keys that open the list of commands close it, too, as long as nothing is typed.
      let isTyped = key.isTyped && !(commands.contains(.help) && field.text.isEmpty)
      if !isTyped, moreActions().contains(where: { $0.isPossible && commands.contains($0.command) }) { return false }
    }
    return field.type(event)
  }

  func handle(_ mouse: Mouse) {
    if let choice = list.handle(mouse) { choose(choice) } else if box.isMissed(by: mouse) { onClose() }
  }
}
