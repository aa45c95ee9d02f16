import Gallery
import Terminal
import ViewModels

/// The third room: prints for sale, by pages.
@MainActor
final class PrintsScreen: Room {
  private let input = PrintsViewModel.Input(reload: Subject(), nextPage: Subject())
  private let viewModel: PrintsViewModel
  private unowned let host: any RoomHost
  private let context: CellContext
  private let pane: ListPane
  /// nil until the room is entered.
  private var output: PrintsViewModel.Output?
  private var bindings: [Subscription] = []
  private var spinning: SharedSpinner.Use?

  private static let kinds = CellKinds().adding(PrintCell.self)
  /// How near the last print so far one comes before more are asked for.
  private static let nearEnd = 6

  init(viewModel: PrintsViewModel, basket: BasketViewModel, host: any RoomHost, context: CellContext) {
    self.viewModel = viewModel
    self.host = host
    self.context = context
    pane = ListPane(title: "Prints", kinds: Self.kinds, context: context)
    bindings = [basket.alerts.bind { [unowned self] in self.host.show($0, from: self) }]
  }

  let name = "Prints"
  let hints: [Command] = [
    .moveUp, .press, .putInBasket, .takeOutOfBasket, .reload, .switchWindow, .close, .help, .quit,
  ]

  private var rows: [PrintRow] { output?.rows.value ?? [] }
  var isLoading: Bool { output?.isLoading.value ?? false }

  var status: String {
    if isLoading { return "\(context.spinner.symbol) Loading prints…" }
    return output?.page.value?.text ?? ""
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

  private func view(_ print: Print) {
    guard let index = rows.firstIndex(where: { $0.print.id == print.id }) else { return }
    host.view(
      index, among: { [unowned self] in rows as [any RowViewModel] }, slideshowSeconds: nil,
      onTurn: { [unowned self] in
        pane.highlight($0)
        askForMore()
      })
  }

  /// What is asked for again and again while one scrolls on counts once: the view model sees to that.
  private func askForMore() {
    if pane.list.position.highlighted + Self.nearEnd >= rows.count { input.nextPage.send() }
  }

  func draw(on surface: Surface) {
    // While more pages come, those that are there can be looked at.
    let isReplaced = isLoading && output?.page.value == nil
    pane.draw(notice: notice, status: position, isDimmed: isReplaced, on: surface)
  }

  private var position: String? {
    guard let output, !rows.isEmpty else { return nil }
    let count = "\(pane.list.position.highlighted + 1)/\(rows.count)"
    return output.isAtEnd.value
      ? "\(count), that is all" : isLoading ? "\(count) \(context.spinner.symbol)" : "\(count)+"
  }

  private var notice: [String]? {
    if isLoading { return nil }
    return output?.page.value == nil
      ? ["The prints could not be loaded.", Binding.reloadHint()] : ["There are no prints for sale."]
  }

  func label(of command: Command) -> String? { pane.label(of: command) }

  func availability(of command: Command) -> Availability {
    switch command {
    case .reload: .available
    case .putInBasket: rows.isEmpty ? .unavailable("There is no print to buy.") : .available
    case .takeOutOfBasket:
      (pane.list.highlightedRow as? PrintRow).map { $0.inBasket.value > 0 } ?? false
        ? .available : .unavailable("This print is not in the basket.")
    default: pane.availability(of: command)
    }
  }

  func perform(_ command: Command) {
    switch command {
    case .reload:
      context.images.retry()
      input.reload.send()
    case .putInBasket: (pane.list.highlightedRow as? any Buyable)?.putInBasket()
    case .takeOutOfBasket: (pane.list.highlightedRow as? any Buyable)?.takeOutOfBasket()
    case .moveUp, .moveDown, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .moveToFirst, .moveToLast:
      pane.perform(command)
      askForMore()
    default: pane.perform(command)
    }
  }

  func handle(_ mouse: Mouse) {
    let before = pane.list.position.highlighted
    pane.handle(mouse)
    if mouse.action == .wheelDown || pane.list.position.highlighted != before { askForMore() }
  }
}
