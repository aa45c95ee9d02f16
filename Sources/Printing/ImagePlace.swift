import ImageWire
import Terminal

/// Cells of the screen in which an image is printed, wherever the cursor is. It is left where it was.
public struct ImagePlace {
  private let rect: Rect

  /// Creates a place in cells of the whole terminal, counted from 0 at the top left.
  public init(_ rect: Rect) { self.rect = rect }

  /// Returns the bytes that replace what is in the place by a rendition, which is at the top left.
  /// - Parameters:
  ///   - id: The number of the request.
  ///   - replacesPreview: Whether a preview in the same cells is all that is in the place.
  public func bytes(
    _ printer: ImagePrinter, for content: RenditionAnswer.Content, id: UInt32, replacesPreview: Bool = false
  ) -> [UInt8] {
    let blanks = replacesPreview ? [] : blanks
    switch printer.format.delivery {
    case .cells, .placeholders:
      let (transmission, lines) = printer.text(of: content, id: id)
      return transmission + keepingCursor(blanks + lines.enumerated().flatMap { at(row: $0) + $1 })
    case .placed, .drawn:
      return keepingCursor(blanks + at(row: 0) + printer.drawing(of: content, id: id, layer: PreviewIDs.layer))
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

  private func at(row: Int) -> [UInt8] { Array("\u{1B}[\(rect.row + row + 1);\(rect.column + 1)H".utf8) }

  /// Returns bytes between which the cursor and the attributes are changed.
  private func keepingCursor(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}7\u{1B}[0m".utf8) + bytes + Array("\u{1B}8".utf8)
  }
}
