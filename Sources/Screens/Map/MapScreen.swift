import Gallery
import Geography
import Terminal
import ViewModels

/// The map of the photos, over the whole window. What it shows becomes a search.
@MainActor
final class MapScreen: Popup {
  var name: String { localized("Map") }
  var onClose: () -> Void = {}
  /// Called with the query for the photos of the frame or of the chosen cluster.
  let onFind: (String) -> Void

  let map: PhotoMap
  /// The cells of the map in the window.
  private(set) var place = Rect(column: 0, row: 0, columns: 0, rows: 0)

  init(_ map: PhotoMap, onFind: @escaping (String) -> Void) {
    self.map = map
    self.onFind = onFind
  }

  let extent = Extent.window
  let hints: [Command] = [
    .close, .press, .nextPane, .zoomIn, .zoomOut, .moveUp, .moveLeft, .wholeMap, .help,
  ]

  var announcement: String? {
    switch map.state {
    case .loading: localized("The positions are read…")
    case .empty: localized("No listed photo has a position.")
    case .loaded: words
    }
  }

  /// The chosen cluster, and the frame.
  private var words: String { [map.choice, map.status].compactMap(\.self).joined(separator: " · ") }

  func draw(on surface: Surface) {
    let (area, line) = surface.bounds.split(rows: surface.bounds.rows - 1)
    place = area
    surface.clear()
    // As with the panes of a comparison, the window decides how much there is to show.
    map.show(columns: area.columns, rows: area.rows)
    guard map.state == .loaded else {
      surface.put(CellText(announcement ?? "", truncatedTo: surface.bounds.columns), row: area.rows / 2, .secondary)
      return
    }
    let canvas = surface.clipped(to: area)
    drawLines(on: canvas)
    var taken = Set<Int>()
    for (index, cluster) in map.clusters.enumerated() {
      draw(cluster, isChosen: index == map.chosen, on: canvas)
      for column in cluster.firstColumn - 1...cluster.firstColumn + cluster.text.count + 1 {
        taken.insert(cluster.row * area.columns + column)
      }
    }
    for label in map.labels { draw(label, on: canvas, avoiding: &taken) }
    let status = surface.clipped(to: line.inset(columns: 1))
    let start = map.choice.map { status.put(CellText("\($0) · ", truncatedTo: status.bounds.columns), .accent) } ?? 0
    status.put(CellText(map.status, truncatedTo: status.bounds.columns - start), column: start, .secondary)
  }

  /// Draws the coastlines and the borders. A screen reader would read the characters that they consist of.
  private func drawLines(on surface: Surface) {
    guard let raster = map.raster, let frame = map.frame, !Charset.isPlain else { return }
    let isBraille = Charset.current == .unicode
    for row in 0..<frame.rows {
      for column in 0..<frame.columns {
        let cell = row * frame.columns + column
        let (coast, border) = (raster.coasts[cell], raster.borders[cell])
        guard coast | border != 0 else { continue }
        let text = isBraille ? Self.braille(coast | border) : Self.ascii(coast | border)
        surface.put(text, column: column, row: row, coast == 0 ? .faint : .secondary)
      }
    }
  }

  private static func braille(_ dots: UInt8) -> String {
    Unicode.Scalar(0x2800 + UInt32(dots)).map { String($0) } ?? " "
  }

  /// Returns the character of ASCII that is most like some dots.
  private static func ascii(_ dots: UInt8) -> String {
    let (upper, lower) = (dots & 0x1B != 0, dots & 0xE4 != 0)
    return upper && lower ? ":" : upper ? "'" : "."
  }

  private func draw(_ cluster: MapCluster, isChosen: Bool, on surface: Surface) {
    let surface = isChosen ? surface.on(.selection) : surface
    if isChosen { surface.placeCursor(column: cluster.firstColumn, row: cluster.row) }
    let dot = Charset.isPlain ? "" : cluster.isHighlighted ? "◎" : "●"
    let count = Charset.isPlain && cluster.count == 1 ? "1" : cluster.text
    let text = cluster.isTextAtLeft ? count + dot : dot + count
    let role: Role = isChosen || cluster.isHighlighted ? .found : .accent
    surface.put(text, column: cluster.firstColumn, row: cluster.row, role)
  }

  /// Draws a city with its name beside it, and a blank at the other end of the name, unless another text is there.
  private func draw(_ label: PhotoMap.Label, on surface: Surface, avoiding taken: inout Set<Int>) {
    let columns = surface.bounds.columns
    let sign = Charset.isPlain ? " " : Charset.current.isASCII ? "." : "·"
    let width = CellText(label.name).width + 2
    for isAtLeft in [false, true] {
      let start = isAtLeft ? label.column + 1 - width : label.column
      let cells = start..<start + width
      guard start >= 0, start + width <= columns,
        !cells.contains(where: { taken.contains(label.row * columns + $0) })
      else { continue }
      surface.put(isAtLeft ? " \(label.name)\(sign)" : "\(sign)\(label.name) ", column: start, row: label.row)
      taken.formUnion(cells.map { label.row * columns + $0 })
      return
    }
  }
}

extension MapScreen {
  /// The parts of the frame by which a key moves it.
  private static let step = 0.25

  @ActionList var actions: [Action] {
    Action(.close) { [self] in onClose() }
    let isLoading = map.frame == nil ? localized("The positions are read…") : nil
    let query = map.queryOfChoice
    Action(
      .press, label: localized("List photos"),
      refusal: isLoading ?? (query == nil ? localized("No photo is in this part of the map.") : nil)
    ) { [self] in
      if let query { find(query) }
    }
    Action(.moveLeft, refusal: isLoading) { [self] in map.pan(-Self.step, 0) }
    Action(.moveRight, refusal: isLoading) { [self] in map.pan(Self.step, 0) }
    Action(.moveUp, refusal: isLoading) { [self] in map.pan(0, -Self.step) }
    Action(.moveDown, refusal: isLoading) { [self] in map.pan(0, Self.step) }
    let isLargest = map.frame?.canZoomIn == false ? localized("The map is at its largest.") : nil
    Action(.zoomIn, refusal: isLoading ?? isLargest) { [self] in map.zoom(by: Zoom.step) }
    let isSmallest = map.frame?.canZoomOut == false ? localized("The whole world is shown.") : nil
    Action(.zoomOut, refusal: isLoading ?? isSmallest) { [self] in map.zoom(by: 1 / Zoom.step) }
    Action(.wholeMap, refusal: isLoading) { [self] in map.showAll() }
    Action(
      .nextPane, label: localized("Next dot"),
      refusal: map.clusters.isEmpty ? localized("No photo is in this part of the map.") : nil
    ) { [self] in
      map.chooseNext()
    }
  }

  func handle(_ mouse: Mouse) {
    guard place.contains(column: mouse.column, row: mouse.row) else { return }
    let (column, row) = (mouse.column - place.column, mouse.row - place.row)
    switch mouse.action {
    case .wheelUp: map.zoom(by: Zoom.step, column: column, row: row)
    case .wheelDown: map.zoom(by: 1 / Zoom.step, column: column, row: row)
    case .press: if map.press(column: column, row: row), let query = map.queryOfChoice { find(query) }
    case .release, .drag: break
    }
  }

  private func find(_ query: String) {
    onClose()
    onFind(query)
  }
}
