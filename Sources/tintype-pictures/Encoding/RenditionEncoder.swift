#if Pictures
  import CJPEG
  import FoundationEssentials
  import ImageWire

  /// Gives pixels the form that the terminal shows.
  final class RenditionEncoder {
    private let kitty = KittyEncoder()

    func deleteFiles() { kitty.deleteFiles() }

    /// - Parameter pixels: What is shown, in any size.
    func encode(_ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest) -> RenditionAnswer.Content {
      if case .symbols(let colors, let symbols) = request.format {
        // Where one has zoomed in, a pixel is to be seen as one.
        let pixels = layout.isPart ? pixels.scaled(to: layout.pixels, layout.filter) : pixels
        if !request.palette.isEmpty {
          return .cells(PaletteEncoder(palette: request.palette, symbols: symbols).encode(pixels, layout))
        }
        let encoder = SymbolEncoder(colors: colors, symbols: symbols, background: request.background)
        return .cells(encoder.encode(pixels, layout))
      }
      // In the browser each worker has a core to itself; in the shell one image has them all.
      let threads = request.stage == .once ? ProcessInfo.processInfo.activeProcessorCount : 1
      let pixels = pixels.scaled(to: layout.pixels, layout.filter, threads: threads)
      let (bytes, file) =
        switch request.format {
        case .kitty(let transfer): kitty.encode(pixels, layout, request, transfer)
        case .sixel(let colors): (SixelEncoder.encode(pixels, layout, request, colors: colors, threads: threads), "")
        case .iterm: (ITermEncoder.encode(pixels), "")
        case .symbols: ([], "")
        }
      guard !bytes.isEmpty else { return .failure("The image could not be put in the terminal's form") }
      return .graphic(
        GraphicImage(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
          bytes: bytes,
          file: file))
    }
  }

  /// Images as iTerm2's inline images (iTerm2, "Images"): a JPEG in base64, in a control sequence.
  enum ITermEncoder {
    private static let quality: Int32 = 90

    static func encode(_ pixels: Pixels) -> [UInt8] {
      let size = pixels.size
      var count = 0
      guard
        let jpeg = cjpeg_encode(pixels.words.baseAddress, Int32(size.width), Int32(size.height), quality, &count)
      else { return [] }
      let data = Data(bytesNoCopy: jpeg, count: count, deallocator: .free)
      let head =
        "\u{1B}]1337;File=inline=1;size=\(count);width=\(size.width)px;height=\(size.height)px;"
        + "preserveAspectRatio=1;doNotMoveCursor=1:"
      return Array(head.utf8) + data.base64EncodedData() + [0x07]
    }
  }
#endif
