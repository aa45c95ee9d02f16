import Gallery
import ImageWire
import Terminal
import ViewModels

/// A photo in the list, in the size that the user has chosen.
@MainActor
final class PhotoRowCell: RowCell {
  private let context: CellContext
  private var row: PhotoRow?

  /// The least width of a name with the date next to it, in columns.
  private static let narrowestName = 22

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.rowSize.height }

  func bind(_ row: PhotoRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    if context.rowSize == .compact { drawLine(row, on: surface) } else { drawTall(row, on: surface) }
  }

  private func drawTall(_ row: PhotoRow, on surface: Surface) {
    let text = ImageRow.draw(row.image, context.images, on: surface)
    let name = drawName(of: row, from: 0, .title, on: text)
    let subtitle = CellText(row.subtitle, truncatedTo: text.bounds.columns)
    if let finding = row.finding(besideName: name.string, subtitle: subtitle.string) {
      text.put(
        CellText(finding.text, truncatedTo: text.bounds.columns), row: 1, .secondary, lighting: finding.ranges(in:))
    } else {
      text.put(subtitle, row: 1, .secondary, lighting: row.found(inSubtitle:))
    }
    var end = 0
    for (part, role) in row.status {
      let part = CellText(part)
      if end + part.width <= text.bounds.columns { end = text.put(part, column: end, row: 2, role) + 2 }
    }
    if end < text.bounds.columns {
      text.put(CellText(row.folder, truncatedTo: text.bounds.columns - end), column: end, row: 2, .secondary)
    }
    let description = CellText(row.description).wrapped(to: text.bounds.columns).prefix(max(0, text.bounds.rows - 3))
    for (index, line) in description.enumerated() { text.put(line, row: 3 + index, .secondary) }
  }

  private func drawLine(_ row: PhotoRow, on surface: Surface) {
    let text = surface.clipped(to: surface.bounds.split(columns: surface.bounds.columns - 1).0)
    // There is room for one character, which is that of the most important part.
    if let (part, role) = row.status.first { text.put(String(part.prefix(1)), role) }
    guard let finding = row.finding(besideName: name(of: row, from: 2, on: text).string) else {
      _ = drawName(of: row, from: 2, .text, on: text)
      return
    }
    // The match replaces the date, and takes up to half of the line.
    let room = text.bounds.columns - 2
    let found = CellText(finding.text)
    let name = CellText(row.name, truncatedTo: max(room / 2, room - found.width - 2))
    text.put(name, column: 2, lighting: row.found(inName:))
    text.put(
      found.truncated(to: max(0, room - name.width - 2)), column: name.width + 4, .secondary,
      lighting: finding.ranges(in:))
  }

  /// Returns the part of the name that fits next to the date.
  private func name(of row: PhotoRow, from column: Int, on text: Surface) -> CellText {
    let room = text.bounds.columns - column
    return CellText(row.name, truncatedTo: room < Self.narrowestName ? room : room - CellText(row.date).width - 1)
  }

  /// Draws the name, and the date at the right if both fit.
  /// - Returns: The part of the name that is in view.
  private func drawName(of row: PhotoRow, from column: Int, _ role: Role, on text: Surface) -> CellText {
    if text.bounds.columns - column >= Self.narrowestName { text.putRight(row.date, .secondary) }
    let name = name(of: row, from: column, on: text)
    text.put(name, column: column, role, lighting: row.found(inName:))
    return name
  }
}

extension CellText {
  /// The characters of the text, as they are drawn.
  var string: String {
    var scalars = String.UnicodeScalarView()
    for cluster in clusters { scalars.append(contentsOf: cluster.scalars) }
    return String(scalars)
  }
}

extension PhotoRow {
  /// The parts of the third line, the most important first: the mark, the stars, the label, the badge, and the format.
  fileprivate var status: [(text: String, role: Role)] {
    var parts: [(String, Role)] = []
    if isMarked { parts.append(("✓ Marked", .accent)) } else if isInRange { parts.append(("│ Range", .accent)) }
    if !rating.isEmpty { parts.append((rating, .accent)) }
    if let label { parts.append(LabelColor(label).map { ("■", .label($0)) } ?? (label, .secondary)) }
    if let badge = saleBadge { parts.append(("\(badge.symbol) \(badge.text)", badge.role)) }
    if let rawFormat { parts.append((rawFormat.rawValue, .secondary)) }
    return parts
  }
}

extension LabelColor {
  /// Creates the color of a label from its name in Lightroom or in Bridge, or returns nil for any other label.
  init?(_ label: String) {
    switch label.lowercased() {
    case "red", "select": self = .red
    case "yellow", "second": self = .yellow
    case "green", "approved": self = .green
    case "blue", "review": self = .blue
    case "purple", "to do": self = .purple
    default: return nil
    }
  }
}

/// A row of several lines with a thumbnail at its left.
@MainActor
enum ImageRow {
  static let height = 3
  /// The least width of the texts beside a thumbnail, in columns.
  private static let narrowestText = 20

  /// Draws the thumbnail.
  /// - Returns: The surface next to it, for the texts.
  static func draw(_ image: ImageLocation, _ images: ImageLayer, on surface: Surface) -> Surface {
    let (thumbnail, rest) = divide(surface)
    if !thumbnail.bounds.isEmpty { images.draw(image, on: thumbnail) }
    return rest
  }

  /// The lengths of the lines that outline names, as parts of the width. They vary, so that rows look like different
  /// photos.
  private static let outlineLengths = [0.55, 0.4, 0.65, 0.5, 0.6, 0.35, 0.7]

  /// Draws the outline of a row that is loading: the place of its thumbnail, and lines in place of its texts.
  static func drawOutline(_ index: Int, _ context: CellContext, on surface: Surface) {
    var text = surface
    if context.rowSize != .compact {
      let thumbnail: Surface
      (thumbnail, text) = divide(surface)
      if !thumbnail.bounds.isEmpty { context.images.drawPlace(on: thumbnail) }
    }
    for row in 0..<min(2, text.bounds.rows) {
      let part = outlineLengths[(index + 3 * row) % outlineLengths.count]
      text.put(String(repeating: "━", count: Int(Double(text.bounds.columns) * part)), row: row, .faint)
    }
  }

  /// Prepares the thumbnail of a row that may be drawn on the surface soon.
  static func prepare(_ image: ImageLocation, _ context: CellContext, on surface: Surface) {
    let row = surface.clipped(to: surface.bounds.split(rows: context.rowSize.height).0)
    context.images.prepare(image, for: divide(row).0)
  }

  /// Returns the start of the texts in a row: behind the thumbnail, or 0 in a row that is too narrow for one.
  static func textColumn(inRowOf columns: Int, height: Int = height) -> Int {
    // Cells are about twice as high as wide, so the thumbnail's place is about 4 to 3.
    let width = height * 8 / 3
    return columns >= width + narrowestText ? width + 1 : 0
  }

  private static func divide(_ surface: Surface) -> (thumbnail: Surface, text: Surface) {
    let column = textColumn(inRowOf: surface.bounds.columns, height: surface.bounds.rows)
    let (thumbnail, rest) = surface.bounds.split(columns: column)
    return (
      surface.clipped(to: thumbnail.split(columns: max(0, column - 1)).0),
      surface.clipped(to: rest.split(columns: rest.columns - 1).0)
    )
  }
}

extension SaleBadge {
  var symbol: String { isForSale ? "●" : "○" }
  var role: Role { isForSale ? .positive : .negative }
}
