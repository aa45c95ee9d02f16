import Gallery
import Terminal
import ViewModels

/// The fourth room: a search for music, with the covers of the albums.
@MainActor
final class CoversScreen: Room {
  private let input = CoversViewModel.Input(term: Subject(), submit: Subject())
  private let viewModel: any ViewModelType<CoversViewModel.Input, CoversViewModel.Output>
  private unowned let host: any RoomHost
  private let context: CellContext
  private let pane: ListPane
  private let field = SearchField(hint: localized("album, track or artist"))
  /// The output of the view model; nil until the user enters the room.
  private var output: CoversViewModel.Output?
  private var bindings: [Subscription] = []
  private var spinning: SharedSpinner.Use?

  /// The approximate height of the detail's image, in rows. It is the same for all sizes of the window, so that no cover is
  /// fetched again in another size.
  private static let detailRows = 20
  private static let kinds = CellKinds().adding(CoverCell.self).adding(TrackCell.self)

  init(
    viewModel: any ViewModelType<CoversViewModel.Input, CoversViewModel.Output>, host: any RoomHost,
    context: CellContext
  ) {
    self.viewModel = viewModel
    self.host = host
    self.context = context
    pane = ListPane(title: localized("Covers"), kinds: Self.kinds, context: context) { row in
      (row as? any FoundTrackRow)?.detail(pixels: context.images.pixels(ofRows: Self.detailRows))
    }
    field.onChange = { [input] in input.term.send($0) }
  }

  var name: String { localized("Covers") }
  let hints: [Command] = [.moveUp, .press, .search, .goTo, .reload, .switchWindow, .close, .help, .quit]

  private var state: CoversViewModel.State { output?.state.value ?? .idle }
  var isLoading: Bool { state.isLoading }
  var isTyping: Bool { field.isTyping }

  var status: [StatusPart] {
    if case .retrying(_, let error) = state {
      return [StatusPart(text: context.spinner.retryText), StatusPart(text: error.message)]
    }
    return statusText.map { [StatusPart(text: $0)] } ?? []
  }

  private var statusText: String? {
    switch state {
    case .idle: nil
    case .searching: localized("\(context.spinner.symbol) Searching…")
    case .retrying: nil
    case .found("", let count): localized("\(count) cover", plural: "\(count) covers", count: count)
    case .found(let term, let count):
      localized("\(count) cover for “\(term)”", plural: "\(count) covers for “\(term)”", count: count)
    case .failed("", _): localized("Can't load the music")
    case .failed(let term, _): localized("Can't search for “\(term)”")
    }
  }

  func enter() {
    guard output == nil else { return }
    let output = viewModel.transform(input)
    self.output = output
    bindings = [
      output.rows.bind { [unowned self] in
        pane.setRows($0)
        host.setNeedsDisplay()
      },
      output.state.bind { [unowned self] in
        spinning = $0.isLoading ? context.spinner.use() : nil
        host.setNeedsDisplay()
      },
      output.alerts.bind { [unowned self] in host.show($0, from: self) },
    ]
  }

  func leave() { pane.release() }

  var announcement: String? {
    let words = pane.announcement ?? (isLoading ? status.text : notice.joined(separator: " "))
    return field.isTyping ? "\(field.announcement) · \(words)" : words
  }

  func draw(on surface: Surface) {
    let (top, body) = surface.bounds.split(rows: 1)
    field.draw(on: surface.clipped(to: top.inset(columns: 1)))
    pane.draw(notice: notice, isDimmed: isLoading, on: surface.clipped(to: body))
  }

  private var notice: [String] {
    switch state {
    case .idle: []
    case .searching: [localized("\(context.spinner.symbol) Searching…")]
    case .retrying(_, let error): [error.message, context.spinner.retryText]
    case .found("", _): [localized("Press \(searchKey) and type to search.")]
    case .found(let term, _):
      [
        localized("Nothing found for “\(term)”."),
        isTyping ? localized("Try other words.") : localized("Press \(searchKey) to try other words."),
      ]
    case .failed(_, let error): [error.message, host.keys.reloadHint()]
    }
  }
}

extension CoversScreen {
  private var searchKey: String { host.keys.keyName(of: .search) }

  @ActionList var actions: [Action] {
    if field.isTyping {
      Action(.press, label: localized("Search")) { [self] in input.submit.send(field.text) }
      Action(.close) {}
    } else {
      Action(.search) { [self] in field.isTyping = true }
      Action(.reload, refusal: isLoading ? localized("Already searching.") : nil) { [self] in
        context.images.retry()
        input.submit.send(field.text)
      }
    }
    pane.actions
  }

  /// Carries out an action. Every action takes the keys from the field; the one that searches gives them back.
  func perform(_ action: Action) {
    field.isTyping = false
    action.perform()
  }

  func type(_ event: InputEvent) -> Bool { field.type(event) }

  func handle(_ mouse: Mouse) {
    if !field.click(mouse) { pane.handle(mouse) }
  }
}
