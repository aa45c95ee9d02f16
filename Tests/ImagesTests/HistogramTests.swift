import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class HistogramTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  /// Returns the histogram of an image of rows of grays.
  private func histogram(_ rows: [[Int]]) async throws -> ToneHistogram {
    let tiff = SampleImage.tiff(
      rows[0].count, rows.count, .bytes, values: rows.joined().map(Double.init), orientation: 1)
    return try #require(try await folder.answer(folder.write(tiff), stage: .full).info.histogram)
  }

  @Test func barsAreTheSharesOfTones() async throws {
    // A quarter of the pixels is a dark gray, a half a medium one, and a quarter a bright one.
    let histogram = try await histogram([[40, 40, 128, 128], [128, 128, 220, 220]])
    var expected = [UInt8](repeating: 0, count: ToneHistogram.barCount)
    (expected[40 * 24 / 256], expected[128 * 24 / 256], expected[220 * 24 / 256]) = (127, 255, 127)
    #expect(histogram.bars == expected)
    #expect(!histogram.clipsShadows && !histogram.clipsHighlights)
  }

  @Test(arguments: [(0, true, false), (255, false, true), (3, false, false), (254, false, false)])
  func clippedPixelsAreMarked(tone: Int, shadows: Bool, highlights: Bool) async throws {
    let histogram = try await histogram([[128, 128, tone, tone], [128, 128, 128, 128]])
    #expect((histogram.clipsShadows, histogram.clipsHighlights) == (shadows, highlights))
  }
}
