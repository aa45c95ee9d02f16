import Gallery
import Photos
import Terminal
import ViewModels

/// A list next to the detail of its highlighted row. Most rooms consist of it.
@MainActor
final class ListPane {
  enum Window {
    case list, detail
  }

  let list: ListWindow
  /// The window that has the keys.
  private var focus = Window.list
  private let detail: DetailWindow
  private let detailOfRow: (any RowViewModel) -> PhotoDetail?
  private var isNarrow = false
  private var listBounds = Rect(column: 0, row: 0, columns: 0, rows: 0)
  private var detailBounds = Rect(column: 0, row: 0, columns: 0, rows: 0)
  /// The row that was clicked last. A second click presses it.
  private var clicked: AnyHashable?
  private var highlighted: AnyHashable?

  /// The least width for both windows side by side, in columns.
  private static let wideColumns = 80

  /// - Parameter detail: Returns the detail of a row; nil if the row has none.
  init(
    title: String, kinds: CellKinds, context: CellContext,
    detail: @escaping (any RowViewModel) -> PhotoDetail? = { ($0 as? any Detailed)?.detail }
  ) {
    detailOfRow = detail
    list = ListWindow(title: title, kinds: kinds, context: context)
    self.detail = DetailWindow(images: context.images)
  }

  private var shownDetail: PhotoDetail? { list.highlightedRow.flatMap(detailOfRow) }

  /// The highlighted row in words, or the lines in view of the detail if that has the keys.
  var announcement: String? {
    guard let row = list.highlightedRow else { return nil }
    let shown = shownDetail
    if focus == .detail, let shown { return "\(shown.name): \(detail.announcement(of: shown))" }
    let isMarked = (row as? any Markable)?.isMarked == true
    let signs = (row as? any Decidable)?.decisions.signs.map(\.text) ?? []
    let parts =
      [shown?.name, shown?.saleBadge?.text, isMarked ? localized("Marked") : nil].compactMap(\.self) + row.words + signs
    let (number, count) = ((list.position.highlighted + 1).grouped, list.position.count.grouped)
    return localized("\(number) of \(count): \(parts.joined(separator: ", "))")
  }

  func setRows(_ rows: [any RowViewModel]) { setRows(rows as any RowList) }

  /// Replaces the rows. The highlighted row stays highlighted if it is among the new ones.
  func setRows(_ rows: any RowList) {
    clicked = nil
    if rows.count == 0 { focus = .list }
    list.setRows(rows)
    highlightDidChange()
  }

  func highlight(_ row: RowIndex) {
    list.position.highlight(row.value)
    highlightDidChange()
  }

  /// Draws both windows, or only the one that has the keys if the surface is too narrow for both.
  ///
  /// - Parameters:
  ///   - notice: The lines shown if there are no rows; nil while the first rows are loading.
  ///   - status: The text at the right of the list's heading; nil for the position in the list.
  ///   - isDimmed: Whether the rows are about to be replaced.
  func draw(notice: [String]?, status: String? = nil, isDimmed: Bool, on surface: Surface) {
    isNarrow = surface.bounds.columns < Self.wideColumns
    func drawList(on surface: Surface) {
      listBounds = surface.bounds
      list.draw(notice: notice, status: status, hasFocus: focus == .list, isDimmed: isDimmed, on: surface)
    }
    if isNarrow {
      if focus == .list || shownDetail == nil {
        drawList(on: surface)
      } else {
        drawDetail(isDimmed: isDimmed, on: surface)
      }
      return
    }
    let (left, right) = surface.bounds.split(columns: min(72, max(36, surface.bounds.columns * 2 / 5)))
    let (rule, rest) = right.split(columns: 1)
    // The detail requests its image first, since the user looks at that one.
    drawDetail(isDimmed: isDimmed, on: surface.clipped(to: rest))
    drawList(on: surface.clipped(to: left))
    list.drawScrollBar(on: surface.clipped(to: rule))
    list.prepareNeighbors(on: surface.clipped(to: left))
    prepareNeighbors(on: surface)
  }

  private func drawDetail(isDimmed: Bool, on surface: Surface) {
    detailBounds = surface.bounds
    guard let shown = shownDetail else { return }
    detail.draw(shown, hasFocus: focus == .detail, isDimmed: isDimmed, on: surface)
  }

  /// Prepares the images that the next keys are likely to show.
  private func prepareNeighbors(on surface: Surface) {
    for step in [1, -1, 2, -2, 3] {
      guard let neighbor = list.row(list.highlighted + step).flatMap(detailOfRow) else { continue }
      detail.prepare(neighbor, on: surface)
    }
  }

  /// Unbinds all cells, as when the user leaves the room.
  func release() { list.release() }

  private func highlightDidChange() {
    let id = list.highlightedRow?.id
    guard id != highlighted else { return }
    highlighted = id
    detail.restart()
  }
}

extension ListPane {
  /// The actions of the list and of the detail next to it.
  @ActionList var actions: [Action] {
    if canClose { Action(.close) { [self] in switchFocus(to: .list) } }
    if shownDetail != nil || focus == .detail {
      Action(.switchWindow, label: focus == .list ? localized("Details") : localized("List")) { [self] in
        switchFocus(to: focus == .list ? .detail : .list)
      }
    }
    Action.moves(refusal: moveRefusal) { [self] in move($0) }
    if list.highlightedRow.map({ $0 is any Pressable }) ?? true {
      Action(.press, refusal: list.highlightedRow == nil ? localized("Nothing to open.") : nil) { [self] in press() }
    }
  }

  /// The reason why a move is not possible at the moment; nil if it is possible.
  var moveRefusal: String? {
    if focus == .detail, !detail.isScrollable { return localized("All details are visible.") }
    return list.position.count == 0 ? localized("Nothing here.") : nil
  }

  /// Whether the detail hides the list, so that the user can go back to the list.
  private var canClose: Bool { isNarrow && focus == .detail }

  /// Moves through the rows, or scrolls the detail if that has the keys.
  func move(_ move: Move) {
    clicked = nil
    if focus == .detail { return detail.scroll(move) }
    list.position.move(move)
    highlightDidChange()
  }

  /// Presses the highlighted row.
  func press() {
    clicked = nil
    (list.highlightedRow as? any Pressable)?.press()
  }

  private func switchFocus(to window: Window) {
    clicked = nil
    focus = window
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: scroll(by: -1, mouse)
    case .wheelDown: scroll(by: 1, mouse)
    case .press: click(mouse)
    case .release, .drag: break
    }
  }

  private func click(_ mouse: Mouse) {
    if isOverDetail(mouse) {
      focus = .detail
    } else if listBounds.contains(column: mouse.column, row: mouse.row) {
      focus = .list
      // A heading is no row, but a click on it is meant for the list.
      guard let row = list.row(atColumn: mouse.column, row: mouse.row) else { return }
      highlight(row)
      let isSecond = clicked == highlighted
      clicked = isSecond ? nil : highlighted
      if isSecond { press() }
    }
  }

  private func scroll(by rows: Int, _ mouse: Mouse) {
    clicked = nil
    if isOverDetail(mouse) { return detail.scroll(.rows(rows)) }
    list.position.move(.rows(rows))
    highlightDidChange()
  }

  private func isOverDetail(_ mouse: Mouse) -> Bool {
    (!isNarrow || focus == .detail) && detailBounds.contains(column: mouse.column, row: mouse.row)
  }
}
