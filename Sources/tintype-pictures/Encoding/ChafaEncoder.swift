import CChafa
import ImageWire

/// Encodes images as characters that libchafa chooses: those without colors, and those of ASCII and Braille.
struct ChafaEncoder {
  static let libraryVersion = "\(CHAFA_MAJOR_VERSION).\(CHAFA_MINOR_VERSION).\(CHAFA_MICRO_VERSION)"

  let colors: ColorDepth
  let symbols: SymbolSet
  let background: UInt32

  /// Draws pixels as the characters of a layout.
  func encode(_ pixels: Pixels, _ layout: Layout) -> CellImage {
    let map = chafa_symbol_map_new()
    defer { chafa_symbol_map_unref(map) }
    chafa_symbol_map_add_by_tags(map, symbols.tags)

    let configuration = chafa_canvas_config_new()
    defer { chafa_canvas_config_unref(configuration) }
    chafa_canvas_config_set_geometry(configuration, Int32(layout.columns), Int32(layout.rows))
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
    // With pixels of three bytes, libchafa 1.12 skews images of some widths. These pixels have four.
    chafa_canvas_draw_all_pixels(
      canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, UnsafeRawPointer(pixels.words.baseAddress),
      Int32(pixels.size.width), Int32(pixels.size.height), Int32(pixels.size.width * 4))
    let cells = (0..<layout.columns * layout.rows).map {
      Self.cell(of: canvas, column: Int32($0 % layout.columns), row: Int32($0 / layout.columns))
    }
    return CellImage(columns: layout.columns, rows: layout.rows, cells: cells)
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
  var isLight: Bool {
    2126 * (self >> 16 & 0xFF) + 7152 * (self >> 8 & 0xFF) + 722 * (self & 0xFF) > 10_000 * 127
  }
}

extension SymbolSet {
  fileprivate var tags: ChafaSymbolTags {
    // Box-drawing lines, which libchafa prefers, are left out. In real terminals they look like scratches and bring a
    // rendition no nearer to the photo.
    let blocks = CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue
    return switch self {
    case .ascii: CHAFA_SYMBOL_TAG_ASCII
    case .braille: ChafaSymbolTags(CHAFA_SYMBOL_TAG_BRAILLE.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue)
    case .blocks: ChafaSymbolTags(blocks)
    // libchafa 1.12 has no octants.
    case .sextants, .octants: ChafaSymbolTags(blocks | CHAFA_SYMBOL_TAG_SEXTANT.rawValue)
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
