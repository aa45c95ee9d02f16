import Gallery
import Images
import Terminal
import ViewModels

/// The whole screen: the header with the rooms' names, the layers with the room at the bottom, and the footer.
///
/// Keys and clicks go to the topmost layer. Whatever changes only asks for a frame; a frame is drawn from what is
/// there at that moment.
@MainActor
public final class GalleryWindow: RoomHost {
  /// Called when the person quits.
  public var onQuit: () -> Void = {}
  /// Called once, when the first room shows what it has: now there is time for what is not pressing.
  public var onSettled: () -> Void = {}

  private let console: Console
  private let viewModels: GalleryViewModels
  private let clock: any Clock<Duration>
  private let images: ImageLayer
  private let spinner: SharedSpinner
  private var rooms: [any Room] = []
  private var current = 0
  private var popups: [any Layer] = []
  /// Why the last key did nothing; gone with the next one.
  private var notice: String?
  /// Why what the person does will not be kept: told when the person comes to where something would be.
  private var troubles: [String] = []
  private var troubleAlert: TextPopup?
  /// Where the rooms' names lie in the header.
  private var names: [(room: Int, rect: Rect)] = []
  /// Where the footer's hints lie, each with the command that a click on it gives.
  private var hintPlaces: [(command: Command, rect: Rect)] = []
  private var bindings: [Subscription] = []
  private var isSettled = false

  /// The smallest screen on which the windows make sense.
  private static let smallest = Size(columns: 20, rows: 6)

  /// - Parameters:
  ///   - source: What the photos come from, as the header names it.
  ///   - loader: Where images come from; nil for none.
  ///   - choice: The output format that the user wants.
  ///   - room: The room that is shown first.
  ///   - firstView: What of the photos is shown first.
  ///   - clock: What the spinner turns by.
  public init(
    console: Console, viewModels: GalleryViewModels, source: String, loader: ImageLoader?, images choice: OutputChoice,
    room: RoomName, firstView: FirstView, clock: any Clock<Duration>
  ) {
    self.console = console
    self.viewModels = viewModels
    self.clock = clock
    images = ImageLayer(loader: loader, choice: choice, console: console)
    spinner = SharedSpinner(clock: clock)
    let context = CellContext(
      images: images, spinner: spinner, onChange: { [unowned console] in console.setNeedsDisplay() })
    rooms = RoomName.allCases.map { name in
      switch name {
      case .photos:
        PhotosScreen(
          viewModel: viewModels.photos, source: source, firstView: firstView, host: self, context: context)
      case .wall: WallScreen(viewModel: viewModels.wall, host: self, context: context)
      case .prints:
        PrintsScreen(viewModel: viewModels.prints, basket: viewModels.basket, host: self, context: context)
      case .covers: CoversScreen(viewModel: viewModels.covers, host: self, context: context)
      case .guestbook: GuestbookScreen(viewModel: viewModels.guestbook, host: self, context: context)
      }
    }
    current = RoomName.allCases.firstIndex(of: room) ?? 0
    bind()
  }

  /// Opens the gallery: draws the first frame and enters the first room.
  public func open() {
    room.enter()
    setNeedsDisplay()
  }

  private func bind() {
    spinner.onTurn = { [unowned self] in console.setNeedsDisplay() }
    console.onEvents = { [unowned self] in handle($0) }
    console.onDraw = { [unowned self] in draw(on: $0) }
    bindings = [
      viewModels.basket.$total.bind { [unowned self] _ in console.setNeedsDisplay() },
      viewModels.guestbook.$visitor.bind { [unowned self] _ in console.setNeedsDisplay() },
    ]
  }

  private var room: any Room { rooms[current] }

  private func enter(room index: Int) {
    guard index != current else { return }
    room.leave()
    current = index
    room.enter()
    tellTroubles()
    setNeedsDisplay()
  }

  private func passThrough(to index: Int) {
    enter(room: index)
    room.passThrough()
  }

  /// Takes note of why something will not be kept.
  public func add(trouble: String) {
    troubles.append(trouble)
    if current != 0 || troubleAlert != nil { tellTroubles() }
  }

  /// In one alert, which grows while it is not closed.
  private func tellTroubles() {
    guard !troubles.isEmpty, troubleAlert == nil || popups.contains(where: { $0 === troubleAlert }) else { return }
    popups.removeAll { $0 === troubleAlert }
    let popup = TextPopup.alert(Alert(message: troubles.joined(separator: "\n\n")))
    troubleAlert = popup
    open(popup)
  }

  func setNeedsDisplay() {
    console.setNeedsDisplay()
    guard !isSettled, !room.isLoading else { return }
    isSettled = true
    onSettled()
  }

  func show(_ alert: Alert, from layer: any Layer) {
    open(
      TextPopup.alert(alert) { [unowned layer] in
        if layer.availability(of: .reload) == .available { layer.perform(.reload) }
      })
  }

  func open(_ popup: any Popup) {
    popup.onClose = { [unowned self] in closeTopmost() }
    push(popup)
  }

  func copy(_ text: String) -> Bool { console.copy(text) }

  func note(_ text: String) { notice = text }

  func view(
    _ index: Int, among rows: @escaping () -> any RowList, slideshowSeconds: Double?,
    onTurn: @escaping (Int) -> Void
  ) {
    guard let viewer = ViewerScreen(index, among: rows, images: images, clock: clock) else { return }
    viewer.onTurn = onTurn
    viewer.onClose = { [unowned self] in closeTopmost() }
    viewer.onChange = { [unowned self] in console.setNeedsDisplay() }
    if let slideshowSeconds { viewer.startSlideshow(seconds: slideshowSeconds) }
    push(viewer)
  }

  private func signIn() {
    let popup = SignInPopup(viewModel: viewModels.guestbook) { [unowned console] in console.setNeedsDisplay() }
    open(popup)
    tellTroubles()
  }

  private func push(_ layer: any Layer) {
    popups.append(layer)
    console.setNeedsDisplay()
  }

  private func closeTopmost() {
    popups.removeLast()
  }
}

// MARK: - Keys and clicks

extension GalleryWindow {
  private var topmost: any Layer { popups.last ?? room }

  private func handle(_ events: [InputEvent]) {
    notice = nil
    for event in events where !topmost.type(event) {
      switch event {
      case .key(let key): handle(key)
      case .mouse(let mouse): handle(mouse)
      case .paste, .reply: break
      }
    }
    console.setNeedsDisplay()
  }

  private func handle(_ key: Key) {
    let layer = topmost
    _ = Binding.commands(for: key).contains { give($0, to: layer) }
  }

  /// Carries out a command, or says why it can't be given now.
  /// - Returns: Whether it was carried out.
  private func give(_ command: Command, to layer: any Layer) -> Bool {
    if perform(command, on: layer) { return true }
    switch layer.availability(of: command) {
    case .available:
      layer.perform(command)
      return true
    case .unavailable(let reason):
      notice = reason
      return false
    case .absent: return false
    }
  }

  /// Carries out a command that is not the layer's own.
  private func perform(_ command: Command, on layer: any Layer) -> Bool {
    switch command {
    case .redraw: console.redraw()
    case .help where layer.extent != .popup: open(TextPopup.help())
    case .quit where layer.extent == .room && layer.availability(of: .quit) == .available: onQuit()
    case _ where layer.extent != .room: return false
    case .signIn: signIn()
    case .nextRoom: passThrough(to: (current + 1) % rooms.count)
    case .previousRoom: passThrough(to: (current + rooms.count - 1) % rooms.count)
    default:
      guard let index = RoomName.allCases.firstIndex(where: { $0.command == command }) else { return false }
      enter(room: index)
    }
    return true
  }

  private func handle(_ mouse: Mouse) {
    if mouse.action == .press,
      let hint = hintPlaces.first(where: { $0.rect.contains(column: mouse.column, row: mouse.row) })
    {
      _ = give(hint.command, to: topmost)
    } else if popups.isEmpty, mouse.action == .press,
      let name = names.first(where: { $0.rect.contains(column: mouse.column, row: mouse.row) })
    {
      enter(room: name.room)
    } else {
      topmost.handle(mouse)
    }
  }
}

// MARK: - Drawing

extension GalleryWindow {
  private func draw(on surface: Surface) {
    let screen = surface.bounds
    hintPlaces = []
    guard screen.columns >= Self.smallest.columns, screen.rows >= Self.smallest.rows else {
      return drawTooSmall(on: surface)
    }
    images.beginFrame()
    defer { images.endFrame() }
    let (above, footer) = screen.split(rows: screen.rows - 1)
    // Air costs rows: a low screen has none to spare.
    let (header, body) = above.split(rows: screen.rows < 12 ? 1 : 2)
    let place = body.split(rows: body.rows - (screen.rows < 20 ? 0 : 1)).0
    let covering = popups.lastIndex { $0.extent == .window }
    if covering == nil {
      drawHeader(on: surface.clipped(to: header))
      room.draw(on: surface.clipped(to: place))
    }
    for layer in popups[(covering ?? 0)...] { layer.draw(on: surface.clipped(to: above)) }
    drawFooter(on: surface.clipped(to: footer.inset(columns: 1)))
  }

  private func drawHeader(on surface: Surface) {
    let line = surface.clipped(to: surface.bounds.inset(columns: 1).split(rows: 1).0)
    let namesEnd = drawNames(on: line)
    if let status = status(fitting: line.bounds.columns - namesEnd - 2) {
      line.put(status, column: line.bounds.columns - status.width, room.isLoading ? .accent : .secondary)
    } else if room.isLoading {
      line.putRight(spinner.symbol, .accent)
    }
    surface.horizontalRule(row: 1)
    let remark = remark
    if !remark.isEmpty {
      let text = CellText(" \(remark) ", truncatedTo: surface.bounds.columns - 4)
      surface.put(text, column: surface.bounds.columns - text.width - 2, row: 1, .secondary)
    }
  }

  /// As many parts of the room's status as there is room for, the first at least.
  private func status(fitting columns: Int) -> CellText? {
    var parts = room.status.split(separator: " · ")[...]
    while !parts.isEmpty {
      let text = CellText(parts.joined(separator: " · "))
      if text.width <= columns { return text }
      parts.removeLast()
    }
    return nil
  }

  /// The names of all rooms, or of this one alone where they do not fit.
  private func drawNames(on line: Surface) -> Int {
    names = []
    var column = line.put("Tintype", .accent) + 3
    let width = rooms.reduce(0) { $0 + CellText($1.name).width + 2 }
    let shown = column + width <= line.bounds.columns ? Array(rooms.indices) : [current]
    for index in shown {
      let end = line.put(rooms[index].name, column: column, index == current ? .title : .secondary)
      names.append(
        (index, Rect(column: line.bounds.column + column, row: line.bounds.row, columns: end - column, rows: 1)))
      column = end + 2
    }
    return column - 2
  }

  /// What concerns the person in every room: the greeting, the basket.
  private var remark: String {
    let greeting = viewModels.guestbook.visitor.map { "Hello \($0)!" } ?? ""
    return [greeting, viewModels.basket.total].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private func drawFooter(on surface: Surface) {
    if let notice {
      surface.put(CellText(notice, truncatedTo: surface.bounds.columns), .accent)
      return
    }
    let (hints, gap) = hints(fitting: surface.bounds.columns)
    var column = 0
    for hint in hints {
      let start = column
      column = surface.put(hint.key, column: column, .accent)
      column = surface.put(hint.label, column: column + 1, .secondary)
      let (left, row) = (surface.bounds.column + start, surface.bounds.row)
      hintPlaces.append((hint.command, Rect(column: left, row: row, columns: column - start, rows: 1)))
      // The one hint of two keys: its arrow down, and its word, move down.
      if hint.command == .moveUp {
        hintPlaces.insert((.moveDown, Rect(column: left + 1, row: row, columns: column - start - 1, rows: 1)), at: 0)
      }
      column += gap
    }
  }

  private typealias Hint = (command: Command, key: String, label: String)

  /// The ways out, and the way to all the other keys: the footer keeps these to the last.
  private static let lastingHints: Set<Command> = [.close, .help, .quit]

  /// The hints of the commands that can be given now, and the gap between them. Where they do not all fit, the last
  /// ones are left out.
  private func hints(fitting columns: Int) -> (hints: [Hint], gap: Int) {
    let layer = topmost
    var hints = layer.hints.filter { layer.availability(of: $0) == .available }.compactMap { command in
      Binding.binding(of: command)?.hint.map {
        (command: command, key: $0.key, label: layer.label(of: command) ?? $0.label)
      }
    }
    while true {
      let width = hints.reduce(0) { $0 + CellText($1.key).width + 1 + CellText($1.label).width }
      if let gap = [3, 2].first(where: { width + $0 * (hints.count - 1) <= columns }) { return (hints, gap) }
      guard hints.count > 1 else { return (hints, 2) }
      let others = hints.indices.filter { !Self.lastingHints.contains(hints[$0].command) }
      // The arrows speak for themselves, so one other hint outlasts theirs.
      let arrows = others.count == 2 ? others.first { hints[$0].command == .moveUp } : nil
      hints.remove(at: arrows ?? others.last ?? 0)
    }
  }

  private func drawTooSmall(on surface: Surface) {
    let message = "Tintype wants a window of \(Self.smallest.columns)×\(Self.smallest.rows) or more."
    for (row, line) in CellText(message).wrapped(to: surface.bounds.columns).enumerated() {
      surface.put(line, row: row)
    }
  }
}
