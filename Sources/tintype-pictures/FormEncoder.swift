#if Pictures
  import CChafa
  import Foundation
  import PictureWire

  /// Gives pixels the form that the terminal shows.
  final class FormEncoder {
    private let kitty = KittyEncoder()

    func deleteFiles() { kitty.deleteFiles() }

    func encode(_ pixels: Pixels, _ layout: Layout, _ request: PictureRequest) -> PictureAnswer.Content {
      let bytes: [UInt8]
      switch request.form {
      case .symbols(let colors, let symbols):
        return .cells(SymbolEncoder(colors: colors, symbols: symbols).encode(pixels, layout, request.background))
      case .kitty(let transfer): bytes = kitty.encode(pixels, layout, id: request.number, transfer)
      case .sixel: bytes = SixelEncoder.encode(pixels, layout, request)
      case .iterm: bytes = ITermEncoder.encode(pixels)
      }
      guard !bytes.isEmpty else { return .failure("The picture could not be put in the terminal's form") }
      return .graphic(
        GraphicPicture(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height, bytes: bytes
        ))
    }
  }

  /// Pictures as characters, which libchafa chooses.
  struct SymbolEncoder {
    static let libraryVersion = "\(CHAFA_MAJOR_VERSION).\(CHAFA_MINOR_VERSION).\(CHAFA_MICRO_VERSION)"

    let colors: PictureColors
    let symbols: SymbolSet

    func encode(_ pixels: Pixels, _ layout: Layout, _ background: UInt32) -> CellPicture {
      let map = chafa_symbol_map_new()
      defer { chafa_symbol_map_unref(map) }
      chafa_symbol_map_add_by_tags(map, symbols.tags)

      let configuration = chafa_canvas_config_new()
      defer { chafa_canvas_config_unref(configuration) }
      chafa_canvas_config_set_geometry(configuration, Int32(layout.columns), Int32(layout.rows))
      chafa_canvas_config_set_symbol_map(configuration, map)
      chafa_canvas_config_set_canvas_mode(configuration, colors.canvasMode)
      chafa_canvas_config_set_bg_color(configuration, background)
      chafa_canvas_config_set_work_factor(configuration, 0.5)
      if colors != .truecolor { chafa_canvas_config_set_dither_mode(configuration, CHAFA_DITHER_MODE_ORDERED) }

      let canvas = chafa_canvas_new(configuration)
      defer { chafa_canvas_unref(canvas) }
      let size = pixels.size
      // Of pixels of three bytes libchafa 1.12 draws some widths aslant.
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels.rgba(inMiddleOf: size, background: background),
        Int32(size.width), Int32(size.height), Int32(size.width * 4))
      return CellPicture(
        columns: layout.columns, rows: layout.rows,
        cells: (0..<layout.columns * layout.rows).map {
          Self.cell(of: canvas, column: Int32($0 % layout.columns), row: Int32($0 / layout.columns))
        })
    }

    private static func cell(of canvas: OpaquePointer?, column: Int32, row: Int32) -> CellPicture.Cell {
      var (foreground, background): (Int32, Int32) = (-1, -1)
      chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background)
      return CellPicture.Cell(
        scalar: chafa_canvas_get_char_at(canvas, column, row),
        foreground: foreground < 0 ? CellPicture.Cell.none : UInt32(foreground),
        background: background < 0 ? CellPicture.Cell.none : UInt32(background))
    }
  }

  extension SymbolSet {
    fileprivate var tags: ChafaSymbolTags {
      let blocks =
        CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_BORDER.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue
      return switch self {
      case .ascii: CHAFA_SYMBOL_TAG_ASCII
      case .blocks: ChafaSymbolTags(blocks)
      case .sextants: ChafaSymbolTags(blocks | CHAFA_SYMBOL_TAG_SEXTANT.rawValue)
      }
    }
  }

  extension PictureColors {
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

  /// Pictures as sixels (DEC STD 070), which libchafa encodes.
  enum SixelEncoder {
    static func encode(_ pixels: Pixels, _ layout: Layout, _ request: PictureRequest) -> [UInt8] {
      // A whole number of cells, the picture in the middle and the window's background around it: opaque, so that it
      // takes the place of what was there.
      let (width, height) = (layout.columns * request.cellWidth, layout.rows * request.cellHeight)
      let canvasPixels = pixels.rgba(inMiddleOf: PixelSize(width, height), background: request.background)
      let configuration = chafa_canvas_config_new()
      defer { chafa_canvas_config_unref(configuration) }
      chafa_canvas_config_set_geometry(configuration, Int32(layout.columns), Int32(layout.rows))
      chafa_canvas_config_set_cell_geometry(configuration, Int32(request.cellWidth), Int32(request.cellHeight))
      chafa_canvas_config_set_pixel_mode(configuration, CHAFA_PIXEL_MODE_SIXELS)
      chafa_canvas_config_set_canvas_mode(configuration, CHAFA_CANVAS_MODE_TRUECOLOR)
      let canvas = chafa_canvas_new(configuration)
      defer { chafa_canvas_unref(canvas) }
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, canvasPixels, Int32(width), Int32(height), Int32(width * 4))
      let terminal = chafa_term_db_get_fallback_info(chafa_term_db_get_default())
      defer { chafa_term_info_unref(terminal) }
      guard let text = chafa_canvas_print(canvas, terminal) else { return [] }
      defer { g_string_free(text, 1) }
      var bytes = [UInt8](UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len)))
      // libchafa says that what is not drawn stays as it was (second parameter 1); here it does not.
      let transparent = Array("\u{1B}P0;1;0q".utf8)
      if bytes.starts(with: transparent) { bytes[4] = UInt8(ascii: "0") }
      return bytes
    }
  }

  /// Pictures as iTerm2's inline images (iTerm2, "Images"): a JPEG in base64, in a control sequence.
  enum ITermEncoder {
    static func encode(_ pixels: Pixels) -> [UInt8] {
      guard let jpeg = pixels.picture?.jpeg() else { return [] }
      let size = pixels.size
      let head =
        "\u{1B}]1337;File=inline=1;size=\(jpeg.count);width=\(size.width)px;height=\(size.height)px;"
        + "preserveAspectRatio=1;doNotMoveCursor=1:"
      return Array(head.utf8) + Data(jpeg).base64EncodedData() + [0x07]
    }
  }
#endif
