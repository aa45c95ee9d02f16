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
      // In the browser, each worker has a core to itself. In the shell, one image has them all.
      let threads = request.stage == .once ? ProcessInfo.processInfo.activeProcessorCount : 1
      // Characters are chosen by any number of pixels, unless the user has zoomed in and can tell single pixels apart.
      let isScaled = layout.isPart || request.format.characterColors == nil
      let pixels = isScaled ? pixels.scaled(to: layout.pixels, layout.filter, threads: threads) : pixels
      switch request.format {
      case .symbols(let colors, let symbols):
        if !request.palette.isEmpty {
          return .cells(PaletteEncoder(palette: request.palette, symbols: symbols).encode(pixels, layout))
        }
        let encoder = SymbolEncoder(colors: colors, symbols: symbols, background: request.background)
        return .cells(encoder.encode(pixels, layout))
      case .kitty(let transfer):
        let (bytes, file) = kitty.encode(pixels, layout, request, transfer)
        return graphic(bytes, file: file, of: pixels, layout)
      case .sixel(let colors):
        return graphic(
          SixelEncoder.encode(pixels, layout, request, colors: colors, threads: threads), of: pixels, layout)
      case .iterm: return graphic(ITermEncoder.encode(pixels), of: pixels, layout)
      }
    }

    /// Returns the content for the bytes of an encoder, which are none if it failed.
    private func graphic(
      _ bytes: [UInt8], file: String = "", of pixels: Pixels, _ layout: Layout
    ) -> RenditionAnswer.Content {
      guard !bytes.isEmpty else { return .failure(.unencodable) }
      return .graphic(
        GraphicImage(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
          bytes: bytes, file: file))
    }
  }
#endif
