import TestLimit
import Testing

@testable import Gallery

@Suite(.limited) struct MetadataRecordTests {
  private var full: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.takenAt = CaptureTime(clock: -1.5, offset: -12_600)
    (metadata.width, metadata.height, metadata.isCutOff) = (6000, 4000, true)
    (metadata.camera, metadata.lens, metadata.label) = ("C", "L", "Rot, größer")
    (metadata.exposureTime, metadata.fNumber, metadata.focalLength, metadata.iso) = (1 / 3, 2.8, 50.5, 409_600)
    metadata.place = PhotoMetadata.Place(latitude: -33.125, longitude: 151, altitude: -3)
    metadata.focus = FocusPoint(x: 65_535, y: 0)
    (metadata.exposureBias, metadata.series, metadata.seriesNumber) = (-2 / 3, .panorama, 3)
    (metadata.title, metadata.caption, metadata.keywords, metadata.rating) = ("T", "one\ntwo", ["a b", "", "ü"], -1)
    return metadata
  }

  private func text(_ range: Range<Int>, of record: MetadataRecord) -> String {
    String(decoding: record.bytes[range], as: UTF8.self)
  }

  private func packed(_ metadata: PhotoMetadata) -> [UInt8] {
    var bytes: [UInt8] = []
    metadata.pack(into: &bytes)
    return bytes
  }

  @Test func aRecordHasAllMetadata() throws {
    #expect(MetadataRecord(full).metadata == full)
    #expect(MetadataRecord(PhotoMetadata()).metadata == PhotoMetadata())
    let record = try MetadataRecord(checking: packed(full))
    #expect(record.bytes == packed(full))
    let summary = record.summary
    #expect(summary.takenAt == full.takenAt && summary.isCutOff)
    #expect([summary.camera, summary.title, summary.caption].map { text($0, of: record) } == ["C", "T", "one\ntwo"])
    #expect(MetadataRecord(PhotoMetadata()).summary == MetadataRecord.Summary())
  }

  @Test func theFieldsOfPhotosCanBeLeftOut() {
    var (bytes, expected): ([UInt8], [UInt8]) = ([], [])
    MetadataRecord(full).packBesidePhoto(into: &bytes)
    full.pack(into: &expected, besidePhoto: true)
    #expect(bytes == expected)
  }

  /// A worker or a file may contain anything.
  @Test func whatIsNotFitToBeShownIsChanged() throws {
    var metadata = full
    (metadata.lens, metadata.title, metadata.caption) = ("L\u{1B}[2J", "", "\u{9B}\r\ntwo")
    (metadata.keywords, metadata.rating, metadata.iso) = (["\u{202E}k"], 6, 0)
    (metadata.exposureTime, metadata.longitude) = (.nan, nil)
    metadata.takenAt = CaptureTime(clock: 1e300)
    let bytes = packed(metadata)
    metadata.check()
    #expect(metadata.lens == "L\u{FFFD}[2J" && metadata.place == nil && metadata.title == nil)
    #expect(try MetadataRecord(checking: bytes).metadata == metadata)
    // Each of the values alone is found, too.
    let changes: [(inout PhotoMetadata) -> Void] = [
      { $0.label = "\u{7F}" }, { $0.title = "" }, { $0.caption = "\u{9B}" }, { $0.keywords = ["a", "\n"] },
      { $0.rating = 6 }, { $0.fNumber = -1 }, { $0.latitude = nil }, { $0.takenAt = CaptureTime(clock: .infinity) },
      { $0.focusX = nil }, { $0.focusY = nil }, { $0.focusX = 65_536 }, { $0.focusY = -1 },
      { $0.exposureBias = 100 }, { $0.exposureBias = .nan }, { $0.seriesCode = 0 }, { $0.seriesCode = 6 },
      { $0.seriesNumber = 0 },
    ]
    for change in changes {
      var metadata = full
      change(&metadata)
      let bytes = packed(metadata)
      metadata.check()
      #expect(try MetadataRecord(checking: bytes).bytes == packed(metadata))
      #expect(packed(metadata) != bytes)
    }
  }

  @Test func aFocusPointIsTakenAsAWhole() {
    var metadata = PhotoMetadata()
    metadata.focusX = 1
    #expect(metadata.focus == nil && metadata.hasIncompleteFocus)
    metadata.fill(from: full)
    #expect(metadata.focus == FocusPoint(x: 65_535, y: 0))
    var other = PhotoMetadata()
    other.focus = FocusPoint(x: 3, y: 4)
    metadata.fill(from: other)
    #expect(metadata.focus == FocusPoint(x: 65_535, y: 0))
    (other.focusX, metadata.focus) = (nil, nil)
    metadata.fill(from: other)
    #expect(metadata.focusX == nil && metadata.focusY == nil)
    metadata.focusX = 65_536
    metadata.focusY = 1
    metadata.check()
    #expect(metadata.focusX == nil && metadata.focusY == nil)
  }

  @Test func eachKindOfSeriesIsInRange() {
    for kind in PhotoSeries.allCases {
      var metadata = PhotoMetadata()
      metadata.series = kind
      #expect(MetadataRecord(metadata).metadata.series == kind)
    }
  }

  @Test func bytesThatAreNoMetadataAreRefused() throws {
    let bytes = packed(full)
    for count in 0..<bytes.count {
      #expect(throws: MalformedMetadata.self) { try MetadataRecord(checking: Array(bytes[..<count])) }
    }
    #expect(throws: MalformedMetadata.self) { try MetadataRecord(checking: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F] + bytes) }
    #expect(try MetadataRecord(checking: bytes + [0]).bytes == bytes)
  }
}
