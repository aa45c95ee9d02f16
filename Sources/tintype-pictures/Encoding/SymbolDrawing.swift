#if Pictures
  import Dispatch
  import ImageWire
  import Synchronization

  /// Draws an image as characters for the shell while the rest of the image is still being decoded.
  final class SymbolDrawing {
    private let symbols: SymbolSet
    private let layout: Layout
    private var encoder: SymbolEncoder?
    private let bands: [Range<Int>]
    private let results: Results
    private let queue = DispatchQueue(label: "symbols", attributes: .concurrent)
    private let group = DispatchGroup()
    private var begun = 0

    /// Returns nil for requests that ``SymbolEncoder`` doesn't encode, and for a part, whose pixels must be scaled first.
    init?(_ layout: Layout, _ request: RenditionRequest) {
      guard case .symbols(.truecolor, let symbols) = request.format, symbols.hasBlocks, !layout.isPart
      else { return nil }
      self.symbols = symbols
      self.layout = layout
      bands = SymbolEncoder.bands(of: layout.rows)
      results = Results(count: bands.count)
    }

    /// Starts to draw the bands that are complete in the first `finishedRows` rows.
    func draw(_ pixels: Pixels, finishedRows: Int) {
      let encoder = encoder ?? SymbolEncoder(symbols, layout, from: pixels.size)
      self.encoder = encoder
      while begun < bands.count, encoder.pixelRows(for: bands[begun]) <= finishedRows {
        let index = begun
        begun += 1
        let (band, results) = (bands[index], results)
        // The decoder writes only to rows below these, which are finished.
        nonisolated(unsafe) let pixels = pixels
        queue.async(group: group) { results.set(index, encoder.cells(pixels, rows: band)) }
      }
    }

    /// Draws the rest of the image, and returns all of it.
    func finish(_ pixels: Pixels) -> CellImage {
      draw(pixels, finishedRows: pixels.size.height)
      group.wait()
      return CellImage(columns: layout.columns, rows: layout.rows, cells: results.all())
    }

    /// The finished bands, each of which is set by its own thread.
    private final class Results: Sendable {
      private let cells: Mutex<[[CellImage.Cell]]>

      init(count: Int) { cells = Mutex(Array(repeating: [], count: count)) }

      func set(_ index: Int, _ value: [CellImage.Cell]) { cells.withLock { $0[index] = value } }
      func all() -> [CellImage.Cell] { cells.withLock { Array($0.joined()) } }
    }
  }
#endif
