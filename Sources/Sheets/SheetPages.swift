import Gallery
import ImageWire

/// The pages of a contact sheet for paper, with a title and numbers.
public struct SheetPages: Sendable {
  private let layout: SheetLayout
  private let title: String

  private static let (dark, gray) = ("#333333", "#808080")

  /// Creates pages.
  ///
  /// - Parameter title: The title, or nothing.
  public init(_ layout: SheetLayout, title: String) {
    self.layout = layout
    self.title = title.printable
  }

  /// Returns the drawing of all pages.
  ///
  /// - Parameter count: The number of photos in words.
  public func drawing(of photos: [(photo: SheetPhoto, picture: SheetPicture)], count: String) -> SheetDrawing {
    let pageCount = layout.pageCount(photos.count)
    let pages = (0..<pageCount).map { page in
      let first = page * layout.grid.count
      let shown = photos[first..<min(photos.count, first + layout.grid.count)]
      return SheetDrawing.Page(
        pictures: shown.enumerated().map { layout.picture($1.picture, inCell: $0) },
        lines: header(count) + shown.enumerated().flatMap { caption(of: $1.photo, inCell: $0) }
          + [footer(page: page + 1, of: pageCount)])
    }
    return SheetDrawing(width: layout.width, height: layout.height, title: title, pages: pages)
  }

  private func header(_ count: String) -> [SheetDrawing.Line] {
    let width = layout.width - 2 * SheetLayout.margin
    return [
      SheetDrawing.Line(
        Self.markup(title, Self.dark, "weight=\"bold\""), size: 14, x: SheetLayout.margin, y: SheetLayout.margin - 3,
        width: width * 0.75, alignment: .left),
      SheetDrawing.Line(
        Self.markup(count, Self.gray), size: 8.5, x: SheetLayout.margin + width * 0.75, y: SheetLayout.margin + 2.5,
        width: width * 0.25, alignment: .right),
    ]
  }

  private func footer(page: Int, of pageCount: Int) -> SheetDrawing.Line {
    SheetDrawing.Line(
      Self.markup("\(page) / \(pageCount)", Self.gray), size: 8, x: SheetLayout.margin,
      y: layout.height - SheetLayout.margin - 10, width: layout.width - 2 * SheetLayout.margin, alignment: .center)
  }

  private func caption(of photo: SheetPhoto, inCell cell: Int) -> [SheetDrawing.Line] {
    [Self.markup(photo.name, Self.dark), Self.decisions(of: photo)].enumerated()
      .filter { !$1.isEmpty }.map { number, markup in
        let place = layout.captionLine(number, inCell: cell)
        return SheetDrawing.Line(
          markup, size: layout.captionSize, x: place.x, y: place.y, width: layout.cellWidth, alignment: .center)
      }
  }

  private static func decisions(of photo: SheetPhoto) -> String {
    let label = photo.label.map { "\(markup("●", $0.color)) \(markup($0.text, gray))" }
    return [photo.starText.nonEmpty.map { markup($0, dark) }, label].compactMap(\.self).joined(separator: "  ")
  }

  private static func markup(_ text: String, _ color: String, _ attributes: String = "") -> String {
    "<span foreground=\"\(color)\" \(attributes)>\(text.escapedMarkup)</span>"
  }
}

extension SheetPhoto {
  /// The number of lines below the picture on paper.
  public var captionLines: Int { stars > 0 || label != nil ? 2 : 1 }
}
