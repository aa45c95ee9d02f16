import Gallery
import TestLimit
import TestPhotos
import Testing

@testable import Metadata

@Suite(.limited) struct FocusTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  private func focus(_ bytes: [UInt8]) throws -> FocusPoint? { try folder.metadata(of: bytes).focus }
  private func focus(_ photo: NotedPhoto) throws -> FocusPoint? { try focus(photo.jpeg) }

  // MARK: Makers

  private static func nikon(
    _ version: String, bytes: [Int: UInt8], area: (Int, [Int])? = nil, mode: String = "AF-S  ",
    isBigEndian: Bool = false
  ) -> NotedPhoto {
    .nikon(
      NotedPhoto.nikonInfo(version, bytes: bytes, area: area, isBigEndian: isBigEndian), mode: mode,
      isBigEndian: isBigEndian)
  }

  private static let area = [4000, 3000, 1000, 2250]

  @Test(arguments: [true, false]) func eachMakersLayoutIsRead(isBigEndian: Bool) throws {
    let low = FocusPoint(x: 16_384, y: 49_152)
    for version in ["0100", "0101", "0300", "0301", "0400", "0401", "0402"] {
      let (place, known): (Int, [Int: UInt8]) =
        switch version.prefix(2) {
        case "01": version == "0100" ? (0x10, [4: 1, 0x1C: 1]) : (0x46, [4: 1, 0x52: 1])
        case "03": (0x2A, [7: 1])
        default: (0x3E, [7: 1, 0x4A: 1])
        }
      let photo = Self.nikon(version, bytes: known, area: (place, Self.area), isBigEndian: isBigEndian)
      #expect(try focus(photo) == low, "\(version)")
    }
    #expect(try focus(.sony(isBigEndian: isBigEndian)) == low)
    #expect(try focus(.sony(mark: "", isBigEndian: isBigEndian)) == low)
    #expect(try focus(.fujifilm(isBigEndian: isBigEndian)) == low)
    // Ordinates count upward in EOS cameras alone.
    for tag in [0x26, 0x3C, 0x12] {
      #expect(try focus(.canon(tag: tag, isBigEndian: isBigEndian)) == FocusPoint(x: 16_384, y: 16_384), "\(tag)")
      let compact = NotedPhoto.canon(tag: tag, model: "Canon PowerShot G1 X", isBigEndian: isBigEndian)
      #expect(try focus(compact) == low, "\(tag)")
    }
    #expect(try focus(.panasonic()) == low)
    for isNew in [true, false] { #expect(try focus(.olympus(isNew: isNew)) == low) }
  }

  @Test func canonsPrimaryPointOrTheMiddleOneCounts() throws {
    var points = NotedPhoto.Points()
    points.points = [(-1600, 900), (0, 600), (1600, 600)]
    func x(_ model: String, tag: Int) throws -> Int? { try focus(.canon(points, tag: tag, model: model))?.x }
    points.inFocus = 0b111
    points.primary = 2
    #expect(try x("Canon EOS R5", tag: 0x26) == 32_768)
    #expect(try x("Canon IXUS 1", tag: 0x26) == 58_982)
    #expect(try x("Canon IXUS 1", tag: 0x12) == 58_982)
    #expect(try x("Canon IXUS 1", tag: 0x3C) == 32_768)
    // A primary point that is not in focus says nothing.
    points.inFocus = 0b001
    #expect(try x("Canon IXUS 1", tag: 0x26) == 6554)
    // Of the bits, only those of valid points count.
    (points.valid, points.inFocus) = (1, 0b110)
    #expect(try x("Canon EOS R5", tag: 0x26) == nil)
    (points.valid, points.inFocus) = (3, 0)
    #expect(try x("Canon EOS R5", tag: 0x26) == nil)
  }

  /// Nine points make a tag of 36 numbers, which has a gap before the primary point.
  @Test func aGapBeforeThePrimaryPointIsSkipped() throws {
    var points = NotedPhoto.Points()
    points.points = (0..<9).map { (400 * $0 - 1600, 0) }
    (points.valid, points.inFocus, points.primary) = (9, 0b1_0000_0001, 8)
    #expect(points.older.count == 36)
    #expect(try focus(.canon(points, tag: 0x12, model: "Canon IXUS 1"))?.x == 58_982)
  }

  @Test func theCenterOfAViewfinderNeedsNoTable() throws {
    let center = FocusPoint(x: 32_768, y: 32_768)
    for (version, primary, used) in [("0100", 7, 8), ("0101", 0x44, 8), ("0300", 0x38, 0x0A)] {
      #expect(try focus(Self.nikon(version, bytes: [primary: 1, used: 1])) == center)
      #expect(try focus(Self.nikon(version, bytes: [primary: 1])) == nil)
      #expect(try focus(Self.nikon(version, bytes: [primary: 2, used: 3])) == nil)
    }
    #expect(try focus(.nikon([0, 0, 0, 1], tag: 0x88, model: "NIKON D70")) == center)
    #expect(try focus(.nikon([0, 0, 1, 0], tag: 0x88, model: "NIKON D70")) == nil)
    #expect(try focus(.nikon([0, 0, 1, 0], tag: 0x88, model: "E5700")) == center)
    #expect(try focus(.nikon([0, 2, 0, 1], tag: 0x88, model: "NIKON D70")) == nil)
  }

  @Test func withoutAutomaticFocusThereIsNoPoint() throws {
    #expect(try focus(.sony(mode: 0)) == nil)
    #expect(try focus(.sony(mode: 0, model: "DSC-RX100M4")) != nil)
    #expect(try focus(.sony([4000, 3000, 2000, 1500])) == FocusPoint(x: 32_768, y: 32_768))
    #expect(try focus(.sony([4000, 3000, 2000, 1500], frame: [0, 0, 0])) == nil)
    #expect(try focus(.sony([0, 0, 0, 0])) == nil)
    #expect(try focus(.fujifilm(mode: 1)) == nil)
    #expect(try focus(.panasonic(mode: 2)) == nil)
    #expect(try focus(.panasonic([16_777_216, 1, 16_777_216, 1])) == nil)
    #expect(try focus(.olympus(mode: 10)) == nil)
    #expect(try focus(.olympus([0, 0, 0, 0, 0, 0, 0, 0])) == nil)
    let z6 = Self.nikon("0300", bytes: [7: 1], area: (0x2A, Self.area), mode: "MANUAL")
    #expect(try focus(z6) == nil)
    // The camera focused, but not with success.
    #expect(try focus(Self.nikon("0100", bytes: [4: 1], area: (0x10, Self.area))) == nil)
    #expect(try focus(Self.nikon("0400", bytes: [7: 1], area: (0x3E, Self.area))) == nil)
    #expect(try focus(Self.nikon("0300", bytes: [7: 1], area: (0x2A, [4000, 3000, 0, 0]))) == nil)
  }

  @Test func theSubjectsAreaIsAFallback() throws {
    func area(_ words: [Int], make: String = "Apple") -> NotedPhoto {
      NotedPhoto(
        make: make, exif: [.raw(0x9214, type: 3, count: words.count, NotedPhoto.words(words))])
    }
    let point = FocusPoint(x: 16_384, y: 49_152)
    for words in [[1000, 2250], [1000, 2250, 90], [1000, 2250, 90, 50]] { #expect(try focus(area(words)) == point) }
    for words in [[1000], [1000, 2250, 90, 50, 1], [4001, 10], [10, 3001]] { #expect(try focus(area(words)) == nil) }
    var photo = NotedPhoto.sony([4000, 3000, 2000, 750])
    photo.exif = area([1000, 2250]).exif
    #expect(try focus(photo) == FocusPoint(x: 32_768, y: 16_384))
    // A note of another maker is not read.
    photo.make = "Acme"
    #expect(try focus(photo) == point)
  }

  // MARK: The upright image

  @Test(arguments: [
    (1, 16_384, 6554), (2, 49_152, 6554), (3, 49_152, 58_982), (4, 16_384, 58_982), (5, 6554, 16_384),
    (6, 58_982, 16_384), (7, 58_982, 49_152), (8, 6554, 49_152),
  ])
  func thePointIsThatOfTheUprightImage(orientation: Int, x: Int, y: Int) throws {
    var photo = NotedPhoto.sony([4000, 3000, 1000, 300])
    photo.orientation = orientation
    #expect(try focus(photo) == FocusPoint(x: x, y: y))
  }

  @Test func edgesAreWithinTheImage() throws {
    #expect(try focus(.sony([4000, 3000, 4000, 3000])) == FocusPoint(x: 65_535, y: 65_535))
    #expect(try focus(.sony([4000, 3000, 0, 1])) == FocusPoint(x: 0, y: 22))
    #expect(try focus(.sony([4000, 3000, 4001, 3000])) == nil)
  }

  @Test func anImageThatWasCroppedOrRotatedHasNoPoint() throws {
    #expect(try focus(.sony([3000, 2000, 10, 10])) == nil)
    #expect(try focus(.sony([3000, 4000, 10, 10])) == nil)
    #expect(try focus(.sony([4032, 3024, 10, 10])) != nil)
    var points = NotedPhoto.Points()
    points.size = (3000, 4000)
    #expect(try focus(.canon(points)) == nil)
    // Some cameras count the rows of their points in other units.
    (points.size, points.span) = ((4000, 3000), (4000, 500))
    points.points = [(-1000, 125), (0, 0), (0, 0)]
    #expect(try focus(.canon(points)) == FocusPoint(x: 16_384, y: 16_384))
  }

  // MARK: Formats

  @Test func aRawFileOfCanonHasTheNoteInABox() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      NotedPhoto.number(content.count + 8, 4, true) + Array(type.utf8) + content
    }
    var first = TIFF(isBigEndian: false)
    first.add([.text(0x010F, "Canon"), .text(0x0110, "Canon EOS R6"), .short(0x0112, 8)])
    var own = TIFF(isBigEndian: false)
    let words = NotedPhoto.Points().newer
    own.add([.raw(0x26, type: 3, count: words.count, NotedPhoto.words(words))])
    let bytes = box("ftyp", Array("crx ".utf8)) + box("CMT1", first.bytes) + box("CMT3", own.bytes)
    #expect(try focus(bytes) == FocusPoint(x: 16_384, y: 49_152))
  }

  /// A rotation of the file's format counts instead of Exif's orientation.
  @Test func aHEIFIsRotatedByItsProperties() throws {
    var photo = NotedPhoto.sony([4000, 3000, 1000, 300])
    photo.orientation = 8
    let upright = FocusPoint(x: 16_384, y: 6554)
    #expect(try focus(heif(photo.tiff, properties: [])) == upright)
    #expect(try focus(heif(photo.tiff, properties: [("irot", 1)])) == FocusPoint(x: 6554, y: 49_152))
    #expect(try focus(heif(photo.tiff, properties: [("irot", 3)])) == FocusPoint(x: 58_982, y: 16_384))
    #expect(try focus(heif(photo.tiff, properties: [("irot", 1), ("irot", 3)])) == upright)
    #expect(try focus(heif(photo.tiff, properties: [("imir", 0)])) == nil)
  }

  private func heif(_ tiff: [UInt8], properties: [(String, UInt8)]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { NotedPhoto.number(value, count, true) }
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      number(content.count + 8, 4) + Array(type.utf8) + content
    }
    let size = box("ispe", [0, 4000, 3000].flatMap { number($0, 4) })
    let boxes = size + properties.flatMap { box($0.0, [$0.1]) }
    let uses = (1...properties.count + 1).map { UInt8($0) }
    let associations = number(0, 4) + number(1, 4) + number(7, 2) + [UInt8(uses.count)] + uses
    let item = box("infe", [2, 0, 0, 0] + number(8, 2) + [0, 0] + Array("Exif\0".utf8))
    let data = number(0, 4) + tiff
    let location = number(0, 4) + [0x44, 0x00] + number(1, 2) + number(8, 2) + number(0, 2) + number(1, 2)
    func file(dataAt place: Int) -> [UInt8] {
      let meta = [
        box("pitm", number(0, 4) + number(7, 2)), box("iinf", number(0, 4) + number(1, 2) + item),
        box("iprp", box("ipco", boxes) + box("ipma", associations)),
        box("iloc", location + number(place, 4) + number(data.count, 4)),
      ]
      return box("ftyp", Array("heic".utf8) + number(0, 4) + Array("heic".utf8))
        + box("meta", number(0, 4) + meta.joined()) + box("mdat", data)
    }
    return file(dataAt: file(dataAt: 0).count - data.count)
  }

  /// Offsets in a note that was moved count from where the note was.
  @Test func aNoteThatWasMovedIsRead() throws {
    let point = FocusPoint(x: 16_384, y: 16_384)
    // Canon's note ends with its former place.
    var photo = NotedPhoto.canon()
    let note = photo.note
    photo.note = { _ in note(5000) + [0x49, 0x49, 42, 0] + NotedPhoto.number(5000, 4) }
    #expect(try focus(photo) == point)
    photo.isBigEndian = true
    #expect(try focus(photo) == point)
    photo.isBigEndian = false
    photo.note = { note($0) + [0x49, 0x49, 42, 0] + NotedPhoto.number(0, 4) }
    #expect(try focus(photo) == point)
    photo.note = { _ in note(5000) }
    #expect(try focus(photo) == nil)
  }

  /// Adobe's converter copies the note to a part of another tag, in the order of bytes that the camera has written.
  @Test(arguments: [true, false], [true, false])
  func aNoteInADNGIsReadInItsOwnOrderOfBytes(isBigEndian: Bool, isDNGBigEndian: Bool) throws {
    let note = NotedPhoto.canon(isBigEndian: isBigEndian).note(5000)
    let order = Array((isBigEndian ? "MM" : "II").utf8)
    let moved =
      Array("Adobe\0".utf8) + part("SR2 ", [1, 2, 3, 4, 5, 6, 7, 8])
      + part("MakN", order + NotedPhoto.number(5000, 4, true) + note)
    var dng = TIFF(isBigEndian: isDNGBigEndian)
    dng.add([
      .text(0x010F, "Canon"), .text(0x0110, "Canon EOS R6"), .raw(0xC634, type: 1, count: moved.count, moved),
    ])
    #expect(try focus(dng.bytes) == FocusPoint(x: 16_384, y: 16_384))
  }

  private func part(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + NotedPhoto.number(content.count, 4, true) + content
  }

  // MARK: Damage

  private static let intact: [NotedPhoto] = [
    .sony(), .canon(), .canon(tag: 0x12, model: "Canon IXUS 1", isBigEndian: true),
    nikon("0300", bytes: [7: 1], area: (0x2A, area)), .fujifilm(), .panasonic(), .olympus(), .olympus(isNew: true),
  ]

  @Test(arguments: intact.indices) func aTruncatedNoteHasNoPoint(index: Int) throws {
    let tiff = Self.intact[index].tiff
    let ends = (0..<tiff.count).map { focus(inTIFF: tiff.prefix($0)) }
    #expect(focus(inTIFF: tiff[...]) != nil)
    // The last value of a directory may be one that is not needed.
    #expect(ends.prefix(tiff.count * 3 / 4).allSatisfy { $0 == nil })
  }

  /// Returns the point in a structure of TIFF in memory.
  private func focus(inTIFF bytes: ArraySlice<UInt8>) -> StoredFocus? {
    ExifMetadata(UnpackedBytes(content: Array(bytes)), at: [0]).focus
  }

  /// Each byte, and each number of two and of four bytes, takes values that are dangerous for counts and offsets.
  @Test(arguments: intact.indices) func aDamagedNoteIsReadWithoutATrap(index: Int) {
    let tiff = Self.intact[index].tiff
    var points = 0
    for place in tiff.indices {
      for value: [UInt8] in [[0], [0xFF], [0x7F], [0, 0], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]]
      where place + value.count <= tiff.count {
        var damaged = tiff
        damaged.replaceSubrange(place..<place + value.count, with: value)
        if focus(inTIFF: damaged[...]) != nil { points += 1 }
      }
    }
    #expect(points > 0)
  }

  @Test func hugeCountsAndCirclesHaveNoPoint() throws {
    // A tag that claims 2³² - 1 numbers, and one whose numbers lie behind the file's end.
    for (count, place) in [(0xFFFF_FFFF, 8), (0x8000_0000, 8), (4, 0xFFFF_FFF0), (4, 0x7FFF_FFFF)] {
      let photo = NotedPhoto(make: "SONY") { _ in
        NotedPhoto.number(1, 2) + NotedPhoto.number(0x2027, 2) + NotedPhoto.number(3, 2)
          + NotedPhoto.number(count, 4) + NotedPhoto.number(place, 4) + NotedPhoto.number(0, 4)
      }
      #expect(try focus(photo) == nil)
    }
    // Thousands of points in a tag that has room for few.
    var points = NotedPhoto.Points()
    points.valid = 65_535
    #expect(try focus(.canon(points)) != nil)
    for count in [0, 4, 4097, 65_535] {
      var words = NotedPhoto.Points().newer
      words[2] = count
      let photo = NotedPhoto(make: "Canon", model: "Canon EOS") { [words] in
        NotedPhoto.directory([(0x26, 3, NotedPhoto.words(words))], at: $0)
      }
      #expect(try focus(photo) == nil)
    }
    // The length of a tag that was moved, but not its numbers.
    var words = NotedPhoto.Points().newer
    words[0] += 2
    let moved = NotedPhoto(make: "Canon", model: "Canon EOS") { [words] in
      NotedPhoto.directory([(0x26, 3, NotedPhoto.words(words))], at: $0)
    }
    #expect(try focus(moved) == nil)
    // Settings that are the directory itself.
    let circle = NotedPhoto(make: "OLYMPUS") { _ in
      Array("OLYMPUS\0II\u{3}\0".utf8) + NotedPhoto.directory([(0x2020, 13, NotedPhoto.number(12, 4))], at: 12)
    }
    #expect(try focus(circle) == nil)
    // A note of Adobe's that claims to come from the end of a file of 4 GB.
    var dng = TIFF(isBigEndian: true)
    let adobe = Array("Adobe\0".utf8) + part("MakN", Array("II".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1, 0])
    dng.add([.text(0x010F, "Canon"), .raw(0xC634, type: 1, count: adobe.count, adobe)])
    #expect(try focus(dng.bytes) == nil)
  }
}
