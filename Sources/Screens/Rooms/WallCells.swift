import Gallery
import Terminal
import ViewModels

/// A photo on the wall, with the name of the member who posted it.
@MainActor
final class WallPhotoCell: RowCell {
  private let context: CellContext
  private var row: WallPhotoRow?

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.thumbnailHeight }

  func bind(_ row: WallPhotoRow) { self.row = row }
  func release() { row = nil }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let text = ThumbnailRow.draw(row.image, context.images, on: surface).text
    text.putHeading(row.title, time: row.time)
    text.put(CellText(row.description, truncatedTo: text.bounds.columns), row: 1, .secondary)
    text.put(CellText(localized("posted by \(row.author)"), truncatedTo: text.bounds.columns), row: 2, .secondary)
  }
}

/// A member of the wall, with the button to follow and the number of posted photos.
@MainActor
final class MemberCell: RowCell {
  private let context: CellContext
  private var row: MemberRow?
  private var binding: Subscription?
  private var spinning: SharedSpinner.Use?

  init(_ context: CellContext) { self.context = context }

  static func height(_ context: CellContext) -> Int { context.thumbnailHeight }

  func bind(_ row: MemberRow) {
    self.row = row
    binding = row.follow.bind { [unowned self] state in
      if case .asking = state { spinning = context.spinner.use() } else { spinning = nil }
      context.onChange()
    }
  }

  func release() {
    row = nil
    binding = nil
    spinning = nil
  }

  func draw(isHighlighted: Bool, on surface: Surface) {
    guard let row else { return }
    let text = ThumbnailRow.draw(row.avatar, context.images, on: surface).text
    text.putHeading(row.name, time: row.time)
    let (label, role) = button(row.follow.value)
    text.put(label, row: 1, role)
    text.put(CellText(row.count, truncatedTo: text.bounds.columns), row: 2, .secondary)
  }

  private func button(_ state: FollowState) -> (String, Role) {
    switch state {
    case .notFollowing: ("[+ \(localized("Follow"))]", .accent)
    case .following: ("[✓ \(localized("Following"))]", .positive)
    case .asking(let toFollow):
      ("[\(context.spinner.symbol) \(toFollow ? localized("Following…") : localized("Unfollowing…"))]", .secondary)
    }
  }
}

extension Surface {
  /// The room that the time must leave to the name, in columns.
  private static let narrowestName = 18

  /// Draws a name, with the time at the right if there is room.
  fileprivate func putHeading(_ name: String, time: String) {
    let hasTime = bounds.columns - CellText(time).width - 1 >= Self.narrowestName
    let end = hasTime ? putRight(time, .secondary) - 1 : bounds.columns
    put(CellText(name, truncatedTo: end), .title)
  }
}
