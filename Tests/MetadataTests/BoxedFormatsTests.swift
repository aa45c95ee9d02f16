import Foundation
import Gallery
import TestLimit
import TestPhotos
import Testing

/// HEIF, AVIF, and JPEG XL, whose files consist of boxes.
@Suite(.timeLimit(.minutes(10)), .limited) struct BoxedFormatsTests {
  private let folder: PhotoFolder

  init() throws { folder = try PhotoFolder() }

  private func metadata(_ bytes: [UInt8]) throws -> PhotoMetadata { try folder.metadata(of: bytes) }

  @Test(arguments: RealPhoto.allCases) func realFilesHaveTheValuesThatExiftoolFinds(photo: RealPhoto) throws {
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 1_071_403_304)
    (expected.width, expected.height) = (25, 16)
    (expected.camera, expected.lens, expected.exposureTime, expected.iso) = ("Maker Model 1", "50 mm", 0.005, 400)
    expected.place = PhotoMetadata.Place(latitude: -33.5, longitude: 151.25)
    (expected.keywords, expected.rating) = (["one"], 4)
    #expect(try metadata(photo.bytes) == expected)
  }

  @Test func aBareCodestreamHasASize() throws {
    let bytes = Array(Data(base64Encoded: RealPhoto.bareJPEGXL, options: .ignoreUnknownCharacters) ?? Data())
    let metadata = try metadata(bytes)
    #expect((metadata.width, metadata.height) == (25, 16))
  }

  /// A codestream's header: each number with its count of bits.
  struct Codestream: Sendable {
    let bits: [[Int]]
    let width: Int
    let height: Int
  }

  static let codestreams: [Codestream] = [
    // Both sides are given as multiples of eight.
    Codestream(bits: [[1, 1], [3, 5], [0, 3], [9, 5], [1, 1]], width: 80, height: 32),
    // A ratio of 16:9, and the height in 13 bits.
    Codestream(bits: [[0, 1], [1, 2], [1079, 13], [5, 3], [1, 1]], width: 1920, height: 1080),
    // Rotated by 90 degrees, with sides in 9 and in 18 bits.
    Codestream(
      bits: [[0, 1], [0, 2], [399, 9], [0, 3], [2, 2], [599, 18], [0, 1], [1, 1], [5, 3]], width: 400, height: 600),
    // Rotated by 180 degrees, which does not change the size.
    Codestream(bits: [[0, 1], [0, 2], [399, 9], [7, 3], [0, 1], [1, 1], [2, 3]], width: 800, height: 400),
    // Larger than any image.
    Codestream(bits: [[0, 1], [3, 2], [1_073_741_823, 30], [7, 3], [1, 1]], width: 0, height: 0),
  ]

  @Test(arguments: codestreams) func aCodestreamGivesItsSizeInManyWays(codestream: Codestream) throws {
    var bits: [UInt8] = []
    for field in codestream.bits {
      for place in 0..<field[1] { bits.append(UInt8(truncatingIfNeeded: field[0] >> place & 1)) }
    }
    var bytes: [UInt8] = [0xFF, 0x0A] + Array(repeating: 0, count: 30)
    for (place, bit) in bits.enumerated() { bytes[2 + place / 8] |= bit << UInt8(place % 8) }
    let metadata = try metadata(bytes)
    #expect((metadata.width, metadata.height) == (codestream.width, codestream.height))
  }

  @Test func anImageIsCroppedAndRotated() throws {
    let properties = [
      box("ispe", number(0, 4) + number(640, 4) + number(480, 4)),
      box("clap", [600, 1, 400, 1, 0, 1, 0, 1].flatMap { number($0, 4) }), box("irot", [1]), box("imir", [0]),
    ]
    let whole = try metadata(heif(properties, uses: [1]))
    #expect((whole.width, whole.height) == (640, 480))
    let turned = try metadata(heif(properties, uses: [1, 3]))
    #expect((turned.width, turned.height) == (480, 640))
    let all = try metadata(heif(properties, uses: [1, 2, 3, 4]))
    #expect((all.width, all.height) == (400, 600))
    // The size may come last.
    let last = try metadata(heif(properties, uses: [2, 3, 4, 1]))
    #expect((last.width, last.height) == (400, 600))
    // No number is divided by zero.
    for parts in [[600, 0, 400, 1], [600, 1, 400, 0]] {
      let clap = box("clap", (parts + [0, 1, 0, 1]).flatMap { number($0, 4) })
      let uncut = try metadata(heif([properties[0], clap], uses: [1, 2]))
      #expect((uncut.width, uncut.height) == (640, 480))
    }
  }

  @Test(arguments: RealPhoto.allCases) func anIncompleteFileIsReported(photo: RealPhoto) throws {
    let metadata = try [photo.bytes, photo.bytes.dropLast(20)].map { try self.metadata($0) }
    #expect(metadata.map(\.isCutOff) == [false, true])
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(type.utf8) + content
  }

  /// Returns a file with one item, which has no data and the properties with these numbers, counted from 1.
  private func heif(_ properties: [[UInt8]], uses: [UInt8]) -> [UInt8] {
    let associations = number(0, 4) + number(1, 4) + number(7, 2) + [UInt8(uses.count)] + uses.map { $0 | 0x80 }
    let iprp = box("iprp", box("ipco", Array(properties.joined())) + box("ipma", associations))
    let meta = box("meta", number(0, 4) + iprp + box("pitm", number(0, 4) + number(7, 2)))
    return box("ftyp", Array("mif1".utf8) + number(0, 4)) + meta
  }
}
