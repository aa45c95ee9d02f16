/// The cells that surfaces draw into: those of ``Curses``, or a test's cells in memory.
@MainActor
protocol Canvas: AnyObject {
  var size: Size { get }

  /// Puts a cluster into a cell, or into two if it is wide.
  func put(_ cluster: Cluster, column: Int, row: Int, style: Style)
  /// Puts a character in colors that are numbers at the screen's depth; -1 is the terminal's own color.
  func put(_ scalar: Unicode.Scalar, column: Int, row: Int, foreground: Int32, background: Int32)
  /// Places the terminal's cursor, which screen readers and magnifiers follow. The last place of a frame counts.
  func placeCursor(column: Int, row: Int)
  /// Links cells of a row, whose text has been put, to an address.
  func link(_ address: String, column: Int, row: Int, columns: Int)
  /// Puts an image that the terminal draws, with its top left in a cell.
  /// - Parameter style: The style of blanks, which are seen where the image does not fill its last cells.
  func put(_ graphic: Graphic, column: Int, row: Int, style: Style)
  /// Leaves a part of the screen to the next frame.
  /// - Returns: Whether this frame may do so.
  func postpone(_ rect: Rect) -> Bool
  /// Allows the rows of a large image, which is put next, to be left to the next frames.
  func spread(_ rect: Rect)
  /// Returns whether the terminal can show an image now. If not, the image is sent.
  func hasArrived(_ graphic: Graphic) -> Bool
  /// Sends an image ahead, if it is small or nothing else has to be sent.
  func prepare(_ graphic: Graphic, isLineFree: Bool)
}
