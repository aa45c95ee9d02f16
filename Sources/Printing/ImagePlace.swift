import ImageWire
import Terminal

/// Cells of the screen in which an image is printed, wherever the cursor is. It is left where it was.
public struct ImagePlace {
  private let rect: Rect

  /// Creates a place in cells of the whole terminal, counted from 0 at the top left.
  public init(_ rect: Rect) { self.rect = rect }

  /// Returns the bytes that replace what is in the place by a rendition.
  /// - Parameters:
  ///   - box: The box in which the image is aligned, at the top left of the place.
  ///   - replacesPreview: Whether a preview in the same cells is all that is in the place.
  public func bytes(
    _ printer: ImagePrinter, for item: ImageRow.Item, in box: Size, _ alignment: Alignment,
    replacesPreview: Bool = false
  ) -> [UInt8] {
    let blanks = replacesPreview ? [] : blanks
    let column = alignment.indent(item.size.columns, in: box.columns)
    let row = alignment.drop(item.size.rows, in: box.rows)
    switch printer.format.delivery {
    case .cells, .placeholders:
      let (transmission, lines) = printer.text(of: item.content, id: item.id)
      return transmission
        + keepingCursor(blanks + lines.enumerated().flatMap { at(column: column, row: row + $0) + $1 })
    case .placed, .drawn:
      return keepingCursor(
        blanks + at(column: column, row: row)
          + printer.drawing(of: item.content, id: item.id, layer: PreviewIDs.layer))
    }
  }

  /// Returns the bytes that remove what is in the place.
  /// - Parameters:
  ///   - format: The format of an image that may be there.
  ///   - ids: The ids of previews on this terminal.
  public func clearing(_ format: OutputFormat, ids: PreviewIDs) -> [UInt8] {
    (format.delivery.commands?.delete(ids[rect]) ?? []) + keepingCursor(blanks)
  }

  private var blanks: [UInt8] {
    (0..<rect.rows).flatMap { at(row: $0) + Array("\u{1B}[\(rect.columns)X".utf8) }
  }

  private func at(column: Int = 0, row: Int) -> [UInt8] {
    Array("\u{1B}[\(rect.row + row + 1);\(rect.column + column + 1)H".utf8)
  }

  /// Returns bytes between which the cursor and the attributes are changed.
  private func keepingCursor(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}7\u{1B}[0m".utf8) + bytes + Array("\u{1B}8".utf8)
  }
}
