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
    text.put(CellText(row.title, truncatedTo: text.bounds.columns), .title)
    text.put(CellText(row.description, truncatedTo: text.bounds.columns), row: 1, .secondary)
    text.put(CellText(localized("posted by \(row.author)"), truncatedTo: text.bounds.columns), row: 2, .secondary)
  }
}

/// A member of the wall, with the button to follow.
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
    text.put(CellText(row.name, truncatedTo: text.bounds.columns), .title)
    let (label, role) = button(row.follow.value)
    text.put(label, row: 1, role)
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
