import Gallery
import ImageWire
import Images
import Terminal

/// Draws images, and requests from the loader those that it does not have yet.
@MainActor
final class ImageLayer {
  let loader: ImageLoader?
  /// The output format that the user wants. A gallery that began without images has no loader, and stays without them.
  var choice: OutputChoice { didSet { if loader == nil { choice = oldValue } } }
  /// The characters that the user wants.
  var glyphs: GlyphChoice
  let display: any ImageDisplay
  let clock: any Clock<Duration>
  /// Whether animations play where they are large.
  var playsAnimations = true
  /// Whether a sharper rendition of an image of this frame is on its way.
  private(set) var isImproving = false
  /// The large images that this frame and the one before draw over the cells.
  private var drawn: Set<UInt32> = []
  private var drawnBefore: Set<UInt32> = []
  /// Whether an image of this frame is not on the screen yet.
  private var isLoading = false
  private var screen: RenditionScreen?
  /// The screen as it was before it changed. Its renditions are drawn until there are others.
  private var formerScreen: RenditionScreen?
  /// Returns the sentence that names the key to load an image again.
  var reloadHint: () -> String = { "" }

  /// The time for the first renditions of a screen, in seconds. With the round trip they arrive within half a second.
  private static let longestPreviewTime = 0.22
  /// The share of the time between two keys in which a preview is sent. In the rest it is rendered and shown.
  private static let shareOfKeyInterval = 0.5
  /// The number of bytes from which an image takes a noticeable time on a slow line.
  private static let largeImage = 4096
  /// The most rows of a whole image in whose place the terminal scales another rendition. The viewer has more.
  private static let mostRowsOfWholeStandIn = 24
  /// The largest factor by which a place may be wider than an image that is shown in it meanwhile in its own size.
  private static let mostTimesWider = 3
  /// The number of characters above which an image is left to the frame after the one that answers a key. ncurses needs
  /// some milliseconds for it.
  private static let mostCellsAtOnce = 400

  /// - Parameters:
  ///   - loader: nil if no images are wanted.
  ///   - glyphs: The characters that the user wants.
  init(
    loader: ImageLoader?, choice: OutputChoice, glyphs: GlyphChoice = .auto, display: any ImageDisplay,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.clock = clock
    self.loader = loader
    self.choice = choice
    self.glyphs = glyphs
    self.display = display
    loader?.onRendition = { [unowned display] in display.setNeedsDisplay() }
    loader?.onForget = { [unowned display] in display.forget($0) }
    loader?.isStored = { [unowned display] in display.isStored($0) }
    display.onImagesLost = { [weak loader] in loader?.forgetAll() }
    display.onFrameLeft = { [weak loader] in loader?.isTerminalBusy = false }
  }

  /// Retries images that could not be shown, and renders changed files again, as after a reload.
  func revalidate() { loader?.revalidate() }

  /// Retries all images that could not be shown, those from the web included.
  func retry() { loader?.retry() }

  func beginFrame() {
    isImproving = false
    isLoading = false
    (drawn, drawnBefore) = ([], drawn)
    loader?.budgets = budgets
    loader?.isTerminalBusy = true
    loader?.beginFrame()
  }

  /// The budgets of renditions for a line whose throughput is known. For files that the terminal reads itself they make no
  /// difference.
  private var budgets: RenditionBudgets? {
    guard let throughput = display.line.usableThroughput else { return nil }
    return RenditionBudgets(
      throughput: throughput, previewTime: previewTime, cells: display.size.columns * display.size.rows,
      isLineIdle: display.isLineIdle)
  }

  /// The time for the first renditions of a screen, in seconds. While a key is held down, they must keep pace with it.
  private var previewTime: Double {
    min(Self.longestPreviewTime, Self.shareOfKeyInterval * (display.keyInterval / .seconds(1)))
  }
  func endFrame() { loader?.endFrame() }

  /// Takes note of whether a video plays in this frame, so that its positions are sent ahead and not refined.
  func setPlaying(_ isPlaying: Bool) { loader?.isPlaying = isPlaying }

  /// A cell's size in pixels.
  var cellSize: CellSize { display.capabilities.cellSize }

  private var delivery: Delivery {
    choice.format(on: display.capabilities, depth: .truecolor, charset: .current)?.delivery ?? .cells
  }

  /// Whether images take a noticeable time on the line to the terminal.
  var isLineSlow: Bool { loader?.budgets != nil }

  /// Whether there are images on the screen. Where there are none, texts take their places. A plain screen has none that
  /// are drawn with characters, unless the user has chosen these, because screen readers would read them aloud.
  var areShown: Bool {
    let format = choice.format(on: display.capabilities, depth: .truecolor, charset: .current)
    guard let format else { return false }
    return !Charset.isPlain || choice != .auto || format.delivery != .cells
  }

  /// Whether images are drawn with characters. Those enlarge small images, because they are coarse.
  var areCharacters: Bool { delivery == .cells }

  /// Returns the part of a surface that an image can fill. Terminals scroll after a sixel or an image of iTerm2 in the last
  /// row of the screen.
  func room(on surface: Surface) -> Surface {
    let rows = display.size.rows - (delivery == .drawn ? 1 : 0)
    return surface.clipped(to: Rect(Size(columns: display.size.columns, rows: rows)))
  }

  /// Returns the height of `rows` rows in pixels; 0 if images are drawn with characters.
  func pixels(ofRows rows: Int) -> Int { areCharacters ? 0 : rows * cellSize.height }

  /// Draws an image in the middle of the surface, or its place until it is there.
  /// - Parameters:
  ///   - quarters: The number of quarters by which the upright image is rotated clockwise.
  ///   - isFaded: Whether the background is to be seen through the image. A slow line has better things to carry.
  /// - Returns: The properties of the image; nil until it is there.
  @discardableResult
  func draw(
    _ image: ImageLocation, view: ImageView = .whole, quarters: Int = 0, isFaded: Bool = false, on surface: Surface
  ) -> ImageInfo? {
    let clear = ImagePresentation(view: view, rotation: ImageRotation(quarters: quarters))
    guard isFaded, !isLineSlow else { return draw(image, as: clear, on: surface).info }
    return draw(image, as: clear.faded, meanwhile: clear, on: surface).info
  }

  /// The drawing in the place of an image.
  enum Drawn {
    /// The image, with its properties.
    case image(ImageInfo)
    /// The reason why the image can't be shown, with the properties that are known anyway.
    case failed(ImageInfo)
    /// The same part of the image, scaled from another rendition.
    case standIn
    /// The presentation before, or the image's place.
    case other

    /// The properties of the image; nil until the image, or the reason why it can't be shown, is there.
    var info: ImageInfo? {
      switch self {
      case .image(let info), .failed(let info): info
      case .standIn, .other: nil
      }
    }
  }

  /// Draws an image in the middle of the surface. Until it is there, the same part is drawn from another rendition of it, or
  /// another presentation of it (`meanwhile`), or its place.
  func draw(
    _ image: ImageLocation, as presentation: ImagePresentation, meanwhile: ImagePresentation? = nil,
    on surface: Surface
  ) -> Drawn {
    guard let loader, let specification = specification(of: image, as: presentation, on: surface) else {
      drawPlace(on: surface)
      return .other
    }
    // When a part is shown, that part in other detail says more than a blurred one.
    let (rendition, info) = loader.rendition(
      of: specification, skipsPreview: meanwhile != nil && presentation.view != .whole)
    isImproving = isImproving || loader.isImproving(specification)
    switch rendition {
    case .loading: isLoading = true
    case .failed(let fault):
      let isFromWeb = if case .web = image { true } else { false }
      drawPlace(on: surface, note: isFromWeb ? "\(fault.message) \(reloadHint())" : fault.message)
      return .failed(info)
    case .notFetched(let error):
      drawPlace(on: surface, note: "\(error.message) \(reloadHint())")
      return .failed(info)
    case .cells(let image):
      draw(image, on: surface)
      return .image(info)
    case .graphic(let id, let image):
      let graphic = Graphic(image, id: id, format: specification.screen.format)
      if draw(graphic, of: specification, loader, on: surface) { return .image(info) }
      isLoading = true
      if let cells = loader.predecessorInCells(of: specification) {
        draw(cells, on: surface)
        return .image(info)
      }
    }
    if drawAsBefore(specification, loader, on: surface) { return .other }
    // A part that is moved says more where it was than blurred.
    let isMoved = meanwhile.map { presentation.isMoved(from: $0) } ?? false
    if !isMoved, drawStandIn(for: specification, loader, on: surface) { return .standIn }
    if let meanwhile, meanwhile != presentation {
      draw(image, meanwhile: meanwhile, loader, on: surface)
    } else {
      drawPlace(on: surface)
    }
    return .other
  }

  private func draw(
    _ image: ImageLocation, meanwhile: ImagePresentation, _ loader: ImageLoader, on surface: Surface
  ) {
    guard let specification = specification(of: image, as: meanwhile, on: surface),
      let (id, graphic) = loader.standing(specification, isThere: { display.hasArrived($0) })
    else {
      _ = draw(image, as: meanwhile, on: surface)
      return
    }
    put(Graphic(graphic, id: id, format: specification.screen.format), on: surface)
  }

  /// Requests the rendition of an image as ``prepare(_:as:for:)`` does.
  func prepare(_ image: ImageLocation, view: ImageView = .whole, quarters: Int = 0, for surface: Surface) {
    prepare(image, as: ImagePresentation(view: view, rotation: ImageRotation(quarters: quarters)), for: surface)
  }

  /// Requests the rendition of an image for the surface, after all that this frame draws. On a slow line, and while a video plays, it
  /// is sent ahead once everything that the frame shows is there.
  func prepare(_ image: ImageLocation, as presentation: ImagePresentation, for surface: Surface) {
    guard let loader, let specification = specification(of: image, as: presentation, on: surface) else { return }
    if case .graphic(let id, let image) = loader.rendition(of: specification, isAhead: true).0 {
      let isLineFree = loader.sendsAhead(specification) && !isImproving && !isLoading
      surface.prepare(Graphic(image, id: id, format: specification.screen.format), isLineFree: isLineFree)
    }
  }

  /// Returns what to request from the loader; nil until the output format is known.
  func specification(
    of image: ImageLocation, as presentation: ImagePresentation, on surface: Surface
  ) -> RenditionSpecification? {
    guard !surface.bounds.isEmpty, display.isQuestioned, areShown,
      let best = choice.format(on: display.capabilities, depth: surface.theme.depth, charset: .current),
      let format = glyphs.applied(to: best, on: display.capabilities, usesCurses: true)
    else { return nil }
    let cell = display.capabilities.cellSize
    let screen = RenditionScreen(
      format: format, cellWidth: cell.width, cellHeight: cell.height, background: surface.theme.windowColor,
      palette: surface.theme.depth.colors(of: display.capabilities.palette))
    if screen != self.screen {
      formerScreen = self.screen
      self.screen = screen
    }
    return RenditionSpecification(
      image, columns: surface.bounds.columns, rows: surface.bounds.rows, as: presentation, on: screen)
  }

  /// Draws an image as it was before the screen changed, so that a late answer of the terminal leaves no gap.
  /// - Returns: Whether there is such an image, and the terminal can show it.
  private func drawAsBefore(
    _ specification: RenditionSpecification, _ loader: ImageLoader, on surface: Surface
  ) -> Bool {
    guard let formerScreen else { return false }
    var former = specification
    former.screen = formerScreen
    switch loader.known(former) {
    case .cells(let image):
      draw(image.inDepth(surface.theme.depth, from: formerScreen.format.characterColors), on: surface)
      return true
    case .graphic(let id, let image) where formerScreen.format == specification.screen.format:
      let graphic = Graphic(image, id: id, format: formerScreen.format)
      guard surface.hasArrived(graphic) else { return false }
      put(graphic, on: surface)
      return true
    case .graphic, .loading, .failed, .notFetched, nil: return false
    }
  }

  /// Draws what a specification shows of an image from the best other rendition of it, until the worker has answered: a part from the
  /// whole image, or a tile from the thumbnail of a row. Nothing is sent for that but characters.
  /// - Returns: Whether there is such a rendition.
  private func drawStandIn(
    for specification: RenditionSpecification, _ loader: ImageLoader, on surface: Surface
  ) -> Bool {
    let standIns = loader.others(than: specification).compactMap { other in
      StandIn(other, for: specification, areCharacters: areCharacters)
    }.sorted { $0.detail > $1.detail }
    for standIn in standIns {
      switch standIn.rendition {
      case .cells(let image):
        let scaled = standIn.scaled(image, depth: surface.theme.depth)
        // On a slow line, a preview of the whole image comes as soon.
        if let budgets = loader.budgets {
          guard specification.isPart, budgets.isQuick(scaled, for: specification) else { continue }
        }
        draw(scaled, on: surface)
        return true
      case .graphic(let id, let image):
        guard display.hasArrived(id) else { continue }
        // A frame that removes a scaled image has to wait for the image on its way, so a key would be answered late.
        let isLarge = standIn.isWhole && specification.rows > Self.mostRowsOfWholeStandIn
        if !isLarge, let scaled = standIn.scaled(image, id: id) {
          put(scaled, on: surface)
          return true
        }
        // In its own size, it is shown unless that is too small.
        let graphic = Graphic(image, id: id, format: specification.screen.format)
        guard loader.budgets == nil, graphic.delivery != .drawn, standIn.isWhole,
          (specification.columns / Self.mostTimesWider...specification.columns).contains(image.columns),
          image.rows <= specification.rows
        else { continue }
        put(graphic, on: surface)
        return true
      case .loading, .failed, .notFetched: continue
      }
    }
    return false
  }

  /// Draws `graphic`, or its predecessor until the terminal can show it. (A terminal that stores images does not show one
  /// that comes after its placeholders.)
  /// - Returns: Whether one of them was drawn.
  private func draw(
    _ graphic: Graphic, of specification: RenditionSpecification, _ loader: ImageLoader, on surface: Surface
  ) -> Bool {
    var graphic = graphic
    if surface.hasArrived(graphic) {
      loader.forgetPredecessor(of: specification)
    } else {
      let coarser = loader.predecessors(of: specification).lazy.map { id, image in
        Graphic(image, id: id, format: specification.screen.format)
      }
      guard let arrived = coarser.first(where: { surface.hasArrived($0) }) else { return false }
      graphic = arrived
      isImproving = isImproving || loader.budgets != nil
    }
    if graphic.delivery == .drawn, isNew(graphic, loader) || loader.budgets?.isLineIdle == false { isImproving = true }
    put(graphic, on: surface)
    return true
  }

  /// Returns whether a large image is drawn for the first time, so that it is on its way when the frame ends.
  private func isNew(_ graphic: Graphic, _ loader: ImageLoader) -> Bool {
    guard loader.budgets != nil, graphic.image.bytes.count >= Self.largeImage else { return false }
    drawn.insert(graphic.id)
    return !drawnBefore.contains(graphic.id)
  }

  private func put(_ graphic: Graphic, on surface: Surface) {
    surface.put(
      graphic, column: (surface.bounds.columns - graphic.image.columns) / 2,
      row: (surface.bounds.rows - graphic.image.rows) / 2)
  }

  private func draw(_ image: CellImage, on surface: Surface) {
    if image.cells.count > Self.mostCellsAtOnce {
      if surface.postpone() { return }
      surface.spread()
    }
    let left = (surface.bounds.columns - image.columns) / 2
    let top = (surface.bounds.rows - image.rows) / 2
    for (index, cell) in image.cells.enumerated() {
      surface.putImage(
        Unicode.Scalar(cell.scalar) ?? " ", column: left + index % image.columns, row: top + index / image.columns,
        foreground: cell.foreground == CellImage.Cell.none ? nil : cell.foreground,
        background: cell.background == CellImage.Cell.none ? nil : cell.background)
    }
  }
}
