import FoundationEssentials
import Gallery
import ImageWire

/// Encodes pixels in the output format of a request.
final class RenditionEncoder {
  private let kitty = KittyEncoder()
  /// The factor by which the estimate of an image's bytes may be too high.
  private static let doubt = 1.15

  /// Begins with a request.
  ///
  /// - Parameter terminalFile: The open file that passes pixels to the terminal; nil if there is none.
  func begin(_ number: UInt32, terminalFile: Int32?) {
    kitty.id = number
    kitty.file = terminalFile
  }

  /// Returns what can scale the image while it is decoded, or nil if its size is known only later, or if no pixels are shown.
  ///
  /// In the gallery, where each worker has a core to itself, that would only take more processor time.
  func earlyScaling(_ layout: Layout, _ request: RenditionRequest) -> EarlyScaling? {
    guard request.specification.screen.format.characterColors == nil, request.budget == nil,
      request.stage.isForCommand
    else { return nil }
    return EarlyScaling(to: layout.pixels, layout.filter, threads: threads(request))
  }

  /// Returns the number of threads that share the work. In the gallery, each worker has a core to itself. In the shell, one
  /// image has them all, and so has one that moves.
  private func threads(_ request: RenditionRequest) -> Int {
    request.stage.isForCommand || request.specification.presentation.frame > 0
      ? ProcessInfo.processInfo.activeProcessorCount : 1
  }

  /// Encodes the pixels of a layout, within the budget of the request if that is possible.
  ///
  /// - Parameter pixels: The pixels of the shown part, in any size.
  /// - Returns: The rendition, and whether nothing was left out of it.
  func encode(
    _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest
  ) -> (content: ImageAnswer.Content, isExact: Bool) {
    guard let budget = request.budget else { return (encode(pixels, layout, request, .none), true) }
    let format = request.specification.screen.format
    let reductions = format.reductions
    // The bytes of an exact image. Each attempt makes the estimate better.
    var bytes = format.typicalBytes(layout)
    // The reductions that may still be the finest one within the budget.
    var open = reductions.indices
    var best: (content: ImageAnswer.Content, index: Int)?
    while !open.isEmpty {
      let index = open.first { reductions[$0].share * bytes <= Double(budget.bytes(at: $0)) } ?? open.endIndex - 1
      // What is probably too large by far is not worth another attempt.
      if let best, reductions[index].share * bytes > Self.doubt * Double(budget.bytes(at: index)) {
        return (best.content, best.index == 0)
      }
      let content = encode(pixels, layout, request, reductions[index].reduction)
      bytes = Double(content.byteCount) / reductions[index].share
      if content.byteCount <= budget.bytes(at: index) || index == reductions.endIndex - 1 {
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
  ) -> ImageAnswer.Content {
    let threads = threads(request)
    let screen = request.specification.screen
    let pixels = encoded(pixels, layout, request, reduction, threads: threads)
    switch screen.format {
    case .symbols(let colors, let symbols):
      if reduction.factor > 1 {
        let encode = reduction.tolerance > 1 ? CoarseSymbols.encodeBlanks : CoarseSymbols.encode
        return .cells(encode(pixels, layout, Int(reduction.factor)))
      }
      if SymbolEncoder.encodes(colors) {
        return .cells(SymbolEncoder(colors, symbols, layout, from: pixels.size).encode(pixels))
      }
      let encoder =
        colors == .monochrome
        ? PaletteEncoder(monochromeOn: screen.background, symbols: symbols)
        : PaletteEncoder(palette: screen.palette, symbols: symbols)
      return .cells(encoder.encode(pixels, layout))
    case .kitty(let transfer):
      let (bytes, file) = kitty.encode(pixels, layout, transfer, reduction, request.budget, threads: threads)
      return graphic(bytes, file: file, of: pixels, layout, screen.format)
    case .sixel(let colors):
      return graphic(
        SixelEncoder.encode(pixels, layout, screen, reduction, colors: colors, threads: threads), of: pixels,
        layout, screen.format)
    case .iterm:
      return graphic(
        ITermEncoder.encode(pixels, layout, quality: reduction.quality), of: pixels, layout, screen.format)
    case .transfer(let quality):
      guard let bytes = TransferEncoder.encode(pixels, quality: quality) else { return .failure(.unencodable) }
      return .transfer(TransferredImage(width: pixels.size.width, height: pixels.size.height, bytes: bytes))
    }
  }

  /// Returns the pixels that are encoded. Within a budget they may be fewer than those of the layout, since the terminal or
  /// the encoder enlarges them.
  private func encoded(
    _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction, threads: Int
  ) -> Pixels {
    // Characters are chosen by any number of pixels, unless the user has zoomed in and can tell single pixels apart.
    let screen = request.specification.screen
    guard layout.isPart || screen.format.characterColors == nil else { return pixels }
    var size = layout.pixels
    // The other machine enlarges.
    if case .transfer = screen.format {
      size = size.limited(to: pixels.size)
      // A preview is there first because it takes few bytes.
      if request.stage == .preview, size.longerSide > TransferEncoder.previewSide {
        size = size.scaled(toLongerSide: TransferEncoder.previewSide)
      }
    }
    if request.budget != nil, screen.format.characterColors == nil {
      size = reduction.size(of: size)
      if pixels.size.area < size.area { size = pixels.size.fitted(in: layout.pixels) }
      if case .sixel = screen.format {
        let side = layout.pixels.width / size.width
        // The encoder's squares fill sixels.
        size = layout.pixels.divided(by: side > 6 ? side / 6 * 6 : side)
      }
    }
    guard case .kitty(let transfer) = screen.format, size != layout.pixels else {
      return pixels.scaled(to: size, layout.filter, threads: threads).rounded(to: reduction.step)
    }
    let cells = PixelSize(layout.columns * screen.cellWidth, layout.rows * screen.cellHeight)
    let enlarged =
      transfer.hasPlaceholders
      ? EnlargedImage(fitted: size, for: layout.pixels)
      : EnlargedImage(stretched: size, for: layout.pixels, in: cells)
    return pixels.scaled(to: enlarged.image, layout.filter, threads: threads).rounded(to: reduction.step)
      .onCanvas(enlarged, background: screen.background)
  }

  /// Returns the content for the bytes of an encoder, which are none if it failed.
  private func graphic(
    _ bytes: [UInt8], file: String = "", of pixels: Pixels, _ layout: Layout, _ format: OutputFormat
  ) -> ImageAnswer.Content {
    guard !bytes.isEmpty else { return .failure(.unencodable) }
    return .graphic(
      GraphicImage(
        columns: layout.columns, rows: layout.rows, width: pixels.size.width, height: pixels.size.height,
        isEnlarged: pixels.size != layout.pixels, isPlaced: format.isPlaced, bytes: bytes, file: file))
  }
}

extension PixelSize {
  /// Returns the size with sides that are at most those of another one.
  fileprivate func limited(to other: PixelSize) -> PixelSize {
    PixelSize(min(width, other.width), min(height, other.height))
  }
}

extension RenditionBudget {
  /// Returns the most bytes of a rendition with one of the format's reductions. The first one leaves nothing out.
  fileprivate func bytes(at index: Int) -> Int { index == 0 ? exactBytes : bytes }
}

extension ImageAnswer.Content {
  /// The approximate number of bytes that the rendition takes on the line to the terminal.
  fileprivate var byteCount: Int {
    switch self {
    case .graphic(let image): image.bytes.count
    case .cells(let image): image.byteCount
    case .transfer(let image): image.bytes.count
    case .noPreview, .appraisal, .exported, .listing, .failure: 0
    }
  }
}
