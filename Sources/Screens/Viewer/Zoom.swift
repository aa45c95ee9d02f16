import ImageWire

/// The enlarged part of an image that is in view.
struct Zoom: Equatable {
  /// Pixels of the screen for one pixel of the image.
  let scale: Double
  /// The center of the view, as parts of the image's width and height.
  let centerX: Double
  let centerY: Double

  /// The factor from one step to the next.
  static let step = 1.5
  static let largest = 32.0

  /// Makes a zoom with the center of another, or of the image.
  init(scale: Double, around other: Zoom?) {
    self.init(scale: scale, centerX: other?.centerX ?? 0.5, centerY: other?.centerY ?? 0.5)
  }

  init(scale: Double, centerX: Double, centerY: Double) {
    self.scale = scale
    self.centerX = centerX
    self.centerY = centerY
  }

  /// Returns a zoom that is larger or smaller by `factor`, or nil for the scale at which the whole image is shown.
  /// - Parameters:
  ///   - zoom: The zoom to start from; nil for the whole image.
  ///   - place: What stays where it is, as parts of the window from its center.
  static func scaled(
    _ zoom: Zoom?, by factor: Double, at place: (x: Double, y: Double) = (0, 0), in viewport: Viewport
  ) -> Zoom? {
    let whole = viewport.wholeScale
    let old = Zoom(scale: zoom?.scale ?? whole, around: zoom)
    let scale = min(max(old.scale * factor, viewport.smallestScale), max(largest, old.scale))
    // A scale that differs from the whole image's by rounding only is the same.
    guard abs(scale / whole - 1) > 0.001 else { return nil }
    let (before, after) = (viewport.visiblePart(at: old.scale), viewport.visiblePart(at: scale))
    return Zoom(
      scale: scale, centerX: old.centerX + place.x * (before.width - after.width),
      centerY: old.centerY + place.y * (before.height - after.height)
    ).moved(0, 0, in: viewport)
  }

  /// Returns a zoom moved by eighths of the window, but not beyond the image's edges.
  func moved(_ x: Double, _ y: Double, in viewport: Viewport) -> Zoom {
    func move(_ center: Double, _ steps: Double, _ visible: Double) -> Double {
      func clamp(_ center: Double) -> Double {
        visible >= 1 ? 0.5 : min(max(center, visible / 2), 1 - visible / 2)
      }
      // A zoom of another image may reach beyond the edges of this one, where the view has ended.
      return clamp(clamp(center) + steps * visible / 8)
    }
    let visible = viewport.visiblePart(at: scale)
    return Zoom(
      scale: scale, centerX: move(centerX, x, visible.width), centerY: move(centerY, y, visible.height))
  }

  /// Returns whether the zoom, which may be that of another image, shows this one smaller than without a zoom.
  func shrinks(in viewport: Viewport) -> Bool { scale < viewport.smallestScale }

  /// The zoom with the same center after the image was rotated clockwise by a quarter.
  var rotated: Zoom { Zoom(scale: scale, centerX: 1 - centerY, centerY: centerX) }

  /// The view to request from the worker.
  var view: ImageView {
    .zoomed(scale: Int(scale * 65536), centerX: Int(centerX * 65536), centerY: Int(centerY * 65536))
  }
}

/// An image and the window that shows it, both in pixels.
struct Viewport: Equatable {
  let imageWidth: Int
  let imageHeight: Int
  let windowWidth: Int
  let windowHeight: Int
  /// Whether a whole image that is smaller than the window is enlarged to it.
  var isEnlarging = false

  /// The pixels of the screen for one pixel of the image at which the window shows the whole image.
  var fitScale: Double {
    min(Double(windowWidth) / Double(imageWidth), Double(windowHeight) / Double(imageHeight))
  }

  /// The scale of the whole image without a zoom.
  var wholeScale: Double { isEnlarging ? fitScale : smallestScale }

  /// The scale below which an image is never shown.
  var smallestScale: Double { min(1, fitScale) }

  /// Whether the image is smaller than the window.
  var isSmall: Bool { fitScale > 1 }

  /// The scale at which the image fills the window, and is cut at two sides.
  var fillScale: Double {
    max(Double(windowWidth) / Double(imageWidth), Double(windowHeight) / Double(imageHeight))
  }

  /// Returns the parts of the image's width and height that fit in the window; 1 or more if all of it fits.
  func visiblePart(at scale: Double) -> (width: Double, height: Double) {
    (
      Double(windowWidth) / scale / Double(imageWidth),
      Double(windowHeight) / scale / Double(imageHeight)
    )
  }
}
