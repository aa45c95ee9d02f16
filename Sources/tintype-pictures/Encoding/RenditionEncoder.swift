#if Pictures
  import FoundationEssentials
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
      for reduction in reductions.dropLast()
      where request.format.leastBytes(reduction, layout) <= Double(request.budget) {
        let content = encode(pixels, layout, request, reduction)
        if content.byteCount <= request.budget { return (content, reduction == .none) }
      }
      let coarsest = reductions.last ?? .none
      return (encode(pixels, layout, request, coarsest), coarsest == .none)
    }

    private func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction
    ) -> RenditionAnswer.Content {
      if case .symbols(let colors, let symbols) = request.format {
        // After zooming in, the user can tell single pixels apart.
        let pixels = layout.isPart ? pixels.scaled(to: layout.pixels, layout.filter) : pixels
        if !request.palette.isEmpty {
          return .cells(PaletteEncoder(palette: request.palette, symbols: symbols).encode(pixels, layout))
        }
        if reduction.factor > 1, symbols != .ascii, colors == .truecolor {
          return .cells(CoarseSymbols.encode(pixels, layout, factor: Int(reduction.factor)))
        }
        let encoder = SymbolEncoder(colors: colors, symbols: symbols, background: request.background)
        return .cells(encoder.encode(pixels, layout))
      }
      // In the browser, each worker has a core to itself. In the shell, one image has them all.
      let threads = request.stage == .once ? ProcessInfo.processInfo.activeProcessorCount : 1
      let size = encodedSize(pixels, layout, request, reduction)
      var pixels = pixels.scaled(to: size, layout.filter, threads: threads).rounded(to: reduction.step)
      if case .kitty(let transfer) = request.format, !transfer.hasPlaceholders, size != layout.pixels {
        // A placed image is stretched over whole cells.
        let cells = PixelSize(layout.columns * request.cellWidth, layout.rows * request.cellHeight)
        pixels = pixels.atTopLeft(
          of: PixelSize(
            max(size.width, size.width * cells.width / layout.pixels.width),
            max(size.height, size.height * cells.height / layout.pixels.height)), background: request.background)
      }
      let (bytes, file) =
        switch request.format {
        case .kitty(let transfer): kitty.encode(pixels, layout, request, transfer, reduction)
        case .sixel(let colors):
          (SixelEncoder.encode(pixels, layout, request, colors: colors, threads: threads), "")
        case .iterm: (ITermEncoder.encode(pixels, layout, quality: reduction.quality), "")
        case .symbols: ([], "")
        }
      guard !bytes.isEmpty else { return .failure("The image could not be put in the terminal's form") }
      return .graphic(
        GraphicImage(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
          isEnlarged: size != layout.pixels, bytes: bytes, file: file))
    }

    /// Returns the size in which an image is encoded. Within a budget, the terminal enlarges a small image itself.
    private func encodedSize(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction
    ) -> PixelSize {
      guard request.budget > 0 else { return layout.pixels }
      let size = reduction.size(of: layout.pixels)
      return pixels.size.area < size.area ? pixels.size.fitted(in: layout.pixels) : size
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
