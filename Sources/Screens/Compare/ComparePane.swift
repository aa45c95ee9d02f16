import Gallery
import ImageWire
import Terminal

/// The image of a photo in a pane.
struct ComparePane {
  var image: ViewerImage
  /// The part of the image's rotation that belongs to the photo, in quarters.
  var quarters: Int
  /// The presentation that was drawn last. It stays until the requested one is there.
  var shown: ImagePresentation?
  /// The scale that the user has chosen for what is on the screen.
  var shownScale: Double?

  /// The sharpness of what is shown, or nil if that doesn't say how sharp the photo is.
  var sharpness: Int? { image.isWhole || image.info.isIncomplete ? nil : image.info.sharpness }
}
