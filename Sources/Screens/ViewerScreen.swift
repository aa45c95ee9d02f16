import Terminal
import ViewModels

/// One photo in the whole window.
@MainActor
final class ViewerScreen: Layer {
  var onClose: () -> Void = {}
  private let detail: PhotoDetail

  private let pictures: PictureLayer

  init(_ detail: PhotoDetail, pictures: PictureLayer) {
    self.detail = detail
    self.pictures = pictures
  }

  let extent = Extent.window
  let hints: [Command] = [.close, .help]

  func draw(on surface: Surface) {
    let (picture, caption) = surface.bounds.split(rows: surface.bounds.rows - 1)
    pictures.draw(detail.image, on: surface.clipped(to: picture))
    drawCaption(on: surface.clipped(to: caption.inset(columns: 1)))
  }

  private func drawCaption(on surface: Surface) {
    var end = surface.bounds.columns
    if let badge = detail.saleBadge { end = surface.putRight("\(badge.symbol) \(badge.text)", badge.role) - 1 }
    let name = CellText(detail.name).truncated(to: end)
    let column = surface.put(name, .title) + 2
    if let author = detail.author, column < end {
      surface.put(CellText("by \(author)").truncated(to: end - column), column: column, .secondary)
    }
  }

  func availability(of command: Command) -> Availability {
    switch command {
    case .close, .help: .available
    default: .absent
    }
  }

  func perform(_ command: Command) {
    if command == .close { onClose() }
  }

  func handle(_ mouse: Mouse) {}
}
