import Gallery
import Terminal
import ViewModels

/// The title line of the viewer: the photo's name and author, and signs at its right end. A second line, if there is room,
/// has the description.
struct ViewerCaption {
  typealias Sign = (text: String, role: Role)

  let detail: PhotoDetail
  /// The texts for the photo's position, the longest first. The first one that fits is drawn at the right end, or else the
  /// last one.
  var position: [String] = []
  /// The signs to the left of the position, the last one first. Those that don't fit are left out.
  let signs: [Sign]
  /// The badges to the left of the signs, each with one text or more, the longest first. The first text that fits is drawn. If
  /// none fits, the badge is left out.
  var badges: [(texts: [String], role: Role)] = []

  /// The room that a badge must leave to the name, in columns.
  private static let narrowestName = 16
  /// The columns of a long name that no sign takes.
  private static let leastNameColumns = 12
  /// The narrowest title line with room for the sale badge, in columns.
  private static let narrowestBadge = 40
  /// The fewest columns for an author.
  private static let narrowestAuthor = 8

  @MainActor
  func draw(on surface: Surface) {
    surface.placeCursor()
    var end = surface.bounds.columns
    let nameColumns = min(CellText(detail.name).width, Self.leastNameColumns)
    func fits(_ text: String) -> Bool { nameColumns + 2 + CellText(text).width <= end }
    if let text = position.first(where: fits) ?? position.last {
      end = put((text, .secondary), before: end, on: surface)
    }
    for sign in signs where fits(sign.text) { end = put(sign, before: end, on: surface) }
    for badge in badges {
      let fitting = badge.texts.first { end - CellText($0).width - 2 >= Self.narrowestName }
      if let fitting { end = put((fitting, badge.role), before: end, on: surface) }
    }
    if let badge = detail.saleBadge, end > Self.narrowestBadge {
      end = put(("\(badge.symbol) \(badge.text)", badge.role), before: end, on: surface)
    }
    let column = surface.put(CellText(detail.name, truncatedTo: end), .title) + 2
    if let author = detail.author, column + Self.narrowestAuthor < end {
      surface.put(CellText(localized("by \(author)"), truncatedTo: end - column), column: column, .secondary)
    }
    if let description = detail.description.first {
      surface.put(CellText(description, truncatedTo: surface.bounds.columns), row: 1, .secondary)
    }
  }

  @MainActor
  private func put(_ sign: Sign, before end: Int, on surface: Surface) -> Int {
    let text = CellText(sign.text)
    surface.put(text, column: end - text.width, sign.role)
    return end - text.width - 2
  }
}
