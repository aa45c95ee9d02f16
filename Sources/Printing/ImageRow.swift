import ImageWire
import Terminal

/// Images that are printed side by side, each in its box with its title above it.
public struct ImageRow {
  /// An image of the row.
  public struct Item {
    /// The title, in printable text. It is cut at the box's sides.
    public var title: String
    /// The rendition.
    public var content: ImageAnswer.Content
    /// The number of the request.
    public var id: UInt32
    /// Whether the terminal has stored the image, so that it need not be sent.
    public var isStored: Bool

    /// Creates an image of a row.
    public init(title: String = "", content: ImageAnswer.Content, id: UInt32, isStored: Bool = false) {
      self.title = title
      self.content = content
      self.id = id
      self.isStored = isStored
    }

    /// The size in cells.
    var size: Size {
      switch content {
      case .cells(let image): Size(columns: image.columns, rows: image.rows)
      case .graphic(let image): Size(columns: image.columns, rows: image.rows)
      case .failure, .noPreview, .appraisal, .exported, .listing, .transfer: Size(columns: 0, rows: 0)
      }
    }
  }

  private let items: [Item]
  private let layout: GridLayout
  private let alignment: Alignment
  /// The height of all images in lines, without titles.
  public let height: Int

  /// Creates a row of at most as many images as the layout has columns.
  public init(_ items: [Item], _ layout: GridLayout, _ alignment: Alignment) {
    self.items = items
    self.layout = layout
    self.alignment = alignment
    let highest = items.map(\.size.rows).max() ?? 0
    height = !layout.isGrid && alignment.vertical != nil ? max(highest, layout.box.rows) : highest
  }

  /// Returns the bytes that print the row where the cursor is, at the start of a line. The cursor ends at the start of the
  /// line below.
  /// - Parameter isFirst: Whether no other row is above this one.
  public func bytes(_ printer: ImagePrinter, isFirst: Bool) -> [UInt8] {
    let gap = layout.isGrid && !layout.hasTitles && !isFirst ? [UInt8(ascii: "\n")] : []
    return gap + titles + images(printer)
  }

  /// Returns the bytes that draw the images again where they are, with the cursor below them, where it stays. The cursor is
  /// saved (DECSC) at the first line. Titles stay as they are.
  public func frame(_ printer: ImagePrinter) -> [UInt8] {
    Array("\u{1B}[\(height)A\u{1B}7".utf8) + images(printer)
  }

  private func images(_ printer: ImagePrinter) -> [UInt8] { isText(printer) ? text(printer) : graphics(printer) }

  private func isText(_ printer: ImagePrinter) -> Bool {
    switch printer.format.delivery {
    case .cells, .placeholders: true
    case .placed, .drawn: false
    }
  }

  private var titles: [UInt8] {
    guard layout.hasTitles else { return [] }
    let titles = items.map { CellText($0.title, truncatedTo: layout.box.columns) }
    return line(titles.map { ($0.width, $0.bytes) })
  }

  /// Returns a line with something in each box.
  private func line(_ contents: [(columns: Int, bytes: [UInt8])]) -> [UInt8] {
    var (bytes, end): ([UInt8], Int) = ([], 0)
    for (index, content) in contents.enumerated() where content.columns > 0 {
      let start = layout.start(ofBox: index) + alignment.indent(content.columns, in: layout.box.columns)
      bytes += Array(repeating: UInt8(ascii: " "), count: max(0, start - end)) + content.bytes
      end = start + content.columns
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  /// Returns images that are lines of text.
  private func text(_ printer: ImagePrinter) -> [UInt8] {
    let texts = items.map { printer.text(of: $0.content, id: $0.id) }
    let lines = (0..<height).flatMap { row in
      line(
        zip(items, texts).map { item, text in
          let index = row - alignment.drop(item.size.rows, in: height)
          return text.lines.indices.contains(index) ? (item.size.columns, text.lines[index]) : (0, [])
        })
    }
    return zip(items, texts).flatMap { $0.isStored ? [] : $1.transmission } + lines
  }

  /// Returns images that are drawn over the cells.
  private func graphics(_ printer: ImagePrinter) -> [UInt8] {
    guard printer.movesCursor else {
      return items.flatMap {
        printer.drawing(of: $0.content, id: $0.id, layer: PreviewIDs.layer) + [UInt8(ascii: "\n")]
      }
    }
    // Empty lines first, so that the terminal does not scroll while it draws the images.
    var bytes = Array((String(repeating: "\n", count: height) + "\u{1B}[\(height)A").utf8)
    for (index, item) in items.enumerated() {
      let column = layout.start(ofBox: index) + alignment.indent(item.size.columns, in: layout.box.columns)
      let row = alignment.drop(item.size.rows, in: height)
      let move = (column > 0 ? "\u{1B}[\(column)C" : "") + (row > 0 ? "\u{1B}[\(row)B" : "")
      bytes += "\u{1B}7\(move)".utf8
      bytes += printer.drawing(of: item.content, id: item.id, isStored: item.isStored)
      bytes += "\u{1B}8".utf8
    }
    bytes += "\u{1B}[\(height)B".utf8
    return bytes
  }
}

extension CellText {
  fileprivate var bytes: [UInt8] {
    var text = String.UnicodeScalarView()
    for cluster in clusters { text.append(contentsOf: cluster.scalars) }
    return Array(String(text).utf8)
  }
}
