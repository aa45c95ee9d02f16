import Gallery
import Terminal
import ViewModels

/// A box with a field for the keywords of photos, and keywords of the catalog that complete the last one.
@MainActor
final class KeywordsPopup: Popup {
  var onClose: () -> Void = {}
  /// The keywords of the catalog, the most used first. Empty until they are counted.
  var known: [String] = [] { didSet { complete() } }

  let name: String
  private let former: [String]
  private let hasSeveralPhotos: Bool
  private let onEnter: (DecisionChange) -> Void
  private let editor: FieldEditor
  private var list = ChoiceList([])
  /// The keywords of the photos, and those that were offered, by the text that the field has for them.
  private var keywords: [String: String] = [:]
  private var box = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The number of keywords that are offered.
  private static let mostOffered = 8
  private static let columns = 64

  /// - Parameters:
  ///   - photos: The decisions about the photos. The field has the keywords that all of them have.
  ///   - onEnter: Called with the change when the user accepts it.
  init(of photos: [PhotoDecisions], onEnter: @escaping (DecisionChange) -> Void) {
    let first = photos.first?.keywords ?? []
    former = photos.dropFirst().reduce(first) { shared, photo in shared.filter((photo.keywords ?? []).contains) }
    name = photos.count == 1 ? localized("Keywords") : localized("Keywords of \(photos.count.photosText)")
    hasSeveralPhotos = photos.count > 1
    self.onEnter = onEnter
    keywords = Dictionary(former.map { ($0.inField, $0) }) { first, _ in first }
    let text = former.map(\.inField).joined(separator: ", ")
    editor = FieldEditor(text.isEmpty ? "" : text + ", ", longest: text.count + 4096)
    editor.onChange = { [unowned self] _ in complete() }
  }

  /// Offers the keywords of the catalog as soon as they are counted.
  ///
  /// - Parameter onCount: Called to request a frame.
  func offerKeywords(of deciding: PhotoDeciding?, onCount: @escaping () -> Void) {
    deciding?.countKeywords { [weak self] in
      self?.known = $0
      onCount()
    }
  }

  let extent = Extent.popup
  let isTyping = true
  let hints: [Command] = [.press, .switchWindow, .moveUp, .close]

  var announcement: String? {
    ["\(name): \(editor.text)", list.announcement].compactMap(\.self).joined(separator: " · ")
  }

  @ActionList var actions: [Action] {
    Action.moves(refusal: noneFound) { [self] in list.move($0) }
    Action(.press, label: localized("Save")) { [self] in save() }
    Action(.switchWindow, label: localized("Complete"), refusal: noneFound) { [self] in take(list.position.highlighted)
    }
    Action(.close) { [self] in onClose() }
  }

  /// The reason why no keyword is offered, or nil if some are.
  private var noneFound: String? {
    list.choices.isEmpty ? localized("No keyword of the catalog begins like this.") : nil
  }

  /// The keywords in the field, without repetitions.
  private var typed: [String] {
    editor.text.split(separator: ",").map { $0.trimmed }.reduce(into: []) { all, keyword in
      if !keyword.isEmpty, !all.contains(keyword) { all.append(keyword) }
    }
  }

  /// The keyword that the user is typing.
  private var last: String { (editor.text.split(separator: ",", omittingEmptySubsequences: false).last ?? "").trimmed }

  private func complete() {
    let (last, others) = (last, Set(typed.dropLast(last.isEmpty ? 0 : 1)))
    let found = known.lazy.filter { [last] keyword in
      (last.isEmpty || keyword.hasWord(beginningWith: last)) && keyword.inField != last
        && !others.contains(keyword.inField)
    }
    let offered = found.prefix(Self.mostOffered)
    for keyword in offered { keywords[keyword.inField] = keyword }
    list = ChoiceList(offered.map { ChoiceList.Choice(key: "", text: $0.inField) })
  }

  /// Replaces the keyword that the user is typing.
  private func take(_ index: Int) {
    let before = editor.text.lastIndex(of: ",").map { editor.text[...$0] + " " } ?? ""
    editor.text = before + list.choices[index].text + ", "
    complete()
  }

  private func save() {
    onClose()
    let (typed, old) = (typed, Set(former.map(\.inField)))
    let added = typed.filter { !old.contains($0) }.map { keywords[$0] ?? $0 }
    let removed = former.filter { !typed.contains($0.inField) }
    if !added.isEmpty || !removed.isEmpty { onEnter(.keywords(added: added, removed: removed)) }
  }

  func draw(on surface: Surface) {
    // While the user types, the box keeps its size.
    box = surface.bounds.centered(
      columns: Self.columns, rows: known.isEmpty ? 5 : min(known.count, Self.mostOffered) + 6, spreads: true)
    surface.drawBox(box, title: name)
    let inside = surface.clipped(to: box.inset(columns: 3, rows: 1))
    let label =
      hasSeveralPhotos
      ? localized("Shared keywords, separated by commas") : localized("Keywords, separated by commas")
    inside.put(CellText(label, truncatedTo: inside.bounds.columns), .secondary)
    let (field, rest) = inside.bounds.split(rows: 1).1.split(rows: 1)
    editor.draw(hint: "", hasFocus: true, on: inside.clipped(to: field).on(.field))
    let below = rest.split(rows: 1).1
    if let noneFound, !known.isEmpty, !last.isEmpty {
      inside.clipped(to: below).put(CellText(noneFound, truncatedTo: below.columns), .secondary)
    }
    // The key column of the list begins in the frame's margin.
    list.draw(
      on: surface.clipped(to: Rect(column: box.column + 1, row: below.row, columns: box.columns - 2, rows: below.rows)))
  }

  func type(_ event: InputEvent) -> Bool {
    if case .key(let key) = event, key.code == .up || key.code == .down { return false }
    return editor.handle(event)
  }

  func handle(_ mouse: Mouse) {
    if let choice = list.handle(mouse) { take(choice) } else if box.isMissed(by: mouse) { onClose() }
  }
}

extension String {
  /// The keyword as the field shows it. Commas separate keywords there.
  fileprivate var inField: String { printable.replacing(",", with: "‚").trimmed }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension String {
  /// Returns whether a word of the text begins like another text, without regard to case.
  fileprivate func hasWord(beginningWith start: String) -> Bool {
    let (text, start) = (lowercased(), start.lowercased())
    return text.hasPrefix(start) || text.split(separator: " ").dropFirst().contains { $0.hasPrefix(start) }
  }
}
