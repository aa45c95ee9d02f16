import ImageWire
import Testing

@testable import Screens

@MainActor
@Suite struct HistogramBarsTests {
  private func drawing(_ bars: [UInt8], rows: Int, clips: Bool = false) -> [String] {
    let bars = bars + [UInt8](repeating: 0, count: ToneHistogram.barCount - bars.count)
    let histogram = ToneHistogram(bars: bars, clipsShadows: clips, clipsHighlights: clips)
    return Drawing(columns: HistogramBars.columns, rows: rows) { HistogramBars.draw(histogram, on: $0) }.lines
  }

  @Test func barsAreDrawnInEighthsOfRows() {
    #expect(drawing([0, 1, 127, 255], rows: 1) == ["  ▁▃█"])
    #expect(drawing([0, 1, 127, 160, 255], rows: 2) == ["    ▂█", "  ▁▇██"])
  }

  @Test func clippingIsMarkedAtTheEnds() {
    let line = drawing([255], rows: 1, clips: true)[0]
    #expect(line.first == "◂" && line.last == "▸" && line.count == HistogramBars.columns)
  }
}
