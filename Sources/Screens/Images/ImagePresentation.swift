import ImageWire

/// The way in which an image is shown: its part, its rotation, and its frame.
struct ImagePresentation: Equatable {
  /// The part of the rotated image.
  var view = ImageView.whole
  var rotation = ImageRotation.upright
  /// The index of an animation's frame, counted from 0.
  var frame = 0
  /// The overlay that is drawn over the image.
  var overlay = ImageOverlay.none

  /// Returns whether another presentation shows a part of the image in the same size, or the same part in another way.
  func isMoved(from other: ImagePresentation) -> Bool {
    switch (view, other.view) {
    case (.zoomed(let scale, _, _), .zoomed(let otherScale, _, _)): scale == otherScale
    default: view == other.view
    }
  }

  /// Returns the same part of an image that is rotated clockwise by quarters.
  func rotated(quarters: Int) -> ImagePresentation {
    var rotated = self
    rotated.rotation = ImageRotation(quarters: quarters)
    return rotated
  }
}
