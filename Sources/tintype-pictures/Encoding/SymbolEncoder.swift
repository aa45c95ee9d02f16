#if Pictures
  import CChafa
  import Dispatch
  import ImageWire
  import Synchronization

  /// Images as characters, which libchafa chooses.
  struct SymbolEncoder {
    static let libraryVersion = "\(CHAFA_MAJOR_VERSION).\(CHAFA_MINOR_VERSION).\(CHAFA_MICRO_VERSION)"

    let colors: ColorDepth
    let symbols: SymbolSet
    let background: UInt32

    func encode(_ pixels: Pixels, _ layout: Layout) -> CellImage {
      CellImage(
        columns: layout.columns, rows: layout.rows, cells: cells(pixels, layout, rows: 0..<layout.rows))
    }

    /// The characters of some rows, which are chosen by the pixels of those rows alone.
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
      // Where the terminal's own two colors are all there is, its text is dark on a light background.
      if colors == .monochrome { chafa_canvas_config_set_fg_color(configuration, background.isLight ? 0 : 0xFFFFFF) }
      chafa_canvas_config_set_work_factor(configuration, 0.5)
      if colors != .truecolor {
        // Nearer to the image, seen from a distance, than with colors made stronger beforehand (the tests print it).
        chafa_canvas_config_set_preprocessing_enabled(configuration, 0)
        chafa_canvas_config_set_dither_mode(configuration, CHAFA_DITHER_MODE_DIFFUSION)
      }

      let canvas = chafa_canvas_new(configuration)
      defer { chafa_canvas_unref(canvas) }
      let (width, lines) = (pixels.size.width, pixels.size.lines(of: rows, in: layout))
      // Of pixels of three bytes libchafa 1.12 draws some widths aslant; these have four.
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
    /// The lines of pixels behind some rows of characters.
    fileprivate func lines(of rows: Range<Int>, in layout: Layout) -> Range<Int> {
      let start = min(rows.lowerBound * height / layout.rows, height - 1)
      return start..<max(start + 1, rows.upperBound * height / layout.rows)
    }
  }

  /// Chooses the characters of an image for the shell while the rest of it is still being decoded.
  final class SymbolDrawing {
    private let encoder: SymbolEncoder
    private let layout: Layout
    private let bands: [Range<Int>]
    private let results: Results
    private let queue = DispatchQueue(label: "symbols", attributes: .concurrent)
    private let group = DispatchGroup()
    private var begun = 0

    private static let rowsPerBand = 4

    /// nil where the request is not for characters in any color (of few, one depends on its neighbors), or for a part,
    /// whose pixels must be scaled before.
    init?(_ layout: Layout, _ request: RenditionRequest) {
      guard case .symbols(.truecolor, let symbols) = request.format, !layout.isPart else { return nil }
      encoder = SymbolEncoder(colors: .truecolor, symbols: symbols, background: request.background)
      self.layout = layout
      bands = stride(from: 0, to: layout.rows, by: Self.rowsPerBand).map {
        $0..<min($0 + Self.rowsPerBand, layout.rows)
      }
      results = Results(count: bands.count)
    }

    /// Begins with what can be drawn of `pixels`, of which so many rows are there.
    func draw(_ pixels: Pixels, finishedRows: Int) {
      while begun < bands.count, pixels.size.lines(of: bands[begun], in: layout).upperBound <= finishedRows {
        let index = begun
        begun += 1
        let (encoder, layout, band, results) = (encoder, layout, bands[index], results)
        // The decoder goes on to write rows below these, which are finished and only read from now on.
        nonisolated(unsafe) let pixels = pixels
        queue.async(group: group) { results.set(index, encoder.cells(pixels, layout, rows: band)) }
      }
    }

    func finish(_ pixels: Pixels) -> CellImage {
      draw(pixels, finishedRows: pixels.size.height)
      group.wait()
      return CellImage(columns: layout.columns, rows: layout.rows, cells: results.all())
    }

    /// What the bands have come to, each set by its own thread.
    private final class Results: Sendable {
      private let cells: Mutex<[[CellImage.Cell]]>

      init(count: Int) { cells = Mutex(Array(repeating: [], count: count)) }

      func set(_ index: Int, _ value: [CellImage.Cell]) { cells.withLock { $0[index] = value } }
      func all() -> [CellImage.Cell] { cells.withLock { Array($0.joined()) } }
    }
  }

  extension SymbolSet {
    fileprivate var tags: ChafaSymbolTags {
      // Without the lines of boxes, which libchafa likes to use: in real terminals they bring an image no nearer to the
      // photo, and look like scratches.
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
