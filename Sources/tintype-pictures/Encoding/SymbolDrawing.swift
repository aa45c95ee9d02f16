import FoundationEssentials
import ImageWire
import Synchronization

/// Draws an image as characters for the shell while the rest of the image is still being decoded.
final class SymbolDrawing {
  private let colors: ColorDepth
  private let symbols: SymbolSet
  private let layout: Layout
  private var encoder: SymbolEncoder?
  private let bands: [Range<Int>]
  private let results: Results
  private let work = SharedWork(threads: ProcessInfo.processInfo.activeProcessorCount)
  private var begun = 0

  /// Returns nil for renditions that ``SymbolEncoder`` doesn't encode, and for a part, whose pixels must be scaled first.
  init?(_ layout: Layout, _ specification: RenditionSpecification) {
    guard case .symbols(let colors, let symbols) = specification.screen.format,
      SymbolEncoder.encodes(colors),
      !layout.isPart
    else { return nil }
    self.colors = colors
    self.symbols = symbols
    self.layout = layout
    bands = SymbolEncoder.bands(of: layout.rows)
    results = Results(GlyphColoring(colors, symbols, columns: layout.columns))
  }

  /// Starts to draw the bands that are complete in the first `finishedRows` rows.
  func draw(_ pixels: Pixels, finishedRows: Int) {
    let encoder = encoder ?? SymbolEncoder(colors, symbols, layout, from: pixels.size)
    self.encoder = encoder
    while begun < bands.count, encoder.pixelRows(for: bands[begun]) <= finishedRows {
      let index = begun
      begun += 1
      let (band, results) = (bands[index], results)
      // The decoder writes only to rows below these, which are finished.
      nonisolated(unsafe) let pixels = pixels
      work.add { results.add(encoder.candidates(pixels, rows: band), at: index) }
    }
  }

  /// Draws the rest of the image, and returns all of it.
  func finish(_ pixels: Pixels) -> CellImage {
    draw(pixels, finishedRows: pixels.size.height)
    work.wait()
    return CellImage(columns: layout.columns, rows: layout.rows, cells: results.cells)
  }

  /// The characters of the finished bands. The threads finish them in any order, and they are colored from the top.
  private final class Results: Sendable {
    private struct State {
      var coloring: GlyphColoring
      var cells: [CellImage.Cell] = []
      var finished: [Int: [GlyphCandidates]] = [:]
      var next = 0
    }

    private let state: Mutex<State>

    init(_ coloring: GlyphColoring) { state = Mutex(State(coloring: coloring)) }

    var cells: [CellImage.Cell] { state.withLock(\.cells) }

    func add(_ candidates: [GlyphCandidates], at index: Int) {
      state.withLock { state in
        state.finished[index] = candidates
        while let candidates = state.finished.removeValue(forKey: state.next) {
          state.cells += state.coloring.cells(candidates)
          state.next += 1
        }
      }
    }
  }
}
