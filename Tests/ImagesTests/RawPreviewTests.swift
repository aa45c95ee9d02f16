import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The previews in cameras' raw files, and images that can't be shown.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class RawPreviewTests {
  private let folder: ImageFolder
  /// Two squares, of which the left one is dark.
  private nonisolated static let jpeg = SquareJPEG(columns: 2, rows: 1, shades: [40, 200]).baseline()

  init() throws { folder = try ImageFolder() }

  nonisolated static let files: [(name: String, bytes: [UInt8])] = [
    ("CRW", SampleRaw.crw(jpeg: jpeg)), ("MRW", SampleRaw.mrw(jpeg: jpeg)), ("X3F", SampleRaw.x3f(jpegs: [jpeg])),
    ("SRW", SampleRaw.tiff(jpeg: jpeg)), ("IIQ", SampleRaw.tiff(jpeg: jpeg, head: Array("IIIIwaR".utf8))),
  ]

  @Test(arguments: files) func thePreviewOfARawFileIsShown(file: (name: String, bytes: [UInt8])) async throws {
    let image = try await folder.image(file.bytes)
    #expect((image.pixels.width, image.pixels.height) == (16, 8), "\(file.name)")
    #expect(abs((image[2, 4] & 0xFF) - 40) < 4 && abs((image[13, 4] & 0xFF) - 200) < 4)
  }

  @Test(arguments: [
    SampleRaw.crw(jpeg: jpeg, rotation: 90), SampleRaw.mrw(jpeg: jpeg, orientation: 6),
    SampleRaw.x3f(jpegs: [jpeg], rotation: 90),
  ])
  func thePreviewIsTurnedUpright(bytes: [UInt8]) async throws {
    let image = try await folder.image(bytes)
    #expect((image.pixels.width, image.pixels.height) == (8, 16))
    #expect(abs((image[4, 2] & 0xFF) - 40) < 4 && abs((image[4, 13] & 0xFF) - 200) < 4)
  }

  @Test func aRawFileWithoutAPreviewSaysSo() async throws {
    for bytes in [SampleRaw.x3f(jpegs: []), SampleRaw.crw(jpeg: [1, 2, 3, 4, 5]), SampleRaw.mrw(jpeg: [])] {
      #expect(await folder.answer(try folder.write(bytes)).content == .failure(.noPreview))
    }
  }

  nonisolated static let unsupported: [(ImageFormat, [UInt8])] = [
    (.xcf, Array("gimp xcf v011".utf8)), (.icns, Array("icns".utf8)), (.jpegXR, [0x49, 0x49, 0xBC, 1]),
  ]

  @Test(arguments: unsupported)
  func anImageWithoutADecoderIsNamed(format: ImageFormat, head: [UInt8]) async throws {
    let file = try folder.write(head + Array(repeating: 0, count: 600))
    for stage in [RenditionStage.once, .full] {
      #expect(await folder.answer(file, stage: stage).content == .failure(.unsupported(format)))
    }
    #expect(await folder.answer(file, .thumbnail).content == .failure(.unsupported(format)))
    #expect(ImageFault.unsupported(format).message == "No decoder for \(format.name)")
  }

  /// A JPEG 2000 codestream of one gray tile, which libvips has written.
  private static let jpeg2000 = """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACAAAABAAAQcHAAAAAAAPY29scgEAAAAAABEAAACganAyY/9P/1
    EAKQAAAAAAEAAAAAgAAAAAAAAAAAAAABAAAAAIAAAAAAAAAAAAAQcBAf9SAAwAAAABAAAEBAAB/1wABEBA/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2
    ZXJzaW9uIDIuNS4w/5AACgAAAAAALgAB/5PPtHQRUFND2yKDwADCPMU4j7lNEfcpokJeKz4AAYSEv//Z
    """

  @Test func radianceIsDecoded() async throws {
    // Two pixels, uncompressed, of the colors and an exponent of 128 + 1 for values up to 2.
    let bytes = Array("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n".utf8) + [128, 0, 0, 129, 128, 128, 128, 129]
    let pixels = try await folder.image(bytes).rows[0]
    #expect(pixels.count == 2 && (0xDCDCDC...0xF0F0F0).contains(pixels[1]))
    // The smallest value of the format is a half.
    #expect(pixels[0] >> 16 > 0xDC && pixels[0] >> 8 & 0xFF < 20 && pixels[0] & 0xFF < 20)
  }

  @Test func jpeg2000IsDecoded() async throws {
    let bytes = Array(Data(base64Encoded: Self.jpeg2000, options: .ignoreUnknownCharacters) ?? Data())
    let image = try await folder.image(bytes)
    #expect((image.pixels.width, image.pixels.height) == (16, 8))
    #expect(abs((image[2, 4] & 0xFF) - 40) < 6 && abs((image[13, 4] & 0xFF) - 200) < 6)
  }
}
