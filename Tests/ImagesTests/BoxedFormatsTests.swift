import Foundation
import Gallery
import Testing

@testable import Images

/// HEIF, AVIF and JPEG XL, whose parts lie in boxes.
@MainActor
@Suite(.timeLimit(.minutes(10))) final class BoxedFormatsTests {
  private let folder: MetadataFolder
  private var workers: MetadataWorkers { folder.workers }

  init() throws { folder = try MetadataFolder() }

  private func results(_ files: [[UInt8]]) async throws -> [Result<PhotoMetadata, PhotoFault>] {
    let photos = try files.enumerated().map { number, bytes in
      FoundPhoto(path: try folder.write(bytes, as: "\(number)"))
    }
    return await workers.metadata(of: photos)
  }

  private func metadata(_ bytes: [UInt8]) async throws -> PhotoMetadata { try await results([bytes])[0].get() }

  @Test(arguments: RealPhoto.allCases) func realFilesSayWhatExiftoolFinds(photo: RealPhoto) async throws {
    var expected = PhotoMetadata()
    expected.takenAt = CaptureTime(clock: 1_071_403_304)
    (expected.width, expected.height) = (25, 16)
    (expected.camera, expected.lens, expected.exposureTime, expected.iso) = ("Maker Model 1", "50 mm", 0.005, 400)
    expected.place = PhotoMetadata.Place(latitude: -33.5, longitude: 151.25)
    (expected.keywords, expected.rating) = (["one"], 4)
    #expect(try await metadata(photo.bytes) == expected)
  }

  @Test func aBareCodestreamHasASize() async throws {
    let bytes = Array(Data(base64Encoded: RealPhoto.bareJPEGXL, options: .ignoreUnknownCharacters) ?? Data())
    let metadata = try await metadata(bytes)
    #expect((metadata.width, metadata.height) == (25, 16))
  }

  /// A codestream's header: each number with the count of its bits.
  struct Codestream: Sendable {
    let bits: [[Int]]
    let width: Int
    let height: Int
  }

  nonisolated static let codestreams: [Codestream] = [
    // Multiples of eight, both said.
    Codestream(bits: [[1, 1], [3, 5], [0, 3], [9, 5], [1, 1]], width: 80, height: 32),
    // 16:9, of which the height is said in 13 bits.
    Codestream(bits: [[0, 1], [1, 2], [1079, 13], [5, 3], [1, 1]], width: 1920, height: 1080),
    // Turned by a quarter, with sides in 9 and in 18 bits.
    Codestream(
      bits: [[0, 1], [0, 2], [399, 9], [0, 3], [2, 2], [599, 18], [0, 1], [1, 1], [5, 3]], width: 400, height: 600),
    // Turned upside down, which leaves the sides.
    Codestream(bits: [[0, 1], [0, 2], [399, 9], [7, 3], [0, 1], [1, 1], [2, 3]], width: 800, height: 400),
    // Larger than any image.
    Codestream(bits: [[0, 1], [3, 2], [1_073_741_823, 30], [7, 3], [1, 1]], width: 0, height: 0),
  ]

  @Test(arguments: codestreams) func codestreamsSayTheirSizeInManyWays(codestream: Codestream) async throws {
    var bits: [UInt8] = []
    for field in codestream.bits {
      for place in 0..<field[1] { bits.append(UInt8(truncatingIfNeeded: field[0] >> place & 1)) }
    }
    var bytes: [UInt8] = [0xFF, 0x0A] + repeating([0], 30)
    for (place, bit) in bits.enumerated() { bytes[2 + place / 8] |= bit << UInt8(place % 8) }
    let metadata = try await metadata(bytes)
    #expect((metadata.width, metadata.height) == (codestream.width, codestream.height))
  }

  @Test func anImageIsCroppedAndTurned() async throws {
    let properties = [
      box("ispe", number(0, 4) + number(640, 4) + number(480, 4)),
      box("clap", [600, 1, 400, 1, 0, 1, 0, 1].flatMap { number($0, 4) }), box("irot", [1]), box("imir", [0]),
    ]
    let whole = try await metadata(heif(properties, uses: [1]))
    #expect((whole.width, whole.height) == (640, 480))
    let turned = try await metadata(heif(properties, uses: [1, 3]))
    #expect((turned.width, turned.height) == (480, 640))
    let all = try await metadata(heif(properties, uses: [1, 2, 3, 4]))
    #expect((all.width, all.height) == (400, 600))
  }

  @Test(arguments: RealPhoto.allCases) func whatEndsTooSoonIsTold(photo: RealPhoto) async throws {
    let metadata = try await results([photo.bytes, photo.bytes.dropLast(20)]).map { try $0.get() }
    #expect(metadata.map(\.isCutOff) == [false, true])
  }

  /// Whatever byte is wrong, there is an answer.
  @Test(arguments: RealPhoto.allCases) func damagedFilesHarmNobody(photo: RealPhoto) async throws {
    var generator = SystemRandomNumberGenerator()
    let files = (0..<200).map { _ in
      var bytes = photo.bytes
      for _ in 0..<8 { bytes[Int.random(in: 12..<min(bytes.count, 900), using: &generator)] = .random(in: 0...255) }
      return bytes
    }
    for result in try await results(files) { #expect(result != .failure(.harmful)) }
  }

  /// Counts far beyond what the file holds, and parts that take no bytes, end at once.
  @Test func hostileCountsEnd() async throws {
    let item = number(1, 2) + number(0, 2) + number(0xFFFF, 2)
    let locations = box("iloc", number(0, 4) + [0, 0] + number(0xFFFF, 2) + repeating(item, 100_000))
    let information = box("iinf", number(0, 4) + number(0xFFFF, 2) + repeating(box("infe", number(0, 4)), 20_000))
    let empty = box("ipco", repeating(box("free", []), 10_000))
    let metadata = [box("meta", number(0, 4) + locations), box("meta", number(0, 4) + information + empty)]
    let head = box("ftyp", Array("heic".utf8) + number(0, 4))
    let endless = number(1, 4) + Array("meta".utf8) + repeating([0xFF], 8) + repeating([0], 40)
    let files =
      metadata.map { head + $0 } + [head + endless, head + repeating(number(8, 4) + Array("free".utf8), 50_000)]
    for result in try await results(files) { #expect(try result.get().width == 0) }
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(type.utf8) + content
  }

  private func repeating(_ bytes: [UInt8], _ count: Int) -> [UInt8] { (0..<count).flatMap { _ in bytes } }

  /// A file of one item without data, which has these properties, counted from 1.
  private func heif(_ properties: [[UInt8]], uses: [UInt8]) -> [UInt8] {
    let associations = number(0, 4) + number(1, 4) + number(7, 2) + [UInt8(uses.count)] + uses.map { $0 | 0x80 }
    let iprp = box("iprp", box("ipco", Array(properties.joined())) + box("ipma", associations))
    let meta = box("meta", number(0, 4) + iprp + box("pitm", number(0, 4) + number(7, 2)))
    return box("ftyp", Array("mif1".utf8) + number(0, 4)) + meta
  }
}
