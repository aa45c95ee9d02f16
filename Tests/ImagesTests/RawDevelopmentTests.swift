import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The data of raw files, which are developed if the preview is not enough, or if the user asks for them.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .limited) final class RawDevelopmentTests {
  private let folder: ImageFolder
  /// Dark on the left, and light on the right, as the preview shows it: 16 by 8 pixels.
  private nonisolated static let preview = SquareJPEG(columns: 2, rows: 1, shades: [40, 200]).baseline()

  init() throws { folder = try ImageFolder() }

  /// A sensor that has red light on the left, and clipped light on the right.
  private nonisolated static func dng(_ width: Int = 128, _ height: Int = 64) -> SampleDNG {
    SampleDNG(width: width, height: height) { x, _ in x < width / 2 ? (0.2, 0.05, 0.05) : (1, 1, 1) }
  }

  private func answer(
    _ dng: SampleDNG, side: Int = 1000, view: ImageView = .whole, overlay: ImageOverlay = .none,
    isDeveloped: Bool = false, stage: RenditionStage = .once
  ) async throws -> ImageAnswer {
    let format = OutputFormat.kitty(KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false))
    let presentation = ImagePresentation(view: view, overlay: overlay, isDeveloped: isDeveloped)
    let path = try folder.write(dng.file, as: "\(UUID().uuidString).dng")
    return await folder.answer(.show(path, side, side, cell: (1, 1), format, as: presentation, stage))
  }

  private func isRed(_ color: Int) -> Bool { color >> 16 > 110 && color >> 16 > 2 * (color & 255) - 40 }

  @Test func aFileWithoutAPreviewIsDeveloped() async throws {
    let image = try DecodedImage(try await answer(Self.dng()))
    #expect((image.info.width, image.info.height) == (128, 64) && image.info.isDeveloped)
    #expect(isRed(image[20, 32]), "\(String(image[20, 32], radix: 16))")
    #expect(image[100, 32] == 0xFFFFFF)
  }

  @Test func aSmallPreviewIsShownOnlyInASmallPlace() async throws {
    var dng = Self.dng()
    dng.preview = Self.preview
    let small = try DecodedImage(try await answer(dng, side: 8))
    #expect((small.info.width, small.info.height) == (128, 64) && !small.info.isDeveloped)
    #expect(abs((small[1, 2] & 255) - 40) < 8, "\(String(small[1, 2], radix: 16))")
    let large = try DecodedImage(try await answer(dng))
    #expect((large.info.width, large.info.height) == (128, 64) && large.info.isDeveloped && isRed(large[20, 32]))
  }

  @Test func aLargePreviewIsShownUnlessTheUserAsksForTheRaw() async throws {
    var dng = Self.dng(60, 30)
    dng.preview = SquareJPEG(columns: 4, rows: 2, shades: [40, 40, 200, 200, 40, 40, 200, 200]).baseline()
    let preview = try DecodedImage(try await answer(dng))
    #expect((preview.info.width, preview.info.height) == (32, 16) && !preview.info.isDeveloped)
    let raw = try DecodedImage(try await answer(dng, isDeveloped: true))
    #expect((raw.info.width, raw.info.height) == (60, 30) && raw.info.isDeveloped)
    #expect(isRed(raw[10, 15]) && raw[50, 15] == 0xFFFFFF)
  }

  @Test func theSmallPreviewIsThereFirst() async throws {
    var dng = Self.dng()
    dng.preview = Self.preview
    let first = try await answer(dng, stage: .preview)
    #expect(!first.info.isSharp && !first.info.isDeveloped && first.info.width == 128)
    guard case .graphic = first.content else {
      Issue.record("\(first.content)")
      return
    }
    let raw = try await answer(dng, isDeveloped: true, stage: .preview)
    #expect(raw.content == .noPreview)
  }

  /// What the sensor has clipped is marked, and nothing that is only bright.
  @Test func clippingIsThatOfTheSensor() async throws {
    let dng = SampleDNG(width: 128, height: 64) { x, _ in x < 64 ? (0.9, 0.9, 0.9) : (1, 1, 1) }
    let plain = try DecodedImage(try await answer(dng))
    let marked = try DecodedImage(try await answer(dng, overlay: .clipping))
    #expect(plain[20, 32] & 255 > 235 && plain[20, 32] != 0xFFFFFF)
    // The marks are red, over a gray image.
    let (bright, clipped) = (marked[20, 32], marked[100, 32])
    #expect(bright >> 16 == bright & 255 && clipped >> 16 > (clipped & 255) + 100)
  }

  @Test func aPartIsDevelopedInItsOwnPixels() async throws {
    let dng = SampleDNG(width: 128, height: 64) { x, _ in x % 32 < 16 ? (0.05, 0.05, 0.05) : (0.5, 0.5, 0.5) }
    let view = ImageView.zoomed(scale: 1 << 16, centerX: 1 << 15, centerY: 1 << 15)
    for stage in [RenditionStage.once, .full] {
      let image = try DecodedImage(try await answer(dng, side: 32, view: view, stage: stage))
      #expect((image.pixels.width, image.pixels.height) == (32, 32))
      // The part is from 48 to 80: light, then dark.
      #expect(image[8, 16] & 255 > 150 && image[24, 16] & 255 < 110)
    }
  }

  @Test func theDevelopedImageIsTurnedUpright() async throws {
    var dng = Self.dng()
    dng.orientation = 6
    let image = try DecodedImage(try await answer(dng))
    #expect((image.pixels.width, image.pixels.height) == (64, 128))
    #expect(isRed(image[32, 20]) && image[32, 100] == 0xFFFFFF)
  }

  @Test func whatIsNoRawSaysSo() async throws {
    let file = try folder.write(SampleRaw.tiff(jpeg: Self.preview), as: "empty.nef")
    let format = OutputFormat.kitty(KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false))
    let request = ImageRequest.show(
      file, 100, 100, cell: (1, 1), format, as: ImagePresentation(isDeveloped: true), .once)
    guard case .failure(.damaged(.library(let reason))) = await folder.answer(request).content else {
      Issue.record("it is no raw file")
      return
    }
    #expect(reason.contains("not RAW"), "\(reason)")
  }

  /// Wherever a file ends and whatever is damaged, there is an image or a reason. No worker dies.
  @Test func aDamagedFileHarmsNothing() async throws {
    let whole = Self.dng(48, 32).file
    func check(_ bytes: some Collection<UInt8>, _ place: Int) async throws {
      let path = try folder.write(bytes, as: "damaged.dng")
      guard case .failure(let fault) = await folder.answer(path).content else { return }
      #expect(fault != .crashed && fault != .timedOut && fault != .unresponsive, "\(place): \(fault)")
    }
    for length in stride(from: 8, to: whole.count, by: 101) { try await check(whole.prefix(length), length) }
    for place in stride(from: 4, to: 420, by: 3) {
      var bytes = whole
      bytes[place] = place % 2 == 0 ? ~bytes[place] : 0xFF
      try await check(bytes, place)
    }
  }
}
