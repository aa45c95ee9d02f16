import Gallery
import ImageWire

/// The image in the viewer, with the zoom and the rotation that the user has chosen for it. It draws nothing.
///
/// The zoom stays when another photo is shown, so that photos can be compared. The rotation belongs to one photo.
struct ViewerImage {
  /// The properties of the rotated image. Its size is 0 until it is known.
  private(set) var info = ImageInfo()
  private(set) var frame = 0
  private(set) var rotation = ImageRotation.upright
  /// The part that the user has zoomed in on; nil for the whole image.
  private var zoom: Zoom?
  /// The zoom with which the user has turned to the shown photo.
  private var turnedZoom: Zoom?
  /// Whether a whole image that is smaller than the window is enlarged to it.
  private var isEnlarged = false
  private var window = ImageWindow(width: 1, height: 1)
  /// The last step in which the user moved the image, in eighths of the window; nil since another change.
  private var lastStep: (x: Double, y: Double)?

  /// The image and the window in pixels; nil while the image's size is not known.
  var viewport: Viewport? {
    info.width > 0
      ? Viewport(
        imageWidth: info.width, imageHeight: info.height, windowWidth: window.width, windowHeight: window.height,
        isEnlarging: isEnlarged || window.isEnlarging) : nil
  }

  /// The zoom of the shown photo, or nil if all of the photo is shown. A zoom never makes a small photo smaller.
  private var shownZoom: Zoom? {
    if let zoom, let viewport, zoom.shrinks(in: viewport) { nil } else { zoom }
  }

  private var wholeView: ImageView { isEnlarged || enlargesFrames && frame > 0 ? .enlarged : .whole }

  /// The tones of all photos in the viewer.
  private(set) var tone = ImageTone.unchanged
  /// Whether the pixel in the middle is named.
  private(set) var inspects = false

  /// Whether frames other than that with the index 0 are enlarged to the window.
  var enlargesFrames = false

  /// The overlay that is drawn over the image.
  var overlay = ImageOverlay.none
  /// Whether the data of a raw file are shown, and not the preview in it.
  var isDeveloped = false

  /// Whether the user has zoomed in, on this photo or on one before.
  var isZoomed: Bool { zoom != nil }

  /// Whether all of the image is in view.
  var isWhole: Bool { shownZoom == nil }

  var presentation: ImagePresentation {
    ImagePresentation(
      view: shownZoom?.view ?? wholeView, rotation: rotation, frame: frame, overlay: inspects ? .pixel : overlay,
      tone: tone, isDeveloped: isDeveloped)
  }

  /// The size of the image before the user rotated it, in pixels; nil while it is not known.
  var uprightSize: (width: Int, height: Int)? {
    guard info.width > 0 else { return nil }
    return rotation.isTransposing ? (info.height, info.width) : (info.width, info.height)
  }

  /// The scale that the user has chosen, or nil if the image is shown as when it was opened.
  var chosenScale: Double? {
    shownZoom?.scale ?? viewport.flatMap { isEnlarged && $0.isSmall ? $0.fitScale : nil }
  }

  /// The part after one more step in the same direction; nil if the user has not moved the image last, or it is at its edge.
  var presentationAfterNextStep: ImagePresentation? { lastStep.flatMap(presentation(after:)) }

  /// The parts after a step in each of the four directions.
  var presentationsAfterAnyStep: [ImagePresentation] {
    [(1, 0), (-1, 0), (0, 1), (0, -1)].compactMap(presentation(after:))
  }

  private func presentation(after step: (x: Double, y: Double)) -> ImagePresentation? {
    guard let viewport, let zoom = shownZoom else { return nil }
    var next = presentation
    next.view = zoom.moved(step.x, step.y, in: viewport).view
    return next == presentation ? nil : next
  }

  /// The next frame of an animation.
  var presentationOfNextFrame: ImagePresentation { presentation(ofFrame: frameAfterThis) }

  private var frameAfterThis: Int { (frame + 1) % max(1, info.frames) }

  /// Returns how the next photo will be shown, or nil while the user moves a part of this one, to which the workers are
  /// left.
  func presentationOfNext(keepsZoom: Bool) -> ImagePresentation? {
    guard keepsZoom, let zoom else { return ImagePresentation(view: wholeView, overlay: overlay, tone: tone) }
    return zoom == turnedZoom && !inspects ? ImagePresentation(view: zoom.view, overlay: overlay, tone: tone) : nil
  }

  /// Takes note of the window's size, in pixels.
  mutating func fit(in window: ImageWindow) { self.window = window }

  /// Takes note of the properties of an image that is shown.
  mutating func update(_ info: ImageInfo) {
    // A preview does not have the image's size.
    if info.width > 0 { self.info = info }
  }

  mutating func showNextFrame() { frame = frameAfterThis }

  /// Shows a frame of an animation, or a position of a video.
  mutating func show(frame: Int) { self.frame = frame }

  /// Returns the presentation with another frame.
  func presentation(ofFrame frame: Int) -> ImagePresentation {
    var other = self
    other.frame = frame
    return other.presentation
  }

  /// The image of another file of the same photo, in the same part and rotation. Its size is not known yet.
  var ofOtherFile: ViewerImage {
    var other = self
    other.info = ImageInfo()
    other.frame = 0
    return other
  }

  /// Turns to another photo.
  mutating func turn(keepsZoom: Bool) {
    if !keepsZoom { zoom = nil }
    turnedZoom = zoom
    inspects = false
    frame = 0
    info = ImageInfo()
    rotation = .upright
    lastStep = nil
  }
}

// MARK: - Commands

extension ViewerImage {
  /// The label of ``toggleZoom()``.
  var zoomLabel: String { isZoomed == (viewport?.wholeScale != 1) ? localized("Fit") : localized("Actual size") }

  /// Shows the image at its actual size, or all of it as large as fits in the window.
  /// - Parameter focus: The point that comes into the middle, or nil for that of the image.
  mutating func toggleZoom(at focus: FocusPoint? = nil) {
    if zoom != nil {
      showWhole()
    } else if let viewport, viewport.isSmall, !window.isEnlarging {
      isEnlarged.toggle()
    } else {
      showActualSize(at: focus)
    }
  }

  /// Turns an overlay on or off.
  mutating func toggle(_ overlay: ImageOverlay) { self.overlay = self.overlay == overlay ? .none : overlay }

  /// Shows all of the image.
  mutating func showWhole() {
    zoom = nil
    inspects = false
  }

  /// Changes the tones. Beyond the last step, nothing changes.
  mutating func changeTone(brightness: Int = 0, contrast: Int = 0) {
    func clamped(_ step: Int) -> Int { min(max(step, ImageTone.steps.lowerBound), ImageTone.steps.upperBound) }
    tone.brightness = clamped(tone.brightness + brightness)
    tone.contrast = clamped(tone.contrast + contrast)
  }

  /// Shows the luminance alone, or the colors again.
  mutating func toggleGray() { tone.isGray.toggle() }

  /// Shows the image's own tones again.
  mutating func resetTone() { tone = .unchanged }

  /// Names the pixel in the middle, in which single pixels can be told apart, or ends that.
  mutating func toggleInspection() {
    inspects.toggle()
    guard inspects, let viewport else { return }
    let center = Zoom(scale: max(Self.inspectionScale, shownZoom?.scale ?? 1), around: shownZoom)
    // From the middle of a pixel, each step leads to the middle of another one.
    func middle(_ center: Double, _ length: Int) -> Double {
      ((center * Double(length)).rounded(.down) + 0.5) / Double(length)
    }
    zoom = Zoom(
      scale: center.scale, centerX: middle(center.centerX, viewport.imageWidth),
      centerY: middle(center.centerY, viewport.imageHeight)
    ).moved(0, 0, in: viewport)
  }

  /// The least scale at which single pixels can be told apart.
  private static let inspectionScale = 12.0

  /// Moves the image by pixels of its own.
  mutating func panPixels(_ x: Int, _ y: Int) {
    guard let viewport, let zoom = shownZoom else { return }
    pan(
      8 * zoom.scale * Double(x) / Double(viewport.windowWidth),
      8 * zoom.scale * Double(y) / Double(viewport.windowHeight))
  }

  /// Shows the part that another image shows.
  mutating func showSamePart(as other: ViewerImage) { zoom = other.zoom }

  /// Shows the image at its actual size.
  /// - Parameter focus: The point that comes into the middle, or nil for that of the image.
  mutating func showActualSize(at focus: FocusPoint? = nil) { zoom = Zoom(scale: 1, around: center(focus)) }

  /// Brings a point into the middle, at the scale of now or at the actual size.
  mutating func show(_ focus: FocusPoint) {
    zoom = Zoom(scale: zoom?.scale ?? 1, around: center(focus))
    if let viewport { zoom = zoom?.moved(0, 0, in: viewport) }
  }

  /// Returns a zoom with a point of the image in its middle, which the user has rotated since.
  private func center(_ focus: FocusPoint?) -> Zoom? {
    guard let focus else { return nil }
    let units = Double(FocusPoint.unitsPerSide)
    let center = Zoom(scale: 1, centerX: Double(focus.x) / units, centerY: Double(focus.y) / units)
    return (0..<rotation.quarters).reduce(center) { center, _ in center.rotated }
  }

  /// Cuts the image at two sides so that it fills the window.
  mutating func fill() {
    if let viewport { zoom = Zoom(scale: viewport.fillScale, around: zoom).moved(0, 0, in: viewport) }
  }

  /// - Parameter place: What stays where it is, as parts of the window from its center.
  mutating func scale(by factor: Double, at place: (x: Double, y: Double) = (0, 0)) {
    if let viewport { zoom = Zoom.scaled(shownZoom, by: factor, at: place, in: viewport) }
    lastStep = nil
  }

  /// Shows the image at the scale of another one, or all of it if that is a whole one. What is in the middle stays there.
  mutating func setScale(of other: ViewerImage) {
    zoom = other.shownZoom.map { Zoom(scale: $0.scale, around: shownZoom) }
    if let viewport { zoom = zoom?.moved(0, 0, in: viewport) }
    lastStep = nil
  }

  /// Moves the image by eighths of the window.
  mutating func pan(_ x: Double, _ y: Double) {
    if let viewport { zoom = shownZoom?.moved(x, y, in: viewport) }
    lastStep = (x, y)
  }

  /// The zoom after most of a window has been read; nil if the lower edge is in view.
  private var zoomAfterReading: Zoom? {
    guard let viewport, let zoom = shownZoom else { return nil }
    let (now, next) = (zoom.moved(0, 0, in: viewport), zoom.moved(0, 7, in: viewport))
    return next.centerY > now.centerY + 0.001 ? next : nil
  }

  /// Whether more of the enlarged image is below.
  var canReadOn: Bool { zoomAfterReading != nil }

  /// Moves down by most of the window. Returns false if the lower edge is in view.
  mutating func readOn() -> Bool {
    guard let next = zoomAfterReading else { return false }
    zoom = next
    lastStep = nil
    return true
  }

  /// Moves the part that is in view to the upper edge. The size of the image need not be known.
  mutating func goToTop() {
    zoom = zoom.map { Zoom(scale: $0.scale, centerX: $0.centerX, centerY: 0) }
    turnedZoom = zoom
    lastStep = nil
  }

  /// Rotates the image clockwise by quarters. What was in the middle of the window stays there.
  mutating func rotate(quarters: Int = 1) {
    for _ in 0..<(quarters & 3) {
      rotation = rotation.next
      swap(&info.width, &info.height)
      if let viewport { zoom = zoom?.rotated.moved(0, 0, in: viewport) }
    }
  }
}

/// The window for an image.
struct ImageWindow {
  /// The width in pixels.
  var width: Int
  /// The height in pixels.
  var height: Int
  /// Whether the output format enlarges small images in any case, as characters do.
  var isEnlarging = false
}
