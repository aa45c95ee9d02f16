#if Pictures
  import FoundationEssentials
  import Gallery
  import ImageWire

  /// Encodes pixels in the output format of a request.
  final class RenditionEncoder {
    private let kitty = KittyEncoder()

    /// Deletes the files that were meant for the terminal and that it has not read.
    func deleteFiles() { kitty.deleteFiles() }

    /// Encodes the pixels of a layout.
    ///
    /// - Parameter pixels: The pixels of the shown part, in any size.
    func encode(_ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest) -> RenditionAnswer.Content {
      if case .symbols(let colors, let symbols) = request.format {
        // After zooming in, the user can tell single pixels apart.
        let pixels = layout.isPart ? pixels.scaled(to: layout.pixels, layout.filter) : pixels
        if !request.palette.isEmpty {
          return .cells(PaletteEncoder(palette: request.palette, symbols: symbols).encode(pixels, layout))
        }
        let encoder = SymbolEncoder(colors: colors, symbols: symbols, background: request.background)
        return .cells(encoder.encode(pixels, layout))
      }
      // In the browser, each worker has a core to itself. In the shell, one image has them all.
      let threads = request.stage == .once ? ProcessInfo.processInfo.activeProcessorCount : 1
      let pixels = pixels.scaled(to: layout.pixels, layout.filter, threads: threads)
      let (bytes, file) =
        switch request.format {
        case .kitty(let transfer): kitty.encode(pixels, layout, request, transfer)
        case .sixel(let colors): (SixelEncoder.encode(pixels, layout, request, colors: colors, threads: threads), "")
        case .iterm: (ITermEncoder.encode(pixels), "")
        case .symbols: ([], "")
        }
      guard !bytes.isEmpty else { return .failure(.unencodable) }
      return .graphic(
        GraphicImage(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
          bytes: bytes, file: file))
    }
  }
#endif
