#if Pictures
  import CChafa
  import FoundationEssentials
  import ImageWire
  import Synchronization

  /// Encodes images as characters, which libchafa chooses.
  struct SymbolEncoder {
    static let libraryVersion = "\(CHAFA_MAJOR_VERSION).\(CHAFA_MINOR_VERSION).\(CHAFA_MICRO_VERSION)"

    let colors: ColorDepth
    let symbols: SymbolSet
    let background: UInt32

    /// Draws pixels as the characters of a layout.
    func encode(_ pixels: Pixels, _ layout: Layout) -> CellImage {
      CellImage(
        columns: layout.columns, rows: layout.rows, cells: cells(pixels, layout, rows: 0..<layout.rows))
    }

    /// Returns the characters of some rows. They depend on the pixels of those rows alone.
    func cells(_ pixels: Pixels, _ layout: Layout, rows: Range<Int>) -> [CellImage.Cell] {
      let map = chafa_symbol_map_new()
      defer { chafa_symbol_map_unref(map) }
      chafa_symbol_map_add_by_tags(map, symbols.tags)

      let configuration = chafa_canvas_config_new()
      defer { chafa_canvas_config_unref(configuration) }
      chafa_canvas_config_set_geometry(configuration, Int32(layout.columns), Int32(rows.count))
      chafa_canvas_config_set_symbol_map(configuration, map)
      chafa_canvas_config_set_canvas_mode(configuration, colors.canvasMode)
      chafa_canvas_config_set_bg_color(configuration, background)
      // A terminal that has only its own two colors shows dark text on a light background.
      if colors == .monochrome { chafa_canvas_config_set_fg_color(configuration, background.isLight ? 0 : 0xFFFFFF) }
      chafa_canvas_config_set_work_factor(configuration, 0.5)
      if colors != .truecolor {
        // Seen from a distance, the result is nearer to the image than with stronger colors, which preprocessing makes (the
        // tests print the errors).
        chafa_canvas_config_set_preprocessing_enabled(configuration, 0)
        chafa_canvas_config_set_dither_mode(configuration, CHAFA_DITHER_MODE_DIFFUSION)
      }

      let canvas = chafa_canvas_new(configuration)
      defer { chafa_canvas_unref(canvas) }
      let (width, lines) = (pixels.size.width, pixels.size.lines(of: rows, in: layout))
      // With pixels of three bytes, libchafa 1.12 skews images of some widths. These pixels have four.
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, UnsafeRawPointer(pixels.row(lines.lowerBound).baseAddress),
        Int32(width), Int32(lines.count), Int32(width * 4))
      return (0..<layout.columns * rows.count).map {
        Self.cell(of: canvas, column: Int32($0 % layout.columns), row: Int32($0 / layout.columns))
      }
    }

    private static func cell(of canvas: OpaquePointer?, column: Int32, row: Int32) -> CellImage.Cell {
      var (foreground, background): (Int32, Int32) = (-1, -1)
      chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background)
      return CellImage.Cell(
        scalar: chafa_canvas_get_char_at(canvas, column, row),
        foreground: foreground < 0 ? CellImage.Cell.none : UInt32(foreground),
        background: background < 0 ? CellImage.Cell.none : UInt32(background))
    }
  }

  extension UInt32 {
    /// Whether a color (0xRRGGBB) is nearer to white than to black, by its luma (ITU-R BT.709).
    fileprivate var isLight: Bool {
      2126 * (self >> 16 & 0xFF) + 7152 * (self >> 8 & 0xFF) + 722 * (self & 0xFF) > 10_000 * 127
    }
  }

  extension PixelSize {
    /// Returns the rows of pixels behind some rows of characters.
    fileprivate func lines(of rows: Range<Int>, in layout: Layout) -> Range<Int> {
      let start = min(rows.lowerBound * height / layout.rows, height - 1)
      return start..<max(start + 1, rows.upperBound * height / layout.rows)
    }
  }

  /// Draws an image as characters for the shell while the rest of the image is still being decoded.
  final class SymbolDrawing {
    private let encoder: SymbolEncoder
    private let layout: Layout
    private let bands: [Range<Int>]
    private let results: Results
    private let work = SharedWork(threads: ProcessInfo.processInfo.activeProcessorCount)
    private var begun = 0

    private static let rowsPerBand = 4

    /// Returns nil for other requests than characters in 24-bit colors. With few colors, a cell depends on its neighbors, and
    /// the pixels of a part must be scaled first.
    init?(_ layout: Layout, _ request: RenditionRequest) {
      guard case .symbols(.truecolor, let symbols) = request.format, !layout.isPart else { return nil }
      encoder = SymbolEncoder(colors: .truecolor, symbols: symbols, background: request.background)
      self.layout = layout
      bands = stride(from: 0, to: layout.rows, by: Self.rowsPerBand).map {
        $0..<min($0 + Self.rowsPerBand, layout.rows)
      }
      results = Results(count: bands.count)
    }

    /// Starts to draw the bands that are complete in the first `finishedRows` rows.
    func draw(_ pixels: Pixels, finishedRows: Int) {
      while begun < bands.count, pixels.size.lines(of: bands[begun], in: layout).upperBound <= finishedRows {
        let index = begun
        begun += 1
        let (encoder, layout, band, results) = (encoder, layout, bands[index], results)
        // The decoder writes only to rows below these, which are finished.
        nonisolated(unsafe) let pixels = pixels
        work.add { results.set(index, encoder.cells(pixels, layout, rows: band)) }
      }
    }

    /// Draws the rest of the image, and returns all of it.
    func finish(_ pixels: Pixels) -> CellImage {
      draw(pixels, finishedRows: pixels.size.height)
      work.wait()
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

  extension SymbolSet {
    fileprivate var tags: ChafaSymbolTags {
      // Box-drawing lines, which libchafa prefers, are left out. In real terminals they look like scratches and bring a
      // rendition no nearer to the photo.
      let blocks = CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue
      return switch self {
      case .ascii: CHAFA_SYMBOL_TAG_ASCII
      case .blocks: ChafaSymbolTags(blocks)
      case .sextants: ChafaSymbolTags(blocks | CHAFA_SYMBOL_TAG_SEXTANT.rawValue)
      }
    }
  }

  extension ColorDepth {
    fileprivate var canvasMode: ChafaCanvasMode {
      switch self {
      case .truecolor: CHAFA_CANVAS_MODE_TRUECOLOR
      case .palette256: CHAFA_CANVAS_MODE_INDEXED_240
      case .palette16: CHAFA_CANVAS_MODE_INDEXED_16
      case .palette8: CHAFA_CANVAS_MODE_INDEXED_8
      case .monochrome: CHAFA_CANVAS_MODE_FGBG
      }
    }
  }
#endif
