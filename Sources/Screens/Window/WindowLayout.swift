import Terminal

/// The division of the screen into header, body and footer.
struct WindowLayout: Equatable {
  let header: Rect
  let body: Rect
  let footer: Rect
  /// The line between the body and the footer, which a room's hints may take; nil if the screen is low.
  let upperFooter: Rect?
  /// Everything above the footer: the place of the viewer and of popups.
  let aboveFooter: Rect

  /// The smallest screen that the layout makes sense on.
  static let smallest = Size(columns: 20, rows: 6)

  /// Divides a screen. Low screens have fewer blank rows.
  /// - Returns: nil if the screen is too small.
  init?(of screen: Rect) {
    guard screen.columns >= Self.smallest.columns, screen.rows >= Self.smallest.rows else { return nil }
    let bottom: Rect
    (aboveFooter, bottom) = screen.split(rows: screen.rows - 1)
    footer = bottom.inset(columns: 1)
    let rest: Rect
    // The second line of a plain screen announces what happens.
    (header, rest) = aboveFooter.split(rows: screen.rows < 12 && !Charset.isPlain ? 1 : 2)
    let between: Rect
    (body, between) = rest.split(rows: rest.rows - (screen.rows < 20 ? 0 : 1))
    upperFooter = between.rows > 0 ? between.inset(columns: 1) : nil
  }
}
