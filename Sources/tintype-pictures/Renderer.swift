#if Pictures
  import CChafa
  import CVips
  import PictureWire

  /// Turns files into renditions: libvips decodes, libchafa picks the characters.
  final class Renderer {
    /// No picture of more pixels is decoded.
    private static let mostPixels = 500_000_000

    init() {
      vips_init("tintype-pictures")
      vips_concurrency_set(1)
      vips_cache_set_max(0)
      chafa_set_n_threads(1)
      vips_operation_block_set("VipsForeignLoad", 1)
    }

    func render(_ request: PictureRequest) -> PictureAnswer.Content {
      do throws(PictureFailure) {
        let format = try PictureFormat(ofFileAt: request.path)
        vips_operation_block_set(format.loader, 0)
        defer { vips_operation_block_set(format.loader, 1) }
        let size = try uprightSize(of: request.path)
        let (columns, rows) = request.fillsBox ? (request.columns, request.rows) : Self.fit(size, in: request)
        // Eight by sixteen pixels a cell are what the characters are chosen by.
        let pixels = try decode(request, width: columns * 8, height: rows * 16)
        defer { g_free(pixels) }
        return .cells(draw(pixels, columns: columns, rows: rows, request))
      } catch {
        return .failure(error.description)
      }
    }

    private func uprightSize(of path: String) throws(PictureFailure) -> (width: Int, height: Int) {
      guard let image = cvips_open(path) else { throw .damaged(takeError()) }
      defer { g_object_unref(image) }
      let (width, height) = (Int(vips_image_get_width(image)), Int(vips_image_get_height(image)))
      guard width > 0, height > 0, width <= Self.mostPixels / height else { throw .tooLarge(width, height) }
      return vips_image_get_orientation(image) >= 5 ? (height, width) : (width, height)
    }

    private func decode(
      _ request: PictureRequest, width: Int, height: Int
    ) throws(PictureFailure) -> UnsafeMutablePointer<UInt8> {
      let color = request.background
      let background = [16, 8, 0].map { Double(color >> $0 & 0xFF) }
      guard let pixels = cvips_render(request.path, Int32(width), Int32(height), request.fillsBox ? 1 : 0, background)
      else {
        throw .damaged(takeError())
      }
      return pixels
    }

    /// The cells that the whole picture takes in the request's box, its sides in proportion.
    private static func fit(_ size: (width: Int, height: Int), in request: PictureRequest) -> (columns: Int, rows: Int)
    {
      let aspect = Double(max(64, request.cellAspect)) / 256
      let (width, height) = (Double(size.width), Double(size.height) / aspect)
      let scale = min(Double(request.columns) / width, Double(request.rows) / height)
      return (
        min(request.columns, max(1, Int((width * scale).rounded()))),
        min(request.rows, max(1, Int((height * scale).rounded())))
      )
    }

    private func draw(
      _ pixels: UnsafeMutablePointer<UInt8>, columns: Int, rows: Int, _ request: PictureRequest
    ) -> CellPicture {
      let symbols = chafa_symbol_map_new()
      defer { chafa_symbol_map_unref(symbols) }
      let tags: ChafaSymbolTags =
        request.isUnicode
        ? ChafaSymbolTags(
          CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_BORDER.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue)
        : CHAFA_SYMBOL_TAG_ASCII
      chafa_symbol_map_add_by_tags(symbols, tags)

      let configuration = chafa_canvas_config_new()
      defer { chafa_canvas_config_unref(configuration) }
      chafa_canvas_config_set_geometry(configuration, Int32(columns), Int32(rows))
      chafa_canvas_config_set_symbol_map(configuration, symbols)
      chafa_canvas_config_set_canvas_mode(configuration, request.colors.canvasMode)
      chafa_canvas_config_set_bg_color(configuration, request.background)
      chafa_canvas_config_set_work_factor(configuration, 0.5)
      if request.colors == .monochrome || request.colors == .palette8 {
        chafa_canvas_config_set_dither_mode(configuration, CHAFA_DITHER_MODE_ORDERED)
      }

      let canvas = chafa_canvas_new(configuration)
      defer { chafa_canvas_unref(canvas) }
      chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGB8, pixels, Int32(columns * 8), Int32(rows * 16), Int32(columns * 24))
      return CellPicture(
        columns: columns, rows: rows,
        cells: (0..<columns * rows).map { cell(of: canvas, column: Int32($0 % columns), row: Int32($0 / columns)) })
    }

    private func cell(of canvas: OpaquePointer?, column: Int32, row: Int32) -> CellPicture.Cell {
      var (foreground, background): (Int32, Int32) = (-1, -1)
      chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background)
      return CellPicture.Cell(
        scalar: chafa_canvas_get_char_at(canvas, column, row),
        foreground: foreground < 0 ? CellPicture.Cell.none : UInt32(foreground),
        background: background < 0 ? CellPicture.Cell.none : UInt32(background))
    }

    private func takeError() -> String {
      defer { vips_error_clear() }
      let text = String(cString: vips_error_buffer())
      return text.split(separator: "\n").first.map(String.init) ?? "no reason given"
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
#else
  import PictureWire

  /// Stands in where the program was built without the picture libraries.
  final class Renderer {
    func render(_ request: PictureRequest) -> PictureAnswer.Content {
      .failure("Tintype was built without the picture libraries")
    }
  }
#endif
