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

  /// Returns the same part of an image that is rotated clockwise by quarters.
  func rotated(quarters: Int) -> ImagePresentation {
    var rotated = self
    rotated.rotation = ImageRotation(quarters: quarters)
    return rotated
  }
}
