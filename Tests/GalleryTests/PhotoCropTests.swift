import Gallery
import TestLimit
import Testing

@Suite(.limited) struct PhotoCropTests {
  private let crop = PhotoCrop(x: 0.1, y: 0.2, width: 0.3, height: 0.6)

  @Test func aTextIsThatOfTheEdges() {
    #expect(crop.text == "0.100000 0.200000 0.400000 0.800000")
    let read = PhotoCrop(text: crop.text)
    #expect(read?.text == crop.text)
    #expect(PhotoCrop(x: 0, y: 0, width: 0.000001, height: 1).text == "0.000000 0.000000 0.000001 1.000000")
  }

  @Test(arguments: [
    "", "0 0 1", "0 0 1 1", "0.5 0 0.5 1", "0.6 0 0.5 1", "-0.1 0 1 1", "0 0 1.1 1", "nan 0 1 1", "a b c d",
    "0 0.5 1 0.5", "0 0 0.5 1 1",
  ]) func otherTextsAreNone(text: String) { #expect(PhotoCrop(text: text) == nil) }

  /// Exif's figure: the part at the left and above is found at another corner of the upright image.
  @Test(arguments: [
    (ImageOrientation.upright, "0.100000 0.200000 0.400000 0.800000"),
    (.mirrored, "0.600000 0.200000 0.900000 0.800000"),
    (.rotated180, "0.600000 0.200000 0.900000 0.800000"), (.mirroredRotated180, "0.100000 0.200000 0.400000 0.800000"),
    (.mirroredRotated270, "0.200000 0.100000 0.800000 0.400000"), (.rotated90, "0.200000 0.100000 0.800000 0.400000"),
    (.mirroredRotated90, "0.200000 0.600000 0.800000 0.900000"), (.rotated270, "0.200000 0.600000 0.800000 0.900000"),
  ]) func thePartTurnsWithTheImage(orientation: ImageOrientation, text: String) {
    #expect(crop.oriented(orientation).text == text)
    // Upside down, the edges above and below are told apart.
    let uneven = PhotoCrop(x: 0.1, y: 0.3, width: 0.3, height: 0.6)
    #expect(uneven.oriented(orientation).stored(orientation).text == uneven.text)
  }
}
