import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Stills and frames of videos: two tenths of a second in black, and then red, green, and blue up to 3, 6, and 9 seconds.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class VideoTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  /// Returns the color in the middle of a frame: `r`, `g`, `b`, or `k` for black.
  private func color(of path: FilePath, at position: Int = 0) async throws -> Character {
    let image = try DecodedImage(await folder.answer(path, frame: position))
    #expect((image.info.width, image.info.height) == (64, 48))
    let middle = image.rows[24][32]
    let parts = [middle >> 16 & 255, middle >> 8 & 255, middle & 255]
    let most = parts.max() ?? 0
    return most < 60 ? "k" : Array("rgb")[parts.firstIndex(of: most) ?? 0]
  }

  /// The stream (HEVC) has no index, and a key frame only every four seconds.
  @Test(arguments: ["film.mp4", "film.webm", "film.m2ts"])
  func theStillIsNotBlackAndPositionsHaveTheirFrames(name: String) async throws {
    let path = FilePath(TestPhotos.path(name))
    #expect(try await color(of: path) == "r")
    // Forward, back, within one group of frames, and beyond the end.
    for (position, expected) in [
      (1, "k"), (150, "k"), (250, "r"), (2950, "r"), (3050, "g"), (8950, "b"), (50, "k"), (4000, "g"), (60_000, "b"),
      (5950, "g"), (6050, "b"),
    ] as [(Int, Character)] { #expect(try await color(of: path, at: position) == expected, "\(position)") }
  }

  /// On the way, frames are left out that no others need.
  @Test func everyFrameIsReachedFromEveryOtherOne() async throws {
    let path = FilePath(TestPhotos.path("film.mp4"))
    for step in [100, 200, 300, 400, 700, 1100, 1900, 3700] {
      for position in stride(from: step == 100 ? 1 : step, to: 9000, by: step) {
        let found = await folder.answer(path, frame: position).info.position
        #expect(found == position / 100 * 100, "\(position) in steps of \(step)")
      }
    }
  }

  @Test func aFrameSaysItsPositionAndTheDuration() async throws {
    let path = FilePath(TestPhotos.path("film.mp4"))
    let info = await folder.answer(path, frame: 4123).info
    #expect(info.position == 4100 && info.duration == 9000)
  }

  @Test func theKeyFrameBeforeAPositionIsEnoughForANegativeOne() async throws {
    // It has a key frame each second.
    let path = FilePath(TestPhotos.path("film.mp4"))
    var positions: [Int] = []
    for position in [2500, 5500, 8500] { positions.append(await folder.answer(path, frame: -position).info.position) }
    #expect(positions == [2000, 5000, 8000])
  }

  /// Whatever its end is, a file has frames as far as it goes, or a reason why it has none. No worker dies.
  @Test func anIncompleteVideoShowsWhatThereIs() async throws {
    let whole = try Data(contentsOf: URL(filePath: TestPhotos.path("film.webm")))
    for length in stride(from: 40, to: whole.count, by: 97) {
      let file = try folder.write(whole.prefix(length), as: "cut.webm")
      switch await folder.answer(file).content {
      case .failure(let fault): #expect(fault != .crashed && fault != .timedOut, "\(length): \(fault)")
      default: break
      }
    }
    let most = try folder.write(whole.prefix(whole.count * 3 / 4), as: "most.webm")
    #expect(try await color(of: most) == "r")
  }

  @Test func aDamagedVideoHarmsNothing() async throws {
    let whole = [UInt8](try Data(contentsOf: URL(filePath: TestPhotos.path("film.mp4"))))
    for place in stride(from: 0, to: whole.count, by: 61) {
      var bytes = whole
      bytes[place] = ~bytes[place]
      switch await folder.answer(try folder.write(bytes, as: "damaged.mp4")).content {
      case .failure(let fault): #expect(fault != .crashed && fault != .timedOut, "\(place): \(fault)")
      default: break
      }
    }
  }
}
