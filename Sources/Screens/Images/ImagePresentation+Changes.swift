import Gallery
import ImageWire

extension ImagePresentation {
  /// Returns whether another presentation shows a part of the image in the same size, or the same part in another way.
  func isMoved(from other: ImagePresentation) -> Bool {
    switch (view, other.view) {
    case (.zoomed(let scale, _, _), .zoomed(let otherScale, _, _)): scale == otherScale
    default: view == other.view
    }
  }

  /// The same part of the image with the background seen through it.
  var faded: ImagePresentation {
    var faded = self
    faded.overlay = .fading
    return faded
  }

  /// Returns the same part of an image with a part of it that stands out.
  func cropped(to crop: PhotoCrop?) -> ImagePresentation {
    var cropped = self
    cropped.crop = view.isPart ? nil : crop
    return cropped
  }

  /// Returns the same part of an image that is rotated clockwise by quarters.
  func rotated(quarters: Int) -> ImagePresentation {
    var rotated = self
    rotated.rotation = ImageRotation(quarters: quarters)
    return rotated
  }
}
