import Gallery
import Services
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// The groups of duplicates, and the best one of each.
@Suite(.limited) struct DuplicateFinderTests {
  private let service = FakeAppraisals()

  /// Returns the names of each group, the best one first.
  private func groups(of files: [DuplicateFile]) async throws -> [[String]] {
    let photos = service.folder(files).photos
    let found = try #require(await DuplicateFinder(service: service).duplicates(in: photos))
    let names = Dictionary(uniqueKeysWithValues: photos.indices.map { (photos.id(at: $0), photos[$0].name) })
    return found.groups.map { $0.compactMap { names[$0.id] } }
  }

  @Test func thePictureCountsAndNotTheName() async throws {
    let files = [
      DuplicateFile(name: "a.jpg", picture: 1), DuplicateFile(name: "b.jpg", picture: 2, time: 7),
      DuplicateFile(name: "c.webp", picture: 1, pixels: (300, 200), time: nil, changedBits: 3),
      DuplicateFile(name: "d.jpg", picture: 3, time: 8),
    ]
    #expect(try await groups(of: files) == [["a.jpg", "c.webp"]])
    // The image itself is decoded only of photos that may have a duplicate.
    #expect(service.asked == ["a.jpg", "b.jpg", "c.webp", "d.jpg", "a.jpg cells", "c.webp cells"])
  }

  /// Each case has two files. The first one is the best, wherever it is.
  @Test(
    arguments: [
      (
        DuplicateFile(name: "large.png", picture: 1, time: nil),
        DuplicateFile(name: "small.jpg", picture: 1, pixels: (599, 400))
      ),
      (DuplicateFile(name: "a.cr2", picture: 1), DuplicateFile(name: "b.jpg", picture: 1, stars: 5)),
      (DuplicateFile(name: "camera.jpg", picture: 1), DuplicateFile(name: "copy.png", picture: 1, size: 9000)),
      (DuplicateFile(name: "b.png", picture: 1, time: nil), DuplicateFile(name: "a.jpg", picture: 1, time: nil)),
      (DuplicateFile(name: "b.png", picture: 1, time: nil), DuplicateFile(name: "a.gif", picture: 1, time: nil)),
      (DuplicateFile(name: "b.jpg", picture: 1), DuplicateFile(name: "a.jpg", picture: 1, time: nil, stars: 5)),
      (DuplicateFile(name: "b.jpg", picture: 1, stars: 1), DuplicateFile(name: "a.jpg", picture: 1, size: 9000)),
      (DuplicateFile(name: "b.jpg", picture: 1, size: 1001), DuplicateFile(name: "a.jpg", picture: 1)),
      (
        DuplicateFile(name: "small.jpg", picture: 1, pixels: (60, 40)),
        DuplicateFile(name: "a.jpg", picture: 1, stars: -1)
      ),
    ])
  func oneIsTheBest(best: DuplicateFile, other: DuplicateFile) async throws {
    #expect(try await groups(of: [best, other]) == [[best.name, other.name]])
    #expect(try await groups(of: [other, best]) == [[best.name, other.name]])
  }

  @Test func equalOnesKeepTheOrderOfTheSource() async throws {
    let files = ["b.jpg", "a.jpg", "c.jpg"].map { DuplicateFile(name: $0, picture: 1, bytes: "x") }
    #expect(try await groups(of: files) == [["b.jpg", "a.jpg", "c.jpg"]])
  }

  @Test func theFilesOfOnePhotoAreNoDuplicates() async throws {
    let pair = [DuplicateFile(name: "a.cr2", picture: 1), DuplicateFile(name: "a.jpg", picture: 1)]
    #expect(try await groups(of: pair) == [])
    let copy = DuplicateFile(name: "export.jpg", picture: 1, pixels: (300, 200))
    // The first file represents the photo.
    #expect(try await groups(of: pair + [copy]) == [["a.jpg", "export.jpg"]])
  }

  /// Bytes are enough for a file that can't be decoded, whatever its pixels or its metadata say.
  @Test func theSameBytesAreEnough() async throws {
    let files = ["a.jpg", "b.jpg"].map { DuplicateFile(name: $0, picture: 1, bytes: "x") }
    let photos = service.folder(files).photos
    for file in files { service.set(file.name, nil, file.content) }
    let found = await DuplicateFinder(service: service).duplicates(in: photos)
    #expect(found?.groups.map { $0.map(\.isEqual) } == [[true, true]])
  }

  @Test func twoNamesOfOneFileAreNoDuplicates() async throws {
    let names = ["a.jpg", "hard-link.jpg"].map { DuplicateFile(name: $0, picture: 1, bytes: "x", inode: 1) }
    #expect(try await groups(of: names) == [])
    let copy = DuplicateFile(name: "copy.jpg", picture: 1, bytes: "x")
    #expect(try await groups(of: names + [copy]) == [["a.jpg", "copy.jpg"]])
  }

  @Test(
    arguments: [
      // Another time, another fraction of the second, another exposure, and something that has moved.
      DuplicateFile(name: "b.jpg", picture: 1, time: 101.25), DuplicateFile(name: "b.jpg", picture: 1, time: 100.5),
      DuplicateFile(name: "b.jpg", picture: 1, iso: 800),
      DuplicateFile(name: "b.jpg", picture: 1, time: nil, hasMoved: true),
      // Too many bits, and another picture.
      DuplicateFile(name: "b.jpg", picture: 1, time: nil, changedBits: 9),
      DuplicateFile(name: "b.jpg", picture: 2, time: nil),
    ])
  func anotherShotIsNoDuplicate(other: DuplicateFile) async throws {
    #expect(try await groups(of: [DuplicateFile(name: "a.jpg", picture: 1, iso: 100), other]) == [])
  }

  /// A program may drop the fraction of the second.
  @Test func aTimeWithoutFractionsMayBeTheSame() async throws {
    let files = [DuplicateFile(name: "a.jpg", picture: 1), DuplicateFile(name: "b.jpg", picture: 1, time: 100)]
    #expect(try await groups(of: files) == [["a.jpg", "b.jpg"]])
  }

  /// A cropped photo has other cells, but the camera's fraction of a second says that it is the same shot.
  @Test(arguments: [(100.25, 15, true), (100.25, 17, false), (100, 15, false)])
  func aCroppedPhotoIsKnownByItsTime(time: Double, changedBits: Int, isFound: Bool) async throws {
    let files = [
      DuplicateFile(name: "a.jpg", picture: 1, time: time),
      DuplicateFile(
        name: "b.jpg", picture: 1, pixels: (570, 380), time: time, changedBits: changedBits, hasMoved: true),
    ]
    #expect(try await groups(of: files) == (isFound ? [["a.jpg", "b.jpg"]] : []))
  }

  /// Each photo of a group is a duplicate of the best one, and not only of another one.
  @Test func groupsAreNoChains() async throws {
    let files = [
      DuplicateFile(name: "a.jpg", picture: 1, pixels: (900, 600), time: 100.25),
      DuplicateFile(name: "b.jpg", picture: 1, time: nil),
      DuplicateFile(name: "c.jpg", picture: 1, pixels: (800, 500), time: 200.25),
    ]
    #expect(try await groups(of: files) == [["a.jpg", "b.jpg"]])
  }

  @Test func hashesAreFoundByTheirQuarters() {
    var generator = SystemRandomNumberGenerator()
    let hashes = (0..<200).map { _ in UInt64.random(in: 0...UInt64.max, using: &generator) }
    let index = HashIndex(hashes)
    for (place, hash) in hashes.enumerated() {
      let bits = (0..<64).shuffled().prefix(ImageAppraisal.duplicateDistance + 1)
      let changed = bits.dropLast().reduce(hash) { $0 ^ 1 << UInt64($1) }
      func places(near hash: UInt64) -> Set<Int> {
        var places: Set<Int> = []
        index.forEachPlace(near: hash) { places.insert($0).inserted || true }
        return places
      }
      #expect(places(near: changed).contains(place))
      #expect(!places(near: changed ^ 1 << UInt64(bits[ImageAppraisal.duplicateDistance])).contains(place))
    }
  }
}
