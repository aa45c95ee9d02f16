import ImageWire

/// Keeps the terminal's own images in step with the cells.
///
/// Where an image lies over the cells, ncurses believes them to be blank. What is written there covers the image. Where
/// an image was covered and is free again, it is drawn again. An image that has gone is wiped out before the frame's
/// cells are written.
///
/// The board is a value that writes nothing: at the end of a frame it returns the frame's bytes. ``GraphicLayout`` knows
/// which cells belong to which image, ``GraphicStore`` which images the terminal stores.
struct GraphicsBoard {
  /// The bytes of one frame in the order in which they are sent.
  struct Output {
    /// Wipes out images that have gone.
    var before: [UInt8] = []
    /// Draws the cells.
    var cells: [UInt8] = []
    /// Places stored images.
    var placements: [UInt8] = []
    /// Draws images, each at its place.
    var images: [UInt8] = []
    /// Writes the cells of ``covered`` again.
    var covering: [UInt8] = []
    /// Makes the terminal release images, once the frame is there.
    var deletions: [UInt8] = []
    /// The cells that lie over ``images``.
    var covered: [Rect] = []
    /// Whether ``before`` or ``placements`` has commands about stored images.
    var hasCommands = false

    /// Whether the screen already shows the frame.
    var isEmpty: Bool { before.isEmpty && cells.isEmpty && placements.isEmpty && images.isEmpty }
  }

  private struct Shown {
    let delivery: Delivery
    /// The pixels of the stored image that are shown; nil for all of them.
    let crop: KittyCommands.Crop?
    /// The visible parts; empty if the image has to be drawn again.
    var parts: [Rect]
  }

  /// A cell's size in pixels.
  var cellSize = CellSize.standard
  /// Whether an image is wiped out before another is drawn over it: of images that lie on one another, some leave shreds
  /// (foot 1.13). Where the terminal shows every step, the wiping would be seen.
  var wipesFirst = false

  private var layout = GraphicLayout()
  private var store = GraphicStore()
  /// The images of this frame by their ids.
  private var graphics: [UInt32: Graphic] = [:]
  /// The images of this frame that lie over the cells. The same image may also be at placeholders.
  private var placed: [GraphicLayout.Placement: Graphic] = [:]
  /// The images that are sent ahead, as a later frame may show them.
  private var prepared: [Graphic] = []
  /// The images that lie over the cells on the screen.
  private var shown: [GraphicLayout.Placement: Shown] = [:]
  /// The images that the last frame drew, each with the index in the frame's bytes at which it ends.
  private var drawn: [(placement: GraphicLayout.Placement, end: Int)] = []
  /// Whether any frame has drawn an image that the terminal does not store.
  private var hasDrawn = false

  /// The longest image that is sent ahead in any case, in bytes: the name of a file. Others would slow the line.
  private static let longestPrepared = 4096

  /// Begins a frame without images.
  mutating func beginFrame(size: Size) {
    layout.clear(size: size)
    store.beginFrame()
    graphics = [:]
    placed = [:]
    prepared = []
  }

  /// Takes note that a later frame may show `graphic`.
  /// - Parameter isLineFree: Whether a large image may be sent, too.
  mutating func prepare(_ graphic: Graphic, isLineFree: Bool) {
    if isLineFree || graphic.image.bytes.count <= Self.longestPrepared { prepared.append(graphic) }
  }

  /// Gives the cells of `rect`, which have just been blanked, to an image.
  mutating func place(_ graphic: Graphic, in rect: Rect) {
    use(graphic)
    placed[GraphicLayout.Placement(id: graphic.id, rect: rect)] = graphic
    layout.place(graphic.id, in: rect)
  }

  /// Takes note that the frame shows `graphic`, or would show it if it had arrived.
  mutating func use(_ graphic: Graphic) { graphics[graphic.id] = graphic }

  /// Takes note that something was written into cells of a row.
  mutating func cover(column: Int, row: Int, columns: Int) { layout.cover(column: column, row: row, columns: columns) }

  /// Returns whether the terminal stores an image, or is being sent it.
  func isStored(_ id: UInt32) -> Bool { store.isStored(id) }

  /// Returns whether the terminal has all of an image.
  func hasArrived(_ id: UInt32) -> Bool { store.hasArrived(id) }

  /// Returns whether the terminal can show an image now. If not, ``arrive(_:)`` will tell when a frame should try again.
  mutating func hasArrived(_ graphic: Graphic) -> Bool { store.canShow(graphic) }

  /// Takes note that the last byte of an image has left.
  /// - Returns: Whether the last frame would have shown the image.
  mutating func arrive(_ id: UInt32) -> Bool { store.arrive(id) }

  /// The ids of the images that this frame shows, would show if they had arrived, or sends ahead.
  var wanted: Set<UInt32> { Set(graphics.keys).union(prepared.map(\.id)) }

  /// Whether the terminal must not scroll, since it would move images that lie over the cells.
  ///
  /// xterm keeps a sixel of which all cells were written over, and shows it again in rows that scroll.
  var mustNotScroll: Bool { hasDrawn || !layout.isEmpty || !shown.isEmpty }

  /// Takes note that a stored image was not sent to its end.
  mutating func lose(_ id: UInt32) { store.lose(id) }

  /// Takes note that the images that the last frame drew were broken off after `count` bytes.
  mutating func loseDrawn(after count: Int) {
    for (placement, end) in drawn where end > count { shown[placement]?.parts = [] }
  }

  /// Takes note that the terminal is about to clear the screen.
  /// - Returns: Whether images were lost that have to be rendered again.
  mutating func invalidate() -> Bool {
    shown = [:]
    return store.clearScreen()
  }

  /// Forgets all images, as after leaving the alternate screen.
  /// - Returns: The commands that delete stored images if the terminal kept them; empty if there are none.
  mutating func reset() -> [UInt8] {
    shown = [:]
    return store.reset()
  }

  /// Deletes images that will not be shown again, after the next frame.
  mutating func forget(_ ids: [UInt32]) { store.forget(ids) }

  /// Forgets all stored images, and returns the commands that delete them.
  /// - Parameter unsent: The images of which nothing has left.
  mutating func deleteAll(except unsent: [UInt32] = []) -> [UInt8] { store.deleteAll(except: unsent) }

  /// Short commands that end the image in transmission and delete all stored images; empty if none has been sent.
  var deletionOfAll: [UInt8] { store.deletionOfAll }

  /// Returns what has to be sent so that the terminal stores the images of the frame that has been drawn.
  mutating func transmissions() -> [Transmission] {
    // The loader numbers images in the order in which they were rendered, which is the order in which they are wanted.
    let used = graphics.values.sorted { $0.id < $1.id }
    return store.transmissions(of: used + prepared)
  }
}

// MARK: - The frame's bytes

extension GraphicsBoard {
  /// Ends the frame, and returns its bytes without those of the cells.
  /// - Parameter changes: Returns the columns of a row in which ncurses will write. It may write there over blanks that
  ///   stay blanks, and so over the images in them.
  mutating func endFrame(changes: (_ row: Int) -> ClosedRange<Int>?) -> Output {
    var output = Output()
    drawn = []
    let visible = layout.visibleParts()
    for (placement, state) in shown where state.delivery == .drawn {
      let isHit = visible[placement, default: []].contains { part in
        (part.row..<part.endRow).contains { changes($0)?.overlaps(part.column..<part.endColumn) == true }
      }
      if isHit { shown[placement]?.parts = [] }
    }
    for (placement, state) in shown where visible[placement] == nil {
      output.before += wipe(placement, state, under: visible.keys)
      output.hasCommands = output.hasCommands || state.delivery.isPlaced
      shown[placement] = nil
    }
    // On a slow line, many small images are there before one large image is.
    let inOrder = visible.compactMap { placement, parts in placed[placement].map { (placement, parts, $0) } }
      .sorted { ($0.2.image.bytes.count, $0.0.id) < ($1.2.image.bytes.count, $1.0.id) }
    for (placement, parts, graphic) in inOrder { show(graphic, at: placement, parts, &output) }
    output.deletions = store.takeDeletions()
    return output
  }

  private mutating func show(
    _ graphic: Graphic, at placement: GraphicLayout.Placement, _ parts: [Rect], _ output: inout Output
  ) {
    let old = shown[placement]?.parts
    let isSameCrop = shown[placement].map { $0.crop == graphic.crop } ?? true
    guard old != parts || !isSameCrop else { return }
    if graphic.delivery.isPlaced {
      guard store.canShow(graphic) else { return }
      movePlaced(graphic, at: placement, from: old ?? [], to: parts, isSameCrop: isSameCrop, &output)
    } else if !parts.allSatisfy({ $0.isCovered(by: old ?? []) }) {
      // It cannot be drawn in parts: what lies over it is written again.
      output.images += Self.at(placement.rect.column, placement.rect.row, graphic.image.bytes)
      output.covered += placement.rect.strips(besides: parts)
      drawn.append((placement, output.images.count))
      hasDrawn = true
    }
    shown[placement] = Shown(delivery: graphic.delivery, crop: graphic.crop, parts: parts)
  }

  private func movePlaced(
    _ graphic: Graphic, at placement: GraphicLayout.Placement, from old: [Rect], to parts: [Rect], isSameCrop: Bool,
    _ output: inout Output
  ) {
    output.hasCommands = true
    output.before += remove(old.filter { !parts.contains($0) }, of: graphic.id)
    // A part that is placed under the same number replaces the one before.
    for part in parts where !isSameCrop || !old.contains(part) {
      output.placements += Self.at(part.column, part.row, place(part, of: graphic, in: placement.rect))
    }
  }

  private func place(_ part: Rect, of graphic: Graphic, in rect: Rect) -> [UInt8] {
    guard let commands = graphic.delivery.commands else { return [] }
    let number = Self.number(of: part)
    let cells = graphic.image.isEnlarged ? Size(columns: part.columns, rows: part.rows) : nil
    guard part != rect else { return commands.place(graphic.id, number: number, crop: graphic.crop, cells: cells) }
    guard cells == nil else {
      let whole = KittyCommands.Crop(x: 0, y: 0, width: graphic.image.width, height: graphic.image.height)
      let crop = Self.crop(part, in: rect, of: graphic.crop ?? whole)
      return commands.place(graphic.id, number: number, crop: crop, cells: cells)
    }
    let x = (part.column - rect.column) * cellSize.width
    let y = (part.row - rect.row) * cellSize.height
    let crop = KittyCommands.Crop(
      x: x, y: y, width: min(part.columns * cellSize.width, graphic.image.width - x),
      height: min(part.rows * cellSize.height, graphic.image.height - y))
    guard crop.width > 0, crop.height > 0 else { return [] }
    return commands.place(graphic.id, number: number, crop: crop, cells: nil)
  }

  /// Returns the pixels of a part of an image of which some pixels are scaled to fill a rectangle.
  private static func crop(_ part: Rect, in rect: Rect, of pixels: KittyCommands.Crop) -> KittyCommands.Crop {
    let left = (part.column - rect.column) * pixels.width / rect.columns
    let top = (part.row - rect.row) * pixels.height / rect.rows
    let right = (part.endColumn - rect.column) * pixels.width / rect.columns
    let bottom = (part.endRow - rect.row) * pixels.height / rect.rows
    return KittyCommands.Crop(
      x: pixels.x + left, y: pixels.y + top, width: max(1, right - left), height: max(1, bottom - top))
  }

  private func remove(_ parts: [Rect], of id: UInt32) -> [UInt8] {
    guard let commands = store.commands(for: id) else { return [] }
    return parts.flatMap { commands.remove(id, number: Self.number(of: $0)) }
  }

  /// The number by which the terminal knows a part of an image from its other parts: where the part begins.
  private static func number(of part: Rect) -> Int { part.row << 16 | part.column + 1 }

  private func wipe(
    _ placement: GraphicLayout.Placement, _ state: Shown, under others: some Sequence<GraphicLayout.Placement>
  ) -> [UInt8] {
    if state.delivery.isPlaced { return remove(state.parts, of: placement.id) }
    // Another image that is about to be drawn over all of it wipes it out.
    if !wipesFirst,
      others.contains(where: { $0.rect.intersection(placement.rect) == placement.rect && shown[$0] == nil })
    {
      return []
    }
    let rect = placement.rect.intersection(Rect(layout.size))
    return (rect.row..<rect.endRow).flatMap { row in
      Self.at(rect.column, row, Array("\u{1B}[m\u{1B}[\(rect.columns)X".utf8))
    }
  }

  /// Returns bytes that write at a cell, and leave the cursor and the attributes as ncurses had them.
  private static func at(_ column: Int, _ row: Int, _ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}7\u{1B}[\(row + 1);\(column + 1)H".utf8) + bytes + Array("\u{1B}8".utf8)
  }
}
