import Gallery
import TestLimit
import TestPhotos
import Testing

@testable import tintype_pictures

/// The hashes by which similar photos are found.
@Suite(.limited) struct PerceptualHashTests {
  private static let photos = ["chelsea.jpg", "coffee.jpg", "dahlia.jpg", "astronaut.jpg", "rocket.jpg"]

  private static func hash(_ pixels: Pixels) -> ImageAppraisal { ImageAppraisal(hash: pixels.perceptualHash()) }

  @Test(arguments: photos) func theSameImageIsNear(name: String) throws {
    let photo = try Pixels.photo(TestPhotos.path(name))
    let hash = Self.hash(photo)
    #expect(hash.distance(to: hash) == 0)
    let small = photo.scaled(to: PixelSize(160, 120))
    let others = [
      photo.scaled(to: PixelSize(128, 96)), photo.scaled(to: PixelSize(48, 40)), small.noisy(10),
      small.noisy(0, gain: 0.85), small.compressed(step: 30), small.blurred(passes: 3),
    ]
    for (index, other) in others.enumerated() { #expect(Self.hash(other).distance(to: hash) <= 6, "\(index)") }
  }

  @Test func differentImagesAreFar() throws {
    let hashes = try Self.photos.map { Self.hash(try Pixels.photo(TestPhotos.path($0))) }
    for (index, hash) in hashes.enumerated() {
      for other in hashes.dropFirst(index + 1) {
        #expect(hash.distance(to: other) > ImageAppraisal.burstDistance)
        #expect(hash.distance(to: other) == other.distance(to: hash))
      }
    }
  }

  /// A camera that moves by a fiftieth of the frame takes a photo of the same burst.
  @Test(arguments: photos) func anUnsteadyHandStaysInTheBurst(name: String) throws {
    let photo = try Pixels.photo(TestPhotos.path(name))
    let size = PixelSize(photo.size.width * 49 / 50, photo.size.height * 49 / 50)
    let first = Self.hash(photo.part(PixelRect(size: size)))
    let second = Self.hash(
      photo.part(PixelRect(x: photo.size.width / 50, y: photo.size.height / 50, size: size)))
    #expect(first.distance(to: second) <= ImageAppraisal.nearDuplicateDistance)
  }

  @Test func whiteBalanceHardlyMatters() throws {
    let photo = try Pixels.photo(TestPhotos.path("coffee.jpg"))
    let warm = Pixels(photo.size)
    for index in 0..<photo.words.count {
      let word = photo.words[index]
      let (red, blue) = (min(255, (word & 0xFF) * 108 / 100), (word >> 16 & 0xFF) * 92 / 100)
      warm.words[index] = word & 0xFF00_FF00 | red | blue << 16
    }
    #expect(Self.hash(warm).distance(to: Self.hash(photo)) <= 3)
  }

  /// A tiny image has a hash, too. Each of its pixels covers several cells.
  @Test func tinyImagesHaveHashes() {
    let halves = Pixels.gray(PixelSize(2, 1)) { x, _ in x * 255 }
    let large = Pixels.gray(PixelSize(64, 64)) { x, _ in x < 32 ? 0 : 255 }
    // Rounding decides the signs of the frequencies that neither has.
    #expect((halves.perceptualHash() ^ large.perceptualHash()) & 1 == 0)
    #expect(Pixels.gray(PixelSize(1, 1)) { _, _ in 255 }.perceptualHash().nonzeroBitCount <= 64)
  }
}
