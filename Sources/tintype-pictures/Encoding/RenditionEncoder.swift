#if Pictures
  import FoundationEssentials
  import Gallery
  import ImageWire

  /// Encodes pixels in the output format of a request.
  final class RenditionEncoder {
    private let kitty = KittyEncoder()

    /// Deletes the files that were meant for the terminal and that it has not read.
    func deleteFiles() { kitty.deleteFiles() }

    /// Encodes the pixels of a layout, within the budget of the request if that is possible.
    ///
    /// - Parameter pixels: The pixels of the shown part, in any size.
    /// - Returns: The rendition, and whether nothing was left out of it.
    func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest
    ) -> (content: RenditionAnswer.Content, isExact: Bool) {
      let reductions = request.budget == 0 ? [.none] : request.format.reductions
      // How much more the image takes than other photos. The first attempt shows it, so most others are left out.
      var excess = 1.0
      for reduction in reductions.dropLast()
      where request.format.leastBytes(reduction, layout) * excess <= Double(request.budget) {
        let content = encode(pixels, layout, request, reduction)
        if content.byteCount <= request.budget { return (content, reduction == .none) }
        excess = max(1, 0.9 * Double(content.byteCount) / request.format.leastBytes(reduction, layout))
      }
      let coarsest = reductions.last ?? .none
      return (encode(pixels, layout, request, coarsest), coarsest == .none)
    }

    private func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction
    ) -> RenditionAnswer.Content {
      // In the browser, each worker has a core to itself. In the shell, one image has them all.
      let threads = request.stage.isForCommand ? ProcessInfo.processInfo.activeProcessorCount : 1
      let pixels = encoded(pixels, layout, request, reduction, threads: threads)
      switch request.format {
      case .symbols(let colors, let symbols):
        if !request.palette.isEmpty {
          return .cells(PaletteEncoder(palette: request.palette, symbols: symbols).encode(pixels, layout))
        }
        if reduction.factor > 1 {
          return .cells(CoarseSymbols.encode(pixels, layout, factor: Int(reduction.factor)))
        }
        let encoder = SymbolEncoder(colors: colors, symbols: symbols, background: request.background)
        return .cells(encoder.encode(pixels, layout))
      case .kitty(let transfer):
        let (bytes, file) = kitty.encode(pixels, layout, request, transfer, reduction)
        return graphic(bytes, file: file, of: pixels, layout)
      case .sixel(let colors):
        return graphic(
          SixelEncoder.encode(pixels, layout, request, colors: colors, threads: threads), of: pixels, layout)
      case .iterm: return graphic(ITermEncoder.encode(pixels, layout, quality: reduction.quality), of: pixels, layout)
      }
    }

    /// Returns the pixels that are encoded. Within a budget they may be fewer than those of the layout, since the terminal or
    /// the encoder enlarges them.
    private func encoded(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction, threads: Int
    ) -> Pixels {
      // Characters are chosen by any number of pixels, unless the user has zoomed in and can tell single pixels apart.
      guard layout.isPart || request.format.characterColors == nil else { return pixels }
      var size = layout.pixels
      if request.budget > 0, request.format.characterColors == nil {
        size = reduction.size(of: size)
        if pixels.size.area < size.area { size = pixels.size.fitted(in: layout.pixels) }
      }
      let scaled = pixels.scaled(to: size, layout.filter, threads: threads).rounded(to: reduction.step)
      guard case .kitty(let transfer) = request.format, !transfer.hasPlaceholders, size != layout.pixels else {
        return scaled
      }
      // The terminal stretches a placed image over whole cells.
      let cells = PixelSize(layout.columns * request.cellWidth, layout.rows * request.cellHeight)
      let canvas = PixelSize(
        max(size.width, size.width * cells.width / layout.pixels.width),
        max(size.height, size.height * cells.height / layout.pixels.height))
      return scaled.atTopLeft(of: canvas, background: request.background)
    }

    /// Returns the content for the bytes of an encoder, which are none if it failed.
    private func graphic(
      _ bytes: [UInt8], file: String = "", of pixels: Pixels, _ layout: Layout
    ) -> RenditionAnswer.Content {
      guard !bytes.isEmpty else { return .failure(.unencodable) }
      return .graphic(
        GraphicImage(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
          isEnlarged: pixels.size != layout.pixels, bytes: bytes, file: file))
    }
  }

  extension RenditionAnswer.Content {
    /// The approximate number of bytes that the rendition takes on the line to the terminal.
    fileprivate var byteCount: Int {
      switch self {
      case .graphic(let image): image.bytes.count
      case .cells(let image): image.byteCount
      case .noPreview, .failure: 0
      }
    }
  }

  extension CellImage {
    /// The bytes of a character, and those of a color of 24 bits that changes.
    private static let (characterBytes, colorBytes) = (3, 17)

    fileprivate var byteCount: Int {
      var (count, foreground, background) = (0, Cell.none, Cell.none)
      for cell in cells {
        count += Self.characterBytes
        if cell.foreground != foreground { count += Self.colorBytes }
        if cell.background != background { count += Self.colorBytes }
        (foreground, background) = (cell.foreground, cell.background)
      }
      return count
    }
  }
#endif
