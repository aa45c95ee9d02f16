import ImageWire

/// Keeps the terminal's own images in step with the cells.
///
/// Where an image lies over the cells, ncurses believes them to be blank. What is written there covers the image;
/// what was covered and is free again is drawn anew. An image that has gone is wiped out before the frame's cells are
/// written.
@MainActor
final class GraphicsBoard {
  /// What belongs to one frame: before the cells and behind them.
  struct Output {
    var before: [UInt8] = []
    var cells: [UInt8] = []
    /// Where images go that have been sent.
    var placements: [UInt8] = []
    /// Images, each at its place.
    var images: [UInt8] = []
    /// Cells that lie over these images, and are written again after them.
    var covered: [Rect] = []
    /// What writes those cells.
    var covering: [UInt8] = []
    /// What the terminal may let go of when the frame is there.
    var deletions: [UInt8] = []

    /// Whether the terminal shows all that it is to show.
    var isEmpty: Bool { before.isEmpty && cells.isEmpty && placements.isEmpty && images.isEmpty }
  }

  private struct Placement: Hashable {
    let id: UInt32
    let rect: Rect
  }

  /// A cell's size in pixels.
  var cellSize = CellSize.standard
  /// Whether an image is wiped out before another is drawn over it. Where the terminal shows every step it is not; but
  /// of images that lie on one another, some leave shreds (foot 1.13).
  var wipesFirst = false
  /// Called when the terminal has lost images that it was sent: whoever has them must send them anew.
  var onImagesLost: () -> Void = {}

  private var size = Size(columns: 0, rows: 0)
  /// For each cell which of `placements` lies there, counted from 1; 0 is none.
  private var owners: [Int] = []
  private var placements: [Placement] = []
  private var graphics: [UInt32: Graphic] = [:]
  private var prepared: [Graphic] = []
  /// What the terminal shows, and which parts of it (whole where there is one part as large as itself).
  private var shown: [Placement: [Rect]] = [:]
  private var shownDeliveries: [UInt32: Delivery] = [:]
  /// What the last frame drew, and where in its bytes each of them ends.
  private var drawn: [(placement: Placement, end: Int)] = []
  /// What the terminal has been sent and keeps, and how.
  private var sent: [UInt32: Delivery] = [:]
  /// Of all that have ever been sent.
  private var numbersSent: ClosedRange<UInt32>?
  /// Those of `sent` of which the last byte has left.
  private var arrived: Set<UInt32> = []
  /// Those that would be shown had they arrived.
  private var awaited: Set<UInt32> = []
  private var forgotten: [UInt8] = []
  /// What deletes the images that went with the screen, before others are sent.
  private var cleared: [UInt8] = []

  /// What a terminal is sent beforehand costs the line, unless it is but a file's name.
  private static let longestPrepared = 4096

  func beginFrame(size: Size) {
    self.size = size
    placements = []
    graphics = [:]
    prepared = []
    awaited = []
    if owners.count == size.columns * size.rows {
      for index in owners.indices { owners[index] = 0 }
    } else {
      owners = Array(repeating: 0, count: size.columns * size.rows)
    }
  }

  /// Says that `graphic` will perhaps be shown soon.
  func prepare(_ graphic: Graphic) { prepared.append(graphic) }

  /// Says that the cells of `rect`, which have just been blanked, are the image's.
  func place(_ graphic: Graphic, in rect: Rect) {
    use(graphic)
    placements.append(Placement(id: graphic.id, rect: rect))
    for row in rect.row..<rect.endRow {
      for column in rect.column..<rect.endColumn { owners[row * size.columns + column] = placements.count }
    }
  }

  /// Says that placeholders for `graphic` are on the screen.
  func use(_ graphic: Graphic) { graphics[graphic.id] = graphic }

  /// Whether all of `graphic` has been sent, or need not be beforehand.
  func hasArrived(_ graphic: Graphic) -> Bool {
    if graphic.delivery == .drawn || arrived.contains(graphic.id) { return true }
    awaited.insert(graphic.id)
    return false
  }

  /// Says that all of an image has been sent.
  /// - Returns: Whether a frame would show it that could not.
  func arrive(_ id: UInt32) -> Bool {
    if sent[id] != nil { arrived.insert(id) }
    return awaited.remove(id) != nil
  }

  /// What this frame shows of images that are sent beforehand, or may show soon.
  var wanted: Set<UInt32> { Set(graphics.keys).union(prepared.map(\.id)) }

  /// Says that the terminal has not got all of some image, and will not.
  func lose(_ loss: Outbox.Loss) {
    switch loss {
    case .drawn(let count): for (placement, end) in drawn where end > count { shown[placement] = [] }
    case .transmitted(let id): sent[id] = nil
    }
  }

  /// Says that something was written into a cell.
  func cover(column: Int, row: Int, columns: Int) {
    guard !placements.isEmpty else { return }
    for column in column..<min(size.columns, column + columns) where row < size.rows {
      owners[row * size.columns + column] = 0
    }
  }

  /// Whether images lie over the cells: those of the last frame, or of the one being drawn.
  var liesOverCells: Bool { !placements.isEmpty || !shown.isEmpty }

  /// Forgets what the terminal shows, as it is about to clear the screen.
  func invalidate() {
    shown = [:]
    // kitty then lets go of what it does not show, and a file that it has read is gone.
    let lost = sent.filter(\.value.isPlaced).keys
    guard !lost.isEmpty else { return }
    // Others keep them.
    for id in lost { cleared += deletion(id) }
    onImagesLost()
  }

  /// Forgets also what it keeps, as after leaving the alternate screen.
  /// - Returns: What deletes that where it is kept all the same, as behind tmux.
  func reset() -> [UInt8] {
    shown = [:]
    cleared = []
    forgotten = []
    guard !sent.isEmpty else { return [] }
    defer { onImagesLost() }
    return deletions()
  }

  /// Has the terminal let go of images that will not be shown again.
  func forget(_ ids: [UInt32]) {
    // Where images are placed, deleting one that is not on the screen would delete all such (kitty up to 0.26): the
    // terminal has bounds of its own, and at the end all are deleted.
    for id in ids where sent[id]?.isPlaced != true { forgotten += deletion(id) }
  }

  /// What has the terminal let go of everything it keeps.
  /// - Parameter unsent: Images that it has not been sent after all.
  func deletions(except unsent: [UInt32] = []) -> [UInt8] {
    Set(sent.keys).subtracting(unsent).flatMap { deletion($0) }
  }

  /// What deletes all images that have been sent, however many, where they are given back by a signal; empty where
  /// none has been sent. Those behind placeholders go by their numbers, which no other program has (kitty from 0.33 on).
  var deletionOfAll: [UInt8] {
    guard let numbers = numbersSent, let delivery = sent.first?.value, let commands = delivery.commands else { return [] }
    return delivery.isPlaced ? commands.deleteVisible() : commands.delete(numbers)
  }

  private func deletion(_ id: UInt32) -> [UInt8] {
    guard let delivery = sent.removeValue(forKey: id) else { return [] }
    arrived.remove(id)
    return delivery.commands?.delete(id) ?? []
  }

  /// What has to be sent for the frame that has been drawn, and need not be there before it.
  func transmissions() -> [Transmission] {
    defer { cleared = [] }
    // As they were rendered, which is the order in which they are wanted.
    let new = graphics.values.sorted { $0.id < $1.id } + prepared.filter { $0.image.bytes.count <= Self.longestPrepared }
    return [Transmission(cleared)]
      + new.compactMap { graphic in
        guard graphic.delivery != .drawn, sent.updateValue(graphic.delivery, forKey: graphic.id) == nil else { return nil }
        let (low, high) = (numbersSent?.lowerBound ?? graphic.id, numbersSent?.upperBound ?? graphic.id)
        numbersSent = min(low, graphic.id)...max(high, graphic.id)
        // The frames between its sequences would have commands of their own.
        return Transmission(id: graphic.id, graphic.image.bytes, isWhole: graphic.delivery.isPlaced)
      }
  }

  /// - Parameter changes: From where to where ncurses will write in a row: it may write there over blanks that stay
  ///   blanks, and so over the images in them.
  func endFrame(changes: (_ row: Int) -> ClosedRange<Int>?) -> Output {
    var output = Output()
    drawn = []
    let visible = visibleParts()
    for placement in shown.keys where shownDeliveries[placement.id] == .drawn {
      let isHit = visible[placement, default: []].contains { part in
        (part.row..<part.endRow).contains { changes($0)?.overlaps(part.column..<part.endColumn) == true }
      }
      if isHit { shown[placement] = [] }
    }
    for (old, parts) in shown where visible[old] == nil {
      output.before += removal(of: old, parts: parts, under: Set(visible.keys))
      shown[old] = nil
    }
    // One image may have been in several places.
    let stillShown = Set(visible.keys.map(\.id))
    shownDeliveries = shownDeliveries.filter { stillShown.contains($0.key) }
    // Behind a slow line, many small ones are there before one that is large.
    let inOrder = visible.compactMap { placement, parts in graphics[placement.id].map { (placement, parts, $0) } }
      .sorted { ($0.2.image.bytes.count, $0.0.id) < ($1.2.image.bytes.count, $1.0.id) }
    for (placement, parts, graphic) in inOrder { show(placement, parts, graphic, &output) }
    output.deletions = forgotten
    forgotten = []
    return output
  }

  private func show(_ placement: Placement, _ parts: [Rect], _ graphic: Graphic, _ output: inout Output) {
    guard shown[placement] != parts, !graphic.delivery.isPlaced || hasArrived(graphic) else { return }
    let old = shown[placement] ?? []
    shownDeliveries[placement.id] = graphic.delivery
    if graphic.delivery.isPlaced {
      output.before += removal(of: graphic.id, parts: old.filter { !parts.contains($0) })
      for part in parts where !old.contains(part) {
        output.placements += Self.at(part.column, part.row, place(graphic, part, of: placement.rect))
      }
    } else if !parts.allSatisfy({ $0.isCovered(by: old) }) {
      // It cannot be drawn in parts: what lies over it is written again.
      output.images += Self.at(placement.rect.column, placement.rect.row, graphic.image.bytes)
      output.covered += covered(besides: parts, of: placement.rect)
      drawn.append((placement, output.images.count))
    }
    shown[placement] = parts
  }

  /// The cells of an image's place, by rows, that are in none of its visible parts.
  private func covered(besides parts: [Rect], of rect: Rect) -> [Rect] {
    (rect.row..<rect.endRow).flatMap { row in
      let visible = parts.filter { $0.row <= row && row < $0.endRow }.sorted { $0.column < $1.column }
      let starts = [rect.column] + visible.map(\.endColumn)
      let ends = visible.map(\.column) + [rect.endColumn]
      return zip(starts, ends).filter { $0 < $1 }.map { Rect(column: $0, row: row, columns: $1 - $0, rows: 1) }
    }
  }

  private func place(_ graphic: Graphic, _ part: Rect, of rect: Rect) -> [UInt8] {
    guard let commands = graphic.delivery.commands else { return [] }
    guard part != rect else { return commands.place(graphic.id, number: Self.number(of: part), crop: nil) }
    let (x, y) = ((part.column - rect.column) * cellSize.width, (part.row - rect.row) * cellSize.height)
    let crop = KittyCommands.Crop(
      x: x, y: y, width: min(part.columns * cellSize.width, graphic.image.width - x),
      height: min(part.rows * cellSize.height, graphic.image.height - y))
    guard crop.width > 0, crop.height > 0 else { return [] }
    return commands.place(graphic.id, number: Self.number(of: part), crop: crop)
  }

  private func removal(of id: UInt32, parts: [Rect]) -> [UInt8] {
    guard let commands = sent[id]?.commands else { return [] }
    return parts.flatMap { commands.remove(id, number: Self.number(of: $0)) }
  }

  /// By which the terminal knows a part of an image from others of the same image: where it begins.
  private static func number(of part: Rect) -> Int { part.row << 16 | part.column + 1 }

  private func removal(of placement: Placement, parts: [Rect], under others: Set<Placement>) -> [UInt8] {
    if shownDeliveries[placement.id]?.isPlaced == true { return removal(of: placement.id, parts: parts) }
    // Wiped out cell by cell, unless another image comes to lie over all of it.
    if !wipesFirst,
      others.contains(where: { $0.rect.intersection(placement.rect) == placement.rect && shown[$0] == nil })
    {
      return []
    }
    let rect = placement.rect.intersection(Rect(size))
    return (rect.row..<rect.endRow).flatMap { row in
      Self.at(rect.column, row, Array("\u{1B}[m".utf8) + Array(repeating: UInt8(ascii: " "), count: rect.columns))
    }
  }

  /// Which parts of each image nothing covers, as few rectangles.
  private func visibleParts() -> [Placement: [Rect]] {
    var parts: [Placement: [Rect]] = [:]
    for (index, placement) in placements.enumerated() {
      var open: [Rect] = []
      var closed: [Rect] = []
      for row in placement.rect.row..<placement.rect.endRow {
        let runs = runs(of: index + 1, in: placement.rect, row: row)
        var next: [Rect] = []
        for run in runs {
          if let above = open.firstIndex(where: { $0.column == run.column && $0.columns == run.columns }) {
            var grown = open.remove(at: above)
            grown.rows += 1
            next.append(grown)
          } else {
            next.append(run)
          }
        }
        closed += open
        open = next
      }
      let all = closed + open
      if !all.isEmpty { parts[placement] = all }
    }
    return parts
  }

  private func runs(of owner: Int, in rect: Rect, row: Int) -> [Rect] {
    var runs: [Rect] = []
    for column in rect.column..<rect.endColumn where owners[row * size.columns + column] == owner {
      if let last = runs.last, last.endColumn == column {
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Rect(column: column, row: row, columns: 1, rows: 1))
      }
    }
    return runs
  }

  /// Writes at a cell, and leaves the cursor and the attributes as ncurses had them.
  private static func at(_ column: Int, _ row: Int, _ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}7\u{1B}[\(row + 1);\(column + 1)H".utf8) + bytes + Array("\u{1B}8".utf8)
  }
}

extension Rect {
  /// Whether all of it lies in some of `others`, which do not overlap.
  fileprivate func isCovered(by others: [Rect]) -> Bool {
    others.reduce(0) { area, other in
      let common = intersection(other)
      return area + common.columns * common.rows
    } == columns * rows
  }
}
