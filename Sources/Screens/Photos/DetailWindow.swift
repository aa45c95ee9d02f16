import Gallery
import ImageWire
import Terminal
import ViewModels

/// The detail of a photo: its image, its description and its metadata.
@MainActor
final class DetailWindow {
  private let images: ImageLayer
  private let frameTimer: FrameTimer
  /// The animation that plays, its frame, and the one that is on the screen until that is there.
  private var animation: (image: ImageLocation?, wanted: Int, shown: Int) = (nil, 0, 0)
  private var position = TextPosition()
  /// The lines of the last frame, kept since laying out a long text takes time.
  private var layout: (detail: PhotoDetail, size: Size, lines: [Line])?
  /// The place of the last frame's image and text.
  private var body = Rect(column: 0, row: 0, columns: 0, rows: 0)

  private static let histogramRows = 3
  /// The least height of a text that has a blank line above it.
  private static let airyRows = 12
  /// The number of lines that an announcement has.
  private static let mostAnnounced = 6
  /// The least height of an image.
  private static let smallestImage = 4

  init(images: ImageLayer) {
    self.images = images
    frameTimer = FrameTimer(clock: images.clock)
  }

  var isScrollable: Bool { position.isScrollable }

  /// Returns the lines of a detail from the first one in view on. It may not have been drawn yet.
  func announcement(of detail: PhotoDetail) -> String {
    let all = layout.map { self.lines(of: detail, size: $0.size) } ?? []
    let seen = all.dropFirst(position.top).prefix(Self.mostAnnounced)
    return seen.map { [$0.heading ?? $0.label, $0.text.string].filter { !$0.isEmpty }.joined(separator: " ") }
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  func scroll(_ move: Move) { position.scroll(move) }

  /// Begins with another item.
  func restart() {
    position = TextPosition()
    animation = (nil, 0, 0)
    frameTimer.stop()
  }

  func draw(_ detail: PhotoDetail, hasFocus: Bool, isDimmed: Bool, on surface: Surface) {
    let surface = surface.clipped(to: surface.bounds.inset(columns: 1)).dimmed(isDimmed)
    let title: Rect
    (title, body) = surface.bounds.split(rows: detail.author == nil ? 1 : 2)
    drawTitle(of: detail, hasFocus: hasFocus, on: surface.clipped(to: title))

    let (wholeImage, text) = divide(body, for: detail)
    let (image, film) = divide(image: wholeImage, for: detail)
    let lines = lines(of: detail, size: Size(columns: text.columns, rows: text.rows))
    var histogram: ToneHistogram?
    if !image.isEmpty {
      let info = drawImage(of: detail, on: surface.clipped(to: image))
      histogram = info?.histogram
      film?.draw(detail, images, on: surface)
      // The row below the image is blank otherwise.
      if info?.isIncomplete == true {
        let note = CellText(localized("Incomplete file"), truncatedTo: body.columns)
        surface.put(note, column: (body.columns - note.width) / 2, row: image.endRow, .negative)
      }
    }
    if images.areShown, let grid = TileGrid(count: detail.photos.count, in: text) {
      return draw(detail, in: grid, on: surface)
    }
    draw(lines, of: detail, on: surface.clipped(to: text))
    if let histogram { draw(histogram, beside: lines, of: detail, on: surface.clipped(to: text)) }
  }

  /// Draws the image, or the frame of an animation, which plays unless the line is slow.
  private func drawImage(of detail: PhotoDetail, on surface: Surface) -> ImageInfo? {
    func presentation(_ frame: Int) -> ImagePresentation {
      ImagePresentation(rotation: ImageRotation(quarters: detail.quarters), frame: frame)
    }
    if animation.image != detail.image { animation = (detail.image, 0, 0) }
    let (_, wanted, shown) = animation
    let drawn = images.draw(
      detail.image, as: presentation(wanted), meanwhile: wanted == shown ? nil : presentation(shown), on: surface)
    guard let info = drawn.info, info.frames > 1, images.playsAnimations, !images.isLineSlow else { return drawn.info }
    animation.shown = wanted
    let next = (wanted + 1) % info.frames
    images.prepare(detail.image, as: presentation(next), for: surface)
    frameTimer.start(after: info.delay) { [unowned self] in
      animation.wanted = next
      images.display.setNeedsDisplay()
    }
    return info
  }

  /// Draws the description and the metadata alone, where an image would be if images were shown.
  func drawText(_ detail: PhotoDetail, on surface: Surface) {
    draw(
      lines(of: detail, size: Size(columns: surface.bounds.columns, rows: surface.bounds.rows)), of: detail, on: surface
    )
  }

  /// Prepares the image of a detail that may be shown next.
  func prepare(_ detail: PhotoDetail, on surface: Surface) {
    let (wholeImage, text) = divide(body, for: detail)
    let (image, _) = divide(image: wholeImage, for: detail)
    images.prepare(detail.image, quarters: detail.quarters, for: surface.clipped(to: image))
    guard let grid = TileGrid(count: detail.photos.count, in: text) else { return }
    for (index, photo) in detail.photos.prefix(grid.capacity).enumerated() {
      images.prepare(photo.image, view: .filling, for: surface.clipped(to: grid.image(at: index)))
    }
  }

  private func drawTitle(of detail: PhotoDetail, hasFocus: Bool, on surface: Surface) {
    var end = surface.bounds.columns
    if let badge = detail.saleBadge { end = surface.putRight("\(badge.symbol) \(badge.text)", badge.role) - 1 }
    let name = CellText(detail.name, truncatedTo: end)
    if hasFocus { surface.placeCursor() }
    surface.put(name, hasFocus ? .heading : .title, lighting: detail.found(inName:))
    if let author = detail.author {
      surface.put(CellText(localized("by \(author)"), truncatedTo: surface.bounds.columns), row: 1, .secondary)
    }
  }

  private func draw(_ lines: [Line], of detail: PhotoDetail, on surface: Surface) {
    position.setExtent(count: lines.count, capacity: surface.bounds.rows)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      draw(line, of: detail, row: row, on: surface)
    }
    drawArrows(on: surface)
  }

  /// Draws the photos that belong to an item, with their names below them.
  private func draw(_ detail: PhotoDetail, in grid: TileGrid, on surface: Surface) {
    position.setExtent(count: grid.rowCount, capacity: grid.visibleRows)
    surface.clipped(to: grid.heading).drawSection(detail.photos.count.photosText)
    let first = position.top * grid.columns
    for (index, photo) in detail.photos.dropFirst(first).prefix(grid.capacity).enumerated() {
      images.draw(photo.image, view: .filling, on: surface.clipped(to: grid.image(at: index)))
      let line = surface.clipped(to: grid.name(at: index))
      line.put(CellText(photo.displayName, truncatedTo: line.bounds.columns), .secondary)
    }
    drawArrows(on: surface.clipped(to: grid.bounds))
  }

  /// Draws arrows that point to what is not in view.
  private func drawArrows(on surface: Surface) {
    if position.isBelowTop { surface.putRight("↑", row: 0, .accent) }
    if position.isAboveEnd { surface.putRight("↓", row: surface.bounds.rows - 1, .accent) }
  }
}

extension DetailWindow {
  private struct Line {
    var label = ""
    var text = CellText("")
    /// The field that the line belongs to.
    var field: PhotoDetail.Field?
    /// The heading of a group, if the line is one.
    var heading: String?
  }

  private func draw(_ line: Line, of detail: PhotoDetail, row: Int, on surface: Surface) {
    if let heading = line.heading {
      let (_, below) = surface.bounds.split(rows: row)
      // The last column is reserved for the arrows.
      let line = Rect(column: below.column, row: below.row, columns: below.columns - 2, rows: 1)
      return surface.clipped(to: line).drawSection(heading)
    }
    surface.put(line.label, row: row, .secondary)
    let column = line.label.isEmpty ? 0 : detail.labelColumns
    surface.put(line.text, column: column, row: row) { detail.found(in: $0, label: line.field?.label) }
    if let link = line.field?.link { surface.link(link, column: column, row: row, columns: line.text.width) }
  }

  /// Draws a histogram at the right of the lines about the capture, if they leave room for it.
  private func draw(
    _ histogram: ToneHistogram, beside lines: [Line], of detail: PhotoDetail, on surface: Surface
  ) {
    let capture = Set(detail.groups.first { $0.heading == PhotoDetail.captureHeading }?.fields ?? [])
    let visible = lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated()
    let rows = visible.filter { $0.element.field.map(capture.contains) ?? false }.prefix(Self.histogramRows)
    let column = surface.bounds.columns - HistogramBars.columns - 2
    guard rows.count > 1, let first = rows.first?.offset, HistogramBars.isSupported,
      rows.allSatisfy({ detail.labelColumns + $0.element.text.width < column })
    else { return }
    let place = Rect(
      column: surface.bounds.column + column, row: surface.bounds.row + first, columns: HistogramBars.columns,
      rows: rows.count)
    HistogramBars.draw(histogram, on: surface.clipped(to: place))
  }

  /// Returns the description in paragraphs, and then the groups of fields. Their headings are left out if not all lines
  /// would be in view.
  private func lines(of detail: PhotoDetail, size: Size) -> [Line] {
    if let layout, layout.detail == detail, layout.size == size { return layout.lines }
    let paragraphs = detail.description.map { CellText($0).wrapped(to: size.columns - 2).map { Line(text: $0) } }
    let groups = detail.groups.map { group in
      let heading = group.heading.map { [Line(heading: $0)] } ?? []
      return (heading, group.fields.flatMap { self.lines(of: $0, columns: size.columns - detail.labelColumns) })
    }
    func joined(_ groups: [[Line]]) -> [Line] {
      Array((paragraphs + groups.filter { !$0.isEmpty }).joined(separator: [Line()]))
    }
    var lines = joined(groups.map { $0 + $1 })
    if lines.count > size.rows { lines = joined([Array(groups.map(\.1).joined())]) }
    layout = (detail, size, lines)
    return lines
  }

  /// Returns the lines of a field whose value has some columns. A long value continues below itself.
  private func lines(of field: PhotoDetail.Field, columns: Int) -> [Line] {
    CellText(field.value).wrapped(to: columns - 2).enumerated().map { index, text in
      Line(label: index == 0 ? field.label : " ", text: text, field: field)
    }
  }

  /// Divides the window between the image and the text. The division is the same for every photo, so that nothing moves
  /// from one photo to the next.
  private func divide(_ body: Rect, for detail: PhotoDetail) -> (image: Rect, text: Rect) {
    guard images.areShown else {
      let (gap, text) = body.split(rows: body.rows < Self.airyRows ? 0 : 1)
      return (gap.split(columns: 0).0, text)
    }
    // The text gets a quarter of a high window, and up to two fifths of a low one.
    let textRows = min(max(9, body.rows / 4), body.rows * 2 / 5)
    // Photos that belong to the item get up to three fifths.
    let tileRows = TileGrid(count: detail.photos.count, in: body.split(rows: body.rows * 2 / 5).1)?.lines ?? 0
    // Most photos fit well in 3 to 2, with a blank row above and below. Cells are about twice as high as wide.
    let rows = min(body.columns / 3 + 2, body.rows - max(textRows, tileRows))
    guard rows >= Self.smallestImage + 2 else { return body.split(rows: 0) }
    let (image, text) = body.split(rows: rows)
    return (image.inset(rows: 1), text)
  }

  /// Divides the place of a video between its still and the strip of more stills below it.
  private func divide(image: Rect, for detail: PhotoDetail) -> (still: Rect, film: FilmStrip?) {
    guard detail.videoDuration != nil, let film = FilmStrip(in: image), !images.areCharacters || film.isLarge else {
      return (image, nil)
    }
    return (image.split(rows: image.rows - film.rows - 1).0, film)
  }
}

extension PhotoDetail {
  static let leastLabelColumns = 10

  /// The columns of the labels with the gap behind them. Those of all metadata count, so that the values don't move from
  /// one photo to the next.
  var labelColumns: Int {
    let labels = MetadataField.all.compactMap(\.label) + fields.map(\.label)
    return max(Self.leastLabelColumns, (labels.map { CellText($0).width }.max() ?? 0) + 2)
  }
}
