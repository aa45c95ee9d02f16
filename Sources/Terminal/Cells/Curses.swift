import CNcurses
import CSystem
import Foundation
import ImageWire

/// ncurses' screen, drawn into memory.
///
/// ncurses keeps the cells and computes the shortest way from one frame to the next. Its output is collected here, so a
/// frame is a value that the console can send, delay or wrap as one piece. ncurses neither reads keys nor sets modes.
@MainActor
final class Curses: Canvas {
  private(set) var size: Size
  private(set) var depth: ColorDepth
  private let memory: Int32
  private let stream: UnsafeMutablePointer<FILE>
  private var pairs: ColorPairs
  private var mayPostpone = false
  /// Whether the last frame left something to the next one.
  private(set) var hasPostponed = false
  private var rest = ImageRest()
  /// The images behind placeholders in this frame.
  private var placeholders = GraphicLayout()
  /// The links of the frame; nil on a terminal that may print the sequences of links.
  private var hyperlinks: Hyperlinks?
  /// The terminal's own images, which every cell that is written covers.
  var graphics = GraphicsBoard()
  /// Called when the terminal has lost images that it was sent, so that they have to be rendered again.
  var onImagesLost: () -> Void = {}

  /// The place of the cursor in this frame; nil if it is invisible.
  private var cursor: (column: Int, row: Int)?

  /// Whether the last frames left rows of large images to the next ones.
  var hasRest: Bool { rest.start != nil }

  init(_ kind: TerminalKind, size: Size) throws(TerminalError) {
    self.size = size
    depth = kind.depth
    pairs = ColorPairs(depth: kind.depth)
    hyperlinks = kind.isSimple ? nil : Hyperlinks()
    memory = create_memory_file()
    guard memory >= 0, let stream = fdopen(memory, "w") else {
      throw .systemCallFailed("memfd_create", reason: String(cString: strerror(errno)))
    }
    self.stream = stream
    guard cncurses_new_screen(kind.name, stream, Int32(size.rows), Int32(size.columns)) != nil else {
      throw .terminalTypeUnknown(kind.name)
    }
    setUpScreen()
  }

  private func setUpScreen() {
    nonl()
    // A frame is drawn whole even if a key waits: ncurses would leave it in the middle, and the terminal would show that.
    typeahead(-1)
    // While the cursor is invisible, its position does not matter.
    leaveok(cncurses_stdscr(), !Charset.isPlain)
    if depth != .monochrome {
      start_color()
      use_default_colors()
      pairs.reserve()
    }
    // Last, since ncurses then writes all that it has for the terminal so far.
    curs_set(0)
  }

  /// Draws with another terminfo entry from the next frame on. That frame draws every cell over what the terminal shows.
  /// - Returns: Whether ncurses has a screen for the entry.
  func change(to kind: TerminalKind) -> Bool {
    guard cncurses_change_type(kind.name, stream, Int32(size.rows), Int32(size.columns)) != 0 else { return false }
    depth = kind.depth
    pairs = ColorPairs(depth: kind.depth)
    setUpScreen()
    // The start of a screen is not sent: the terminal is on the alternate screen already, and some terminals forget where the
    // shell's cursor was if that is set twice.
    _ = cells()
    invalidateGraphics()
    return true
  }

  /// Changes the size of the screen.
  func resize(to size: Size) {
    self.size = size
    invalidateGraphics()
    resizeterm(Int32(max(1, size.rows)), Int32(max(1, size.columns)))
  }

  /// Begins an empty frame.
  /// - Parameters:
  ///   - background: The color on which everything is drawn; nil for the terminal's own background.
  ///   - mayPostpone: Whether slow parts may be left to the next frame. That never happens twice in a row.
  ///   - mostBytes: The size from which on the rest of large images is left to the next frames, or nil.
  func beginFrame(background: Color? = nil, mayPostpone: Bool, mostBytes: Int? = nil) {
    self.mayPostpone = mayPostpone && !hasPostponed && !is_cleared(cncurses_curscr())
    hasPostponed = false
    cursor = nil
    pairs.ground = background.map(depth.number) ?? -1
    cncurses_set_ground(pairs.plain)
    werase(cncurses_stdscr())
    rest.beginFrame(size: size, mostBytes: mostBytes)
    graphics.beginFrame(size: size)
    placeholders.clear(size: size)
    hyperlinks?.beginFrame()
  }

  /// Releases all color pairs if they are running out. The next frame then draws every cell.
  func renewPairsIfNeeded() {
    if pairs.renewIfNeeded(cells: size.columns * size.rows) { invalidate() }
  }

  /// Forgets what the terminal shows, so that the next frame draws every cell.
  func invalidate() {
    clearok(cncurses_curscr(), true)
    invalidateGraphics()
  }

  private func invalidateGraphics() {
    hyperlinks?.invalidate()
    if graphics.invalidate() { onImagesLost() }
  }

  /// Forgets the images that the terminal stores, as after leaving the alternate screen.
  /// - Returns: The commands that delete them if the terminal kept them.
  func resetGraphics() -> [UInt8] {
    let deletions = graphics.reset()
    if !deletions.isEmpty { onImagesLost() }
    return deletions
  }

  /// Ends the frame, and returns the bytes that bring the terminal from the last frame to this one.
  func frame() -> GraphicsBoard.Output {
    let mustNotScroll = graphics.mustNotScroll
    if Charset.isPlain { curs_set(cursor == nil ? 0 : 1) }
    let links = hyperlinks?.endFrame { link in changes(inRow: link.row).map { link.columns.overlaps($0) } ?? false }
    for link in links?.gone ?? [] { forget(row: link.row, link.columns) }
    var output = graphics.endFrame { changes(inRow: $0) }
    if rest.isWanted, !is_cleared(cncurses_curscr()) {
      updateInParts()
    } else {
      // A frame that postpones leaves the rest where it is.
      if !hasPostponed { rest.start = nil }
      update(mustNotScroll: mustNotScroll)
    }
    output.cells = cells()
    for link in links?.new ?? [] {
      let (begin, end) = Hyperlinks.sequences(link.address)
      forget(row: link.row, link.columns)
      update(row: link.row)
      output.cells += begin + cells() + end
    }
    if !output.covered.isEmpty {
      for rect in output.covered { forget(row: rect.row, rect.column..<rect.endColumn) }
      update(mustNotScroll: true)
      output.covering = cells()
    }
    return output
  }

  /// Makes ncurses write cells again.
  private func forget(row: Int, _ columns: Range<Int>) {
    for column in columns { cncurses_forget(Int32(row), Int32(column)) }
  }

  /// Returns the columns of a row in which ncurses will write.
  private func changes(inRow row: Int) -> ClosedRange<Int>? {
    var first: Int32 = 0
    var last: Int32 = 0
    guard cncurses_changed_columns(Int32(row), Int32(size.columns), &first, &last) != 0 else { return nil }
    return Int(first)...Int(last)
  }

  /// Makes ncurses write the changes.
  ///
  /// ncurses scrolls rows that have moved, together with the images that lie there, and has no switch for that. If it is
  /// shown one row at a time, it finds no row that has moved.
  private func update(mustNotScroll: Bool) {
    if mustNotScroll, !is_cleared(cncurses_curscr()) {
      let changed = (0..<size.rows).filter { changes(inRow: $0) != nil }
      untouchwin(cncurses_stdscr())
      for row in changed { update(row: row) }
    }
    refresh()
  }

  private func update(row: Int) {
    wtouchln(cncurses_stdscr(), Int32(row), 1, 1)
    refresh()
  }

  /// Makes ncurses write, and leave the cursor in its place. Reading cells, too, moves ncurses' own.
  private func refresh() {
    if let cursor { wmove(cncurses_stdscr(), Int32(cursor.row), Int32(cursor.column)) }
    wnoutrefresh(cncurses_stdscr())
    doupdate()
  }

  /// Makes ncurses write the changes, but of large images only the rows that the frame has room for.
  private func updateInParts() {
    let changed = rest.rowsInOrder.filter { changes(inRow: $0) != nil }
    rest.start = nil
    untouchwin(cncurses_stdscr())
    for row in changed {
      if rest.isFull(outputCount) {
        let kept = rest.columns(inRow: row).filter { cncurses_keep(Int32(row), Int32($0)) != 0 }
        if !kept.isEmpty { rest.start = rest.start ?? row }
      }
      update(row: row)
    }
  }

  /// The number of bytes that ncurses has written.
  private var outputCount: Int {
    fflush(stream)
    return Int(lseek(memory, 0, SEEK_END))
  }

  /// Removes and returns ncurses' output.
  private func cells() -> [UInt8] {
    let count = outputCount
    defer {
      ftruncate(memory, 0)
      lseek(memory, 0, SEEK_SET)
    }
    // The length of an empty array, which all threads share, would be written.
    if count == 0 { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
  }

  /// Puts a cluster into a cell, or into two if it is wide.
  func put(_ cluster: Cluster, column: Int, row: Int, style: Style) {
    put(cluster.scalars, column: column, row: row, attributes(of: style), pairs.pair(for: style))
    rest.cover(column: column, row: row, columns: cluster.width)
    cover(column: column, row: row, columns: cluster.width)
  }

  /// Puts a character in colors that are numbers at this screen's depth; -1 is the terminal's own color.
  func put(_ scalar: Unicode.Scalar, column: Int, row: Int, foreground: Int32, background: Int32) {
    put(
      CollectionOfOne(scalar), column: column, row: row, 0,
      pairs.pair(foreground: foreground, background: background))
    cover(column: column, row: row, columns: 1)
  }

  /// Leaves a part of the screen as the terminal shows it. The next frame, which has to follow, draws it.
  /// - Returns: Whether this frame may postpone.
  func postpone(_ rect: Rect) -> Bool {
    let rect = rect.intersection(Rect(size))
    guard mayPostpone, !rect.isEmpty else { return false }
    copywin(
      cncurses_curscr(), cncurses_stdscr(), Int32(rect.row), Int32(rect.column), Int32(rect.row), Int32(rect.column),
      Int32(rect.endRow - 1), Int32(rect.endColumn - 1), 0)
    for row in rect.row..<rect.endRow { cover(column: rect.column, row: row, columns: rect.columns) }
    hasPostponed = true
    return true
  }

  /// Allows the rows of a large image, which is put next, to be left to the next frames.
  func spread(_ rect: Rect) { rest.spread(rect.intersection(Rect(size))) }

  /// Makes the cursor visible in a cell.
  func placeCursor(column: Int, row: Int) { cursor = (column, row) }

  /// Links cells of a row, whose text has been put, to an address.
  func link(_ address: String, column: Int, row: Int, columns: Int) {
    hyperlinks?.add(Hyperlinks.Link(address: address, row: row, columns: column..<column + columns))
  }

  /// Puts an image that the terminal draws, with its top left in a cell. An image that does not fit the screen is skipped.
  func put(_ graphic: Graphic, column: Int, row: Int, style: Style) {
    let rect = Rect(column: column, row: row, columns: graphic.image.columns, rows: graphic.image.rows)
    guard rect == rect.intersection(Rect(size)) else { return }
    if case .placeholders = graphic.delivery {
      graphics.use(graphic)
      putPlaceholders(of: graphic, column: column, row: row)
    } else {
      for row in rect.row..<rect.endRow {
        // Bold blanks look like other blanks, but ncurses tells them apart. So it writes the blanks of a popup over them.
        // An image that is drawn has the window's color at its edges, and other blanks would be drawn over it.
        let pair = graphic.delivery.isPlaced ? pairs.pair(for: style) : pairs.plain
        for column in rect.column..<rect.endColumn {
          put(CollectionOfOne(" "), column: column, row: row, cncurses_bold(), pair)
        }
      }
      graphics.place(graphic, in: rect)
    }
  }

  private func putPlaceholders(of graphic: Graphic, column: Int, row: Int) {
    let most = Placeholder.marks.count
    let rect = Rect(
      column: column, row: row, columns: min(graphic.image.columns, most), rows: min(graphic.image.rows, most))
    let image = GraphicLayout.Placement(id: graphic.id, rect: rect)
    for row in rect.row..<rect.endRow {
      graphics.cover(column: rect.column, row: row, columns: rect.columns)
      for column in rect.column..<rect.endColumn {
        putPlaceholder(of: image, column: column, row: row, isMarked: column == rect.column)
      }
    }
    placeholders.place(graphic.id, in: rect)
  }

  /// - Parameter isMarked: Whether the placeholder tells its place in the image. Others follow the one on their left. A
  ///   multiplexer writes a marked one with 20 bytes, and others with 4.
  private func putPlaceholder(of image: GraphicLayout.Placement, column: Int, row: Int, isMarked: Bool) {
    let marks = Placeholder.marks
    let place = isMarked ? [marks[row - image.rect.row], marks[column - image.rect.column]] : []
    let pair = pairs.pair(foreground: Int32(image.id), background: -1)
    put([Placeholder.character] + place, column: column, row: row, 0, pair)
  }

  /// Takes cells of a row away from the images, as something was written into them.
  private func cover(column: Int, row: Int, columns: Int) {
    graphics.cover(column: column, row: row, columns: columns)
    hyperlinks?.cover(column: column, row: row, columns: columns)
    placeholders.cover(column: column, row: row, columns: columns)
    let next = column + columns
    guard let image = placeholders.owner(column: next, row: row) else { return }
    putPlaceholder(of: image, column: next, row: row, isMarked: true)
  }

  /// Returns whether the terminal can show an image now. If not, the image is sent.
  func hasArrived(_ graphic: Graphic) -> Bool {
    graphics.use(graphic)
    return graphics.hasArrived(graphic)
  }

  /// Sends an image ahead, if it is small or nothing else has to be sent.
  func prepare(_ graphic: Graphic, isLineFree: Bool) { graphics.prepare(graphic, isLineFree: isLineFree) }

  private func put(
    _ scalars: some Collection<Unicode.Scalar>, column: Int, row: Int, _ attributes: attr_t, _ pair: Int32
  ) {
    withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: scalars.count + 1) { text in
      for (index, scalar) in scalars.enumerated() { text[index] = wchar_t(bitPattern: scalar.value) }
      text[scalars.count] = 0
      _ = cncurses_put(Int32(row), Int32(column), text.baseAddress, attributes, pair)
    }
  }

  private func attributes(of style: Style) -> attr_t {
    var attributes: attr_t = 0
    if style.attributes.contains(.bold) { attributes |= cncurses_bold() }
    if style.attributes.contains(.dim) { attributes |= cncurses_dim() }
    if style.attributes.contains(.reverse) { attributes |= cncurses_reverse() }
    if style.attributes.contains(.underline) { attributes |= cncurses_underline() }
    return attributes
  }
}
