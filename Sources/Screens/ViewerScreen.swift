import Gallery
import Terminal
import ViewModels

/// One photo in the whole window, and from there to the next.
@MainActor
final class ViewerScreen: Layer {
  var onClose: () -> Void = {}
  /// Called with the row of the photo that is shown instead.
  var onTurn: (Int) -> Void = { _ in }

  private let viewModel: PhotoListViewModel
  private let pictures: PictureLayer
  private var photo: Photo
  private var showsFacts = false

  init(_ photo: Photo, viewModel: PhotoListViewModel, pictures: PictureLayer) {
    self.photo = photo
    self.viewModel = viewModel
    self.pictures = pictures
  }

  let extent = Extent.window
  let hints: [Command] = [.close, .nextPhoto, .previousPhoto, .toggleFacts, .help]

  func draw(on surface: Surface) {
    let (picture, caption) = surface.bounds.split(rows: surface.bounds.rows - 1)
    let detail = viewModel.detail(of: photo)
    pictures.draw(detail.image, on: surface.clipped(to: picture))
    if showsFacts { drawFacts(of: detail, on: surface.clipped(to: picture)) }
    drawCaption(of: detail, on: surface.clipped(to: caption.inset(columns: 1)))
    for step in [1, -1, 2] {
      guard let row, let neighbour = viewModel.photo(row: row + step) else { continue }
      pictures.prepare(neighbour.image, for: surface.clipped(to: picture))
    }
  }

  /// Where the photo is in the list; nil if a reload has taken it away.
  private var row: Int? { viewModel.row(of: photo.id) }

  private func drawCaption(of detail: PhotoDetail, on surface: Surface) {
    var end = surface.bounds.columns
    if let row { end = surface.putRight("\(row + 1)/\(viewModel.rows.count)", .secondary) - 2 }
    if let badge = detail.saleBadge, end > 40 {
      let text = CellText("\(badge.symbol) \(badge.text)")
      end -= text.width
      surface.put(text, column: end, badge.role)
      end -= 2
    }
    let name = CellText(detail.name, truncatedTo: end)
    let column = surface.put(name, .title) + 2
    if let author = detail.author, column + 8 < end {
      surface.put(CellText("by \(author)", truncatedTo: end - column), column: column, .secondary)
    }
  }

  private func drawFacts(of detail: PhotoDetail, on surface: Surface) {
    let columns = min(56, surface.bounds.columns - 4)
    let text = detail.description.flatMap { CellText($0).wrapped(to: columns - 4) }
    let lines = text.map { ("", $0) } + detail.facts.map { ($0.label, CellText($0.value)) }
    let (_, box) = surface.bounds.split(rows: surface.bounds.rows - lines.count - 2)
    let panel = surface.clipped(to: Rect(column: box.column, row: box.row, columns: columns, rows: box.rows))
    panel.clear()
    for (row, line) in lines.enumerated() {
      panel.put(line.0, column: 2, row: row + 1, .secondary)
      let column = line.0.isEmpty ? 2 : 12
      panel.put(line.1.truncated(to: columns - column - 2), column: column, row: row + 1)
    }
  }

  func availability(of command: Command) -> Availability {
    switch command {
    case .close, .help, .redraw, .toggleFacts: .available
    case .nextPhoto, .pageDown: canTurn(by: 1) ? .available : .unavailable("This is the last photo.")
    case .previousPhoto, .pageUp: canTurn(by: -1) ? .available : .unavailable("This is the first photo.")
    default: .absent
    }
  }

  func perform(_ command: Command) {
    switch command {
    case .close: onClose()
    case .nextPhoto, .pageDown: turn(by: 1)
    case .previousPhoto, .pageUp: turn(by: -1)
    case .toggleFacts: showsFacts.toggle()
    default: break
    }
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: turn(by: -1)
    case .wheelDown: turn(by: 1)
    case .press, .release, .drag: break
    }
  }

  private func canTurn(by step: Int) -> Bool {
    row.map { viewModel.rows.indices.contains($0 + step) } ?? false
  }

  private func turn(by step: Int) {
    guard let row, let next = viewModel.photo(row: row + step) else { return }
    photo = next
    onTurn(row + step)
  }
}
