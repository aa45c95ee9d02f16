import Gallery
import Metadata
import TestLimit
import TestPhotos
import Testing

/// Videos in the boxes of QuickTime and MPEG-4.
@Suite(.limited) struct QuickTimeTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  private func metadata(_ file: VideoFile) throws -> PhotoMetadata { try folder.metadata(of: file.bytes) }
  private func metadata(udta: [UInt8]) throws -> PhotoMetadata {
    try metadata(VideoFile(more: VideoFile.box("udta", udta)))
  }

  @Test(arguments: [0, 1]) func aVideoIsDescribedInBothVersions(version: Int) throws {
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 3_600_000_000 - 2_082_844_800, offset: 0)
    (expected.width, expected.height) = (1920, 1080)
    (expected.duration, expected.codec) = (2.5, "H.264")
    expected.frameRate = 75 * 30_000 / 75_075
    #expect(try metadata(VideoFile(version: version)) == expected)
  }

  @Test func aFileIsAVideo() throws {
    let path = try folder.write(VideoFile().bytes, as: "a.mov")
    #expect(try MetadataReader().metadata(of: FoundPhoto(path: path)).get().kind == .video)
  }

  @Test(arguments: [
    ([1, 0, 0, 1], 1), ([-1, 0, 0, 1], 2), ([-1, 0, 0, -1], 3), ([1, 0, 0, -1], 4), ([0, 1, 1, 0], 5),
    ([0, 1, -1, 0], 6), ([0, -1, -1, 0], 7), ([0, -1, 1, 0], 8), ([0, 0, 0, 0], 1),
  ])
  func theMatrixOfTheTrackRotates(matrix: [Int], orientation: Int) throws {
    let metadata = try metadata(VideoFile(matrix: matrix))
    #expect(metadata.shownOrientation.rawValue == orientation)
    #expect((metadata.width, metadata.height) == (orientation > 4 ? (1080, 1920) : (1920, 1080)))
  }

  @Test func pixelsThatAreNotSquareAreStretched() throws {
    func size(_ track: (Int, Int), _ pixel: (Int, Int)) throws -> [Int] {
      let metadata = try metadata(VideoFile(trackSize: track, storedSize: (1440, 1080), pixel: pixel))
      return [metadata.width, metadata.height]
    }
    #expect(try size((1920, 1080), (4, 3)) == [1920, 1080])
    #expect(try size((1920, 1080), (1, 1)) == [1920, 1080])
    #expect(try size((1440, 1080), (4, 3)) == [1920, 1080])
    #expect(try size((0, 0), (4, 3)) == [1920, 1080])
    #expect(try size((0, 0), (1, 1)) == [1440, 1080])
    #expect(try size((0, 0), (1, 0)) == [1440, 1080])
  }

  @Test(arguments: [
    ("hvc1", "HEVC"), ("av01", "AV1"), ("vp09", "VP9"), ("apcn", "ProRes"), ("jpeg", "MJPEG"), ("mp4v", "MPEG-4"),
    ("dvc ", "DV"), ("zzzz", "zzzz"),
  ])
  func theCodecHasTheNameThatPeopleUse(code: String, name: String) throws {
    #expect(try metadata(VideoFile(code: code)).codec == name)
  }

  @Test func aRecordingOfSoundHasNoSize() throws {
    let metadata = try metadata(VideoFile(handler: "soun"))
    #expect((metadata.width, metadata.height, metadata.codec, metadata.frameRate) == (0, 0, nil, nil))
    #expect((metadata.duration, metadata.isCutOff) == (2.5, false))
  }

  /// The images of chapters are in a track that is switched off, which may come first.
  @Test func theTrackThatIsSwitchedOnIsTheVideo() throws {
    let video = VideoFile(trackSize: (640, 480), code: "hvc1").track
    let metadata = try metadata(VideoFile(trackFlags: 0, code: "jpeg", more: video))
    #expect((metadata.width, metadata.codec) == (640, "HEVC"))
    #expect(try self.metadata(VideoFile(trackFlags: 0)).codec == "H.264")
  }

  @Test(arguments: [true, false]) func aVideoHasSoundInAnotherTrack(isFirst: Bool) throws {
    let (video, sound) = (VideoFile(code: "hvc1"), VideoFile(code: "mp4a", handler: "soun"))
    var file = isFirst ? sound : video
    file.more = isFirst ? video.track : sound.track
    let metadata = try metadata(file)
    #expect((metadata.width, metadata.height, metadata.codec) == (1920, 1080, "HEVC"))
  }

  @Test func anUnknownDurationIsThatOfTheTrack() throws {
    #expect(try metadata(VideoFile(duration: 0)).duration == 2.5025)
    #expect(try metadata(VideoFile(duration: 0xFFFF_FFFF)).duration == 2.5025)
    #expect(try metadata(VideoFile(version: 1, duration: -1)).duration == 2.5025)
    #expect(try metadata(VideoFile(scale: 0, trackScale: 0)).duration == nil)
  }

  @Test(arguments: [
    (0, nil), (2_082_844_800, nil), (1000, nil), (1_500_000_000, 1_500_000_000.0), (2_082_844_801, 1.0),
  ])
  func aClockThatWasNotSetGivesNoTime(seconds: Int, time: Double?) throws {
    let taken = try metadata(VideoFile(createdAt: seconds)).takenAt
    #expect(taken == time.map { CaptureTime(clock: $0, offset: 0) })
  }

  @Test func aMovieMayEndBeforeItsFile() throws {
    let whole = VideoFile()
    let late = VideoFile.box("ftyp", Array("qt  ".utf8)) + VideoFile.box("mdat", [1, 2, 3, 4]) + whole.movie
    #expect(try [whole.bytes, late].map { try folder.metadata(of: $0).isCutOff } == [false, false])
    #expect(try folder.metadata(of: whole.bytes.dropLast(1)).isCutOff)
    #expect(try folder.metadata(of: late.dropLast(1)).isCutOff)
    #expect(try folder.metadata(of: late.prefix(24)).isCutOff)
    // Some cameras append bytes that are no boxes.
    #expect(try !metadata(VideoFile(rest: VideoFile.box("mdat", []) + [0xFF, 9, 9, 9, 1, 2, 3, 4, 5])).isCutOff)
  }

  // Tags.

  @Test func applesKeysComeFirst() throws {
    let keys = VideoFile.keys([
      "com.apple.quicktime.make": "Apple", "com.apple.quicktime.model": "iPhone 12",
      "com.apple.quicktime.creationdate": "2021-02-03T04:05:06+0100",
      "com.apple.quicktime.location.ISO6709": "-33.8568+151.2153+005.000/", "com.apple.quicktime.title": "Title",
      "com.apple.quicktime.description": "Caption", "com.apple.quicktime.keywords": "one, two;three",
      "com.apple.quicktime.camera.lens_model": "Lens", "unknown": "x", "com.apple.quicktime.rating.user": "4.0",
    ])
    let other = VideoFile.box("udta", VideoFile.text("©mak", "Other") + VideoFile.text("©day", "2001-01-01T00:00:00Z"))
    let metadata = try metadata(VideoFile(more: other + keys))
    #expect((metadata.camera, metadata.lens) == ("Apple iPhone 12", "Lens"))
    #expect((metadata.title, metadata.caption, metadata.rating) == ("Title", "Caption", 4))
    #expect(metadata.keywords == ["one", "two", "three"])
    #expect(metadata.takenAt == CaptureTime(clock: 1_612_325_106, offset: 3600))
    #expect(metadata.place == PhotoMetadata.Place(latitude: -33.8568, longitude: 151.2153, altitude: 5))
  }

  @Test func androidsKeysAreRead() throws {
    let keys = VideoFile.keys(["com.android.manufacturer": "Google", "com.android.model": "Pixel 7"])
    #expect(try metadata(VideoFile(more: keys)).camera == "Google Pixel 7")
  }

  @Test func itemsOfITunesAreRead() throws {
    let items = [
      VideoFile.item("©nam", Array("Title".utf8)), VideoFile.item("©cmt", Array("Comment".utf8)),
      VideoFile.item("covr", [UInt8](repeating: 7, count: 100_000), type: 13),
      VideoFile.item("keyw", Array("a,b".utf8)),
    ]
    let metadata = try metadata(udta: VideoFile.metadata(items: items, isFull: true))
    #expect((metadata.title, metadata.caption) == ("Title", "Comment"))
    #expect(metadata.keywords == ["a", "b"])
  }

  @Test func valuesMayBeNumbersOrUTF16() throws {
    for (value, type) in [([4], 21), ([0x40, 0x80, 0, 0], 23), ([0x40, 0x10, 0, 0, 0, 0, 0, 0], 24)] as [([UInt8], Int)]
    {
      let item = VideoFile.item("\0\0\0\u{1}", value, type: type)
      let keys = VideoFile.metadata(keys: ["com.apple.quicktime.rating.user"], items: [item])
      #expect(try metadata(VideoFile(more: keys)).rating == 4)
    }
    let wide = VideoFile.item("©nam", [0, 0x54, 0x4F, 0x60], type: 2)
    #expect(try metadata(udta: VideoFile.metadata(items: [wide], isFull: true)).title == "T你")
  }

  @Test func userDataAreRead() throws {
    let metadata = try metadata(
      udta: VideoFile.text("©mak", "Maker") + VideoFile.text("©mod", "Model") + VideoFile.text("©nam", "Title")
        + VideoFile.text("©xyz", "+47.3769+008.5417/") + VideoFile.text("©day", "2012-05-01T10:11:12+0200")
        + VideoFile.number(0, 4))
    #expect((metadata.camera, metadata.title) == ("Maker Model", "Title"))
    #expect(metadata.takenAt == CaptureTime(clock: 1_335_867_072, offset: 7200))
    #expect(metadata.place == PhotoMetadata.Place(latitude: 47.3769, longitude: 8.5417))
    #expect(try self.metadata(udta: VideoFile.box("©mod", Array("Bare".utf8))).camera == "Bare")
    let date = VideoFile.box("date", Array("2012-05-01T10:11:12+0200".utf8))
    #expect(try self.metadata(udta: date).takenAt == CaptureTime(clock: 1_335_867_072, offset: 7200))
  }

  /// A year alone says less than the time of the movie.
  @Test func aDayWithoutATimeComesLast() throws {
    let day = VideoFile.box("udta", VideoFile.text("©day", "2012"))
    #expect(try metadata(VideoFile(more: day)).takenAt?.offset == 0)
    #expect(try metadata(VideoFile(createdAt: 0, more: day)).takenAt == CaptureTime(clock: 1_325_376_000))
  }

  @Test func boxesOf3GPPAreRead() throws {
    func text(_ type: String, _ text: String) -> [UInt8] {
      VideoFile.full(type, [0x15, 0xC7] + Array(text.utf8) + [0])
    }
    let numbers = [0x0008_8000, -0x0021_8000, 0x0064_0000].flatMap { VideoFile.number($0, 4) }
    let place = VideoFile.full("loci", [0x15, 0xC7] + Array("Home\0".utf8) + [0] + numbers + Array("earth\0".utf8))
    let metadata = try metadata(udta: text("titl", "Title") + text("dscp", "Caption") + place)
    #expect((metadata.title, metadata.caption) == ("Title", "Caption"))
    #expect(metadata.place == PhotoMetadata.Place(latitude: -33.5, longitude: 8.5, altitude: 100))
    let wide = VideoFile.full("titl", [0x15, 0xC7, 0xFE, 0xFF, 0, 0x54, 0, 0])
    #expect(try self.metadata(udta: wide).title == "T")
  }

  @Test func theTagsOfATrackAreNotThoseOfTheMovie() throws {
    let named = VideoFile.box("trak", VideoFile.box("udta", VideoFile.text("©nam", "Track")))
    #expect(try metadata(VideoFile(more: named)).title == nil)
  }

  @Test func xmpIsReadInBothPlaces() throws {
    let identifier: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    let packet = Array(SamplePhoto.packet.utf8)
    let mp4 = try metadata(VideoFile(rest: VideoFile.box("uuid", identifier + packet)))
    let mov = try metadata(udta: VideoFile.text("©cmt", "Own") + VideoFile.box("XMP_", packet))
    for metadata in [mp4, mov] { #expect((metadata.rating, metadata.caption) == (4, "XMP <caption> é")) }
    #expect(
      try metadata(VideoFile(rest: VideoFile.box("uuid", [UInt8](repeating: 1, count: 16) + packet))).rating == nil)
  }

  @Test(arguments: [
    ("+37.7749-122.4194/", 37.7749, -122.4194, nil), ("+3746.494-12225.164+010.5CRSWGS_84/", 37.7749, -122.4194, 10.5),
    ("-374629.64+1222509.84-3/", -37.7749, 122.4194, -3), ("-0030+00030/", -0.5, 0.5, nil),
  ])
  func placesAreInManyForms(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
    let place = try #require(try metadata(udta: VideoFile.text("©xyz", text)).place)
    #expect(abs(place.latitude - latitude) < 1e-9 && abs(place.longitude - longitude) < 1e-9)
    #expect(place.altitude == altitude)
  }

  @Test(arguments: ["+00.0000+000.0000/", "+91+008/", "+47/", "47,8", "+a+b/", "++/", "", "+1e5+3/", "+123456789+1/"])
  func aTextThatIsNoPlaceIsNone(text: String) throws {
    #expect(try metadata(udta: VideoFile.text("©xyz", text)).place == nil)
  }
}
