import Gallery
import ImageWire
import Terminal
import ViewModels

/// The calendar over the window: years, the months of a year or the days of a month, each with the number of its photos and
/// the best one.
@MainActor
final class CalendarScreen: Popup {
  var name: String { localized("Calendar") }
  var onClose: () -> Void = {}
  /// Called with the search that lists the photos of the period that the user chooses.
  var onList: (String) -> Void = { _ in }

  let viewModel: CalendarViewModel
  private let images: ImageLayer
  private var grid: CalendarGrid?
  private var titleLine = Rect(column: 0, row: 0, columns: 0, rows: 0)
  /// The cell that was clicked last. A second click opens it.
  private var clicked: Int?

  /// The least height of an image in a cell, in lines. Characters show less in a line.
  private static let (imageLines, linesOfCharacters) = (3, 5)
  /// The least width of a caption with a blank column at its end.
  private static let columnsWithGap = 6

  init(_ viewModel: CalendarViewModel, images: ImageLayer) {
    self.viewModel = viewModel
    self.images = images
  }

  let extent = Extent.window
  let hints: [Command] = [.moveUp, .press, .view, .parentFolder, .nextFound, .close, .help]

  @ActionList var actions: [Action] {
    Action(.close) { [self] in onClose() }
    Action(.moveLeft) { [self] in viewModel.move(by: -1) }
    Action(.moveRight) { [self] in viewModel.move(by: 1) }
    Action(.moveUp) { [self] in viewModel.move(by: -viewModel.columns) }
    Action(.moveDown) { [self] in viewModel.move(by: viewModel.columns) }
    Action(.pageUp) { [self] in viewModel.turn(by: -1) }
    Action(.pageDown) { [self] in viewModel.turn(by: 1) }
    Action(.moveToFirst) { [self] in viewModel.move(toLast: false) }
    Action(.moveToLast) { [self] in viewModel.move(toLast: true) }
    Action(.nextFound, label: localized("Next with photos")) { [self] in viewModel.moveToPhotos() }
    Action(.previousFound) { [self] in viewModel.moveToPhotos(isBackwards: true) }
    let isLowest = !viewModel.canGoDown
    Action(.press, label: isLowest ? localized("List the day") : nil, refusal: isLowest ? noPhotos : nil) { [self] in
      press()
    }
    Action(.view, label: localized("List photos"), refusal: noPhotos) { [self] in list() }
    Action(.zoomIn, refusal: isLowest ? localized("Days are the smallest part.") : nil) { [self] in viewModel.goDown() }
    let isTopmost = viewModel.canGoUp ? nil : localized("All years are shown.")
    Action(.zoomOut, refusal: isTopmost) { [self] in viewModel.goUp() }
    Action(.parentFolder, label: isLowest ? localized("Months") : localized("Years"), refusal: isTopmost) { [self] in
      viewModel.goUp()
    }
  }

  func perform(_ action: Action) {
    clicked = nil
    action.perform()
  }

  private var noPhotos: String? { (viewModel.chosen?.count ?? 0) > 0 ? nil : localized("There are no photos.") }

  private func press() { if viewModel.canGoDown { viewModel.goDown() } else { list() } }

  private func list() {
    let query = viewModel.query
    onClose()
    onList(query)
  }

  var announcement: String? { [title, status].joined(separator: " · ") }

  var commandTarget: CommandTarget? {
    viewModel.chosen?.best.map { row in CommandTarget(file: row.image) { row.fileImages } }
  }

  private var title: String {
    let photos = viewModel.count.map(\.photosText) ?? localized("The photos are counted…")
    return "\(viewModel.title ?? localized("Years")) · \(photos)"
  }

  /// The period at the cursor with its photos in words.
  private var status: String {
    guard let cell = viewModel.chosen else { return "" }
    let count = cell.count.map { $0 == 0 ? localized("no photos") : $0.photosText }
    let best = cell.best.map { best in
      // Translators: the name of a photo, and its stars.
      ([localized("Best: \(best.name)")] + best.decisions.signs.map(\.text)).joined(separator: " ")
    }
    return [cell.period.words, count, best].compactMap(\.self).joined(separator: " · ")
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: viewModel.turn(by: -1)
    case .wheelDown: viewModel.turn(by: 1)
    case .press: click(mouse)
    case .release, .drag: break
    }
  }

  private func click(_ mouse: Mouse) {
    if titleLine.contains(column: mouse.column, row: mouse.row) { return perform(.zoomOut) }
    guard let cell = grid?.cell(atColumn: mouse.column, row: mouse.row, of: viewModel.cells.count) else { return }
    let isSecond = clicked == cell && viewModel.cursorIndex == cell
    viewModel.moveCursor(toCell: cell)
    clicked = isSecond ? nil : cell
    if isSecond { perform(.press) }
  }
}

// MARK: - Drawing

extension CalendarScreen {
  func draw(on surface: Surface) {
    surface.clear()
    let (top, rest) = surface.bounds.inset(columns: 1).split(rows: 1)
    let (headings, below) = rest.split(rows: viewModel.level == .days ? 1 : 0)
    let (body, last) = below.split(rows: below.rows - 1)
    let cells = viewModel.cells
    let grid = CalendarGrid(
      cells: cells.count, columns: viewModel.columns, chosen: viewModel.cursorIndex,
      isScrolled: viewModel.level == .years, in: body,
      imageLines: images.areShown ? images.areCharacters ? Self.linesOfCharacters : Self.imageLines : nil)
    self.grid = grid
    titleLine = top
    drawTitle(on: surface.clipped(to: top))
    if !headings.isEmpty { drawWeekdays(grid, headings, on: surface) }
    // The image of the cell at the cursor is requested first, and its frame is over the other cells.
    let chosen = viewModel.cursorIndex
    drawCell(chosen, grid, on: surface)
    for index in cells.indices where index != chosen { drawCell(index, grid, on: surface) }
    if grid.hasImages { surface.clipped(to: grid.rect(of: chosen)).border(.accent) }
    let more = grid.hasMore(of: cells.count)
    surface.clipped(to: grid.bounds).drawArrows(above: more.above, below: more.below)
    if let best = viewModel.chosen?.best, !grid.side.isEmpty {
      let place = surface.clipped(
        to: Rect(
          column: grid.side.column + 2, row: grid.side.row, columns: grid.side.columns - 2, rows: grid.side.rows - 1))
      images.draw(best.image, quarters: best.quarters, on: images.room(on: place))
    }
    let line = surface.clipped(to: last)
    line.put(CellText(status, truncatedTo: line.bounds.columns), .secondary)
  }

  private func drawTitle(on line: Surface) {
    let filter = CellText(viewModel.filter)
    let end = line.put(CellText(title, truncatedTo: line.bounds.columns), .heading)
    if !viewModel.filter.isEmpty, end + 2 + filter.width <= line.bounds.columns {
      line.put(filter, column: line.bounds.columns - filter.width, .accent)
    }
  }

  private func drawWeekdays(_ grid: CalendarGrid, _ line: Rect, on surface: Surface) {
    for (column, day) in CalendarScreen.weekdays.enumerated() {
      let place = surface.clipped(to: grid.heading(ofColumn: column, in: line))
      place.put(CellText(day.text, truncatedTo: place.bounds.columns), .idleHeading)
    }
  }

  private static let weekdays = [
    LocalizedText("Mon"), LocalizedText("Tue"), LocalizedText("Wed"), LocalizedText("Thu"), LocalizedText("Fri"),
    LocalizedText("Sat"), LocalizedText("Sun"),
  ]

  private func drawCell(_ index: Int, _ grid: CalendarGrid, on surface: Surface) {
    let rect = grid.rect(of: index)
    guard let cell = viewModel.cells[index], !rect.isEmpty else { return }
    let inside =
      grid.hasImages
      ? rect.inset(columns: 1, rows: 1)
      : Rect(column: rect.column, row: rect.row, columns: rect.columns - 1, rows: rect.rows)
    let (line, image) = inside.split(rows: 1)
    drawCaption(of: cell, isChosen: index == viewModel.cursorIndex, on: surface.clipped(to: line))
    if grid.hasImages, let best = cell.best {
      images.draw(
        best.image, quarters: best.quarters, isFaded: best.decisions.isRejected,
        on: images.room(on: surface.clipped(to: image)))
    }
  }

  /// Draws the name at the left, and the number of photos at the right if there is room for it.
  private func drawCaption(of cell: CalendarViewModel.Cell, isChosen: Bool, on line: Surface) {
    let caption = line.on(isChosen ? .selection : .window)
    caption.clear()
    if isChosen { caption.placeCursor() }
    let isEmpty = (cell.count ?? 0) == 0
    let end = caption.put(
      CellText(cell.title, truncatedTo: caption.bounds.columns), isChosen ? .title : isEmpty ? .faint : .text)
    guard let count = cell.count, count > 0 else { return }
    let text = CellText(count.grouped)
    // The number is not to be taken for a part of the next cell's name.
    let room = caption.bounds.columns - (caption.bounds.columns >= Self.columnsWithGap ? 1 : 0)
    // Where the number does not fit, a sign says that there are photos.
    if end + 1 + text.width <= room {
      caption.put(text, column: room - text.width, isChosen ? .text : .secondary)
    } else if end < caption.bounds.columns {
      caption.put("•", column: end, .accent)
    }
  }
}
