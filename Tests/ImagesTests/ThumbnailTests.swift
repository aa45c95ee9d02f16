import Foundation
import Gallery
import ImageWire
import Metadata
import TestLimit
import Testing

@testable import Images
@testable import tintype_pictures

/// The thumbnails that are kept of images, and the images that they replace.
@Suite(.limited) @MainActor final class ThumbnailTests {
  private let folder: ImageFolder
  private let cache: String

  init() throws {
    folder = try ImageFolder()
    cache = folder.path.printable + "/cache"
    folder.queue = RenditionQueue(workerPath: try ImageFolder.workerPath(cache: cache), workerCount: 1)
  }

  /// Returns a JPEG of gray squares that are as dark as they are far to the left.
  private static func photo(_ columns: Int, _ rows: Int) -> [UInt8] {
    let shades = (0..<rows).flatMap { _ in (0..<columns).map { UInt8($0 * 255 / (columns - 1)) } }
    return SquareJPEG(columns: columns, rows: rows, shades: shades).baseline()
  }

  /// The first name is that of the standard's example, and the others are GLib's.
  @Test(arguments: [
    ("/home/jens/photos/me.png", "file:///home/jens/photos/me.png", "c6ee772d9e49320e97ec29a7eb5b1697"),
    (
      "/a b/é!$&'()*+,-./0:;<=>?@[]^_`{|}~%#\"\\",
      "file:///a%20b/%C3%A9!$&'()*+,-./0:%3B%3C=%3E%3F@%5B%5D%5E_%60%7B%7C%7D~%25%23%22%5C",
      "3631e5ff55661c76195141d929caf05a"
    ),
  ])
  func thumbnailsHaveTheNamesThatOtherProgramsGiveThem(path: String, address: String, checksum: String) throws {
    let name = try #require(ThumbnailName(of: FilePath(path)))
    #expect(name.uri == address)
    #expect(name.checksum == checksum)
  }

  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
  ])
  func checksumsAreThoseOfTheSpecification(text: String, checksum: String) {
    #expect(MD5.checksum(of: Array(text.utf8)) == checksum)
  }

  private func thumbnails() -> [String] {
    ["normal", "large", "x-large", "xx-large"].filter { size in
      !((try? FileManager.default.contentsOfDirectory(atPath: "\(cache)/thumbnails/\(size)")) ?? [])
        .allSatisfy { $0.hasPrefix(".") }
    }
  }

  /// An image that is shown large gets a thumbnail that is large enough for the same place, if it is much larger itself. The
  /// thumbnail that suits other programs is made, too.
  @Test(arguments: [
    (side: 200, photo: 320, kept: ["large"]), (side: 300, photo: 320, kept: ["large", "x-large"]),
    (side: 512, photo: 320, kept: ["large", "x-large"]), (side: 513, photo: 320, kept: ["large", "xx-large"]),
    (side: 1025, photo: 320, kept: ["large"]), (side: 300, photo: 128, kept: ["large"]),
    (side: 600, photo: 256, kept: ["large"]),
  ])
  func theThumbnailIsKeptThatWouldHaveBeenSharp(side: Int, photo: Int, kept: [String]) async throws {
    let file = try folder.write(Self.photo(photo, 20))
    _ = try DecodedImage(await folder.answer(file, columns: side, stage: .full))
    #expect(await eventually { self.thumbnails().count == kept.count })
    #expect(thumbnails() == kept)
  }

  /// A format that is decoded in other sizes than JPEG, and a JPEG in another place than the beginning of its file.
  enum OtherFormat: Sendable {
    case png, tiff, raw, heic

    @MainActor func photo(_ width: Int, _ height: Int) -> [UInt8] {
      func shades(bands: Int) -> [Int] {
        (0..<height).flatMap { _ in (0..<width * bands).map { $0 / bands * 255 / (width - 1) } }
      }
      switch self {
      case .png: return SampleImage.png(width, height, rgb: shades(bands: 3).map { UInt8($0) })
      case .tiff: return SampleImage.tiff(width, height, .bytes, values: shades(bands: 1).map(Double.init))
      case .raw:
        let jpeg = ThumbnailTests.photo(width / 8, height / 8)
        let head = Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 0, count: 68)
        return head + SampleImage.big(92, 4) + SampleImage.big(jpeg.count, 4) + jpeg
      case .heic: return Array(Data(base64Encoded: Self.sampleHEIC, options: .ignoreUnknownCharacters) ?? Data())
      }
    }

    /// A HEIC of 1280x960 pixels that get brighter to the right, which libheif has written.
    private static let sampleHEIC = """
      AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAATxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA
      AAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFgAAEAAAAAAAABbwAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAvGlwcnAAAACe
      aXBjbwAAAHRodmNDAQQIAAAAAAAAAAAAePAA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAB4ugJAIQABAChCAQEECAAAAwCf+AAAAwAA
      eMAKAgDwWW6kkprmwIAAAAMAgAAAAwCEIgABAAdEAcFysGJAAAAAFGlzcGUAAAAAAAAFAAAAA8AAAAAOcGl4aQAAAAABCAAAABZpcG1hAAAAAAAA
      AAEAAQOBAoMAAAF3bWRhdAAAAWsoAa4JI88ooXKEyZIiRIkSJEjA8SgSG/hOjaOd8WQyR6qKsRymDqz8qTU71i/vxuPqh434RixXR1hSSVi8VGjo
      IVQb5fwxVuX7sRpZjL7zOYH1EiwRTP3LILYpiOBgxPNrinhHlqhwAAHo4AD9QAASilHAvXxdAAADAAADAAADAAADAAADAAADAOOAv2cAAAMAAAMA
      AAMAAAMAAAMAAARMSMoAAAMAAAMAAAMAAAMAAAMAAs5WCAAAAwAAAwAAAwAAAwAAAwA5oF2MAAADAAADAAADAAADAAADAWNn/AAAAwAAAwAAAwAA
      AwAABdRvzAAAAwAAAwAAAwAAAwAADXh3lAAAAwAAAwAAAwAAAwAAG7B5mAAAAwAAAwAAAwAAAwAAKGB/SAAAAwAAAwAAAwAAAwAAQ8CE6AAAAwAA
      AwAAAwAAAwAAZsCKIAAAAwAAAwAAAwAAAwAAlICPWAAAAwAAAwAAAwAAAwAAzYA=
      """
  }

  /// Images of every format leave the thumbnails that would have been sharp, whether all of them is shown or they are cut.
  /// The next time, these are shown.
  @Test(arguments: [OtherFormat.png, .tiff, .raw, .heic], [60, 300])
  func everyFormatLeavesThumbnails(format: OtherFormat, side: Int) async throws {
    let kept = side > 256 ? ["large", "x-large"] : ["large"]
    for view in [ImageView.whole, .filling] {
      let file = try folder.write(format.photo(1280, 960), as: "\(format)-\(view)")
      let image = try DecodedImage(await folder.answer(file, view: view, columns: side, stage: .full))
      #expect((image.info.width, image.info.height) == (1280, 960))
      #expect(image.pixels.width == side)
      #expect(await eventually { self.thumbnails() == kept }, "\(view): \(thumbnails())")
      let again = try DecodedImage(await folder.answer(file, view: view, columns: side, stage: .preview))
      #expect(again.info.isSharp, "\(view)")
      #expect((again.info.width, again.info.height) == (1280, 960))
      #expect((again.pixels.width, again.pixels.height) == (image.pixels.width, image.pixels.height))
      let differences = zip(again.pixels.rgb, image.pixels.rgb).map { abs(Int($0) - Int($1)) }
      #expect(try #require(differences.max()) <= 3, "\(view)")
      try FileManager.default.removeItem(atPath: cache + "/thumbnails")
    }
  }

  /// The image is not decoded where a thumbnail has as many pixels as are shown. A smaller one is a preview.
  @Test func aThumbnailReplacesTheImageOnlyIfItIsSharp() async throws {
    let file = try folder.write(Self.photo(320, 160))
    let image = try DecodedImage(await folder.answer(file, columns: 500, stage: .full))
    #expect(await eventually { self.thumbnails() == ["large", "x-large"] })
    let again = try DecodedImage(await folder.answer(file, columns: 500, stage: .preview))
    #expect(again.info.isSharp)
    #expect((again.info.width, again.info.height) == (2560, 1280))
    #expect((again.pixels.width, again.pixels.height) == (500, 250))
    let differences = zip(again.pixels.rgb, image.pixels.rgb).map { abs(Int($0) - Int($1)) }
    #expect(try #require(differences.max()) <= 2)
    // The thumbnail has 512 pixels.
    for (side, isSharp) in [(512, true), (513, false)] {
      let preview = try DecodedImage(await folder.answer(file, columns: side, stage: .preview))
      #expect(preview.info.isSharp == isSharp, "\(side)")
    }
    // The small thumbnail is enough for a small place, and nothing is enough for a part.
    #expect(try DecodedImage(await folder.answer(file, columns: 256, stage: .preview)).info.isSharp)
    let part = ImageView.zoomed(scale: 65536, centerX: 32768, centerY: 32768)
    #expect(
      try DecodedImage(await folder.answer(file, view: part, columns: 100, stage: .preview)).info.isSharp == false)
  }

  /// The tile of a row shows a part of an image, and leaves a thumbnail of all of it.
  @Test func aTileLeavesAThumbnailOfTheWholeImage() async throws {
    let file = try folder.write(Self.photo(160, 40))
    let tile = try DecodedImage(await folder.answer(file, view: .filling, columns: 60, stage: .full))
    #expect((tile.pixels.width, tile.pixels.height) == (60, 60))
    #expect((tile.info.width, tile.info.height) == (1280, 320))
    #expect(await eventually { self.thumbnails() == ["large"] })
    let preview = try DecodedImage(await folder.answer(file, columns: 256, stage: .preview))
    #expect(preview.info.isSharp)
    #expect((preview.pixels.width, preview.pixels.height) == (256, 64))
    #expect(abs((preview[2, 30] & 0xFF) - 2) <= 3 && abs((preview[253, 30] & 0xFF) - 253) <= 3)
    // The middle quarter of the image is in the tile.
    #expect(abs((tile[1, 30] & 0xFF) - 97) <= 4 && abs((tile[58, 30] & 0xFF) - 158) <= 4)
  }

  /// An image that is slow to decode leaves its small thumbnail at once, as other places may wait for the image. What takes
  /// longer to make waits until there is nothing else to do.
  @Test(arguments: [(milliseconds: 101, atOnce: [256]), (milliseconds: 100, atOnce: [])])
  func theThumbnailOfASlowImageIsMadeAtOnce(milliseconds: Int, atOnce: [Int]) throws {
    let file = try ImageFile(path: try folder.write(Self.photo(320, 160)))
    let specification = RenditionSpecification(pixelsOf: .file(file.path), side: 500)
    let decoded = try ImageDecoder().decode(file, specification, leavesThumbnails: true)
    var sides: [Int] = []
    let maker = ThumbnailMaker { thumbnail, _, _ in sides.append(thumbnail.size.longerSide) }
    maker.add(decoded, of: file, 1, known: [], after: .milliseconds(milliseconds))
    #expect(sides == atOnce)
    // Between two requests, only those are made that save much time.
    maker.makeUrgent()
    #expect(sides == (atOnce.isEmpty ? [] : [256, 512]))
    maker.makeAll()
    #expect(sides.sorted() == [256, 512])
  }

  /// A photo whose image was requested before it had a preview gets one once a rendition of another size has left a thumbnail.
  @Test func theThumbnailOfATileFillsALargePlace() async throws {
    let loader = ImageLoader(workerPath: try ImageFolder.workerPath(cache: cache), workerCount: 1)
    var screen = ImageLoaderTests.screen
    screen.format = .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: false))
    let image = ImageLocation.file(try folder.write(Self.photo(320, 160)))
    func specification(columns: Int) -> RenditionSpecification {
      RenditionSpecification(image, columns: columns, rows: columns / 2, on: screen)
    }
    // The large place leaves the screen when it has been found that there is no preview.
    loader.beginFrame()
    _ = loader.rendition(of: specification(columns: 100))
    loader.endFrame()
    _ = await ImageLoaderTests.rendition(of: specification(columns: 8), with: loader)
    #expect(await eventually { self.thumbnails() == ["large"] })
    loader.beginFrame()
    _ = loader.rendition(of: specification(columns: 100))
    // The image itself may come before this test goes on.
    let (first, info) = await withCheckedContinuation { continuation in
      loader.onRendition = {
        loader.onRendition = {}
        continuation.resume(returning: loader.rendition(of: specification(columns: 100)))
      }
      loader.endFrame()
    }
    #expect(first.graphic != nil)
    #expect(!info.isSharp)
  }

  /// The user may rotate a photo before its image has arrived. Other programs expect thumbnails to be upright.
  @Test(arguments: [ImageRotation.clockwise90, .clockwise180, .clockwise270])
  func aRotatedImageUsesThumbnailsAndLeavesNone(rotation: ImageRotation) async throws {
    let file = try folder.write(Self.photo(320, 160))
    let image = try DecodedImage(await folder.answer(file, rotation: rotation, columns: 500, stage: .full))
    // What there is to do is done before a thumbnail is made on request.
    _ = await folder.answer(try folder.write(Self.photo(320, 20), as: "other"), .thumbnail)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cache)/thumbnails/large").count == 1)
    _ = await folder.answer(file, .thumbnail)
    let preview = try DecodedImage(await folder.answer(file, rotation: rotation, columns: 500, stage: .preview))
    #expect((preview.info.width, preview.info.height) == (image.info.width, image.info.height))
    #expect((preview.pixels.width, preview.pixels.height) == (image.pixels.width, image.pixels.height))
    let differences = zip(preview.pixels.rgb, image.pixels.rgb).map { abs(Int($0) - Int($1)) }
    #expect(try #require(differences.max()) <= 4)
  }

  /// Some programs give the size of the image before it is rotated, which is that of the file.
  @Test(arguments: [(PixelSize(4000, 3000), PixelSize(3000, 4000)), (PixelSize(3000, 4000), PixelSize(3000, 4000))])
  func theSizeInAThumbnailIsThatOfTheUprightImage(stored: PixelSize, size: PixelSize) throws {
    let file = try folder.write(Self.photo(320, 20))
    let shared = try #require(ThumbnailCache(environment: ["XDG_CACHE_HOME": cache]))
    let upright = Pixels(PixelSize(96, 128))
    upright.words.update(repeating: 0xFF00_0000)
    var status = stat()
    try #require(file.withCString { stat($0, &status) } == 0)
    try #require(shared.store(upright, of: file, status, stored) > 0)
    let thumbnails = CachedThumbnails(descriptors: shared.open(for: file)).all(of: try ImageFile(path: file))
    #expect(thumbnails.map(\.wholeSize) == [size])
  }

  /// A file that was copied, or whose permissions were changed, has an earlier time of its content (`Thumb::MTime`) than of
  /// its own last change.
  @Test func aThumbnailHasTheTimeOfTheContent() throws {
    let file = try folder.write(Self.photo(320, 20))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file.printable)
    let shared = try #require(ThumbnailCache(environment: ["XDG_CACHE_HOME": cache]))
    let pixels = Pixels(PixelSize(128, 8))
    pixels.words.update(repeating: 0xFF00_0000)
    var status = stat()
    try #require(file.withCString { stat($0, &status) } == 0)
    try #require(shared.store(pixels, of: file, status, PixelSize(2560, 160)) > 0)
    let thumbnails = CachedThumbnails(descriptors: shared.open(for: file)).all(of: try ImageFile(path: file))
    #expect(thumbnails.count == 1)
  }

  /// Nothing is stored of the images that a command shows.
  @Test func commandsKeepNoThumbnails() async throws {
    let file = try folder.write(Self.photo(320, 20))
    _ = try DecodedImage(await folder.answer(file, columns: 300, stage: .once))
    _ = try DecodedImage(await folder.answer(file, view: .filling, columns: 60, stage: .once))
    // What there is to do is done before a thumbnail is made on request.
    _ = await folder.answer(try folder.write(Self.photo(320, 20), as: "other"), .thumbnail)
    #expect(thumbnails() == ["large"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cache)/thumbnails/large").count == 1)
  }
}

/// The limit on large thumbnails.
@Suite(.limited) final class ThumbnailPruningTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Stores a thumbnail of a photo that need not exist, which was used at some time. Returns its size in bytes.
  private func store(_ side: Int, of name: String, usedAt seconds: Int) throws -> Int {
    let cache = try #require(ThumbnailCache(environment: ["XDG_CACHE_HOME": folder.path]))
    let pixels = Pixels(PixelSize(side, 8))
    pixels.words.update(repeating: 0xFF00_0000)
    let before = Set(files())
    let bytes = cache.store(pixels, of: FilePath("/photos/\(name)"), stat(), PixelSize(4000, 3000))
    let new = try #require(Set(files()).subtracting(before).first)
    names[new] = name
    let times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
    utimes(folder.path + "/thumbnails/" + new, times)
    return bytes
  }

  private var names: [String: String] = [:]

  private func files() -> [String] {
    let all = FileManager.default.enumerator(atPath: folder.path + "/thumbnails")
    return (all?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".png") }
  }

  private func kept() -> Set<String> { Set(files().map { names[$0] ?? $0 }) }

  /// Those that were not used for the longest time go first. Small thumbnails stay, and those of other programs.
  @Test func theLargeThumbnailsThatWereNotUsedForLongAreRemoved() throws {
    var sizes: [String: Int] = [:]
    // Another program's, with its name in the same place, and what is no thumbnail.
    _ = try store(512, of: "other", usedAt: 0)
    let own = try #require(files().first)
    var other = try Data(contentsOf: folder.appending(path: "thumbnails/" + own))
    try FileManager.default.removeItem(at: folder.appending(path: "thumbnails/" + own))
    for (name, side, time) in [("old", 512, 1), ("newer", 1024, 2), ("newest", 512, 3), ("small", 256, 0)] {
      sizes[name] = try store(side, of: name, usedAt: 1_000_000_000 + time)
    }
    other.replaceSubrange(try #require(other.range(of: Data("Tintype".utf8))), with: Data("Another".utf8))
    try other.write(to: folder.appending(path: "thumbnails/x-large/other.png"))
    try Data("text".utf8).write(to: folder.appending(path: "thumbnails/x-large/text.png"))
    let others: Set = ["small", "x-large/other.png", "x-large/text.png"]
    let cache = try #require(ThumbnailCache(environment: ["XDG_CACHE_HOME": folder.path]))
    let all = ["old", "newer", "newest"].reduce(0) { $0 + (sizes[$1] ?? 0) }
    cache.prune(to: all)
    #expect(kept() == others.union(["old", "newer", "newest"]))
    cache.prune(to: all - 1)
    #expect(kept() == others.union(["newer", "newest"]))
    cache.prune(to: 0)
    #expect(kept() == others)
  }
}
