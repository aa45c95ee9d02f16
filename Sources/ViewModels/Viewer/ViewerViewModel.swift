import Gallery
import Photos
import WorkerPool

/// The view model of the viewer: the photo that is shown, turning to others, a cull, and a slideshow.
///
/// ```swift
/// let viewer = ViewerViewModel(0, among: { list.rows }, clock: clock)
/// viewer?.onTurn = { row in pane.highlight(row) }
/// viewer?.turn(by: 1)
/// ```
///
/// The shown photo stays if a reload removes it from the list. How it is drawn, such as its zoom, is up to the screen.
@MainActor
public final class ViewerViewModel {
  /// A row with all that is shown about its photo.
  public typealias Row = any Detailed & RowViewModel

  /// The ways in which the shown photo changes without the user.
  public enum Change: Sendable {
    case none
    /// The photo shows another file of it.
    case otherFile
    /// The place of a cull offers another shot.
    case otherShot
  }

  /// Called with the index of the new row when another photo is shown.
  public var onTurn: (RowIndex) -> Void = { _ in }
  /// Called when another photo is shown, with whether it is zoomed like the one before.
  public var onShow: (_ keepsZoom: Bool) -> Void = { _ in }
  /// Called when the view model changes without a key.
  public var onChange: () -> Void = {}
  /// Called when the last photo of a cull has been decided about.
  public var onFinish: () -> Void = {}

  /// The row of the shown photo.
  public private(set) var shownRow: Row
  /// The texts about the shown photo.
  public private(set) var detail: PhotoDetail
  /// The slideshow, or nil if none is running.
  public private(set) var slideshow: Slideshow?
  /// The playback of the shown video, or nil if its still is shown.
  public private(set) var playback: Playback?
  /// The cull that the user makes, or nil for none.
  public let cull: PhotoCull?

  /// Returns the current rows.
  private let rows: () -> any RowList
  private let clock: any Clock<Duration>
  private let exchange: ExchangePause
  /// The time since the viewer was opened.
  private let elapsed: () -> Duration
  /// The timer of the playback's next frame.
  private var frameTimer: Task<Void, Never>?
  /// The last known index of the shown row. Ids may occur twice in a catalog.
  private var index: RowIndex
  /// Whether the user has acted on the shown photo, which stays then, even if another shot represents its stack now.
  private var isHeld = false

  /// The time of each photo in a slideshow that the user starts with a key, in seconds.
  public static let slideshowSeconds = 5.0

  /// - Parameters:
  ///   - index: The row that is shown first.
  ///   - rows: Returns the current rows.
  ///   - cull: The cull that the user makes, whose rows they are, or nil for none.
  /// - Returns: nil if there is no such row, or if it has no detail.
  public init?(
    _ index: RowIndex, among rows: @escaping () -> any RowList, clock: any Clock<Duration>, cull: PhotoCull? = nil
  ) {
    let all = rows()
    guard all.contains(row: index), let row = all.row(at: index) as? Row else { return nil }
    self.index = index
    self.rows = rows
    self.clock = clock
    self.cull = cull
    shownRow = row
    detail = row.detail
    exchange = ExchangePause(clock: clock)
    elapsed = Self.stopwatch(clock)
    exchange.onEnd = { [unowned self] in onChange() }
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The progress of the cull at the shown photo; nil without a cull.
  public var progress: String? { photoID.flatMap { cull?.progress(at: $0) } }

  /// The number of rows.
  public var count: Int { rows().count }

  /// The index of the shown row; nil if a reload has removed it.
  public var row: RowIndex? {
    let rows = rows()
    if rows.contains(row: index), rows.row(at: index).id == shownRow.id { return index }
    return rows.index(of: shownRow)
  }

  /// The reason why no decision is accepted at the moment, or nil.
  public var refusal: String? { exchange.refusal }

  /// Takes over what has changed about the shown photo since the last call.
  public func update() -> Change {
    guard let current = (row ?? placeOfOtherShot).flatMap(row(at:)) else { return .none }
    var change = Change.none
    if current.id != shownRow.id {
      if isHeld { return .none }
      change = .otherShot
      exchange.begin()
      endPlayback()
    } else if current.detail.image != detail.image {
      change = .otherFile
      endPlayback()
    }
    shownRow = current
    detail = current.detail
    return change
  }

  /// The index of the row if its place of a cull offers another shot now; nil otherwise.
  private var placeOfOtherShot: RowIndex? {
    guard let cull, let offered = row(at: index) as? PhotoRow, let photoID else { return nil }
    return cull.areTogether(offered.photoID, photoID) ? index : nil
  }

  private func row(at index: RowIndex) -> Row? {
    let rows = rows()
    return rows.contains(row: index) ? rows.row(at: index) as? Row : nil
  }

  /// The identifier of the shown photo; nil if the rows are not photos.
  public var photoID: Photo.ID? { (shownRow as? PhotoRow)?.photoID }
}

// MARK: - Turning

extension ViewerViewModel {
  /// Returns the index of the next photo, or of the photo that replaced the shown one if that was removed. There may be no
  /// photo at it.
  private func place(after step: Int) -> RowIndex {
    guard let row else { return step > 0 ? index : index - 1 }
    return slideshow?.shuffle(of: count)?.row(step, after: row) ?? row + step
  }

  /// Returns the row that is some steps after the shown one, or nil if there is none.
  public func neighbor(after step: Int) -> Row? { row(at: place(after: step)) }

  /// Returns whether there is a photo to turn to.
  public func canTurn(by step: Int) -> Bool {
    if step > 0, let photoID, cull?.hasNext(after: photoID) == true { return true }
    return rows().contains(row: place(after: step))
  }

  /// Turns to another photo, which has its whole time if there is a slideshow. A rejected shot of a cull is followed by the
  /// next one of its stack.
  public func turn(by step: Int) {
    if step > 0, let photoID { cull?.offerNext(after: photoID) }
    show(row: place(after: step), keepsZoom: true)
    slideshow?.restart()
  }

  /// Shows the photo of a row.
  public func show(row: RowIndex) { show(row: row, keepsZoom: true) }

  private func show(row: RowIndex, keepsZoom: Bool) {
    guard let next = self.row(at: row) else { return }
    index = row
    shownRow = next
    detail = next.detail
    isHeld = false
    exchange.end()
    endPlayback()
    onShow(keepsZoom)
    onTurn(row)
  }
}

// MARK: - Choosing

extension ViewerViewModel {
  /// Keeps the shown photo until the user turns to another one, even if its place of a cull offers another shot.
  public func hold() {
    isHeld = true
    if let photoID { cull?.use(photoID) }
  }

  /// Lets another shot take the place of the shown one again, as after an undone rejection.
  public func release() { isHeld = false }

  /// Marks or unmarks the photo, and turns to the next one.
  public func toggleMark() {
    (shownRow as? any Markable)?.toggleMark()
    turn(by: 1)
  }

  /// Makes a change for the photo. After a rating, turns to the next one; the last rating of a cull ends it.
  public func decide(_ change: DecisionChange) {
    guard let photo = shownRow as? any Decidable else { return }
    photo.decide(change)
    guard change.isRating, photo.deciding?.advances == true else { return }
    if cull != nil, !canTurn(by: 1) { onFinish() } else { turn(by: 1) }
  }
}

// MARK: - Slideshow

extension ViewerViewModel {
  /// Shows another photo each time some seconds have passed. The first photo follows the last.
  public func startSlideshow(seconds: Double = slideshowSeconds, isShuffled: Bool = false) {
    slideshow = Slideshow(seconds: seconds, isShuffled: isShuffled, clock: clock) { [unowned self] in
      let next = place(after: 1)
      show(row: rows().contains(row: next) ? next : 0, keepsZoom: false)
      onChange()
    }
  }

  /// Starts a slideshow, pauses it, or continues it.
  public func toggleSlideshow() {
    if let slideshow { slideshow.togglePause() } else { startSlideshow() }
  }

  /// Changes between the order of the list and a random one. Starts a slideshow if there is none.
  public func toggleShuffle() {
    if let slideshow { slideshow.toggleShuffle() } else { startSlideshow(isShuffled: true) }
  }

  /// Stops all timers.
  public func close() {
    slideshow = nil
    endPlayback()
    exchange.end()
  }
}

// MARK: - Playback

extension ViewerViewModel {
  /// Whether the shown photo is a camera's raw file.
  public var isRaw: Bool { (shownRow as? PhotoRow)?.kind == .raw }

  /// Whether the shown photo is a page of a document or of a comic.
  public var isPage: Bool { (shownRow as? PhotoRow)?.kind == .page }

  /// The file whose frames can be played, which is another one than the shown file if a video is beside it; nil if there is none.
  public var movie: ImageLocation? { (shownRow as? PhotoRow)?.movie }

  /// Whether ``movie`` is that of a photo. It takes the place of the photo, which is larger in most cases.
  public var isLivePhoto: Bool { movie != nil && (shownRow as? PhotoRow)?.kind != .video }

  /// Plays the movie of the shown photo, pauses it, or continues.
  public func togglePlayback() {
    if playback != nil { return change { $0.togglePause() } }
    guard let photo = shownRow as? PhotoRow, movie != nil else { return }
    if slideshow?.isPaused == false { toggleSlideshow() }
    playback = photo.playback
  }

  /// Changes the playback as the user wants.
  public func change(_ change: (inout Playback) -> Void) {
    frameTimer?.cancel()
    if playback != nil { change(&playback!) }
  }

  /// Takes note that the wanted frame of the playback can't be shown, which pauses it.
  public func frameIsMissing() {
    guard playback?.isPaused == false else { return }
    change { $0.frameIsMissing() }
    onChange()
  }

  /// Shows the still of the video again.
  public func endPlayback() {
    frameTimer?.cancel()
    playback = nil
  }

  /// Takes note that the wanted frame of the playback is on the screen. The next one follows when it is due.
  ///
  /// - Parameters:
  ///   - duration: The duration of the video in milliseconds, or 0 if it is unknown.
  ///   - interval: The time between two frames in milliseconds, or 0 if it is unknown.
  public func frameIsShown(duration: Int, interval: Int = 0) {
    guard playback?.isFrameShown == false else { return }
    let frame = playback?.frame
    playback?.frameIsShown(at: elapsed(), duration: duration, interval: interval)
    if playback?.frame != frame { return onChange() }
    guard let next = playback?.next else { return }
    let rest = next.time - elapsed()
    frameTimer = Task.onMainActor { [weak self, clock] in
      // Unless it is told otherwise, a timer may ring a tenth of its time late.
      if rest > .zero { try? await clock.sleep(for: rest, tolerance: .zero) }
      guard !Task.isCancelled, let self else { return }
      playback?.showNext(at: elapsed())
      onChange()
    }
  }
}
