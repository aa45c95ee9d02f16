import Gallery
import Terminal
import ViewModels

/// A list beside the detail of its highlighted row: what most rooms are made of.
@MainActor
final class ListPane {
  enum Window {
    case list, detail
  }

  let list: ListWindow
  private(set) var focus = Window.list
  private let detail: DetailWindow
  private let detailOfRow: (any RowViewModel) -> PhotoDetail?
  private var isNarrow = false
  private var detailBounds = Rect(column: 0, row: 0, columns: 0, rows: 0)
  /// The row that a second click presses.
  private var clicked: AnyHashable?
  private var highlighted: AnyHashable?

  /// From this width on, the windows stand side by side.
  private static let wideColumns = 80

  /// - Parameter detail: What there is to show of a row beside the list.
  init(
    title: String, kinds: CellKinds, context: CellContext,
    detail: @escaping (any RowViewModel) -> PhotoDetail? = { ($0 as? any Detailed)?.detail }
  ) {
    detailOfRow = detail
    list = ListWindow(title: title, kinds: kinds, context: context)
    self.detail = DetailWindow(images: context.images)
  }

  private var shownDetail: PhotoDetail? { list.highlightedRow.flatMap(detailOfRow) }

  func setRows(_ rows: [any RowViewModel]) { setRows(rows as any RowList) }

  /// Takes up new rows.
  func setRows(_ rows: any RowList) {
    clicked = nil
    if rows.count == 0 { focus = .list }
    list.setRows(rows)
    highlightDidChange()
  }

  func highlight(_ row: Int) {
    list.position.highlight(row)
    highlightDidChange()
  }

  /// Draws both windows, or the one that has the keys where there is room for one.
  ///
  /// - Parameters:
  ///   - notice: What to say when there are no rows, or nil while the first rows are loading.
  ///   - isDimmed: Whether the rows are about to be replaced.
  func draw(notice: [String]?, status: String? = nil, isDimmed: Bool, on surface: Surface) {
    isNarrow = surface.bounds.columns < Self.wideColumns
    func drawList(on surface: Surface) {
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
    let (left, right) = surface.bounds.split(columns: min(56, max(36, surface.bounds.columns * 2 / 5)))
    let (rule, rest) = right.split(columns: 1)
    // The detail first: its image is the one that is looked at.
    drawDetail(isDimmed: isDimmed, on: surface.clipped(to: rest))
    drawList(on: surface.clipped(to: left))
    list.drawScrollBar(on: surface.clipped(to: rule))
    list.prepareNeighbours(on: surface.clipped(to: left))
    prepareNeighbours(on: surface)
  }

  private func drawDetail(isDimmed: Bool, on surface: Surface) {
    detailBounds = surface.bounds
    guard let shown = shownDetail else { return }
    detail.draw(shown, hasFocus: focus == .detail, isDimmed: isDimmed, on: surface)
  }

  /// Has the images prepared that one key leads to, so that it finds them there.
  private func prepareNeighbours(on surface: Surface) {
    for step in [1, -1, 2, -2, 3] {
      guard let neighbour = list.row(list.position.highlighted + step).flatMap(detailOfRow) else { continue }
      detail.prepare(neighbour.image, on: surface)
    }
  }

  /// Lets go of what the rows show live, as when the room is left.
  func release() { list.release() }

  private func highlightDidChange() {
    let id = list.highlightedRow?.id
    guard id != highlighted else { return }
    highlighted = id
    detail.scrollToTop()
  }
}

extension ListPane {
  func label(of command: Command) -> String? {
    command == .switchWindow ? (focus == .list ? "Details" : "List") : nil
  }

  func availability(of command: Command) -> Availability {
    switch command {
    case .help, .redraw: .available
    case .switchWindow: isNarrow && shownDetail == nil && focus == .list ? .absent : .available
    // Where q goes back, it does not quit, and the footer must not say so.
    case .quit: canClose ? .absent : .available
    case .close: canClose ? .available : .absent
    case .moveUp, .moveDown, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .moveToFirst, .moveToLast:
      focus == .detail && !detail.isScrollable
        ? .unavailable("All of it is in view.")
        : list.position.count == 0 ? .unavailable("There is nothing to move through.") : .available
    case .press:
      list.highlightedRow == nil
        ? .unavailable("There is nothing to open.") : list.highlightedRow is any Pressable ? .available : .absent
    default: .absent
    }
  }

  func perform(_ command: Command) {
    clicked = nil
    switch command {
    case .press: (list.highlightedRow as? any Pressable)?.press()
    case .switchWindow: focus = focus == .list ? .detail : .list
    case .close: focus = .list
    case _ where focus == .detail: detail.scroll(command)
    default: if list.position.move(command) { highlightDidChange() }
    }
  }

  /// Whether there is something to go back from.
  private var canClose: Bool { isNarrow && focus == .detail }

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
    } else if let row = list.row(atColumn: mouse.column, row: mouse.row) {
      focus = .list
      highlight(row)
      let isSecond = clicked == highlighted
      clicked = isSecond ? nil : highlighted
      if isSecond { (list.highlightedRow as? any Pressable)?.press() }
    }
  }

  private func scroll(by rows: Int, _ mouse: Mouse) {
    clicked = nil
    if isOverDetail(mouse) {
      detail.scroll(by: rows)
    } else {
      list.position.move(by: rows)
      highlightDidChange()
    }
  }

  private func isOverDetail(_ mouse: Mouse) -> Bool {
    (!isNarrow || focus == .detail) && detailBounds.contains(column: mouse.column, row: mouse.row)
  }
}
