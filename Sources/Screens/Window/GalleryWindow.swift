import Finding
import Gallery
import Images
import Terminal
import ViewModels
import WorkerPool

/// The whole screen: the header with the names of the rooms, a stack of layers with the room at the bottom, and the
/// footer.
///
/// Keys and clicks go to the topmost layer. Changes only request a frame; each frame is drawn completely, from the state
/// at that moment.
@MainActor
public final class GalleryWindow: RoomHost {
  /// Called when the user quits.
  public var onQuit: () -> Void = {}
  /// Called once, when the first room's contents are drawn, to start work that is less urgent.
  public var onSettled: () -> Void = {}

  /// The editor of the user's configuration; nil if there is none.
  public weak var settingsEditor: (any SettingsEditor)?

  /// The keys of all commands.
  private(set) var keys: CommandTable
  private(set) var settings: Settings

  let console: Console
  /// The view models of the rooms, with that of the open source.
  public internal(set) var viewModels: GalleryViewModels
  let clock: any Clock<Duration>
  let images: ImageLayer
  let spinner: SharedSpinner
  let header = HeaderBar()
  let footer = FooterBar()
  private(set) var rooms: [any Room] = []
  private(set) var current = 0
  /// The screens of the sources that were visited, the last one at the end.
  var visited: [PhotosScreen] = []
  let context: CellContext
  /// The layers above the room, the topmost last.
  private(set) var popups: [any Layer] = []
  /// A text that the footer shows until the next key.
  private(set) var notice: String?
  private var storageProblems = StorageProblems()
  private var storageAlert: TextPopup?
  private var bindings: [Subscription] = []
  private var isSettled = false
  /// Whether it was said that videos have no sound.
  private var hasNotedSilence = false
  /// Whether places that were visited before are offered after the next frame.
  private var offersPlaces = false
  /// Whether the user has not typed or clicked yet.
  private(set) var isUntouched = true
  /// Whether the user wants the beaten photos of comparisons to be rejected without a question.
  var rejectsBeaten = false

  /// - Parameters:
  ///   - source: The photos' source.
  ///   - loader: The loader of images; nil to show none.
  ///   - settings: The first settings. The console has the scheme already.
  ///   - room: The room that is shown first.
  ///   - firstView: The view that the photos open with.
  ///   - clock: The clock of the spinner and of slideshows.
  public init(
    console: Console, viewModels: GalleryViewModels, source: OpenSource, loader: ImageLoader?,
    settings: Settings,
    room: RoomName, firstView: FirstView, clock: any Clock<Duration>
  ) {
    self.console = console
    self.viewModels = viewModels
    self.clock = clock
    self.settings = settings
    keys = settings.keys.table
    images = ImageLayer(
      loader: loader, choice: settings.images, glyphs: settings.glyphs, display: console, clock: clock)
    images.playsAnimations = settings.animations
    spinner = SharedSpinner(clock: clock)
    context = CellContext(
      images: images, spinner: spinner, onChange: { [unowned console] in console.setNeedsDisplay() })
    rooms = RoomName.allCases.map {
      viewModels.makeRoom($0, source: source, firstView: firstView, host: self, context: context)
    }
    viewModels.choosing.follow(viewModels.collections)
    viewModels.collections.onAlert = { [unowned self] in show($0) }
    current = RoomName.allCases.firstIndex(of: room) ?? 0
    if let screen = rooms[0] as? PhotosScreen { visited = [screen] }
    bind()
    arrange(after: Settings())
    viewModels.places.arrive(at: source.place, in: source.folder)
  }

  private func bind() {
    viewModels.places.onNote = { [unowned self] in note($0) }
    viewModels.places.onReturn = { [unowned self] state in
      if let order = state.order.flatMap(PhotoOrder.init(named:)) { viewModels.photos.search.sort(order) }
      if let photo = state.photo, let screen = visited.last, screen.returning == nil {
        screen.returnToPhoto(of: PhotosScreen.Return(photo: photo))
      }
    }
    images.reloadHint = { [unowned self] in keys.reloadHint() }
    spinner.onTurn = { [unowned self] in console.setNeedsDisplay() }
    console.onEvents = { [unowned self] in handle($0) }
    console.onDraw = { [unowned self] in
      draw(on: $0)
      startLessUrgentWork()
    }
    bindings = [
      viewModels.basket.$total.bind { [unowned self] _ in console.setNeedsDisplay() },
      viewModels.guestbook.$visitor.bind { [unowned self] _ in console.setNeedsDisplay() },
    ]
  }

  /// Applies settings that have changed. What the user has changed since with a key stays if its setting is the same.
  public func apply(_ settings: Settings) {
    let old = self.settings
    self.settings = settings
    keys = settings.keys.table
    console.scheme = settings.scheme
    images.choice = settings.images
    images.glyphs = settings.glyphs
    images.playsAnimations = settings.animations
    arrange(after: old)
    setNeedsDisplay()
  }

  /// Applies the settings that keys change, too.
  private func arrange(after old: Settings) {
    if settings.rowSize != old.rowSize { for room in rooms.dropFirst() { room.setRowSize(settings.rowSize) } }
    for screen in visited { arrange(screen, after: old) }
  }

  func arrange(_ screen: PhotosScreen, after old: Settings) {
    let choosing = screen.choosing
    if settings.language != old.language { choosing.renewRows() }
    if settings.rowSize != old.rowSize { screen.setRowSize(settings.rowSize) }
    if settings.order != old.order { choosing.list.search.sort(settings.order) }
    choosing.deciding.codes = settings.codes
    if settings.advances != old.advances { choosing.deciding.advances = settings.advances }
    if settings.stacks != old.stacks { choosing.stacks.set(areOn: settings.stacks) }
  }

  /// Shows an alert over the topmost layer.
  public func show(_ alert: Alert) { show(alert, from: topmost) }

  /// Opens the gallery: enters the first room and draws the first frame.
  ///
  /// - Parameter offersPlaces: Whether the list of places is shown if the user has visited other places before.
  public func open(offersPlaces: Bool = false) {
    self.offersPlaces = offersPlaces
    room.enter()
    setNeedsDisplay()
  }

  func setNeedsDisplay() { console.setNeedsDisplay() }

  /// Starts the work that waits for the first frames.
  private func startLessUrgentWork() {
    if offersPlaces {
      offersPlaces = false
      Task.onMainActor { [weak self] in await self?.offerVisitedPlaces() }
    }
    guard !isSettled, !room.isLoading else { return }
    isSettled = true
    // The frame leaves before the next task begins.
    Task.onMainActor { [weak self] in
      self?.viewModels.places.prepare()
      self?.onSettled()
    }
  }

  func copy(_ text: String) -> Bool { console.copy(text) }

  var clipboard: any ImageClipboard { console }

  func isTopmost(_ layer: any Layer) -> Bool { topmost === layer }

  public func note(_ text: String) {
    notice = text
    console.setNeedsDisplay()
  }
}

// MARK: - Rooms and layers

extension GalleryWindow {
  var room: any Room { rooms[current] }
  var topmost: any Layer { popups.last ?? room }

  func enter(room index: Int) {
    guard index != current else { return }
    room.leave()
    current = index
    room.enter()
    showStorageProblems()
    setNeedsDisplay()
  }

  func passThrough(to index: Int) {
    enter(room: index)
    room.passThrough()
  }

  func open(_ popup: any Popup) { open(popup, over: topmost) }

  func open(_ popup: any Popup, over layer: any Layer) {
    // A popup may close by itself while another one is over it.
    popup.onClose = { [unowned self, unowned popup] in popups.removeAll { $0 === popup } }
    push(popup, over: layer)
  }

  func show(_ alert: Alert, from layer: any Layer) {
    open(TextPopup.alert(alert, keys: keys) { [unowned layer] in layer.perform($0) })
  }

  func view(_ viewModel: ViewerViewModel, summary: CullSummary?, photos: PhotoActions?) {
    let viewer = ViewerScreen(viewModel, images: images, clock: clock, summary: summary)
    viewer.photos = photos
    // Only the photos' room has a choice of what can be compared.
    if photos != nil {
      viewer.onMap = { [unowned self] in viewModels.choosing.sharing.openMap($0) }
      viewer.onOpenOutside = { [unowned self] in viewModels.choosing.sharing.open($0, from: $1) }
      viewer.onCollect = { [unowned self] in visited.last?.chooseCollection(for: viewModels.choosing.photos(of: $0)) }
      viewer.onCopyImage = { [unowned self] in viewModels.choosing.copyImage(of: $0, to: clipboard) }
    }
    viewer.onClose = { [unowned self] in closeTopmost() }
    viewer.onOpen = { [unowned self] in open($0) }
    viewer.onChange = { [unowned self] in console.setNeedsDisplay() }
    viewer.onPlay = { [unowned self] in noteSilence() }
    push(viewer, over: topmost)
  }

  func compare(_ comparison: PhotoComparison, onEnd: @escaping () -> Void) {
    let screen = CompareScreen(comparison, images: images)
    screen.onOpen = { [unowned self] in open($0) }
    screen.onNote = { [unowned self] in note($0) }
    screen.onChange = { [unowned self] in console.setNeedsDisplay() }
    screen.onEnd = onEnd
    screen.onReject = { [unowned self] in confirmRejection(of: $0, then: $1) }
    open(screen)
  }

  /// Says once that videos have no sound here, and which key plays them elsewhere.
  private func noteSilence() {
    guard !hasNotedSilence else { return }
    hasNotedSilence = true
    note(
      visited.last?.source.folder?.isRemote == true
        ? localized("Videos have no sound here. Copy them to this machine to hear them.")
        : localized("Videos have no sound here. \(keys.keyName(of: .openOutside)) plays them in another program."))
  }

  private func push(_ layer: any Layer, over lower: any Layer) {
    popups.insert(layer, at: popups.firstIndex { $0 === lower }.map { $0 + 1 } ?? 0)
    console.setNeedsDisplay()
  }

  private func closeTopmost() { popups.removeLast() }

  func closePopups() { popups = [] }

  /// Makes a screen the first room, and enters it.
  func showPhotos(on screen: PhotosScreen) {
    rooms[0] = screen
    current = 0
  }

  /// Adds a reason why changes are lost when the program ends.
  /// - Parameter concernsPhotos: Whether a user who changes something about photos expects it to be kept.
  public func add(storageProblem: String, concernsPhotos: Bool) {
    storageProblems.add(storageProblem, concernsPhotos: concernsPhotos)
    if current != 0 || storageProblems.concernUser { showStorageProblems() }
  }

  /// Shows all storage problems in one alert, if it is time for them.
  func showStorageProblems() {
    guard let text = storageProblems.takeAlert(isOpen: popups.contains { $0 === storageAlert }) else { return }
    popups.removeAll { $0 === storageAlert }
    let popup = TextPopup.alert(Alert(title: localized("Storage problem"), message: text), keys: keys)
    storageAlert = popup
    open(popup)
  }
}

// MARK: - Keys and clicks

extension GalleryWindow {
  private func handle(_ events: [InputEvent]) {
    for event in events {
      if case .reply = event {} else { isUntouched = false }
      notice = nil
      if topmost.type(event) { continue }
      switch event {
      case .key(let key): handle(key)
      case .mouse(let mouse): handle(mouse)
      case .paste, .reply: break
      }
    }
    console.setNeedsDisplay()
  }

  /// Carries out the first of the key's commands that is possible, or shows why none is.
  private func handle(_ key: Key) {
    let layer = topmost
    if let own = ownShortcuts(of: layer).first(where: { $0.keys.contains(key) }) { return own.perform() }
    // Building the actions takes longer than finding one.
    let actions = actions(of: layer)
    for command in keys.commands(for: key) {
      let refusal = notice
      notice = nil
      if give(command, to: layer, actions) { return }
      notice = notice ?? refusal
    }
    // The user presses Esc to be sure that nothing is open.
    if key == Key(.escape) {
      notice = nil
      return
    }
    if notice == nil, !layer.isTyping, layer.extent != .popup {
      notice = localized("\(key.name): no command · \(keys.keyName(of: .help)) Help")
    }
  }

  /// The actions of the window and a layer that are possible at the moment.
  struct Actions {
    let window: [Action]
    let layer: [Action]

    /// The window's actions first, which count if the layer has actions for the same commands.
    var all: [Action] { window + layer }
  }

  func actions(of layer: any Layer) -> Actions {
    let layerActions = layer.actions
    return Actions(window: windowActions(above: layer, layerActions), layer: layerActions)
  }

  /// Carries out an action of the window, or else of the layer. If the layer refuses it, the footer says why.
  /// - Returns: Whether an action was carried out.
  func give(_ command: Command, to layer: any Layer) -> Bool { give(command, to: layer, actions(of: layer)) }

  private func give(_ command: Command, to layer: any Layer, _ actions: Actions) -> Bool {
    if let action = actions.window.first(where: { $0.command == command }) {
      action.perform()
      return true
    }
    guard let action = actions.layer.first(where: { $0.command == command }) else { return false }
    notice = action.refusal ?? notice
    if action.isPossible {
      layer.perform(action)
      if keys.binding(of: command)?.actsOnPhotos == true {
        storageProblems.hasChangedPhotos = true
        if storageProblems.concernUser { showStorageProblems() }
      }
    }
    return action.isPossible
  }

  private func handle(_ mouse: Mouse) {
    let isPress = mouse.action == .press
    if isPress, let command = footer.command(atColumn: mouse.column, row: mouse.row) {
      _ = give(command, to: topmost)
    } else if isPress, popups.isEmpty, let click = header.click(atColumn: mouse.column, row: mouse.row) {
      click()
    } else if isPress, popups.isEmpty, let command = header.command(atColumn: mouse.column, row: mouse.row) {
      _ = give(command, to: topmost)
    } else {
      topmost.handle(mouse)
    }
  }
}
