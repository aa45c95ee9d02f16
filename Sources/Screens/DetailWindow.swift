import Gallery
import ImageWire
import Terminal
import ViewModels

/// The detail of a photo: its image, its description and its metadata.
@MainActor
final class DetailWindow {
  private let images: ImageLayer
  private var position = TextPosition()
  /// The lines of the last frame, kept since laying out a long text takes time.
  private var layout: (detail: PhotoDetail, columns: Int, lines: [Line])?
  private var imageBox = Rect(column: 0, row: 0, columns: 0, rows: 0)

  private static let labelWidth = 10
  /// The rows reserved for the text on a low screen, and the least height of an image.
  private static let textRows = 9
  private static let smallestImage = 4

  init(images: ImageLayer) { self.images = images }

  var isScrollable: Bool { position.isScrollable }

  func scroll(_ move: Move) { position.scroll(move) }
  func scrollToTop() { position = TextPosition() }

  func draw(_ detail: PhotoDetail, hasFocus: Bool, isDimmed: Bool, on surface: Surface) {
    let surface = surface.clipped(to: surface.bounds.inset(columns: 1)).dimmed(isDimmed)
    let (title, body) = surface.bounds.split(rows: detail.author == nil ? 1 : 2)
    drawTitle(of: detail, hasFocus: hasFocus, on: surface.clipped(to: title))

    let lines = lines(of: detail, columns: body.columns)
    let (image, text) = Self.divide(body)
    imageBox = image
    if image.rows >= Self.smallestImage {
      let info = images.draw(detail.image, on: surface.clipped(to: image))
      // The row below the image is blank otherwise.
      if info?.isIncomplete == true {
        let note = CellText("Incomplete file", truncatedTo: body.columns)
        surface.put(note, column: (body.columns - note.width) / 2, row: image.endRow, .negative)
      }
    }
    draw(lines, of: detail, on: surface.clipped(to: text))
  }

  /// Prepares an image that may be shown next.
  func prepare(_ image: ImageLocation, on surface: Surface) {
    images.prepare(image, for: surface.clipped(to: imageBox))
  }

  private func drawTitle(of detail: PhotoDetail, hasFocus: Bool, on surface: Surface) {
    var end = surface.bounds.columns
    if let badge = detail.saleBadge { end = surface.putRight("\(badge.symbol) \(badge.text)", badge.role) - 1 }
    let name = CellText(detail.name, truncatedTo: end)
    surface.put(name, hasFocus ? .heading : .title, lighting: detail.found(inName:))
    if let author = detail.author {
      surface.put(CellText("by \(author)", truncatedTo: surface.bounds.columns), row: 1, .secondary)
    }
  }

  private func draw(_ lines: [Line], of detail: PhotoDetail, on surface: Surface) {
    position.setExtent(count: lines.count, capacity: surface.bounds.rows)
    for (row, line) in lines.dropFirst(position.top).prefix(surface.bounds.rows).enumerated() {
      surface.put(line.label, row: row, .secondary)
      let column = line.label.isEmpty ? 0 : Self.labelWidth
      surface.put(line.text, column: column, row: row) { detail.found(in: $0, label: line.field) }
    }
    // Arrows point to the lines out of view.
    if position.top > 0 { surface.putRight("↑", row: 0, .accent) }
    if position.top + surface.bounds.rows < lines.count {
      surface.putRight("↓", row: surface.bounds.rows - 1, .accent)
    }
  }
}

extension DetailWindow {
  private struct Line {
    var label = ""
    var text = CellText("")
    /// The label of the field that the line belongs to.
    var field: String?
  }

  /// Returns the description in paragraphs, and then one line for each field. Long values continue below themselves.
  private func lines(of detail: PhotoDetail, columns: Int) -> [Line] {
    if let layout, layout.detail == detail, layout.columns == columns { return layout.lines }
    // The last column is reserved for the arrows.
    let paragraphs = detail.description.map { CellText($0).wrapped(to: columns - 2).map { Line(text: $0) } }
    let fields = detail.fields.flatMap { field in
      CellText(field.value).wrapped(to: columns - 2 - Self.labelWidth).enumerated().map { index, text in
        Line(label: index == 0 ? field.label : " ", text: text, field: field.label)
      }
    }
    let lines = Array((paragraphs + [fields]).joined(separator: [Line()]))
    layout = (detail, columns, lines)
    return lines
  }

  /// Divides the window between the image and the text. The division is the same for every photo, so that nothing moves
  /// from one photo to the next.
  private static func divide(_ body: Rect) -> (image: Rect, text: Rect) {
    // Most photos fit well in 3 to 2, with a blank row above and below. Cells are about twice as high as wide.
    let rows = min(body.columns / 3 + 2, body.rows - textRows)
    guard rows >= smallestImage + 2 else { return body.split(rows: body.rows > textRows ? 1 : 0) }
    let (image, text) = body.split(rows: rows)
    return (image.inset(rows: 1), text)
  }
}
