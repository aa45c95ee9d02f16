import Gallery
import ImageWire
import Photos
import Terminal
import ViewModels
import WorkerPool

/// One photo in the whole window, with zoom, rotation, animation and slideshow.
@MainActor
final class ViewerScreen: Layer {
  var name: String { localized("Viewer") }
  var onClose: () -> Void = {}
  /// Called with a popup to open.
  var onOpen: (any Popup) -> Void = { _ in }
  /// Called when the viewer changes without a key, to request a frame.
  var onChange: () -> Void = {}
  /// What the viewer does with a row's photo; nil if the rows are not photos.
  var photos: PhotoActions?
  /// Opens a map by its address; nil if the rows are not photos.
  var onMap: (@MainActor (String) -> Void)?
  /// Opens an image in another program, a video from a time in seconds; nil if the rows are not photos.
  var onOpenOutside: (@MainActor (ImageLocation, Double?) -> Void)?
  /// Called when a video begins to play.
  var onPlay: () -> Void = {}
  /// Copies the image of a row; nil if the rows are not photos.
  var onCopyImage: (@MainActor (any RowViewModel) -> Void)?
  /// Adds the photo of a row to a collection; nil if that is not possible here.
  var onCollect: (@MainActor (any RowViewModel) -> Void)?

  let viewModel: ViewerViewModel
  let images: ImageLayer
  /// Returns a popup with the outcome of a cull and the next steps, which leaves the viewer by a closure; nil without a cull.
  let summary: CullSummary?
  var showsTitle = true
  var showsInfo = false
  var image = ViewerImage()
  /// Whether the user looks at the data of raw files, and not at the previews in them.
  var developsRaw = false
  /// The frame that the user moves, or nil if the photo is not being cropped.
  var cropping: PhotoCropping?
  /// The description and the metadata, where no images are shown.
  let text: DetailWindow
  /// The part of the image's rotation that belongs to the photo, in quarters.
  private var quarters = 0
  /// The presentation that was drawn last. It stays until the requested one is there.
  private var shown: ImagePresentation? {
    didSet { if shown == nil { shownScale = nil } }
  }
  /// The scale that the user has chosen for what is on the screen, as in ``ViewerImage/chosenScale``.
  private var shownScale: Double?
  var box = Size(columns: 1, rows: 1)
  let frameTimer: FrameTimer

  init(
    _ viewModel: ViewerViewModel, images: ImageLayer, clock: any Clock<Duration>, summary: CullSummary? = nil
  ) {
    self.viewModel = viewModel
    self.images = images
    frameTimer = FrameTimer(clock: clock)
    self.summary = summary
    text = DetailWindow(images: images)
    viewModel.onChange = { [unowned self] in onChange() }
    viewModel.onShow = { [unowned self] in show(keepsZoom: $0) }
    viewModel.onFinish = { [unowned self] in finish() }
  }

  var detail: PhotoDetail { viewModel.detail }
  var shownRow: any RowViewModel { viewModel.shownRow }

  /// Without the title line, the photo has the footer's place, too.
  var extent: Extent { showsTitle ? .window : .screen }

  /// While a slideshow plays, its keys come first.
  var hints: [Command] {
    let slideshow: [Command] = viewModel.slideshow == nil ? [] : [.pauseSlideshow, .shuffle]
    let zoomed: [Command] = image.isWhole ? [] : [.zoom, .moveUp]
    let video: [Command] =
      viewModel.playback == nil
      ? viewModel.movie == nil ? [] : [.play]
      : [.pause, .windBack, .previousFrame, .slower, .loop]
    return [.close] + video + slideshow + zoomed
      + [
        .rateOne, .reject, .undo, .press, .readOn, .nextPhoto, .previousPhoto, .mark, .zoom, .crop, .compare,
        .slideshow, .openOutside, .rotate, .toggleInfo, .toggleTitle, .reload, .shuffle, .help,
      ].filter {
        !slideshow.contains($0) && !zoomed.contains($0) && !(viewModel.slideshow != nil && $0 == .slideshow)
          && !(viewModel.playback != nil && [.mark, .previousPhoto].contains($0))
      }
  }

  func draw(on surface: Surface) {
    let (area, caption) = surface.bounds.split(rows: surface.bounds.rows - captionRows)
    let place = images.room(on: surface.clipped(to: area))
    box = Size(columns: place.bounds.columns, rows: place.bounds.rows)
    let cell = images.cellSize
    image.fit(
      in: ImageWindow(
        width: box.columns * cell.width, height: box.rows * cell.height, isEnlarging: images.areCharacters))
    update()
    image.isDeveloped = developsRaw && viewModel.isRaw
    image.rotate(quarters: detail.quarters - quarters)
    quarters = detail.quarters
    if viewModel.movie != nil { image.show(frame: viewModel.playback?.frame ?? 0) }
    images.setPlaying(viewModel.playback?.isPaused == false)
    image.enlargesFrames = viewModel.isLivePhoto
    if images.areShown {
      drawImage(on: place)
      if showsInfo { drawInfo(on: place) }
    } else {
      text.drawText(detail, on: place.clipped(to: place.bounds.inset(columns: 1)))
    }
    ViewerCaption(detail: detail, position: position, signs: signs, badges: badges).draw(
      on: surface.clipped(to: caption.inset(columns: 1)))
    if viewModel.playback == nil { prepareNeighbors(for: place) }
  }

  /// Takes over what has changed about the photo since the last frame.
  private func update() {
    switch viewModel.update() {
    case .none: return
    case .otherShot:
      quarters = 0
      image.turn(keepsZoom: true)
    // The other file of a photo is another image, of which nothing is known yet.
    case .otherFile: image = image.ofOtherFile
    }
    shown = nil
  }

  /// Begins with another photo.
  private func show(keepsZoom: Bool) {
    shown = nil
    image.turn(keepsZoom: keepsZoom)
    text.restart()
    quarters = 0
    frameTimer.stop()
  }

  /// The number of rows below the photo. During a slideshow, they have the description, too.
  private var captionRows: Int { showsTitle ? viewModel.slideshow == nil ? 1 : 2 : 0 }

  /// Requests the images that the user may turn to.
  private func prepareNeighbors(for surface: Surface) {
    if !images.isLineSlow, let next = image.presentationAfterNextStep {
      images.prepare(detail.image, as: next, for: surface)
    }
    guard viewModel.row != nil, let presentation = image.presentationOfNext(keepsZoom: viewModel.slideshow == nil)
    else { return }
    for step in [1, -1, 2] {
      guard let row = viewModel.neighbor(after: step) else { continue }
      let next = row.detail
      var shown = presentation.rotated(quarters: next.quarters).cropped(to: next.crop)
      shown.isDeveloped = developsRaw && (row as? PhotoRow)?.kind == .raw
      images.prepare(next.image, as: shown, for: surface)
    }
  }

  private func drawImage(on surface: Surface) {
    if let movie = viewModel.movie, movie != detail.image, viewModel.playback != nil {
      return drawMovie(movie, on: surface)
    }
    let presentation = image.presentation.cropped(to: cropping?.frame ?? detail.crop)
    let drawn = images.draw(detail.image, as: presentation, meanwhile: shown, on: surface)
    switch drawn {
    case .image(let info), .failed(let info):
      shown = presentation
      image.update(info)
      shownScale = image.chosenScale
    case .standIn: shownScale = image.chosenScale
    case .other: break
    }
    if viewModel.playback != nil { return play(detail.image, drawn, on: surface) }
    guard image.info.frames > 1, images.playsAnimations, !images.isLineSlow else { return }
    images.prepare(detail.image, as: image.presentationOfNextFrame, for: surface)
    guard shown?.frame == image.frame else { return }
    frameTimer.start(after: image.info.delay) { [unowned self] in
      image.showNextFrame()
      onChange()
    }
  }

  /// Draws the video beside a photo while it plays, and the photo until its first frame is there.
  private func drawMovie(_ movie: ImageLocation, on surface: Surface) {
    let isPlaying = shown.map { $0.frame != 0 } ?? false
    let drawn = images.draw(movie, as: image.presentation, meanwhile: isPlaying ? shown : nil, on: surface)
    if let info = drawn.info {
      shown = image.presentation
      image.update(info)
    } else if !isPlaying {
      _ = images.draw(detail.image, as: image.presentation(ofFrame: 0), on: surface)
    }
    play(movie, drawn, on: surface)
  }

  /// Requests the next frames of the video once the one before it is on the screen. A frame that can't be shown pauses the video.
  private func play(_ movie: ImageLocation, _ drawn: ImageLayer.Drawn, on surface: Surface) {
    if case .failed = drawn { return viewModel.frameIsMissing() }
    if shown?.frame == image.frame {
      viewModel.frameIsShown(duration: image.info.duration, interval: image.info.delay)
    }
    for next in viewModel.playback?.upcoming ?? [] {
      images.prepare(movie, as: image.presentation(ofFrame: next.position), for: surface)
    }
  }

  /// The texts for the photo's position, the longest first: the progress of a cull, and its number.
  private var position: [String] {
    guard let row = viewModel.row else { return [] }
    return [viewModel.progress, "\((row.value + 1).grouped)/\(viewModel.count.grouped)"].compactMap(\.self)
  }

  /// The signs to the left of the position, the last one first.
  var signs: [ViewerCaption.Sign] {
    var signs: [ViewerCaption.Sign] = []
    if let scale = shownScale { signs.append(("\(Int((scale * 100).rounded())) %", .accent)) }
    if !image.isWhole, let sharpness = image.info.sharpness {
      signs.append((localized("Sharpness \(sharpness)"), .secondary))
    }
    switch image.overlay {
    case .none, .fading, .pixel: break
    case .peaking: signs.append((localized("Focus peaking"), .accent))
    case .clipping: signs.append((localized("Clipping"), .accent))
    }
    signs += toneSigns
    if image.inspects, let pixel = image.info.pixel {
      let parts = [16, 8, 0].map { "\(pixel.color >> UInt32($0) & 255)" }.joined(separator: " ")
      signs.append(("\(pixel.x),\(pixel.y)  \(pixel.hexadecimal)  \(parts)", .accent))
    }
    if viewModel.isRaw, image.info.width > 0 {
      signs.append((image.info.isDeveloped ? localized("Raw") : localized("Preview"), .secondary))
    }
    if image.info.isIncomplete { signs.append((localized("Incomplete file"), .negative)) }
    if let slideshow = viewModel.slideshow {
      if slideshow.isShuffled { signs.append((localized("Shuffled"), .accent)) }
      // The usual sign of a pause (⏸) is in few fonts other than those of emoji, in which it is too wide.
      signs.append(
        (slideshow.isPaused ? "‖ \(localized("Paused"))" : Charset.isPlain ? localized("Playing") : "▶", .accent))
    }
    signs += playbackSigns
    if let file = (shownRow as? any MultiFile)?.fileName, file != detail.name { signs.append((file, .secondary)) }
    if (shownRow as? any Markable)?.isMarked == true { signs.append(("✓ \(localized("Marked"))", .accent)) }
    signs += ((shownRow as? any Decidable)?.decisions.signs ?? []).reversed().map { ($0.text, $0.role) }
    return signs
  }

  /// The signs of the changed tones, the last one first.
  private var toneSigns: [ViewerCaption.Sign] {
    func sign(_ name: String, _ value: Int) -> ViewerCaption.Sign? {
      value == 0 ? nil : ("\(name) \(value > 0 ? "+" : "−")\(abs(value))", .accent)
    }
    let tone = image.tone
    return [
      tone.isGray ? (localized("Gray"), .accent) : nil, sign(localized("Contrast"), tone.contrast),
      sign(localized("Brightness"), tone.brightness),
    ].compactMap(\.self)
  }

  /// The signs of the playback, the last one first.
  private var playbackSigns: [ViewerCaption.Sign] {
    guard let playback = viewModel.playback else { return [] }
    let total = playback.duration > 0 ? " / \((Double(playback.duration) / 1000).durationText)" : ""
    let time = (Double(playback.position) / 1000).durationText + total
    let state = playback.isPaused ? "‖ " : Charset.isPlain ? "" : "▶ "
    return [("\(state)\(time)", .accent)]
      + (playback.speed == 1 ? [] : [("×\(playback.speedText)", .accent)])
      + (playback.isLoop ? [(localized("Loop"), .accent)] : [])
  }

  /// The badges of the photo's files and of its stack, as in the list.
  private var badges: [(texts: [String], role: Role)] {
    guard let photo = shownRow as? PhotoRow else { return [] }
    // Plain screens leave the sign out, and the number alone would be unclear.
    let stack = photo.stack.map { place in
      let texts = (viewModel.cull == nil ? [] : [place.offerText]) + [place.text]
      return (texts: texts.map { "▤ \($0)" } + (Charset.isPlain ? [] : [place.sign]), role: Role.accent)
    }
    return [stack, photo.format.map { (texts: [$0], role: .secondary) }].compactMap(\.self)
  }

  private func drawInfo(on surface: Surface) {
    // The panel is wider if the labels are, so that the values have the same room.
    let wider = detail.labelColumns - PhotoDetail.leastLabelColumns
    let columns = min(56 + wider, surface.bounds.columns - max(0, 4 - wider))
    let text = detail.description.flatMap { CellText($0).wrapped(to: columns - 4) }
    var fields = detail.fields
    if let size = image.uprightSize, !fields.contains(where: { $0.label == localized("Pixels") }) {
      fields.append(PhotoDetail.Field(localized("Pixels"), "\(size.width)×\(size.height)"))
    }
    // The title line says that, too, but the user may have hidden it.
    if image.info.isIncomplete { fields.append(PhotoDetail.Field(localized("File"), localized("Incomplete"))) }
    if let line = images.lineText {
      fields.append(PhotoDetail.Field(localized("Line", context: "to the terminal"), line))
    }
    let labelColumns = max(detail.labelColumns, (fields.map { CellText($0.label).width }.max() ?? 0) + 2)
    let lines = text.map { ("", $0) } + fields.map { ($0.label, CellText($0.value)) }
    let (_, box) = surface.bounds.split(rows: surface.bounds.rows - lines.count - 2)
    let panel = surface.clipped(to: Rect(column: box.column, row: box.row, columns: columns, rows: box.rows))
    panel.clear()
    for (row, line) in lines.enumerated() {
      panel.put(line.0, column: 2, row: row + 1, .secondary)
      let column = line.0.isEmpty ? 2 : 2 + labelColumns
      panel.put(line.1.truncated(to: columns - column - 2), column: column, row: row + 1)
    }
  }
}

extension PixelSample {
  /// The color as in a style sheet, such as `#F0A040`.
  fileprivate var hexadecimal: String {
    let digits = String(color, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}
