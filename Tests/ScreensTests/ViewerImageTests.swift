import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct ViewerImageTests {
  /// Returns an image in a window of 1000×800 pixels.
  private func image(_ width: Int, _ height: Int, isEnlarging: Bool = false) -> ViewerImage {
    var image = ViewerImage()
    image.fit(in: ImageWindow(width: 1000, height: 800, isEnlarging: isEnlarging))
    image.update(ImageInfo(width: width, height: height))
    return image
  }

  @Test func aLargeImageIsShownAtItsActualSizeOrFitted() {
    var image = image(4000, 2000)
    #expect(image.presentation.view == .whole && image.chosenScale == nil && image.zoomLabel == "Actual size")
    image.toggleZoom()
    #expect(image.chosenScale == 1 && image.zoomLabel == "Fit")
    image.toggleZoom()
    #expect(image.presentation.view == .whole)
  }

  @Test func aSmallImageIsEnlargedUponRequest() {
    var image = image(200, 100)
    #expect(image.presentation.view == .whole && image.chosenScale == nil && image.zoomLabel == "Fit")
    image.toggleZoom()
    #expect(image.presentation.view == .enlarged && image.chosenScale == 5 && image.zoomLabel == "Actual size")
    #expect(image.isWhole)
    image.toggleZoom()
    #expect(image.presentation.view == .whole && image.chosenScale == nil)
  }

  /// The next photo is fitted, too, whatever its size. It is prepared in that view.
  @Test func photosStayEnlarged() {
    var image = image(200, 100)
    image.toggleZoom()
    #expect(image.presentationOfNext(keepsZoom: true) == ImagePresentation(view: .enlarged))
    image.turn(keepsZoom: false)
    #expect(image.presentation.view == .enlarged)
    image.update(ImageInfo(width: 4000, height: 2000))
    #expect(image.chosenScale == nil && image.zoomLabel == "Actual size")
  }

  /// Before, the first step led beyond the size of the window, and no step led back.
  @Test func aSmallImageIsZoomedFromTheSizeAtWhichItIsShown() {
    var image = image(200, 100)
    image.scale(by: 1.5)
    #expect(image.chosenScale == 1.5)
    image.scale(by: 1 / 1.5)
    #expect(image.chosenScale == nil && image.isWhole)
    image.scale(by: 1 / 1.5)
    #expect(image.isWhole)
    image.toggleZoom()
    image.scale(by: 1.5)
    #expect(image.chosenScale == 7.5 && image.zoomLabel == "Fit")
    image.scale(by: 1 / 1.5)
    #expect(image.presentation.view == .enlarged)
  }

  /// Characters enlarge small images anyway.
  @Test func aZoomNeverMakesASmallImageSmaller() {
    var image = image(4000, 2000)
    image.scale(by: 1.5)
    #expect(image.chosenScale == 0.375)
    image.turn(keepsZoom: true)
    image.update(ImageInfo(width: 200, height: 100))
    #expect(image.presentation.view == .whole && image.isWhole && image.chosenScale == nil)
    // The zoom stays for the next photo.
    image.turn(keepsZoom: true)
    image.update(ImageInfo(width: 4000, height: 2000))
    #expect(image.chosenScale == 0.375 && !image.isWhole)
  }

  @Test func charactersShowASmallImageFittedOrAtItsActualSize() {
    var image = image(200, 100, isEnlarging: true)
    #expect(image.presentation.view == .whole && image.zoomLabel == "Actual size")
    image.toggleZoom()
    #expect(image.chosenScale == 1 && image.zoomLabel == "Fit")
    image.scale(by: 1 / 1.5)
    #expect(image.chosenScale == 1)
    image.scale(by: 1.5)
    #expect(image.chosenScale == 1.5)
    image.toggleZoom()
    #expect(image.presentation.view == .whole)
  }

  @Test func filling() {
    var image = image(200, 100)
    image.fill()
    #expect(image.chosenScale == 8)
    image.toggleZoom()
    #expect(image.presentation.view == .whole)
  }

  @Test func fourQuartersLeadBack() {
    var image = image(4000, 2000)
    var rotations: [ImageRotation] = []
    for _ in 0..<4 {
      image.rotate()
      rotations.append(image.presentation.rotation)
    }
    #expect(rotations == [.clockwise90, .clockwise180, .clockwise270, .upright])
  }

  /// The viewport is that of the rotated image before its rendition has come.
  @Test func theRotatedImageIsFitted() {
    var image = image(4000, 2000)
    #expect(image.viewport?.fitScale == 0.25)
    image.rotate()
    #expect(image.viewport?.fitScale == 0.2)
    #expect(image.uprightSize.map { [$0.width, $0.height] } == [4000, 2000])
  }

  /// The top right corner of the image becomes its bottom right one.
  @Test func thePartInViewStaysInViewWhenTheImageIsRotated() {
    var image = image(4000, 4000)
    image.toggleZoom()
    image.pan(100, -100)
    image.rotate()
    #expect(image.presentation.view == .zoomed(scale: 65536, centerX: 57344, centerY: 57344))
    for _ in 0..<3 { image.rotate() }
    #expect(image.presentation.view == .zoomed(scale: 65536, centerX: 57344, centerY: 8192))
  }

  @Test func theRotationBelongsToOnePhoto() {
    var image = image(4000, 2000)
    image.toggleZoom()
    image.rotate()
    #expect(image.presentationOfNext(keepsZoom: false) == ImagePresentation())
    image.turn(keepsZoom: true)
    #expect(image.presentation.rotation == .upright)
    #expect(image.presentation.view != .whole)
  }

  /// While the user moves a part, the workers are left to it. After turning with it, the neighbors are prepared alike.
  @Test func theNextPhotoIsPreparedAtTheSameZoom() {
    var image = image(4000, 2000)
    image.toggleZoom()
    #expect(image.presentationOfNext(keepsZoom: true) == nil)
    #expect(image.presentationOfNext(keepsZoom: false)?.view == .whole)
    image.turn(keepsZoom: true)
    #expect(image.presentationOfNext(keepsZoom: true) == image.presentation)
    image.turn(keepsZoom: false)
    #expect(image.presentation == ImagePresentation())
  }

  @Test func framesFollowEachOther() {
    var image = image(40, 20)
    image.update(ImageInfo(width: 40, height: 20, frames: 3))
    image.rotate()
    #expect(image.presentationOfNextFrame == ImagePresentation(rotation: .clockwise90, frame: 1))
    for frame in [1, 2, 0] {
      image.showNextFrame()
      #expect(image.presentation.frame == frame)
    }
    image.showNextFrame()
    image.turn(keepsZoom: true)
    #expect(image.frame == 0)
  }

  /// The point is that of the image before the user rotated it.
  @Test func theActualSizeIsShownAtThePointOfFocus() {
    let focus = FocusPoint(x: 16384, y: 32768)
    var image = image(4000, 2000)
    image.toggleZoom(at: focus)
    #expect(image.presentation.view == .zoomed(scale: 65536, centerX: 16384, centerY: 32768))
    image.toggleZoom()
    image.rotate()
    image.toggleZoom(at: focus)
    #expect(image.presentation.view == .zoomed(scale: 65536, centerX: 32768, centerY: 16384))
    // The scale stays, and the edges of the image are those of the view.
    image.scale(by: 2)
    image.show(FocusPoint(x: 32768, y: 32768))
    #expect(image.presentation.view == .zoomed(scale: 131_072, centerX: 32768, centerY: 32768))
    image.show(FocusPoint(x: 0, y: 65535))
    #expect(image.presentation.view == .zoomed(scale: 131_072, centerX: 8192, centerY: 3276))
  }

  @Test func anImageTakesTheScaleOrThePartOfAnother() {
    var (image, other) = (image(4000, 2000), image(4000, 2000))
    image.toggleZoom()
    image.pan(-2, 0)
    other.scale(by: 8)
    image.setScale(of: other)
    #expect(image.presentation.view == .zoomed(scale: 131_072, centerX: 28672, centerY: 32768))
    other.pan(1, 1)
    image.showSamePart(as: other)
    #expect(image.presentation.view == other.presentation.view)
    other.showWhole()
    image.setScale(of: other)
    #expect(image.isWhole && image.presentationAfterNextStep == nil)
  }
}
