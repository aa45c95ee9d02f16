import Gallery
import ImageWire
import Photos
import Terminal
import ViewModels

extension ViewerScreen {
  var announcement: String? {
    let row = viewModel.row
    let signs = self.signs.reversed().map(\.text)
    let parts = [detail.name, detail.saleBadge?.text].compactMap(\.self) + signs
    let place = row.map { viewModel.progress ?? numberText(ofRow: $0.value, of: viewModel.count) }
    return [place, parts.joined(separator: ", ")].compactMap(\.self).joined(separator: ": ")
  }

  var commandTarget: CommandTarget? {
    let files = (shownRow as? any MultiFile)?.fileImages ?? [detail.image]
    return CommandTarget(file: detail.image) { files }
  }

  @ActionList var actions: [Action] {
    Action(.close) { [self] in
      if viewModel.playback != nil { return viewModel.endPlayback() }
      if image.inspects { image.toggleInspection() } else { close() }
    }
    if viewModel.movie != nil { videoActions }
    // Its key stops what plays, as that of a video does, and marks no photo. Pages are read on with it.
    if let slideshow = viewModel.slideshow, viewModel.playback == nil, !viewModel.isPage {
      Action(.pauseSlideshow, label: slideshow.isPaused ? localized("Continue") : nil) { [self] in
        viewModel.toggleSlideshow()
      }
    }
    if summary != nil { Action(.press, label: localized("Finish")) { [self] in finish() } }
    Action(.moveToFirst, refusal: turnRefusal(-1)) { [self] in viewModel.show(row: 0) }
    Action(.moveToLast, refusal: turnRefusal(1)) { [self] in viewModel.show(row: RowIndex(viewModel.count - 1)) }
    // After the last photo of a cull comes its summary.
    let endsCull = summary != nil && !viewModel.canTurn(by: 1)
    Action(.nextPhoto, refusal: endsCull ? nil : turnRefusal(1)) { [self] in
      if endsCull { finish() } else { viewModel.turn(by: 1) }
    }
    Action(.previousPhoto, refusal: turnRefusal(-1)) { [self] in viewModel.turn(by: -1) }
    // Its file may have been moved, or its folder has gone.
    let unlisted = viewModel.row == nil ? localized("The photo is no longer there.") : nil
    if viewModel.isPage {
      Action(.readOn, refusal: image.canReadOn ? nil : turnRefusal(1)) { [self] in readOn() }
    } else if shownRow is any Markable {
      Action(.mark, refusal: unlisted ?? viewModel.refusal) { [self] in viewModel.toggleMark() }
    }
    if let photo = shownRow as? any Decidable {
      decidingActions(of: photo, refusal: unlisted ?? viewModel.refusal)
      // A cull decides first, and moves all rejects at its end.
      if summary == nil {
        Action.trashing(
          photo,
          refusal: unlisted ?? viewModel.refusal
            ?? (photo.deciding?.movesFiles == true ? nil : Action.cannotMove(photo))
        ) {
          [self] in
          trash(photo)
        }
      }
    }
    Action.otherFile(of: shownRow)
    if let photos {
      let alone = viewModel.count > 1 ? nil : localized("There is no other photo.")
      Action(.compare, refusal: unlisted ?? alone) { [self] in
        photos.compare(shownRow) { [viewModel] in viewModel.show(row: $0) }
      }
      Action(.template, refusal: unlisted ?? photos.templateRefusal()) { [self] in photos.template(shownRow) }
    }
    if let onMap { Action.map(of: detail, open: onMap) }
    if let onOpenOutside {
      let movie = viewModel.movie
      Action(
        .openOutside, label: movie == nil ? nil : localized("Play with sound"),
        refusal: Action.cannotLeave(shownRow)
      ) { [self] in
        let position = Double(viewModel.playback?.position ?? 0) / 1000
        if viewModel.playback?.isPaused == false { viewModel.togglePlayback() }
        onOpenOutside(movie ?? detail.image, movie == nil ? nil : position)
      }
    }
    if let onCollect {
      Action(.collect, refusal: Action.cannotCollect(shownRow)) { [self] in onCollect(shownRow) }
    }
    if let onCopyImage { Action.copyImage(of: shownRow, copy: onCopyImage) }
    imageActions
    slideshowActions
    Action(.toggleInfo, refusal: images.areShown ? nil : localized("All details are visible.")) { [self] in
      showsInfo.toggle()
    }
    Action(.toggleTitle, label: showsTitle ? localized("Hide text") : localized("Show text")) { [self] in
      showsTitle.toggle()
    }
    Action(.reload) { [self] in images.retry() }
  }

  @ActionList private func decidingActions(of photo: any Decidable, refusal: String?) -> [Action] {
    Action.deciding(
      about: photo, refusal: refusal, rateLabel: summary == nil ? nil : localized("Pick"),
      open: { [self] in onOpen($0) }, onChange: { [self] in onChange() },
      decide: { [viewModel] in viewModel.decide($0) })
    if let deciding = photo.deciding { Action.stepping(deciding) { [self] in onOpen($0) } }
  }

  @ActionList private var imageActions: [Action] {
    let absent = images.areShown ? nil : localized("No images are shown.")
    let missing = image.viewport == nil ? absent ?? localized("The image is still loading.") : nil
    let isWhole = image.isWhole
    let whole = isWhole ? localized("The whole image is visible.") : nil
    Action(.zoomIn, refusal: missing) { [self] in image.scale(by: Zoom.step) }
    Action(.zoomOut, refusal: missing) { [self] in image.scale(by: 1 / Zoom.step) }
    Action(.zoom, label: image.zoomLabel, refusal: absent) { [self] in image.toggleZoom(at: detail.focus) }
    let noFocus = detail.focus == nil ? localized("The focus point is unknown.") : nil
    Action(.goToFocus, refusal: absent ?? noFocus) { [self] in if let focus = detail.focus { image.show(focus) } }
    Action(.focusPeaking, refusal: absent) { [self] in image.toggle(.peaking) }
    Action(.clipping, refusal: absent) { [self] in image.toggle(.clipping) }
    toneActions(absent)
    Action(
      .inspect, label: image.inspects ? localized("No pixels") : nil,
      refusal: missing ?? (viewModel.playback == nil ? nil : localized("A video is playing."))
    ) { [self] in image.toggleInspection() }
    if viewModel.isRaw {
      Action(.developRaw, label: developsRaw ? localized("Preview") : nil, refusal: absent) { [self] in
        developsRaw.toggle()
      }
    }
    Action(.zoomToFill, refusal: missing) { [self] in
      image.fill()
      if viewModel.isPage { image.goToTop() }
    }
    let notRead = (shownRow as? any Decidable)?.notReadRefusal
    let deciding = (shownRow as? any Decidable)?.deciding
    let undecidable =
      deciding == nil ? Action.cannotDecide(about: shownRow) : Action.cannotKeep(.crop, by: deciding) ?? notRead
    Action(.crop, refusal: (detail.width > 0 ? absent : missing) ?? undecidable) { [self] in crop() }
    Action(.rotate, refusal: keepsRotation ? notRead : absent) { [self] in rotate() }
    if images.areShown {
      Action(.moveUp, label: localized("Look around"), refusal: whole) { [self] in pan(0, -1) }
      Action(.moveDown, refusal: whole) { [self] in pan(0, 1) }
    } else {
      let allVisible = text.isScrollable ? nil : localized("All details are visible.")
      Action(.moveUp, refusal: allVisible) { [self] in text.scroll(.rows(-1)) }
      Action(.moveDown, refusal: allVisible) { [self] in text.scroll(.rows(1)) }
    }
    // Of a whole photo, their keys turn to the next one.
    if !isWhole {
      Action(.moveLeft) { [self] in pan(-1, 0) }
      Action(.moveRight) { [self] in pan(1, 0) }
    }
  }

  /// Moves the image by steps of its part in view, or of a pixel while pixels are inspected.
  private func pan(_ x: Int, _ y: Int) {
    if image.inspects { image.panPixels(x, y) } else { image.pan(Double(x), Double(y)) }
  }

  @ActionList private func toneActions(_ refusal: String?) -> [Action] {
    Action(.brighter, refusal: refusal) { [self] in image.changeTone(brightness: 1) }
    Action(.darker, refusal: refusal) { [self] in image.changeTone(brightness: -1) }
    Action(.moreContrast, refusal: refusal) { [self] in image.changeTone(contrast: 1) }
    Action(.lessContrast, refusal: refusal) { [self] in image.changeTone(contrast: -1) }
    Action(.grayView, label: image.tone.isGray ? localized("Colors") : nil, refusal: refusal) { [self] in
      image.toggleGray()
    }
    let isUnchanged = image.tone == .unchanged
    Action(.resetTones, refusal: refusal ?? (isUnchanged ? localized("The tones are those of the image.") : nil)) {
      [self] in image.resetTone()
    }
  }

  @ActionList private var videoActions: [Action] {
    let absent = images.areShown ? nil : localized("No images are shown.")
    if let playback = viewModel.playback {
      Action(.pause, label: playback.isPaused ? localized("Continue") : localized("Pause")) { [viewModel] in
        viewModel.togglePlayback()
      }
      Action(.windBack) { [self] in wind(by: -Self.windSeconds) }
      Action(.windForward) { [self] in wind(by: Self.windSeconds) }
      Action(.previousFrame) { [viewModel] in viewModel.change { $0.step(by: -1) } }
      Action(.nextFrame) { [viewModel] in viewModel.change { $0.step(by: 1) } }
      Action(.slower) { [viewModel] in viewModel.change { $0.changeSpeed(by: -1) } }
      Action(.faster) { [viewModel] in viewModel.change { $0.changeSpeed(by: 1) } }
      Action(.loop, label: playback.isLoop ? localized("Play once") : nil) { [viewModel] in
        viewModel.change { $0.toggleLoop() }
      }
    } else {
      Action(.play, refusal: absent) { [self] in
        viewModel.togglePlayback()
        onPlay()
      }
    }
  }

  /// The seconds by which a key winds a video.
  private static let windSeconds = 5

  private func wind(by seconds: Int) {
    viewModel.change { $0.wind(by: seconds, showsKeyFrame: !images.isLineSlow) }
  }

  @ActionList private var slideshowActions: [Action] {
    let alone = viewModel.count > 1 ? nil : localized("There is no other photo.")
    let slideshow = viewModel.slideshow
    let label = slideshow.map { $0.isPaused ? localized("Continue") : localized("Pause") }
    Action(.slideshow, label: label, refusal: alone) { [self] in viewModel.toggleSlideshow() }
    // The key applies a template in a cull.
    if summary == nil {
      Action(.shuffle, label: slideshow?.isShuffled == true ? localized("In order") : nil, refusal: alone) { [self] in
        viewModel.toggleShuffle()
      }
    }
  }

  /// The commands that are not about the shown photo.
  private static let passing: Set<Command> = [
    .close, .moveToFirst, .moveToLast, .nextPhoto, .pauseSlideshow, .press, .previousPhoto, .readOn, .reload, .shuffle,
    .slideshow, .toggleAdvance, .toggleInfo, .toggleTitle, .trash,
  ]

  func perform(_ action: Action) {
    switch action.command {
    // A shot whose rejection is undone may appear again.
    case .undo, .redo, .undoSession: viewModel.release()
    case let command: if !Self.passing.contains(command) { viewModel.hold() }
    }
    action.perform()
  }

  /// Moves down in an enlarged page, or turns to the top of the next one.
  private func readOn() {
    if image.readOn() { return }
    viewModel.turn(by: 1)
    image.goToTop()
  }

  /// Moves a photo to the trash, and turns to the one behind it, or else before it.
  private func trash(_ photo: any Decidable) {
    photo.trash()
    if let step = [1, -1].first(where: viewModel.canTurn) { viewModel.turn(by: step) } else { close() }
  }

  /// Returns the reason why the user can't turn to another photo, or nil if the user can.
  private func turnRefusal(_ step: Int) -> String? {
    viewModel.canTurn(by: step)
      ? nil : step > 0 ? localized("This is the last photo.") : localized("This is the first photo.")
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: if images.areShown { scale(by: Zoom.step, at: mouse) } else { text.scroll(.rows(-1)) }
    case .wheelDown: if images.areShown { scale(by: 1 / Zoom.step, at: mouse) } else { text.scroll(.rows(1)) }
    case .press:
      guard mouse.row < box.rows else { return }
      let edge = max(1, box.columns / 5)
      if mouse.column < edge { perform(.previousPhoto) }
      if mouse.column >= box.columns - edge { perform(.nextPhoto) }
    case .release, .drag: break
    }
  }

  /// Shows the outcome of a cull, from which the user may return to it.
  func finish() { if let summary { onOpen(summary { [self] in close() }) } }

  /// Rotates the photo clockwise by a quarter: for good if it is the user's to decide, else as long as it is shown.
  private func rotate() {
    if keepsRotation { (shownRow as? any Decidable)?.decide(.rotation(quarters: 1)) } else { image.rotate() }
  }

  /// Lets the user choose a part of the photo.
  private func crop() {
    // The photo may be exchanged meanwhile, as by a slideshow.
    guard let photo = shownRow as? any Decidable else { return }
    if viewModel.slideshow?.isPaused == false { viewModel.toggleSlideshow() }
    image.showWhole()
    let size = image.viewport.map { ($0.imageWidth, $0.imageHeight) } ?? (detail.width, detail.height)
    let cropping = PhotoCropping(
      width: size.0, height: size.1, crop: detail.crop, orientation: detail.orientation)
    self.cropping = cropping
    onOpen(
      CropPopup(cropping) { [self] change in
        self.cropping = nil
        if let change { photo.decide(change) }
      })
  }

  private var keepsRotation: Bool {
    (shownRow as? any Decidable)?.deciding?.possible.contains(.orientation) ?? false
  }

  /// Zooms so that what is at the pointer stays there.
  private func scale(by factor: Double, at pointer: Mouse) {
    viewModel.hold()
    let x = (Double(pointer.column) + 0.5) / Double(box.columns) - 0.5
    let y = (Double(pointer.row) + 0.5) / Double(box.rows) - 0.5
    image.scale(by: factor, at: (x, y))
  }

  private func close() {
    viewModel.close()
    frameTimer.stop()
    onClose()
  }
}
