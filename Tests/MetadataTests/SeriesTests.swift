import Gallery
import TestLimit
import TestPhotos
import Testing

@testable import Metadata

@Suite(.timeLimit(.minutes(5)), .limited) struct SeriesTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  /// A series that a photo must have.
  private struct Expected: Equatable, CustomStringConvertible {
    var kind: PhotoSeries?
    var number: Int?

    init(_ kind: PhotoSeries?, _ number: Int? = nil) { (self.kind, self.number) = (kind, number) }

    var description: String { "\(kind.map { "\($0)" } ?? "none"), \(number ?? 0)" }
  }

  private func series(_ photo: NotedPhoto) throws -> Expected {
    let metadata = try folder.metadata(of: photo.jpeg)
    return Expected(metadata.series, metadata.seriesNumber)
  }

  /// Exif's ExposureMode.
  private static func mode(_ number: Int) -> TIFF.Field { .short(0xA402, number) }

  private static func bracketed(_ photo: NotedPhoto) -> NotedPhoto {
    var photo = photo
    photo.exif = [mode(2)]
    return photo
  }

  // MARK: Exif

  @Test func exifHasTheExposureBias() throws {
    func bias(_ numerator: Int, _ denominator: Int, type: Int = 10) throws -> Double? {
      let value = NotedPhoto.number(numerator, 4) + NotedPhoto.number(denominator, 4)
      return try folder.metadata(of: NotedPhoto(make: "M", exif: [.raw(0x9204, type: type, count: 1, value)]).jpeg)
        .exposureBias
    }
    #expect(try bias(0, 1) == 0)
    #expect(try bias(-4, 3) == -4.0 / 3)
    #expect(try bias(20, 10) == 2)
    // Values that mean that the bias is unknown.
    #expect(try bias(0, 0) == nil)
    #expect(try bias(-1, 0) == nil)
    #expect(try bias(100, 1) == nil)
    #expect(try bias(-1, 1, type: 5) == nil)
    #expect(try bias(1, 1, type: 3) == nil)
  }

  @Test func xmpHasTheExposureBias() throws {
    func bias(_ text: String) throws -> Double? {
      let packet = #"<x:xmpmeta><rdf:RDF><rdf:Description exif:ExposureBiasValue="\#(text)"/></rdf:RDF></x:xmpmeta>"#
      let sidecar = try folder.write(packet.utf8, as: "photo.xmp")
      return try folder.metadata(of: NotedPhoto(make: "M").jpeg, sidecar: sidecar).exposureBias
    }
    #expect(try bias("-2/3") == -2.0 / 3)
    #expect(try bias("1") == 1)
    #expect(try bias("0/6") == 0)
    for text in ["", "100/1", "1/0", "high"] { #expect(try bias(text) == nil, "\(text)") }
  }

  @Test func exifKnowsExposureBrackets() throws {
    let modes = try (0...3).map { try series(NotedPhoto(make: "Acme", exif: [Self.mode($0)])) }
    #expect(modes == [Expected(nil), Expected(nil), Expected(.exposureBracket), Expected(nil)])
  }

  // MARK: Makers

  @Test(arguments: [true, false]) func canonNamesItsSeries(isBigEndian: Bool) throws {
    func canon(shot: [Int]? = nil, panorama: [Int]? = nil, settings: [Int]? = nil) throws -> Expected {
      try series(.canonSeries(shot: shot, panorama: panorama, settings: settings, isBigEndian: isBigEndian))
    }
    func shot(_ mode: Int, _ number: Int = 0, whiteBalance: Int = 0) -> [Int] {
      [28, 0, 0, mode, 0, number, 0, 0, 0, whiteBalance, 0, 0, 0, 0]
    }
    func settings(drive: Int, focusBracket: Int? = nil) -> [Int] {
      let row = [0, 0, 0, 0, 0, drive] + Array(repeating: 0, count: 44) + (focusBracket.map { [$0] } ?? [])
      return [2 * row.count] + row.dropFirst()
    }
    #expect(try canon(shot: shot(0)) == Expected(nil))
    #expect(try canon(shot: shot(1, 2)) == Expected(.exposureBracket, 2))
    #expect(try canon(shot: shot(1, 0)) == Expected(.exposureBracket))
    #expect(try canon(shot: shot(1, 0xFFFF)) == Expected(.exposureBracket))
    for mode in 2...4 { #expect(try canon(shot: shot(mode, 3)) == Expected(.otherBracket, 3)) }
    for mode in [5, 0xFFFF] { #expect(try canon(shot: shot(mode, 1)) == Expected(nil)) }
    for shift in 1...2 { #expect(try canon(shot: shot(0, 1, whiteBalance: shift)) == Expected(.otherBracket)) }
    #expect(try canon(shot: shot(0, 1, whiteBalance: 3)) == Expected(nil))
    for drive in 0...11 {
      let isBurst = ![0, 2, 6, 7, 9, 11].contains(drive)
      #expect(try canon(settings: settings(drive: drive)) == Expected(isBurst ? .burst : nil), "\(drive)")
    }
    #expect(try canon(settings: settings(drive: 1, focusBracket: 1)) == Expected(.focusSeries))
    #expect(try canon(settings: settings(drive: 1, focusBracket: 0)) == Expected(.burst))
    #expect(try canon(panorama: [1, 0, 2, 160, 0, 1]) == Expected(.panorama))
    #expect(try canon(panorama: [1, 0, 2, 160, 0, 4]) == Expected(.panorama))
    for row in [[0, 0, 2, 160, 0, 1], [1, 0, 2, 160, 0, 5], [1, 0, 2, 160, 0]] {
      #expect(try canon(panorama: row) == Expected(nil), "\(row)")
    }
    // A bracket may be shot in a burst.
    #expect(try canon(shot: shot(1, 3), settings: settings(drive: 5)) == Expected(.exposureBracket, 3))
    // A length that does not fit means that the row is not one of Canon's.
    #expect(try canon(shot: [30] + shot(1, 2).dropFirst()) == Expected(nil))
    #expect(try canon(settings: [98] + settings(drive: 1).dropFirst()) == Expected(nil))
  }

  @Test(arguments: [true, false]) func nikonsBitsNameItsSeries(isBigEndian: Bool) throws {
    func nikon(_ bits: Int) throws -> Expected { try series(.nikonSeries(bits, isBigEndian: isBigEndian)) }
    let kinds: [Int: PhotoSeries] = [
      0x001: .burst, 0x021: .burst, 0x010: .exposureBracket, 0x031: .exposureBracket, 0x050: .otherBracket,
      0x071: .otherBracket, 0x110: .otherBracket, 0x131: .otherBracket, 0x801: .burst,
    ]
    for (bits, kind) in kinds { #expect(try nikon(bits) == Expected(kind), "\(bits)") }
    // A cable, a timer, and bits of brackets that do not fit together.
    for bits in [0, 0x002, 0x004, 0x008, 0x020, 0x080, 0x040, 0x100, 0x140, 0x150, 0x041] {
      #expect(try nikon(bits) == Expected(nil), "\(bits)")
    }
  }

  @Test(arguments: [true, false]) func sonyNamesItsSeries(isBigEndian: Bool) throws {
    func sony(_ mode: Int, _ number: Int) throws -> Expected {
      try series(.sonySeries(mode, number, isBigEndian: isBigEndian))
    }
    #expect(try sony(0, 0) == Expected(nil))
    #expect(try sony(2, 7) == Expected(.burst, 7))
    #expect(try sony(2, 0) == Expected(.burst))
    #expect(try sony(5, 1) == Expected(.exposureBracket, 1))
    #expect(try sony(6, 3) == Expected(.otherBracket, 3))
    #expect(try sony(8, 65_535) == Expected(.otherBracket))
    for mode in [1, 3, 4, 7, 9, 65_535] { #expect(try sony(mode, 1) == Expected(nil), "\(mode)") }
  }

  @Test func panasonicNamesItsSeries() throws {
    func panasonic(_ burst: Int, _ number: Int = 0, timer: UInt8 = 0, scene: Int = 1) throws -> Expected {
      try series(.panasonicSeries(burst, number, timer: timer, scene: scene))
    }
    let kinds: [Int: PhotoSeries] = [
      1: .burst, 2: .exposureBracket, 3: .focusSeries, 4: .burst, 8: .otherBracket, 17: .burst, 18: .otherBracket,
    ]
    for mode in 0...20 {
      #expect(try panasonic(mode, 3) == Expected(kinds[mode], kinds[mode].map { _ in 3 }), "\(mode)")
    }
    #expect(try panasonic(2, 0) == Expected(.exposureBracket))
    #expect(try panasonic(0, 4, timer: 3) == Expected(.focusSeries, 4))
    #expect(try panasonic(0, 4, timer: 1) == Expected(nil))
    #expect(try panasonic(0, scene: 28) == Expected(.panorama))
  }

  @Test(arguments: ["OLYMPUS", "OM", "OLYMP"]) func olympusNamesItsSeries(mark: String) throws {
    func olympus(_ drive: [Int] = [0, 0], panorama: [Int] = [0, 0], special: [Int] = [0, 0, 0]) throws -> Expected {
      try series(.olympusSeries(mark, drive, panorama: panorama, special: special))
    }
    #expect(try olympus() == Expected(nil))
    #expect(try olympus(special: [2, 5, 0]) == Expected(.burst, 5))
    #expect(try olympus(special: [3, 2, 1]) == Expected(.panorama, 2))
    for mode in [1, 4, 256] { #expect(try olympus(special: [mode, 1, 0]) == Expected(nil), "\(mode)") }
    // Older notes have no directory of settings.
    if mark == "OLYMP" { return }
    #expect(try olympus([1, 4]) == Expected(.burst, 4))
    #expect(try olympus([2, 1]) == Expected(.exposureBracket, 1))
    #expect(try olympus([3, 2]) == Expected(.otherBracket, 2))
    #expect(try olympus([4, 2]) == Expected(.exposureBracket, 2))
    #expect(try olympus([5, 2]) == Expected(nil))
    #expect(try olympus([6, 2]) == Expected(nil))
    let brackets: [Int: PhotoSeries] = [
      1: .exposureBracket, 2: .otherBracket, 3: .exposureBracket, 4: .otherBracket, 16: .otherBracket,
      32: .exposureBracket, 64: .focusSeries,
    ]
    for bits in [0, 1, 2, 3, 4, 8, 16, 32, 64, 128] {
      #expect(try olympus([5, 3, bits]) == Expected(brackets[bits], brackets[bits].map { _ in 3 }), "\(bits)")
    }
    // The shooting mode of newer cameras says more than the mode.
    for mode in [0x02, 0x07, 0x13, 0x27, 0x29, 0x43, 0x49] {
      #expect(try olympus([1, 2, 0, 0, 4, mode]) == Expected(.burst, 2), "\(mode)")
    }
    for mode in [0x01, 0x11, 0x14, 0x21, 0x26, 0x30] {
      #expect(try olympus([1, 2, 0, 0, 4, mode]) == Expected(nil), "\(mode)")
    }
    #expect(try olympus([1, 2, 0, 0, 4, 0]) == Expected(.burst, 2))
    #expect(try olympus([1, 1], panorama: [2, 3]) == Expected(.panorama, 3))
    #expect(try olympus([1, 1], panorama: [5, 3]) == Expected(.burst, 1))
  }

  @Test func fujifilmsBracketsAreThoseOfExif() throws {
    #expect(try series(.fujifilmSeries()) == Expected(nil))
    #expect(try series(.fujifilmSeries(number: 3)) == Expected(.burst, 3))
    #expect(try series(.fujifilmSeries(drive: 0x0B00_0002)) == Expected(.burst))
    #expect(try series(.fujifilmSeries(drive: 0x0B00_0001)) == Expected(.burst))
    for drive in [0x0B00_0000, 0x0B00_0003] { #expect(try series(.fujifilmSeries(drive: drive)) == Expected(nil)) }
    let bracket = NotedPhoto.fujifilmSeries(bracket: 1, number: 2, drive: 2)
    #expect(try series(bracket) == Expected(nil))
    #expect(try series(Self.bracketed(bracket)) == Expected(.exposureBracket, 2))
    #expect(try series(.fujifilmSeries(bracket: 6, number: 2)) == Expected(nil))
  }

  @Test(arguments: [true, false]) func appleIdentifiesBursts(isBigEndian: Bool) throws {
    func apple(_ burst: String?) throws -> Expected { try series(.appleSeries(burst, isBigEndian: isBigEndian)) }
    #expect(try apple("6AC3B0AE-31D5-4C0D-9E2D-5B8C4C1A0F27") == Expected(.burst))
    #expect(try apple("") == Expected(nil))
    #expect(try apple(nil) == Expected(nil))
  }

  @Test(arguments: ["PENTAX \0MM", "PENTAX \0II", "RICOH\0II", "AOC\0MM", "AOC\0II", "AOC\0\0\0"])
  func pentaxHasBursts(mark: String) throws {
    func pentax(_ drive: [UInt8]) throws -> Expected { try series(.pentaxSeries(mark, drive)) }
    for mode: UInt8 in 1...5 { #expect(try pentax([mode, 0, 0, 0]) == Expected(.burst), "\(mode)") }
    for mode: UInt8 in [0, 6, 255] { #expect(try pentax([mode, 0, 0, 0]) == Expected(nil), "\(mode)") }
    #expect(try pentax([1, 0]) == Expected(nil))
  }

  @Test func theMakerNamesABracketThatExifKnows() throws {
    #expect(try series(Self.bracketed(.sonySeries(2, 4))) == Expected(.exposureBracket, 4))
    #expect(try series(Self.bracketed(.sonySeries(0, 4))) == Expected(.exposureBracket, 4))
    #expect(try series(Self.bracketed(.sonySeries(6, 4))) == Expected(.otherBracket, 4))
    #expect(try series(Self.bracketed(.panasonicSeries(3, 2))) == Expected(.focusSeries, 2))
    // A note of another maker is not read.
    var photo = NotedPhoto.sonySeries(5, 1)
    photo.make = "Acme"
    #expect(try series(photo) == Expected(nil))
  }

  /// A note has values for the focus point and for the series.
  @Test func theOtherTagsOfANoteAreStillRead() throws {
    let metadata = try folder.metadata(of: NotedPhoto.sony().jpeg)
    #expect(metadata.focus != nil && metadata.series == nil)
  }

  // MARK: Damage

  private static let intact: [NotedPhoto] = [
    .canonSeries(shot: [28, 0, 0, 1, 0, 2] + Array(repeating: 0, count: 8)),
    .canonSeries(settings: [12, 0, 0, 0, 0, 1], isBigEndian: true), .nikonSeries(0x10), .sonySeries(2, 4),
    .panasonicSeries(3, 2), .olympusSeries("OLYMPUS", [5, 2, 1], panorama: [0, 0], special: [0, 0, 0]),
    .olympusSeries("OM", [0, 0], panorama: [2, 3], special: [0, 0, 0]),
    .olympusSeries("OLYMP", [], panorama: [], special: [3, 2, 1]), .fujifilmSeries(number: 3), .appleSeries("6AC3B0AE"),
    .pentaxSeries("AOC\0MM", [1, 0, 0, 0]),
  ]

  private func metadata(inTIFF bytes: some Sequence<UInt8>) -> PhotoMetadata {
    ExifMetadata(UnpackedBytes(content: Array(bytes)), at: [0]).metadata
  }

  @Test(arguments: intact.indices) func aTruncatedNoteHasNoSeries(index: Int) throws {
    let photo = Self.intact[index]
    let tiff = photo.tiff
    let note = try #require(tiff.firstRange(of: Array(photo.note(0).prefix(6)))?.lowerBound)
    #expect(metadata(inTIFF: tiff).series != nil)
    #expect((0...note + 12).allSatisfy { metadata(inTIFF: tiff.prefix($0)).series == nil })
  }

  /// Each byte, and each number of two and of four bytes, takes values that are dangerous for counts and offsets.
  @Test(arguments: intact.indices) func aDamagedNoteIsReadWithoutATrap(index: Int) {
    let tiff = Self.intact[index].tiff
    var count = 0
    for place in tiff.indices {
      for value: [UInt8] in [[0], [0xFF], [0x7F], [0, 0], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]]
      where place + value.count <= tiff.count {
        var damaged = tiff
        damaged.replaceSubrange(place..<place + value.count, with: value)
        if metadata(inTIFF: damaged).series != nil { count += 1 }
      }
    }
    #expect(count > 0)
  }

  @Test func aValueBehindTheEndOfTheFileHasNoMeaning() throws {
    for (count, place) in [(0xFFFF_FFFF, 8), (0x8000_0000, 8), (14, 0xFFFF_FFF0), (14, 0x7FFF_FFFF), (14, 4096)] {
      let photo = NotedPhoto(make: "Canon", model: "Canon EOS") { _ in
        NotedPhoto.number(1, 2) + NotedPhoto.number(0x93, 2) + NotedPhoto.number(3, 2) + NotedPhoto.number(count, 4)
          + NotedPhoto.number(place, 4) + NotedPhoto.number(0, 4)
      }
      #expect(try series(photo) == Expected(nil))
    }
  }
}

// MARK: - The makers' layouts

extension NotedPhoto {
  fileprivate static func canonSeries(
    shot: [Int]? = nil, panorama: [Int]? = nil, settings: [Int]? = nil, isBigEndian: Bool = false
  ) -> NotedPhoto {
    NotedPhoto(make: "Canon", model: "Canon EOS R5", isBigEndian: isBigEndian) {
      let rows = [(0x01, settings ?? [0, 0]), (0x05, panorama ?? [0, 0]), (0x93, shot ?? [0, 0])]
      return directory(rows.map { ($0.0, 3, words($0.1, isBigEndian)) }, at: $0, isBigEndian: isBigEndian)
    }
  }

  fileprivate static func nikonSeries(_ bits: Int, isBigEndian: Bool = false) -> NotedPhoto {
    nikon(words([bits], isBigEndian), tag: 0x89, type: 3, isBigEndian: isBigEndian)
  }

  fileprivate static func sonySeries(_ mode: Int, _ number: Int, isBigEndian: Bool = false) -> NotedPhoto {
    NotedPhoto(make: "SONY", model: "ILCE-7M4", isBigEndian: isBigEndian) {
      let fields = [(0xB049, 3, words([mode], isBigEndian)), (0xB04A, 3, words([number], isBigEndian))]
      return Array("SONY DSC \0\0\0".utf8) + directory(fields, at: $0 + 12, isBigEndian: isBigEndian)
    }
  }

  fileprivate static func panasonicSeries(_ burst: Int, _ number: Int, timer: UInt8 = 0, scene: Int = 1) -> NotedPhoto {
    NotedPhoto(make: "Panasonic") {
      let fields: [Field] = [
        (0x1F, 3, words([scene])), (0x2A, 3, words([burst])), (0x2B, 4, Self.number(number, 4)), (0x96, 1, [timer]),
      ]
      return Array("Panasonic\0\0\0".utf8) + directory(fields, at: $0 + 12)
    }
  }

  /// - Parameter mark: The mark at the note's start. Offsets in a note of "OLYMP" count from the start of Exif, and it
  ///   has no directory of settings.
  fileprivate static func olympusSeries(
    _ mark: String, _ drive: [Int], panorama: [Int], special: [Int]
  ) -> NotedPhoto {
    let head = ["OLYMPUS": "OLYMPUS\0II\u{3}\0", "OM": "OM SYSTEM\0\0\0II\u{4}\0"][mark] ?? "OLYMP\0\u{1}\0"
    return NotedPhoto(make: mark == "OM" ? "OM Digital Solutions" : "OLYMPUS CORPORATION") {
      let special = special.flatMap { number($0, 4) }
      if mark == "OLYMP" { return Array(head.utf8) + directory([(0x0200, 4, special)], at: $0 + head.utf8.count) }
      let settings = head.utf8.count + 42
      return Array(head.utf8)
        + directory([(0x0200, 4, special), (0x2020, 13, number(settings, 4))], at: head.utf8.count)
        + directory([(0x0600, 3, words(drive)), (0x0601, 3, words(panorama))], at: settings)
    }
  }

  fileprivate static func fujifilmSeries(bracket: Int = 0, number: Int = 0, drive: Int = 0) -> NotedPhoto {
    NotedPhoto(make: "FUJIFILM") { _ in
      let fields = [(0x1100, 3, words([bracket])), (0x1101, 3, words([number])), (0x1103, 4, Self.number(drive, 4))]
      return Array("FUJIFILM".utf8) + Self.number(12, 4) + directory(fields, at: 12)
    }
  }

  fileprivate static func appleSeries(_ burst: String?, isBigEndian: Bool = true) -> NotedPhoto {
    NotedPhoto(make: "Apple", isBigEndian: !isBigEndian) { _ in
      let version: Field = (0x0001, 9, number(14, 4, isBigEndian))
      let fields = [version] + (burst.map { [(0x000B, 2, Array($0.utf8) + [0])] } ?? [])
      return Array("Apple iOS\0\0\u{1}".utf8) + Array((isBigEndian ? "MM" : "II").utf8)
        + directory(fields, at: 14, isBigEndian: isBigEndian)
    }
  }

  fileprivate static func pentaxSeries(_ mark: String, _ drive: [UInt8]) -> NotedPhoto {
    let isBigEndian = mark.hasSuffix("MM")
    return NotedPhoto(make: mark.hasPrefix("RICOH") ? "RICOH IMAGING COMPANY, LTD." : "PENTAX Corporation") {
      Array(mark.utf8) + directory([(0x0034, 1, drive)], at: $0 + mark.utf8.count, isBigEndian: isBigEndian)
    }
  }
}
