import Gallery
import TestLimit
import Testing

@testable import ViewModels

@MainActor @Suite(.limited) struct PhotoCroppingTests {
  private func cropping(_ crop: PhotoCrop? = nil, _ orientation: ImageOrientation = .upright) -> PhotoCropping {
    PhotoCropping(width: 6000, height: 4000, crop: crop, orientation: orientation)
  }

  @Test func aFrameAroundAllOfItRemovesTheCrop() {
    let cropping = cropping(PhotoCrop(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
    #expect(cropping.change == nil && cropping.removalRefusal == nil)
    cropping.move(1, 1)
    #expect(cropping.change == .set(.crop, "0.270000 0.270000 0.770000 0.770000"))
    cropping.scale(by: 2)
    #expect(cropping.change == cropping.removal)
  }

  /// The journal gets no step that changes nothing.
  @Test func aPhotoWithoutACropStaysAsItIs() {
    let cropping = cropping()
    cropping.move(1, 1)
    cropping.scale(by: 2)
    #expect(cropping.text == "Free · 6000×4000" && cropping.change == nil)
    #expect(cropping.removalRefusal == "The photo is not cropped.")
  }

  @Test func theFrameHasTheSidesThatTheUserChooses() {
    let cropping = cropping()
    var texts: [String] = []
    for _ in 0..<8 {
      cropping.nextRatio()
      texts.append(cropping.text)
    }
    #expect(
      texts == [
        "1:1 · 4000×4000", "3:2 · 6000×4000", "2:3 · 2667×4000", "4:3 · 5333×4000", "3:4 · 3000×4000",
        "16:9 · 6000×3375", "9:16 · 2250×4000", "Free · 2250×4000",
      ])
  }

  @Test func theFrameStaysInTheImage() {
    let cropping = cropping(PhotoCrop(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
    for _ in 0..<50 { cropping.move(1, -1) }
    #expect(cropping.frame == PhotoCrop(x: 0.5, y: 0, width: 0.5, height: 0.5))
    cropping.scale(by: 1.5)
    #expect(cropping.text == "Free · 4500×3000" && cropping.frame.x + cropping.frame.width <= 1)
    for _ in 0..<50 { cropping.scale(by: 0.5) }
    #expect(cropping.text == "Free · 300×200")
    for _ in 0..<50 { cropping.widen(by: -1) }
    #expect(cropping.text == "Free · 300×200")
    for _ in 0..<50 { cropping.widen(by: 1) }
    #expect(cropping.text == "Free · 6000×200" && cropping.frame.x == 0)
  }

  /// A crop with the image's own proportions was most likely free.
  @Test(arguments: [(0.4, 0.6, "1:1 · 2400×2400"), (0.5, 0.5, "Free · 3000×2000"), (0.5, 0.6, "Free · 3000×2400")])
  func aCropIsChangedWithItsRatio(width: Double, height: Double, text: String) {
    #expect(cropping(PhotoCrop(x: 0.1, y: 0.1, width: width, height: height)).text == text)
  }

  @Test func oneSideAloneIsForFreeFrames() {
    let cropping = cropping()
    cropping.nextRatio()
    #expect(cropping.sidesRefusal == "The frame keeps 1:1. Choose “Free” to change one side.")
    cropping.widen(by: -1)
    #expect(cropping.text == "1:1 · 4000×4000")
  }

  /// The decision is a part of the stored image.
  @Test func theFrameOfATurnedPhotoIsStoredUnturned() {
    let upper = PhotoCrop(x: 0, y: 0, width: 1, height: 0.5)
    let cropping = cropping(upper, .rotated90)
    cropping.scale(by: 0.5)
    cropping.scale(by: 2)
    #expect(cropping.change == nil)
    cropping.widen(by: -5)
    #expect(cropping.change == .set(.crop, "0.000000 0.100000 0.500000 0.900000"))
  }
}
