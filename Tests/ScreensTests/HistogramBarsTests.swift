import ImageWire
import TestLimit
import Testing

@testable import Screens

@MainActor
@Suite(.limited) struct HistogramBarsTests {
  private func drawing(_ bars: [UInt8], rows: Int, clips: Bool = false) -> [String] {
    let bars = bars + [UInt8](repeating: 0, count: ToneHistogram.barCount - bars.count)
    let histogram = ToneHistogram(bars: bars, clipsShadows: clips, clipsHighlights: clips)
    let lines = Drawing(columns: HistogramBars.columns, rows: rows) { HistogramBars.draw(histogram, on: $0) }.lines
    // The base line has the whole width.
    #expect(lines.last?.count == HistogramBars.columns - (clips ? 0 : 1))
    return lines.map { String($0.prefix(bars.count(where: { $0 > 0 }) + 2)) }
  }

  @Test func barsAreDrawnInEighthsOfRows() {
    #expect(drawing([0, 1, 127, 255], rows: 1) == [" ▁▁▃█"])
    #expect(drawing([0, 1, 127, 160, 255], rows: 2) == ["    ▂█", " ▁▁▇██"])
  }

  @Test func clippingIsMarkedAtTheEnds() {
    let line = drawing([UInt8](repeating: 255, count: ToneHistogram.barCount), rows: 1, clips: true)[0]
    #expect(line.first == "◂" && line.last == "▸")
  }
}
