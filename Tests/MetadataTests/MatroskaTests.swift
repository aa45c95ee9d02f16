import Gallery
import Metadata
import TestLimit
import Testing

/// Videos in Matroska's elements.
@Suite(.limited) struct MatroskaTests {
  private typealias File = MatroskaFile

  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  private static let file = MatroskaFile(
    info: File.number(0x2AD7B1, 2_000_000) + File.real(0x4489, 1250) + File.number(0x4461, 599_886_496_000_000_000)
      + File.text(0x7BA9, "Title"),
    track: File.number(0x23E383, 40_000_000) + File.text(0x86, "V_VP9"),
    settings: File.number(0xB0, 720) + File.number(0xBA, 576),
    tags: File.tag("COMMENT", "Comment") + File.tag("TITLE", "Track", track: 1)
      + File.tag("LOCATION", "+47.3769+008.5417/") + File.tag("KEYWORDS", "a,b"))

  private func metadata(_ file: MatroskaFile) throws -> PhotoMetadata { try folder.metadata(of: file.bytes) }

  @Test(arguments: [true, false], [true, false]) func aVideoIsDescribed(areTagsLast: Bool, isLive: Bool) throws {
    var file = Self.file
    (file.areTagsLast, file.isLive) = (areTagsLast, isLive)
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 599_886_496 + 978_307_200, offset: 0)
    (expected.width, expected.height) = (720, 576)
    (expected.duration, expected.frameRate, expected.codec) = (2.5, 25, "VP9")
    (expected.title, expected.caption, expected.keywords) = ("Title", "Comment", ["a", "b"])
    expected.place = PhotoMetadata.Place(latitude: 47.3769, longitude: 8.5417)
    #expect(try metadata(file) == expected)
  }

  @Test func theTimeOfTheRecordingComesBeforeThatOfTheFile() throws {
    var file = Self.file
    file.tags = File.tag("DATE_RECORDED", "2012-05-01 10:11:12")
    #expect(try metadata(file).takenAt == CaptureTime(clock: 1_335_867_072))
    (file.tags, file.info) = ([], File.number(0x4461, 0))
    #expect(try metadata(file).takenAt == nil)
  }

  /// The track's own size is a ratio, whatever its unit.
  @Test(arguments: [(1024, 576), (16, 9), (0, 0)]) func pixelsThatAreNotSquareAreStretched(width: Int, height: Int)
    throws
  {
    var file = Self.file
    file.settings += File.number(0x54B0, width) + File.number(0x54BA, height)
    let metadata = try metadata(file)
    #expect((metadata.width, metadata.height) == (width == 0 ? 720 : 1024, 576))
  }

  @Test func croppedRowsAndColumnsAreNotShown() throws {
    var file = Self.file
    file.settings += [(0x54AA, 10), (0x54BB, 6), (0x54CC, 8), (0x54DD, 12)].flatMap { File.number($0.0, $0.1) }
    let metadata = try metadata(file)
    #expect((metadata.width, metadata.height) == (700, 560))
  }

  @Test(arguments: [(0.0, 1), (90, 8), (-90, 6), (180, 3), (.nan, 1), (1e300, 1)])
  func theProjectionRotates(roll: Double, orientation: Int) throws {
    var file = Self.file
    file.settings += File.element(0x7670, File.real(0x7675, roll))
    #expect(try metadata(file).shownOrientation.rawValue == orientation)
  }

  @Test(arguments: [
    ("V_MPEG4/ISO/AVC", "H.264"), ("V_MPEGH/ISO/HEVC", "HEVC"), ("V_AV1", "AV1"), ("V_MPEG4/ISO/ASP", "MPEG-4"),
    ("V_MS/VFW/FOURCC", "MJPEG"), ("V_FFV1", "FFV1"), ("V_", nil),
  ])
  func theCodecHasTheNameThatPeopleUse(identifier: String, name: String?) throws {
    var file = Self.file
    let header = [UInt8](repeating: 0, count: 16) + Array("MJPG".utf8) + [UInt8](repeating: 0, count: 20)
    file.track = File.text(0x86, identifier) + File.element(0x63A2, header)
    #expect(try metadata(file).codec == name)
  }

  @Test func aRecordingOfSoundHasNoSize() throws {
    var file = Self.file
    file.track += File.number(0x83, 2)
    let metadata = try metadata(file)
    #expect((metadata.width, metadata.height, metadata.codec, metadata.frameRate) == (0, 0, nil, nil))
  }

  @Test func anIncompleteFileIsReported() throws {
    let bytes = Self.file.bytes
    #expect(
      try [bytes[...], bytes.dropLast(1), bytes.prefix(14)].map { try folder.metadata(of: $0).isCutOff } == [
        false, true, true,
      ])
  }

  @Test func hostileElementsEnd() throws {
    for file in [Self.file, MatroskaFile(isLive: true)] {
      let bytes = file.bytes
      for count in 4..<bytes.count { _ = try folder.metadata(of: bytes.prefix(count)) }
      for (index, byte) in bytes.indices.dropFirst(4).flatMap({ index in [0, 1, 0x7F, 0xFF].map { (index, UInt8($0)) } }
      ) {
        var bytes = bytes
        bytes[index] = byte
        _ = try folder.metadata(of: bytes)
      }
    }
    let head = File.element(0x1A45_DFA3, [])
    let open: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0xFF]
    // The tags of a file may be named before its frames.
    let loop = File.element(
      0x114D_9B74, File.element(0x4DBB, File.number(0x53AB, 0x1254_C367) + File.number(0x53AC, 0)))
    for bytes in [
      (0..<50_000).flatMap { _ in open }, (0..<200_000).flatMap { _ in [0xEC, 0x80] as [UInt8] },
      open + loop + File.element(0x1F43_B675, []),
      open + File.number(0x53AC, .max) + File.number(0xB0, -1) + [0xAE, 0x01] + [UInt8](repeating: 0xFE, count: 7),
      open
        + File.element(
          0x1549_A966, File.number(0x2AD7B1, .max) + File.real(0x4489, .infinity) + File.number(0x4461, .min)),
    ] {
      #expect(try folder.metadata(of: head + bytes).width == 0)
    }
  }
}
