import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The PNGs that are sent to kitty, decoded by a library that did not write them.
@MainActor
@Suite(.serialized, .limited) struct KittyPNGTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  /// Returns the exact image of a file as a PNG.
  ///
  /// - Parameter budget: That of a slow line, or 0 for a terminal that is near.
  private func png(of file: FilePath, budget: Int = 10_000_000, throughput: Int = 0) async throws -> [UInt8] {
    let transfer = KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false)
    let answer = await folder.queue.render(
      .show(
        file, 400, 400, cell: (1, 1), .kitty(transfer),
        budget: budget > 0 ? RenditionBudget(bytes: budget, throughput: throughput) : nil, number: 4711))
    guard case .graphic(let image) = answer.content, answer.info.isSharp else { throw CancellationError() }
    let commands = try KittyDecoder.commands(in: image.bytes, isPassedThrough: false)
    return [UInt8](try #require(Data(base64Encoded: Data(commands.flatMap(\.payload)))))
  }

  enum Content: CaseIterable {
    /// Noise on a slope, of which the mean of the neighbors knows most.
    case photo
    /// Large steps, which are not to be smoothed.
    case steps
    /// A pattern that repeats.
    case drawing

    func sample(_ x: Int, _ y: Int, _ noise: Int) -> UInt8 {
      switch self {
      case .photo: UInt8((x + y) / 2 + noise % 64)
      case .steps: UInt8((x / 9 * 40 + y / 7 * 24 + (noise % 16 == 0 ? 8 : 0)) % 256)
      case .drawing: UInt8(((x % 50 * 7919 + y % 17 * 104_729) * 2_654_435_761) >> 16 & 255)
      }
    }
  }

  /// Each kind of content is filtered in another way.
  @Test(arguments: Content.allCases, [0, 10_000_000])
  func thePixelsAreThoseOfTheImage(content: Content, budget: Int) async throws {
    var noise = SystemRandomNumberGenerator()
    let (width, height) = (203, 131)
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width * 3 { samples.append(content.sample(x / 3, y, Int(noise.next() >> 33))) }
    }
    let file = try folder.write(Data("P6 \(width) \(height) 255\n".utf8) + samples)
    let png = try await png(of: file, budget: budget)
    #expect(PNGReader.pixels(of: png)?.rgb == samples)
    #expect(png.count < samples.count * 9 / 10)
  }

  @Test func anImageThatTakesLongOnTheLineIsSmaller() async throws {
    let photo = FilePath(TestPhotos.path("chelsea.jpg"))
    let (usual, small) = (try await png(of: photo), try await png(of: photo, throughput: 5000))
    #expect(small.count < usual.count * 97 / 100, "\(small.count) of \(usual.count)")
    #expect(PNGReader.pixels(of: small)?.rgb == PNGReader.pixels(of: usual)?.rgb)
    #expect(try await png(of: photo, throughput: 500_000) == usual)
  }
}
