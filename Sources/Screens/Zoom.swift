import ImageWire

/// Which part of an image is in view, and how large.
struct Zoom {
  /// Pixels of the screen to one of the image.
  let scale: Double
  /// What is in the middle, as parts of the image's width and height.
  let centerX: Double
  let centerY: Double

  static let step = 1.5
  static let largest = 32.0

  init(scale: Double, around other: Zoom?) {
    self.init(scale: scale, centerX: other?.centerX ?? 0.5, centerY: other?.centerY ?? 0.5)
  }

  private init(scale: Double, centerX: Double, centerY: Double) {
    self.scale = scale
    self.centerX = centerX
    self.centerY = centerY
  }

  /// - Parameter visibleX: The part of the image's width that is in view; 1 and more is all of it.
  func moved(_ x: Double, _ y: Double, visibleX: Double, visibleY: Double) -> Zoom {
    func clamp(_ center: Double, _ visible: Double) -> Double {
      visible >= 1 ? 0.5 : min(max(center, visible / 2), 1 - visible / 2)
    }
    return Zoom(
      scale: scale, centerX: clamp(centerX + x * visibleX / 8, visibleX),
      centerY: clamp(centerY + y * visibleY / 8, visibleY))
  }

  var view: ImageView {
    .zoomed(scale: Int(scale * 65536), centerX: Int(centerX * 65536), centerY: Int(centerY * 65536))
  }
}
