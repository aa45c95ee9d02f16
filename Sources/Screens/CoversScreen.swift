import Gallery
import Terminal
import ViewModels

/// The fourth room: album covers found by searching music.
@MainActor
final class CoversScreen: Room {
  private let input = CoversViewModel.Input(term: Subject(), submit: Subject())
  private let viewModel: CoversViewModel
  private unowned let host: any RoomHost
  private let context: CellContext
  private let pane: ListPane
  private let field = SearchField(hint: "album, track or artist")
  /// nil until the room is entered.
  private var output: CoversViewModel.Output?
  private var bindings: [Subscription] = []
  private var spinning: SharedSpinner.Use?

  /// About the height of the detail's image, which is the same for all windows: so no cover is fetched anew.
  private static let detailRows = 20
  private static let kinds = CellKinds().adding(CoverCell.self)

  init(viewModel: CoversViewModel, host: any RoomHost, context: CellContext) {
    self.viewModel = viewModel
    self.host = host
    self.context = context
    pane = ListPane(title: "Covers", kinds: Self.kinds, context: context) { row in
      (row as? CoverRow)?.detail(pixels: context.images.pixels(ofRows: Self.detailRows))
    }
    field.onChange = { [input] in input.term.send($0) }
  }

  let name = "Covers"
  let hints: [Command] = [.moveUp, .press, .search, .reload, .switchWindow, .close, .help, .quit]

  private var state: CoversViewModel.State { output?.state.value ?? .idle }
  var isLoading: Bool { state.isLoading }

  var status: String {
    switch state {
    case .idle: ""
    case .searching: "\(context.spinner.symbol) Searching…"
    case .found("", let count): "\(count) covers"
    case .found(let term, let count): "\(count) \(count == 1 ? "cover" : "covers") for “\(term)”"
    case .failed("", _): "The music could not be loaded"
    case .failed(let term, _): "“\(term)” could not be searched"
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

  func draw(on surface: Surface) {
    let (top, body) = surface.bounds.split(rows: 1)
    field.draw(on: surface.clipped(to: top.inset(columns: 1)))
    pane.draw(notice: notice, isDimmed: isLoading, on: surface.clipped(to: body))
  }

  private var notice: [String] {
    switch state {
    case .idle: []
    case .searching: ["\(context.spinner.symbol) Searching…"]
    case .found("", _): ["Press / and type to search."]
    case .found(let term, _): ["There is nothing for “\(term)”."]
    case .failed(_, let error): [error.message, Binding.reloadHint()]
    }
  }
}

extension CoversScreen {
  func label(of command: Command) -> String? {
    command == .press && field.isTyping ? "Search" : pane.label(of: command)
  }

  func availability(of command: Command) -> Availability {
    switch command {
    // Their keys are typed into the field, and the footer must not offer them; F1 still shows the help.
    case .search where field.isTyping, .reload where field.isTyping, .help where field.isTyping,
      .quit where field.isTyping:
      .absent
    case .search: .available
    case .reload: isLoading ? .unavailable("It is being searched already.") : .available
    case .press where field.isTyping: .available
    case .close where field.isTyping: .available
    default: pane.availability(of: command)
    }
  }

  func perform(_ command: Command) {
    switch command {
    case .search: field.isTyping = true
    case .reload:
      context.images.retry()
      input.submit.send(field.text)
    case .press where field.isTyping:
      field.isTyping = false
      input.submit.send(field.text)
    case .close where field.isTyping: field.isTyping = false
    default:
      field.isTyping = false
      pane.perform(command)
    }
  }

  func type(_ event: InputEvent) -> Bool { field.type(event) }

  func handle(_ mouse: Mouse) {
    if !field.click(mouse) { pane.handle(mouse) }
  }
}
