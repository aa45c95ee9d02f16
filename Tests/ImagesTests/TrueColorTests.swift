import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Images in other colors than sRGB: by chunks of PNG (third edition, 4.3), boxes of HEIF, and ICC profiles.
@MainActor
@Suite(.serialized, .limited) final class TrueColorTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  /// Returns the color of a file of one color.
  private func color(_ bytes: [UInt8], columns: Int = 16) async throws -> [Int] {
    let pixel = try DecodedImage(await folder.answer(folder.write(bytes), columns: columns))[2, 2]
    return [pixel >> 16, pixel >> 8 & 0xFF, pixel & 0xFF]
  }

  /// Returns a PNG of one color.
  private func png(_ color: [UInt8], profile: [UInt8]? = nil, _ chunks: [(type: String, data: [UInt8])]) -> [UInt8] {
    SampleImage.png(16, 16, rgb: (0..<256).flatMap { _ in color }, profile: profile, chunks: chunks)
  }

  private func isNear(_ color: [Int], _ wanted: [Int]) -> Bool { zip(color, wanted).allSatisfy { abs($0 - $1) <= 1 } }

  // MARK: - PNG

  private static let linear = ("gAMA", SampleImage.big(100_000, 4))
  private static let usual = ("gAMA", SampleImage.big(45_455, 4))
  private static let srgb = ("sRGB", [0] as [UInt8])
  private static let displayP3 = (
    "cHRM", [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap { SampleImage.big($0, 4) }
  )

  private static func codes(_ primaries: UInt8, _ transfer: UInt8) -> (type: String, data: [UInt8]) {
    ("cICP", [primaries, transfer, 0, 1])
  }

  /// Half of the light is 188 in sRGB.
  @Test func theChunkThatCountsMostIsApplied() async throws {
    let profile = SampleImage.linearProfile(isGray: false)
    for (chunks, profile, wanted) in [
      ([], nil, 128), ([Self.linear], nil, 188), ([Self.usual], nil, 128), ([Self.srgb, Self.linear], nil, 128),
      ([Self.linear, Self.srgb], nil, 128), ([Self.usual], profile, 188),
      ([Self.codes(1, 13)], profile, 128), ([Self.codes(1, 8), Self.srgb], nil, 188),
      ([Self.codes(99, 8)], nil, 128), ([("gAMA", SampleImage.big(0, 4))], nil, 128), ([("gAMA", [])], nil, 128),
    ] as [([(type: String, data: [UInt8])], [UInt8]?, Int)] {
      for columns in [16, 8] {
        let color = try await color(png([128, 128, 128], profile: profile, chunks), columns: columns)
        #expect(isNear(color, [wanted, wanted, wanted]), "\(chunks.map(\.type)): \(color)")
      }
    }
  }

  /// The values are those of CSS Color 4 for `color(display-p3 …)`.
  @Test func primariesAreConverted() async throws {
    for (name, chunks) in [("cHRM", [Self.displayP3]), ("cICP", [Self.codes(12, 13)])] {
      #expect(isNear(try await color(png([200, 100, 50], chunks)), [215, 93, 31]), "\(name)")
      #expect(isNear(try await color(png([77, 77, 77], chunks)), [77, 77, 77]), "\(name)")
      #expect(isNear(try await color(png([0, 255, 0], chunks)), [0, 255, 0]), "\(name)")
    }
    // Points on one line are no primaries.
    let line = ("cHRM", [31270, 32900, 10000, 10000, 20000, 20000, 30000, 30000].flatMap { SampleImage.big($0, 4) })
    #expect(try await color(png([200, 100, 50], [line])) == [200, 100, 50])
  }

  private static let primaries: [UInt8: [Int]] = [
    1: [160, 120, 90], 2: [160, 120, 90], 3: [160, 120, 90], 4: [177, 117, 85], 5: [161, 120, 90], 6: [158, 120, 90],
    7: [158, 120, 90], 8: [171, 118, 85], 9: [182, 114, 84], 11: [165, 118, 85], 12: [167, 118, 85],
    22: [161, 120, 90],
  ]

  /// The primaries of Rec. ITU-T H.273, table 2, whose whites are adapted by Bradford's matrix.
  @Test func primariesHaveNumbers() async throws {
    for (number, wanted) in Self.primaries {
      let color = try await color(png([160, 120, 90], [Self.codes(number, 13)]))
      #expect(isNear(color, wanted), "\(number): \(color)")
    }
  }

  private static let transfers: [UInt8: Int] = [1: 100, 4: 100, 5: 76, 6: 100, 8: 168, 13: 100, 17: 84]

  /// The transfer functions of Rec. ITU-T H.273, table 3: gammas of 2.2, 2.8, 1 and 2.6. Others are taken for sRGB's.
  @Test func transferFunctionsHaveNumbers() async throws {
    for (number, wanted) in Self.transfers {
      let color = try await color(png([100, 100, 100], [Self.codes(1, number)]))
      #expect(isNear(color, [wanted, wanted, wanted]), "\(number): \(color)")
    }
  }

  // MARK: - HEIF

  /// An AVIF of 16x16 pixels of the gray 128 in sRGB, which avifenc has written.
  private static let avif = """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYA
    AAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAABUAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IA
    AAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0AAYAA
    AAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAB1tZGF0EgAKCDgM//lAQ0BkMgcTwAAAQEAF
    """

  @Test func numbersInABoxOfHEIFAreApplied() async throws {
    var bytes = [UInt8](Data(base64Encoded: Self.avif, options: .ignoreUnknownCharacters) ?? Data())
    #expect(isNear(try await color(bytes), [128, 128, 128]))
    let box = try #require(bytes.firstRange(of: Array("nclx".utf8)))
    for (transfer, wanted) in [(8 as UInt8, 187...189), (16, 178...184), (18, 120...140)] {
      bytes.replaceSubrange(box.upperBound..<box.upperBound + 4, with: [0, 1, 0, transfer])
      let color = try await color(bytes)
      #expect(wanted.contains(color[0]), "\(transfer): \(color)")
    }
  }

  // MARK: - HDR

  /// The reference white leaves room for highlights, and no highlight is cut off before the peak of 1,000 cd/m².
  @Test func brightImagesFitTheScreen() async throws {
    // Codes of 0, 10, 203, 600, 1,000 and 10,000 cd/m².
    var last = -1
    for (code, wanted) in [
      (0, 0...0), (77, 60...66), (148, 226...236), (178, 248...254), (192, 254...255), (255, 255...255),
    ]
      as [(UInt8, ClosedRange<Int>)]
    {
      let color = try await color(png([code, code, code], [Self.codes(9, 16)]))
      #expect(Set(color).count == 1 && wanted.contains(color[0]) && color[0] >= last, "PQ \(code): \(color)")
      last = color[0]
    }
    last = -1
    for (code, wanted) in [(0, 0...0), (64, 58...66), (191, 226...236), (230, 240...254), (255, 255...255)]
      as [(UInt8, ClosedRange<Int>)]
    {
      let color = try await color(png([code, code, code], [Self.codes(9, 18)]))
      #expect(Set(color).count == 1 && wanted.contains(color[0]) && color[0] > last, "HLG \(code): \(color)")
      last = color[0]
    }
  }

  /// A bright color stays that color.
  @Test func highlightsKeepTheirHue() async throws {
    let color = try await color(png([180, 140, 140], [Self.codes(1, 16)]))
    #expect(color[0] >= 248 && color[1] < color[0] - 80 && abs(color[1] - color[2]) <= 1, "\(color)")
  }

  /// A gain map is a second JPEG behind the image (ISO 21496-1). The image itself is made for a usual screen.
  @Test func aGainMapChangesNothing() async throws {
    func jpeg(_ shade: UInt8) -> [UInt8] {
      SquareJPEG(columns: 3, rows: 3, shades: Array(repeating: shade, count: 9)).baseline()
    }
    let image = try await folder.image(jpeg(90) + jpeg(200))
    #expect(image[8, 8] & 0xFF == 90 && !image.info.isIncomplete)
  }

  // MARK: - Exif

  /// Adobe RGB has no straight part near black, so that the shade 20 is 12 in sRGB.
  @Test(arguments: [("R03", 12), ("R98", 20)])
  func adobeRGBThatOnlyExifNamesIsShown(index: String, wanted: Int) async throws {
    func directory(_ tag: [UInt8], _ type: UInt8, _ count: UInt8, _ value: [UInt8]) -> [UInt8] {
      [0, 1] + tag + [0, type, 0, 0, 0, count] + value + [0, 0, 0, 0]
    }
    let exif =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory([0x87, 0x69], 4, 1, [0, 0, 0, 26])
      + directory([0xA0, 0x05], 4, 1, [0, 0, 0, 44]) + directory([0, 1], 2, 4, Array("\(index)\0".utf8))
    let image = try await folder.image(
      SquareJPEG(columns: 3, rows: 3, shades: Array(repeating: 20, count: 9)).baseline(
        segments: [SquareJPEG.segment(0xE1, exif)]))
    #expect(abs(Int(image[8, 8] & 0xFF) - wanted) <= 1, "\(image[8, 8] & 0xFF)")
  }

  // MARK: - Profiles

  @Test(arguments: ["plain", "a thumbnail without a profile"])
  func profilesOfPhotosAreApplied(kind: String) async throws {
    let profile = SquareJPEG.profile(SampleImage.linearProfile(isGray: true))
    let thumbnail = SquareJPEG(columns: 3, rows: 3, shades: Array(repeating: 128, count: 9)).baseline()
    let file = try folder.write(
      SquareJPEG(columns: 40, rows: 40, shades: Array(repeating: 128, count: 1600)).baseline(
        segments: [SquareJPEG.exif(thumbnail: thumbnail), profile]))
    let answer = await folder.answer(file, columns: 20, stage: kind == "plain" ? .once : .preview)
    let shade = try DecodedImage(answer)[4, 4] & 0xFF
    #expect(abs(shade - 188) <= 1, "\(kind): \(shade)")
  }

  /// A profile may name its colors by numbers, too (ICC.1:2022, 9.2.17).
  @Test func codesInAProfileAreApplied() async throws {
    let profile = SampleImage.linearProfile(isGray: false, codes: [1, 13])
    #expect(try await color(png([128, 128, 128], profile: profile, [])) == [128, 128, 128])
  }

  /// The values of CIELAB do not depend on a device, so the profile of one says nothing about them.
  @Test func aProfileDoesNotApplyToLab() async throws {
    let values = (0..<256).flatMap { _ in [137, 0, 0] as [Double] }
    for profile in [[], SampleImage.linearProfile(isGray: false)] {
      let image = SampleImage.tiff(16, 16, .bytes, bands: 3, values: values, isLab: true, profile: profile)
      let color = try await color(image)
      #expect(isNear(color, [128, 128, 128]), "\(color)")
    }
  }

  /// libjxl once marked the profiles of HDR images by their names only, which are in UTF-16.
  @Test func namesOfHDRProfilesAreKnown() async throws {
    for (name, code) in [("PeQ", 148 as UInt8), ("HLG", 191)] {
      let profile = SampleImage.linearProfile(isGray: false, name: "_\(name)".map { "\($0)\0" }.joined())
      let color = try await color(png([code, code, code], profile: profile, []))
      #expect((226...236).contains(color[0]), "\(name): \(color)")
    }
  }

  /// Some profiles have only a table, such as those of JPEGs in XYB.
  @Test func profilesOfTablesAreApplied() async throws {
    let table = SampleImage.linearProfile(isGray: false, hasTable: true)
    for columns in [16, 8] {
      let color = try await color(png([128, 128, 128], profile: table, []), columns: columns)
      #expect(isNear(color, [188, 188, 188]), "\(color)")
    }
  }
}
