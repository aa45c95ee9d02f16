/// The hyperlinks of the screen, which ncurses does not know.
///
/// ncurses writes the text of a link like any other. Then the cells are written once more, in between the sequences that
/// begin and end a hyperlink (OSC 8, "Hyperlinks in terminal emulators"). A cell that is no longer linked is written
/// again, too, since the terminal would keep its link.
struct Hyperlinks {
  /// Cells of a row that link to an address.
  struct Link: Hashable {
    let address: String
    let row: Int
    let columns: Range<Int>
  }

  /// The longest address that terminals take, in bytes.
  private static let longestAddress = 2083

  /// The links of the frame that is being drawn.
  private var links: [Link] = []
  /// The links that the terminal has.
  private var shown: Set<Link> = []

  /// Begins a frame without links.
  mutating func beginFrame() { links = [] }

  /// Links cells, whose text has been put.
  mutating func add(_ link: Link) {
    if link.address.utf8.count <= Self.longestAddress { links.append(link) }
  }

  /// Takes note that something was written into cells of a row. A link that it covers in part is given up.
  mutating func cover(column: Int, row: Int, columns: Int) {
    if links.isEmpty { return }
    links.removeAll { $0.row == row && $0.columns.overlaps(column..<column + columns) }
  }

  /// Takes note that the terminal is about to clear the screen.
  mutating func invalidate() { shown = [] }

  /// Ends the frame.
  ///
  /// - Parameter isWritten: Returns whether a link's cells are about to be written.
  /// - Returns: The links whose cells have to be written again: as plain text before the frame's other cells, and as links
  ///   after them.
  mutating func endFrame(isWritten: (Link) -> Bool) -> (gone: [Link], new: [Link]) {
    let gone = shown.subtracting(links)
    let new = links.filter { link in
      !shown.contains(link) || isWritten(link)
        || gone.contains { $0.row == link.row && $0.columns.overlaps(link.columns) }
    }
    shown = Set(links)
    return (Array(gone), new)
  }

  /// Returns the sequences before and after the cells of a link.
  static func sequences(_ address: String) -> (begin: [UInt8], end: [UInt8]) {
    (Array("\u{1B}]8;;\(address)\u{1B}\\".utf8), Array("\u{1B}]8;;\u{1B}\\".utf8))
  }
}
