import Foundation
import Gallery
import TestLimit
import TestPhotos
import Testing

@testable import Metadata

/// Cameras' raw files in structures of their own.
@Suite(.limited) struct RawStructureTests {
  private let folder: PhotoFolder
  private static let jpeg = SamplePhoto.jpeg([])

  init() throws { folder = try PhotoFolder() }

  private func preview(_ bytes: some Sequence<UInt8>) throws -> (offset: Int, orientation: Int)? {
    let file = try ImageFile(path: folder.write(Array(bytes), as: "raw"))
    return EmbeddedPreview(of: file).map { ($0.offset, $0.orientation) }
  }

  private func start(of jpeg: [UInt8], in bytes: [UInt8]) -> Int? { bytes.firstRange(of: jpeg)?.lowerBound }

  @Test func recordsOfCanonSayWhatAPhotoShows() throws {
    let metadata = try folder.metadata(of: SampleRaw.crw(jpeg: Self.jpeg))
    #expect(metadata.camera == "Canon EOS 10D" && metadata.takenAt == CaptureTime(clock: 1_071_403_304))
    #expect((metadata.width, metadata.height) == (640, 480))
    let turned = try folder.metadata(of: SampleRaw.crw(jpeg: Self.jpeg, rotation: 90))
    #expect((turned.width, turned.height) == (480, 640) && turned.orientation == 6)
  }

  @Test(arguments: [(0, 1), (90, 6), (180, 3), (270, 8)])
  func theJPEGOfCanonRecordsIsThePreview(rotation: Int, orientation: Int) throws {
    let thumbnail = SamplePhoto.jpeg([SamplePhoto.xmp]).prefix(50)
    let bytes = SampleRaw.crw(jpeg: Self.jpeg, thumbnail: Array(thumbnail), rotation: rotation)
    let found = try #require(try preview(bytes))
    #expect(found.offset == start(of: Self.jpeg, in: bytes) && found.orientation == orientation)
  }

  @Test func blocksOfMinoltaHoldExifAndThePreview() throws {
    let bytes = SampleRaw.mrw(jpeg: Self.jpeg, orientation: 8)
    let metadata = try folder.metadata(of: bytes)
    #expect(metadata.camera == "Minolta DiMAGE 7Hi" && metadata.takenAt == CaptureTime(clock: 1_071_403_304))
    #expect((metadata.width, metadata.height) == (480, 640))
    let found = try #require(try preview(bytes))
    #expect(found.offset == start(of: Self.jpeg, in: bytes) && found.orientation == 8)
  }

  @Test(arguments: [2, 4]) func theLargestJPEGOfSigmaIsThePreview(version: Int) throws {
    let large = SamplePhoto.jpeg([SamplePhoto.xmp])
    let bytes = SampleRaw.x3f(jpegs: [Self.jpeg, large], rotation: 180, version: version)
    let metadata = try folder.metadata(of: bytes)
    #expect((metadata.width, metadata.height) == (640, 480) && metadata.rating == 4)
    let found = try #require(try preview(bytes))
    #expect(found.offset == start(of: large, in: bytes) && found.orientation == 3)
    #expect(try preview(SampleRaw.x3f(jpegs: [])) == nil)
  }

  /// The first part of a file, which a server has sent, may have all of a smaller preview.
  @Test func aWholePreviewIsBetterThanTheStartOfALargerOne() throws {
    let large = SamplePhoto.jpeg([SamplePhoto.xmp])
    let bytes = SampleRaw.tiff(jpeg: large, smaller: Self.jpeg)
    #expect(try preview(bytes)?.offset == start(of: large, in: bytes))
    #expect(try preview(bytes.dropLast(1))?.offset == start(of: Self.jpeg, in: bytes))
    // A part of a preview is better than none.
    let alone = SampleRaw.tiff(jpeg: large)
    #expect(try preview(alone.dropLast(1))?.offset == start(of: large, in: alone))
  }

  /// The data of the sensor may be compressed like a JPEG, too.
  @Test(arguments: [6, 7]) func aJPEGInStripsIsThePreview(compression: Int) throws {
    func little(_ value: Int, _ count: Int = 4) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    func directory(_ fields: KeyValuePairs<Int, Int>, next: Int) -> [UInt8] {
      little(fields.count, 2) + fields.flatMap { little($0, 2) + little(4, 2) + little(1) + little($1) } + little(next)
    }
    let size = 2 + 4 * 12 + 4
    let place = 8 + 2 * size
    let sensor = Self.jpeg + Array(repeating: 0, count: 50)
    let bytes =
      Array("II*\0".utf8) + little(8)
      + directory([0x0103: compression, 0x0106: 32_803, 0x0111: place, 0x0117: sensor.count], next: 8 + size)
      + directory([0x0103: compression, 0x0106: 6, 0x0111: place + sensor.count, 0x0117: Self.jpeg.count], next: 0)
      + sensor + Self.jpeg
    #expect(try preview(bytes)?.offset == place + sensor.count)
    #expect(try preview(Array(bytes[..<(8 + size - 4)]) + little(0) + Array(bytes[(8 + size)...])) == nil)
  }

  /// The offsets in a damaged file may lead anywhere, or in a circle.
  @Test func damagedStructuresComeToAnEnd() throws {
    for whole in [
      SampleRaw.crw(jpeg: Self.jpeg), SampleRaw.mrw(jpeg: Self.jpeg), SampleRaw.x3f(jpegs: [Self.jpeg]),
    ] {
      for count in stride(from: 16, to: min(whole.count, 600), by: 29) {
        _ = try folder.metadata(of: whole.prefix(count))
        _ = try preview(Array(whole.prefix(count)))
      }
      for place in 16..<whole.count where (place < 80 || place > whole.count - 100) && place % 3 == 0 {
        var bytes = whole
        for value: UInt8 in [1, 0xFF] {
          bytes[place] = value
          _ = try folder.metadata(of: bytes)
          _ = try preview(bytes)
        }
      }
    }
    // A heap that contains itself.
    let heap = [UInt8]([0, 0, 0, 0]) + [1, 0] + [0x0A, 0x30] + [20, 0, 0, 0] + [0, 0, 0, 0] + [4, 0, 0, 0]
    let circle = Array("II".utf8) + [14, 0, 0, 0] + Array("HEAPCCDR".utf8) + heap
    #expect(try preview(circle) == nil)
  }

  @Test func theSizeOfJPEG2000IsRead() throws {
    let size: [UInt8] = [0, 0, 0x02, 0x80, 0, 0, 0x01, 0xE0, 0, 0, 0, 0x10, 0, 0, 0, 8]
    let codestream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + size + Array(repeating: 0, count: 40)
    let bare = try folder.metadata(of: codestream)
    #expect((bare.width, bare.height) == (624, 472))
    let header: [UInt8] = [0, 0, 0, 22] + Array("ihdr".utf8) + [0, 0, 1, 0xE0, 0, 0, 2, 0x80, 0, 3, 7, 7, 0, 0]
    let boxes: [[UInt8]] = [
      [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A],
      [0, 0, 0, 20] + Array("ftypjp2 ".utf8) + [0, 0, 0, 0] + Array("jp2 ".utf8),
      [0, 0, 0, 30] + Array("jp2h".utf8) + header,
    ]
    let boxed = try folder.metadata(of: boxes.joined() + [])
    #expect((boxed.width, boxed.height) == (640, 480))
  }

  @Test func theMetadataOfJPEG2000AreRead() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, UInt8((content.count + 8) >> 8), UInt8((content.count + 8) & 0xFF)] + Array(type.utf8) + content
    }
    let header = box("ihdr", [0, 0, 1, 0xE0, 0, 0, 2, 0x80, 0, 3, 7, 7, 0, 0])
    let head =
      box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jp2 ".utf8) + [0, 0, 0, 0] + Array("jp2 ".utf8))
    let xmp: [UInt8] = [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC]
    let exif = box("uuid", Array("JpgTiffExif->JP2".utf8) + SamplePhoto.tiff(isBigEndian: true))
    let packet = box("uuid", xmp + Array("<dc:subject><rdf:li>one</rdf:li></dc:subject>".utf8))
    let metadata = try folder.metadata(of: head + box("jp2h", header) + exif + packet)
    #expect((metadata.camera, metadata.iso, metadata.keywords) == ("Maker Model 1", 400, ["one"]))
    // The orientation of the Exif is not applied.
    #expect((metadata.width, metadata.height) == (640, 480))
  }

  @Test func theSensitivityOfPanasonicsRawFilesIsRead() throws {
    var tiff = TIFF(isBigEndian: false)
    tiff.add([.short(0x0017, 80), .text(0x010F, "Panasonic"), .text(0x0110, "DMC-LX3")])
    var bytes = tiff.bytes
    #expect(try folder.metadata(of: bytes).iso == nil)
    bytes[2] = 0x55
    #expect(try folder.metadata(of: bytes).iso == 80)
  }

  @Test func aFormatWithoutADecoderIsNamed() throws {
    let path = try folder.write(Array("gimp xcf ".utf8) + Array(repeating: 0, count: 40), as: "a.xcf")
    #expect(MetadataReader().metadata(of: FoundPhoto(path: path)) == .failure(.unsupported(.xcf)))
  }
}
