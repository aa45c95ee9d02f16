import Gallery
import ImageWire
import Terminal
import ViewModels

/// A photo in the list, in the size that the user has chosen.
@MainActor
final class PhotoRowCell: RowCell {
  private let context: CellContext
  private var row: PhotoRow?

  /// The room that a date on the line of the name must leave to it, in columns.
  private static let narrowestName = 18

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.rowSize.height }

  func bind(_ row: PhotoRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    if context.rowSize == .compact { drawLine(row, on: surface) } else { drawTall(row, on: surface) }
  }

  private func drawTall(_ row: PhotoRow, on surface: Surface) {
    let (text, info) = ThumbnailRow.draw(row.image, quarters: row.quarters, context.images, on: surface)
    let name = drawName(of: row, from: 0, .title, on: text)
    let lines = subtitle(of: row, on: text)
    let exposure = drawStatus(
      row.status(isIncomplete: info?.isIncomplete ?? false), of: row, hasDate: !hasDate(row, from: 0, on: text),
      on: text.clipped(to: text.bounds.split(rows: 1 + lines.count).1))
    let visible = (lines + [exposure]).map(\.string).joined(separator: " ")
    guard let finding = row.finding(besideName: name.string, subtitle: visible) else {
      for (index, line) in lines.enumerated() {
        text.put(line, row: 1 + index, .secondary, lighting: row.found(inSubtitle:))
      }
      return
    }
    // The match takes the place of the last line.
    text.put(
      CellText(finding.text, truncatedTo: text.bounds.columns), row: 1, .secondary, lighting: finding.ranges(in:))
    for (index, line) in lines.dropLast().enumerated() {
      text.put(line, row: 2 + index, .secondary, lighting: row.found(inSubtitle:))
    }
  }

  /// Returns the lines of the subtitle: as many as leave room for the name and for the status.
  private func subtitle(of row: PhotoRow, on text: Surface) -> [CellText] {
    let (columns, lines) = (text.bounds.columns, max(1, text.bounds.rows - 2))
    let subtitle = row.subtitle { CellText($0).width <= columns }
    // A long description is measured no further than it can be visible.
    return CellText(subtitle, truncatedTo: (columns + 1) * (lines + 1)).wrapped(to: columns, lines: lines)
  }

  /// Draws the line below the subtitle: the badges, the exposure and the folder.
  /// - Parameter hasDate: Whether the date is at its end if there is room, since the first line has none for it.
  /// - Returns: The part of the exposure that is in view.
  private func drawStatus(
    _ status: [PhotoRow.StatusSign], of row: PhotoRow, hasDate: Bool, on line: Surface
  ) -> CellText {
    let date = CellText(row.date)
    let width = status.reduce(-1) { $0 + CellText($1.text).width + 2 }
    let showsDate = hasDate && date.width > 0 && width + date.width <= line.bounds.columns
    let room = showsDate ? line.putRight(row.date, .secondary) - 1 : line.bounds.columns
    var end = 0
    for part in status {
      let word = CellText(part.text)
      if end + word.width <= room { end = line.put(word, column: end, part.role) + 2 }
    }
    // The shots of a stack have much the same exposure, so their names say more.
    let exposure = CellText(row.nameInStack == nil ? row.exposure { end + CellText($0).width <= room } : "")
    if exposure.width > 0 { end = line.put(exposure, column: end, .secondary, lighting: row.found(inSubtitle:)) + 2 }
    guard end < room else { return exposure }
    let path = CellText(row.folder + (row.nameInStack ?? ""))
    let shown = row.nameInStack == nil ? path.truncated(to: room - end) : path.truncatedInMiddle(to: room - end)
    line.put(shown, column: end, .secondary)
    return exposure
  }

  private func drawLine(_ row: PhotoRow, on surface: Surface) {
    let text = surface.clipped(to: surface.bounds.split(columns: surface.bounds.columns - 1).0)
    // There is room for one character, which is that of the most important part.
    if let part = row.status().first { text.put(part.sign, part.role) }
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
    // A row of one line has no other place for the file's name.
    return CellText(
      context.rowSize == .compact ? row.nameInStack ?? row.name : row.name,
      truncatedTo: hasDate(row, from: column, on: text) ? room - CellText(row.date).width - 1 : room)
  }

  /// Returns whether the line of the name has room for the date. That does not depend on the name, so that the dates are
  /// below each other.
  private func hasDate(_ row: PhotoRow, from column: Int, on text: Surface) -> Bool {
    text.bounds.columns - column - CellText(row.date).width - 1 >= Self.narrowestName
  }

  /// Draws the name, and the date at the right if both fit.
  /// - Returns: The part of the name that is in view.
  private func drawName(of row: PhotoRow, from column: Int, _ role: Role, on text: Surface) -> CellText {
    if hasDate(row, from: column, on: text) { text.putRight(row.date, .secondary) }
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
  /// A part of the third line.
  fileprivate struct StatusSign {
    let text: String
    /// The character that replaces the text in a row of one line.
    let sign: String
    let role: Role

    init(_ text: String, sign: String? = nil, _ role: Role) {
      self.text = text
      self.role = role
      self.sign = sign ?? String(text.prefix(1))
    }
  }

  /// Returns the parts of the third line, the most important first: the mark, a fault of the file, the stars, the label, the
  /// badge, the place in the stack and the sharpness, and the format.
  /// - Parameter isIncomplete: Whether only a part of the image could be decoded.
  fileprivate func status(isIncomplete: Bool = false) -> [StatusSign] {
    var parts: [StatusSign] = []
    if isMarked {
      parts.append(.init("✓ \(localized("Marked"))", .accent))
    } else if isInRange {
      parts.append(.init("│ \(localized("Range"))", .accent))
    }
    if isIncomplete || self.isIncomplete {
      parts.append(.init(localized("Incomplete file"), sign: Self.incompleteSign, .negative))
    }
    parts += decisions.signs.map { sign in
      StatusSign(sign.text, sign: sign.text.hasPrefix("★") ? "\(sign.text.count)" : nil, sign.role)
    }
    if let badge = saleBadge { parts.append(.init("\(badge.symbol) \(badge.text)", badge.role)) }
    if let stack { parts.append(.init("▤ \(stack.text)", .accent)) }
    if let sharpness = stack?.sharpness {
      let isBest = sharpness == 100
      let words = isBest ? localized("Sharpest") : localized("Sharpness \(sharpness) %")
      let text = isBest || Charset.isPlain ? "◈ \(words)" : "◈ \(sharpness) %"
      parts.append(.init(text, isBest ? .positive : .secondary))
    }
    if let format { parts.append(.init(format, .secondary)) }
    return parts
  }
}

extension PhotoRow {
  /// The sign of a file that ends before its image.
  static let incompleteSign = "!"
}

extension StackPlace {
  /// A short form of the place, such as `▤ 12` of a stack that is not open, `± 3` of a bracket, or `2/12`.
  var sign: String { isOpen ? text : "\(kind == .bracket ? "±" : "▤") \(count)" }
}

/// A row of several lines with a thumbnail at its left.
@MainActor
enum ThumbnailRow {
  static let height = 3
  /// The least width of the texts beside a thumbnail, in columns.
  private static let narrowestText = 20

  /// Draws the thumbnail.
  /// - Returns: The surface next to it, for the texts, and the properties of the image; nil until it is there.
  static func draw(
    _ image: ImageLocation, quarters: Int = 0, _ images: ImageLayer, on surface: Surface
  ) -> (text: Surface, info: ImageInfo?) {
    let (thumbnail, rest) = divide(surface, images)
    // A photo is seldom as wide and as high as its place, whose rest is not highlighted with the row.
    let place = thumbnail.on(.window)
    place.clear()
    return (rest, thumbnail.bounds.isEmpty ? nil : images.draw(image, quarters: quarters, on: place))
  }

  /// The lengths of the lines that outline names, as parts of the width. They vary, so that rows look like different
  /// photos.
  private static let outlineLengths = [0.55, 0.4, 0.65, 0.5, 0.6, 0.35, 0.7]

  /// Draws the outline of a row that is loading: the place of its thumbnail, and lines in place of its texts.
  static func drawOutline(_ index: Int, _ context: CellContext, on surface: Surface) {
    var text = surface
    if context.rowSize != .compact {
      let thumbnail: Surface
      (thumbnail, text) = divide(surface, context.images)
      if !thumbnail.bounds.isEmpty { context.images.drawPlace(on: thumbnail) }
    }
    for row in 0..<min(2, text.bounds.rows) {
      let part = outlineLengths[(index + 3 * row) % outlineLengths.count]
      text.put(String(repeating: "━", count: Int(Double(text.bounds.columns) * part)), row: row, .faint)
    }
  }

  /// Prepares the thumbnail of a row that may be drawn on the surface soon.
  static func prepare(_ row: some Imaged, _ context: CellContext, on surface: Surface) {
    let place = surface.clipped(to: surface.bounds.split(rows: context.rowSize.height).0)
    context.images.prepare(row.image, quarters: row.quarters, for: divide(place, context.images).0)
  }

  /// Returns the start of the texts in a row: behind the thumbnail, or 0 in a row that is too narrow for one or if no images
  /// are shown.
  static func textColumn(inRowOf columns: Int, height: Int = height, _ images: ImageLayer) -> Int {
    guard images.areShown else { return 0 }
    // Cells are about twice as high as wide, so the thumbnail's place is about 4 to 3.
    let width = height * 8 / 3
    return columns >= width + narrowestText ? width + 1 : 0
  }

  private static func divide(_ surface: Surface, _ images: ImageLayer) -> (thumbnail: Surface, text: Surface) {
    let column = textColumn(inRowOf: surface.bounds.columns, height: surface.bounds.rows, images)
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
