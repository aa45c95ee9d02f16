import ImageWire
import Terminal

/// The part of an image that a view shows in a window, and the pixels of the screen that it takes.
struct ShownPart {
  /// The left and the top edge of the part, in pixels of the image.
  let x, y: Double
  /// The size of the part, in pixels of the image.
  let width, height: Double
  /// The size on the screen, in pixels.
  let shownWidth, shownHeight: Double

  /// Returns nil if the size of the image is unknown, or for a view that is used in the shell only.
  /// - Parameter size: The size of the rotated image in pixels.
  init?(of view: ImageView, size: (width: Int, height: Int), in window: ImageWindow) {
    guard size.width > 0, size.height > 0 else { return nil }
    let (full, room) = (
      (width: Double(size.width), height: Double(size.height)),
      (width: Double(window.width), height: Double(window.height))
    )
    let fit = min(room.width / full.width, room.height / full.height)
    switch view {
    case .whole, .enlarged:
      let scale = view == .enlarged || window.isEnlarging ? fit : min(1, fit)
      x = 0
      y = 0
      width = full.width
      height = full.height
      shownWidth = max(1, full.width * scale)
      shownHeight = max(1, full.height * scale)
    case .filling:
      let fill = max(room.width / full.width, room.height / full.height)
      width = room.width / fill
      height = room.height / fill
      x = (full.width - width) / 2
      y = (full.height - height) / 2
      (shownWidth, shownHeight) = room
    case .fillingHeight: return nil
    case .zoomed(let scale, let centerX, let centerY):
      let across = ImageView.stretch(of: size.width, in: window.width, scale: scale, around: centerX)
      let down = ImageView.stretch(of: size.height, in: window.height, scale: scale, around: centerY)
      x = Double(across.lowerBound)
      y = Double(down.lowerBound)
      width = Double(across.count)
      height = Double(down.count)
      let factor = Double(scale) / 65536
      shownWidth = min(room.width, max(1, width * factor))
      shownHeight = min(room.height, max(1, height * factor))
    }
  }

  /// Returns the cells that the part takes in characters, which are rounded, or as an image of the terminal.
  func cells(of cell: CellSize, areCharacters: Bool) -> Size {
    func count(_ pixels: Double, _ side: Int) -> Int {
      max(1, Int((pixels / Double(side)).rounded(areCharacters ? .toNearestOrAwayFromZero : .up)))
    }
    return Size(columns: count(shownWidth, cell.width), rows: count(shownHeight, cell.height))
  }

  /// Returns whether all of another part is in this one, but for pixels that are lost in rounding.
  func contains(_ other: ShownPart) -> Bool {
    x <= other.x + 1 && y <= other.y + 1 && x + width >= other.x + other.width - 1
      && y + height >= other.y + other.height - 1
  }

  /// The pixels of the screen for one of the image.
  var scale: Double { shownWidth / width }
}
