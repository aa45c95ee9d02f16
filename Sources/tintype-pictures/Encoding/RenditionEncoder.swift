#if Pictures
  import FoundationEssentials
  import Gallery
  import ImageWire

  /// Encodes pixels in the output format of a request.
  final class RenditionEncoder {
    private let kitty = KittyEncoder()
    /// The factor by which the estimate of an image's bytes may be too high.
    private static let doubt = 1.15

    /// The open file that passes pixels to the terminal; nil if there is none.
    var terminalFile: Int32? {
      get { kitty.file }
      set { kitty.file = newValue }
    }

    /// Returns what can scale the image while it is decoded, or nil if its size is known only later, or if no pixels are shown.
    ///
    /// In the browser, where each worker has a core to itself, that would only take more processor time.
    func earlyScaling(_ layout: Layout, _ request: RenditionRequest) -> EarlyScaling? {
      guard request.format.characterColors == nil, request.budget == 0, request.stage.isForCommand else { return nil }
      return EarlyScaling(to: layout.pixels, layout.filter, threads: threads(request))
    }

    /// Returns the number of threads that share the work. In the browser, each worker has a core to itself. In the shell, one
    /// image has them all.
    private func threads(_ request: RenditionRequest) -> Int {
      request.stage.isForCommand ? ProcessInfo.processInfo.activeProcessorCount : 1
    }

    /// Encodes the pixels of a layout, within the budget of the request if that is possible.
    ///
    /// - Parameter pixels: The pixels of the shown part, in any size.
    /// - Returns: The rendition, and whether nothing was left out of it.
    func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest
    ) -> (content: RenditionAnswer.Content, isExact: Bool) {
      let reductions = request.budget == 0 ? [(.none, 1)] : request.format.reductions
      // The bytes of an exact image. Each attempt makes the estimate better.
      var bytes = request.format.typicalBytes(layout)
      // The reductions that may still be the finest one within the budget.
      var open = reductions.indices
      var best: (content: RenditionAnswer.Content, index: Int)?
      while !open.isEmpty {
        let index = open.first { reductions[$0].share * bytes <= Double(request.budget(at: $0)) } ?? open.endIndex - 1
        // What is probably too large by far is not worth another attempt.
        if let best, reductions[index].share * bytes > Self.doubt * Double(request.budget(at: index)) {
          return (best.content, best.index == 0)
        }
        let content = encode(pixels, layout, request, reductions[index].reduction)
        bytes = Double(content.byteCount) / reductions[index].share
        if content.byteCount <= request.budget(at: index) || index == reductions.endIndex - 1 {
          best = (content, index)
          open = open.startIndex..<index
        } else {
          open = index + 1..<open.endIndex
        }
      }
      return (best?.content ?? .failure(.unencodable), best?.index == 0)
    }

    private func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction
    ) -> RenditionAnswer.Content {
      let threads = threads(request)
      let pixels = encoded(pixels, layout, request, reduction, threads: threads)
      switch request.format {
      case .symbols(let colors, let symbols):
        // Braille is left to libchafa, although that assumes other colors.
        if !request.palette.isEmpty, symbols != .braille {
          return .cells(PaletteEncoder(palette: request.palette, symbols: symbols).encode(pixels, layout))
        }
        if colors == .monochrome, symbols.hasBlocks {
          let encoder = PaletteEncoder(monochromeOn: request.background, symbols: symbols)
          return .cells(encoder.encode(pixels, layout))
        }
        if reduction.factor > 1 {
          let encode = reduction.tolerance > 1 ? CoarseSymbols.encodeBlanks : CoarseSymbols.encode
          return .cells(encode(pixels, layout, Int(reduction.factor)))
        }
        if SymbolEncoder.encodes(colors, symbols) {
          return .cells(SymbolEncoder(colors, symbols, layout, from: pixels.size).encode(pixels))
        }
        let encoder = ChafaEncoder(colors: colors, symbols: symbols, background: request.background)
        return .cells(encoder.encode(pixels, layout))
      case .kitty(let transfer):
        let (bytes, file) = kitty.encode(pixels, layout, request, transfer, reduction, threads: threads)
        return graphic(bytes, file: file, of: pixels, layout, request.format)
      case .sixel(let colors):
        return graphic(
          SixelEncoder.encode(pixels, layout, request, reduction, colors: colors, threads: threads), of: pixels,
          layout, request.format)
      case .iterm:
        return graphic(
          ITermEncoder.encode(pixels, layout, quality: reduction.quality), of: pixels, layout, request.format)
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
        if case .sixel = request.format {
          let side = layout.pixels.width / size.width
          // The encoder's squares fill sixels.
          size = layout.pixels.divided(by: side > 6 ? side / 6 * 6 : side)
        }
      }
      guard case .kitty(let transfer) = request.format, size != layout.pixels else {
        return pixels.scaled(to: size, layout.filter, threads: threads).rounded(to: reduction.step)
      }
      let cells = PixelSize(layout.columns * request.cellWidth, layout.rows * request.cellHeight)
      let enlarged =
        transfer.hasPlaceholders
        ? EnlargedImage(fitted: size, for: layout.pixels)
        : EnlargedImage(stretched: size, for: layout.pixels, in: cells)
      return pixels.scaled(to: enlarged.image, layout.filter, threads: threads).rounded(to: reduction.step)
        .onCanvas(enlarged, background: request.background)
    }

    /// Returns the content for the bytes of an encoder, which are none if it failed.
    private func graphic(
      _ bytes: [UInt8], file: String = "", of pixels: Pixels, _ layout: Layout, _ format: OutputFormat
    ) -> RenditionAnswer.Content {
      guard !bytes.isEmpty else { return .failure(.unencodable) }
      return .graphic(
        GraphicImage(
          columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
          isEnlarged: pixels.size != layout.pixels, isPlaced: format.isPlaced, bytes: bytes, file: file))
    }
  }

  extension RenditionRequest {
    /// Returns the most bytes of a rendition with one of the format's reductions. The first one leaves nothing out.
    fileprivate func budget(at index: Int) -> Int { index == 0 ? max(budget, exactBudget) : budget }
  }

  extension RenditionAnswer.Content {
    /// The approximate number of bytes that the rendition takes on the line to the terminal.
    fileprivate var byteCount: Int {
      switch self {
      case .graphic(let image): image.bytes.count
      case .cells(let image): image.byteCount
      case .noPreview, .appraisal, .failure: 0
      }
    }
  }
#endif
