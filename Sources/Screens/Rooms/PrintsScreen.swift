import Gallery
import Photos
import Terminal
import ViewModels

/// The third room: prints for sale, which arrive in pages.
@MainActor
final class PrintsScreen: Room {
  private let input = PrintsViewModel.Input(reload: Subject(), nextPage: Subject())
  private let viewModel: any ViewModelType<PrintsViewModel.Input, PrintsViewModel.Output>
  private unowned let host: any RoomHost
  private let context: CellContext
  private let pane: ListPane
  /// The output of the view model; nil until the user enters the room.
  private var output: PrintsViewModel.Output?
  private var bindings: [Subscription] = []
  private var spinning: SharedSpinner.Use?

  private static let kinds = CellKinds().adding(PrintCell.self)
  /// The distance from the last print, in rows, at which the next page is requested.
  private static let nearEnd = 6

  init(
    viewModel: any ViewModelType<PrintsViewModel.Input, PrintsViewModel.Output>, basket: BasketViewModel,
    host: any RoomHost, context: CellContext
  ) {
    self.viewModel = viewModel
    self.host = host
    self.context = context
    pane = ListPane(title: localized("Prints"), kinds: Self.kinds, context: context)
    bindings = [basket.alerts.bind { [unowned self] in self.host.show($0, from: self) }]
  }

  var name: String { localized("Prints") }
  let hints: [Command] = [
    .moveUp, .press, .putInBasket, .takeOutOfBasket, .goTo, .reload, .switchWindow, .close, .help, .quit,
  ]

  private var rows: [PrintRow] { output?.rows.value ?? [] }
  var isLoading: Bool { output?.isLoading.value ?? false }

  var status: [StatusPart] {
    let text = isLoading ? localized("\(context.spinner.symbol) Loading prints…") : output?.page.value?.text
    return text.map { [StatusPart(text: $0)] } ?? []
  }

  func enter() {
    guard output == nil else { return }
    let output = viewModel.transform(input)
    self.output = output
    bindings += [
      output.rows.bind { [unowned self] in
        pane.setRows($0)
        host.setNeedsDisplay()
      },
      output.isLoading.bind { [unowned self] in
        spinning = $0 ? context.spinner.use() : nil
        host.setNeedsDisplay()
      },
      output.isAtEnd.bind { [unowned self] _ in host.setNeedsDisplay() },
      output.alerts.bind { [unowned self] in host.show($0, from: self) },
      output.opened.bind { [unowned self] in view($0) },
    ]
  }

  func leave() { pane.release() }

  var announcement: String? { pane.announcement ?? (isLoading ? status.text : notice?.joined(separator: " ")) }

  private func view(_ print: Print) {
    guard let index = rows.firstIndex(where: { $0.print.id == print.id }) else { return }
    let viewer = ViewerViewModel(
      RowIndex(index), among: { [unowned self] in rows as [any RowViewModel] }, clock: host.clock)
    viewer?.onTurn = { [unowned self] in
      pane.highlight($0)
      askForMore()
    }
    if let viewer { host.view(viewer, summary: nil, photos: nil) }
  }

  /// Requests the next page if the highlighted row is near the end. The view model drops repeated requests.
  private func askForMore() {
    if pane.list.position.highlighted + Self.nearEnd >= rows.count { input.nextPage.send() }
  }

  func draw(on surface: Surface) {
    // While the next page is loading, the prints that are there stay usable.
    let isReplaced = isLoading && output?.page.value == nil
    pane.draw(notice: notice, status: position, isDimmed: isReplaced, on: surface)
  }

  private var position: String? {
    guard let output, !rows.isEmpty else { return nil }
    let count = "\(pane.list.position.highlighted + 1)/\(rows.count)"
    return output.isAtEnd.value
      ? localized("\(count), that is all") : isLoading ? "\(count) \(context.spinner.symbol)" : "\(count)+"
  }

  private var notice: [String]? {
    if isLoading { return nil }
    return output?.page.value == nil
      ? [localized("Can't load the prints."), host.keys.reloadHint()]
      : [localized("No prints for sale."), localized("Press \(host.keys.keyName(of: .reload)) to look again.")]
  }

  @ActionList var actions: [Action] {
    let print = pane.list.highlightedRow as? PrintRow
    let isInBasket = print.map { $0.inBasket.value > 0 } ?? false
    Action(.reload) { [self] in
      context.images.retry()
      input.reload.send()
    }
    Action(.putInBasket, refusal: rows.isEmpty ? localized("There is no print to buy.") : nil) { print?.putInBasket() }
    Action(.takeOutOfBasket, refusal: isInBasket ? nil : notInBasket) {
      print?.takeOutOfBasket()
    }
    Action.moves(refusal: pane.moveRefusal) { [self] in
      pane.move($0)
      askForMore()
    }
    pane.actions
  }

  private var notInBasket: String {
    localized("This print is not in the basket. Press \(host.keys.keyName(of: .putInBasket)) to add it.")
  }

  func handle(_ mouse: Mouse) {
    let before = pane.list.position.highlighted
    pane.handle(mouse)
    if mouse.action == .wheelDown || pane.list.position.highlighted != before { askForMore() }
  }
}
