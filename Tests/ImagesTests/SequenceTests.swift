import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Animations that FFmpeg's libraries and libjxl decode: a red frame, a green and a blue one, for a tenth of a second each.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class SequenceTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  private nonisolated static let names = ["colors.apng", "colors.avif", "colors.jxl"]

  /// Returns the color in the middle of a frame: `r`, `g`, or `b`.
  private func color(of path: FilePath, frame: Int = 0) async throws -> Character {
    let image = try DecodedImage(await folder.answer(path, frame: frame))
    #expect((image.info.width, image.info.height) == (32, 32))
    let middle = image.rows[16][16]
    let parts = [middle >> 16 & 255, middle >> 8 & 255, middle & 255]
    return Array("rgb")[parts.firstIndex(of: parts.max() ?? 0) ?? 0]
  }

  @Test(arguments: names) func everyFrameIsReachedFromEveryOtherOne(name: String) async throws {
    let path = FilePath(TestPhotos.path(name))
    for frame in [0, 1, 2, 0, 2, 1, 0, 1, 7] {
      #expect(try await color(of: path, frame: frame) == Array("rgbbbbbb")[frame], "\(frame)")
    }
  }

  @Test(arguments: names) func aFrameSaysHowManyThereAreAndHowLongItIsShown(name: String) async throws {
    let path = FilePath(TestPhotos.path(name))
    for frame in 0..<3 {
      let info = await folder.answer(path, frame: frame).info
      #expect(info.frames == 3 && info.delay == 100)
    }
  }

  /// Whatever is damaged, there are frames or a reason why there are none. No worker dies.
  @Test(arguments: names) func aDamagedAnimationHarmsNothing(name: String) async throws {
    let whole = [UInt8](try Data(contentsOf: URL(filePath: TestPhotos.path(name))))
    for place in 12..<whole.count {
      var bytes = whole
      bytes[place] ^= 0x5A
      let damaged = try folder.write(Data(bytes), as: "damaged")
      let cut = try folder.write(Data(whole.prefix(place)), as: "cut")
      for (file, frame) in [(damaged, 0), (damaged, 2), (cut, 0), (cut, 1)] {
        switch await folder.answer(file, frame: frame).content {
        case .failure(let fault): #expect(fault != .crashed && fault != .timedOut, "\(place): \(fault)")
        default: break
        }
      }
    }
  }
}
