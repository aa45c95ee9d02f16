import Gallery
import TestLimit
import TestPhotos
import Testing
import Torture

@testable import tintype_pictures

/// The scores of sharpness, and the order in which they put the photos of a stack.
@Suite(.limited) struct SharpnessTests {
  private static let photos = ["chelsea.jpg", "coffee.jpg", "dahlia.jpg", "astronaut.jpg", "rocket.jpg"]
  private static let size = PixelSize(240, 192)

  /// Returns the middle of a photo.
  private static func middle(_ name: String) throws -> Pixels {
    let photo = try Pixels.photo(TestPhotos.path(name))
    let left = (photo.size.width - size.width) / 2
    return photo.part(PixelRect(x: left, y: (photo.size.height - size.height) / 2, size: size)).noisy(0)
  }

  @Test(arguments: photos) func theScoreFallsWithBlur(name: String) throws {
    let photo = try Self.middle(name)
    let defocus = [0, 1, 2, 4, 8].map { photo.blurred(passes: $0).sharpness() }
    #expect(defocus == defocus.sorted(by: >) && Set(defocus).count == defocus.count, "\(defocus)")
    let motion = [1, 3, 5, 9].map { photo.shaken(length: $0).sharpness() }
    #expect(motion == motion.sorted(by: >) && Set(motion).count == motion.count, "\(motion)")
  }

  /// Even the noise of a high ISO changes the score less than the faintest blur does.
  @Test(arguments: photos) func noiseIsNotSharp(name: String) throws {
    let photo = try Self.middle(name)
    let blurred = photo.blurred(passes: 2)
    let score = blurred.sharpness()
    for deviation in [2.0, 5, 10] {
      #expect(abs(blurred.noisy(deviation).sharpness() - score) < max(12, score / 8), "\(deviation)")
    }
    #expect(blurred.noisy(10).sharpness() < photo.noisy(2).sharpness())
  }

  @Test(arguments: photos) func exposureAndCompressionHardlyMatter(name: String) throws {
    let photo = try Self.middle(name)
    let score = Double(photo.sharpness())
    #expect((0.9...1.1).contains(Double(photo.noisy(0, gain: 0.85).sharpness()) / score))
    #expect((0.9...1.1).contains(Double(photo.compressed(step: 8).sharpness()) / score))
  }

  @Test func theScoreOfAnEdgeTellsItsBlur() {
    let edge = Pixels.gray(PixelSize(160, 160)) { x, _ in x < 75 ? 60 : 190 }
    #expect((630...645).contains(edge.sharpness()))
    // Eight passes are a standard deviation of 2 pixels.
    #expect((490...515).contains(edge.blurred(passes: 8).sharpness()))
  }

  @Test func nothingHasNoSharpness() {
    let flat = Pixels.gray(PixelSize(200, 100)) { _, _ in 130 }
    #expect(flat.sharpness() == 0)
    #expect(flat.sharpnessTiles() == [UInt16](repeating: 0, count: 256))
    #expect(flat.noisy(8).sharpness() < 40)
    for side in [1, 2, 16, 32] {
      let tiny = Pixels.gray(PixelSize(side, side)) { x, _ in x * 8 }
      #expect(tiny.sharpness() == 0 && tiny.sharpnessTiles() == [])
    }
    #expect(Pixels.gray(PixelSize(33, 33)) { x, _ in x < 16 ? 0 : 255 }.sharpnessTiles().count == 256)
  }

  @Test func aTileHasTheSharpnessOfItsPlace() {
    // Only the square in the middle of the right half has edges.
    let image = Pixels.gray(PixelSize(512, 512)) { x, y in
      (320..<448).contains(x) && (192..<320).contains(y) && (x / 7 + y / 11) % 2 == 0 ? 200 : 50
    }
    let tiles = image.sharpnessTiles()
    for tile in 0..<256 {
      let (x, y) = (tile % 16, tile / 16)
      if (11...12).contains(x), (7...8).contains(y) { #expect(tiles[tile] > 3000) }
      // A block begins eight pixels beside its tile.
      if !(9...14).contains(x) || !(5...10).contains(y) { #expect(tiles[tile] == 0, "\(x) \(y)") }
    }
  }

  /// A stack of each photo: the best shot, out of focus or shaken ones, and other noise and exposure in each.
  @Test(arguments: zip(photos, photos.indices)) func theSharpestOfAStackIsFirst(name: String, seed: Int) throws {
    let photo = try Self.middle(name)
    let shots: [(image: Pixels, blur: Int)] = [
      (photo.blurred(passes: 2), 2), (photo.shaken(length: 3), 2), (photo, 0), (photo.blurred(passes: 1), 1),
      (photo.shaken(length: 6, down: true), 3), (photo.blurred(passes: 6), 4),
    ]
    var random = SplitMix(seed: seed)
    // In every other stack, the best shot has the least noise, or the most.
    let appraisals = shots.map { shot in
      let noise = shot.blur == 0 ? (seed % 2 == 0 ? 1 : 9) : Double.random(in: 2...9, using: &random)
      let gain = Double.random(in: 0.9...1.1, using: &random)
      let image = shot.image.noisy(noise, gain: gain, seed: .random(in: 0...999, using: &random))
      return ImageAppraisal(hash: 0, sharpness: image.sharpnessTiles())
    }
    let order = ImageAppraisal.sharpestFirst(appraisals, focus: [])
    #expect(order.first == 2)
    #expect(Set(order.suffix(2)).isSubset(of: [0, 1, 4, 5]) && order.last != 3, "\(order)")
  }

  /// Where the camera's focus is known, a sharp subject is better than a sharp background.
  @Test(arguments: photos.dropLast()) func theFocusDecides(name: String) throws {
    let photo = try Self.middle(name)
    let blurred = photo.blurred(passes: 6)
    let subject = PixelRect(x: 96, y: 72, size: PixelSize(96, 80))
    let shots = [photo.replacing(subject, by: blurred), blurred.replacing(subject, by: photo), blurred]
    let appraisals = shots.map { ImageAppraisal(hash: 0, sharpness: $0.noisy(3).sharpnessTiles()) }
    #expect(ImageAppraisal.sharpestFirst(appraisals, focus: [(x: 32768, y: 32768), nil, nil]).first == 1)
    #expect(ImageAppraisal.sharpestFirst(appraisals, focus: [(x: 6000, y: 6000), nil, nil]).first == 0)
  }
}
