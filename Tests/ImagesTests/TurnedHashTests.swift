import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import tintype_pictures

/// The hashes and the cells of turned images, which are found without turning a pixel.
@Suite(.limited) struct TurnedHashTests {
  /// The orientations of Exif are all eight turns.
  @Test(arguments: ["chelsea.jpg", "coffee.jpg", "rocket.jpg"]) func theyAreThoseOfTurnedPixels(name: String) throws {
    let photo = try Pixels.photo(TestPhotos.path(name))
    let appraisal = ImageAppraisal(hash: photo.perceptualHash(), cells: photo.cells())
    let shapes = try #require(ImageShapes(appraisal))
    var turns: Set<Int> = []
    for orientation in 1...8 {
      let pixels = photo.upright(try #require(ImageOrientation(rawValue: orientation)).rawValue)
      let turned = ImageAppraisal(hash: pixels.perceptualHash(), cells: pixels.cells())
      let turnedShapes = try #require(ImageShapes(turned))
      let near = ImageTurn.all.indices.filter { index in
        (appraisal.turnedHashes[index] ^ turned.hash).nonzeroBitCount <= 4
          && turnedShapes.isDuplicate(of: shapes, after: ImageTurn.all[index])
      }
      #expect(near.count == 1, "orientation \(orientation)")
      turns.formUnion(near)
    }
    #expect(turns.count == 8)
  }
}
