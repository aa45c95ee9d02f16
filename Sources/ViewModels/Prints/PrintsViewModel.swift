import Gallery
import Services
import WorkerPool

/// The view model of the prints room, which loads prints page by page.
@MainActor
public final class PrintsViewModel: ViewModelType {
  /// The user's actions in the room.
  @MainActor
  public struct Input {
    /// Loads the first page again. A reload replaces the request in progress.
    public let reload: Subject<Void>
    /// Loads the next page, 0.3 s after the first of several events. Ignored while a page is loading and after the last page.
    public let nextPage: Subject<Void>

    /// Creates an input from its events.
    public init(reload: Subject<Void>, nextPage: Subject<Void>) {
      self.reload = reload
      self.nextPage = nextPage
    }
  }

  /// The content of the room, and the events that it shows.
  @MainActor
  public struct Output {
    /// Whether a page is loading.
    public let isLoading: Observable<Bool>
    /// The loaded prints.
    public let rows: Observable<[PrintRow]>
    /// The last loaded page, or nil before the first one.
    public let page: Observable<PageStatus?>
    /// Whether the last page has been loaded.
    public let isAtEnd: Observable<Bool>
    /// The errors of failed requests.
    public let alerts: Signal<Alert>
    /// The prints to show in full.
    public let opened: Signal<Print>
  }

  @Published private var isLoading = false
  @Published private var rows: [PrintRow] = []
  @Published private var page: PageStatus?
  @Published private var isAtEnd = false
  private let alerts = Subject<Alert>()
  private let opened = Subject<Print>()

  private let service: any PrintServiceProtocol
  private let basket: BasketViewModel
  /// The number of the current request. An answer to an earlier one is ignored.
  private var generation = 0
  private let nextPageDelay: Debounce
  private var subscriptions: [Subscription] = []
  /// The current request. The next one cancels it.
  private var fetching: Task<Void, Never>?

  /// Creates a view model that loads nothing before ``transform(_:)`` is called.
  ///
  /// - Parameters:
  ///   - basket: The basket that the rows put prints in.
  ///   - clock: The clock that delays `nextPage`.
  public init(service: any PrintServiceProtocol, basket: BasketViewModel, clock: any Clock<Duration>) {
    self.service = service
    self.basket = basket
    nextPageDelay = Debounce(.milliseconds(300), clock: clock)
  }

  deinit {
    fetching?.cancel()
  }

  /// Binds the input and loads the first page. The input of an earlier call is no longer bound.
  public func transform(_ input: Input) -> Output {
    nextPageDelay.cancel()
    fetching?.cancel()
    subscriptions = [
      input.reload.bind { [weak self] in self?.handle(.reload) },
      input.nextPage.bind { [weak self] in
        self?.nextPageDelay.runUnlessWaiting { self?.handle(.nextPage) }
      },
    ]
    handle(.reload)
    return Output(isLoading: $isLoading, rows: $rows, page: $page, isAtEnd: $isAtEnd, alerts: alerts, opened: opened)
  }

  private func handle(_ ask: Ask) {
    if let request = begin(ask) { fetch(request) }
  }

  private func fetch(_ request: Request) {
    fetching?.cancel()
    fetching = Task.onMainActor { [weak self, service] in
      let page = await result { () throws(APIError) in try await service.fetchPrints(page: request.page) }
      if !Task.isCancelled { self?.receive(Answer(request: request, page: page)) }
    }
  }

  /// Returns the request that an event leads to, or nil if the event is ignored.
  func begin(_ ask: Ask) -> Request? {
    switch ask {
    case .reload: break
    case .nextPage: if isLoading || isAtEnd { return nil }
    }
    generation += 1
    if !isLoading { isLoading = true }
    return Request(page: ask == .reload ? 1 : (page?.number ?? 0) + 1, generation: generation)
  }

  /// Shows the answer to the current request. Ignores answers to earlier requests.
  func receive(_ answer: Answer) {
    guard answer.request.generation == generation else { return }
    switch answer.page {
    case .success(let page): show(page, replacing: answer.request.page == 1)
    case .failure(let error): alerts.send(Alert(title: localized("Can't load prints"), error))
    }
    isLoading = false
  }

  private func show(_ page: Page<Print>, replacing: Bool) {
    let before = replacing ? [] : rows
    var known = Set(before.map(\.print.id))
    rows = before + page.items.filter { known.insert($0.id).inserted }.map(row)
    self.page = PageStatus(number: page.number, totalPages: page.totalPages)
    let isLast = page.number >= page.totalPages || page.items.isEmpty
    if isAtEnd != isLast { isAtEnd = isLast }
  }

  private func row(_ print: Print) -> PrintRow {
    PrintRow(print, basket: basket) { [weak self] in self?.opened.send(print) }
  }
}

extension PrintsViewModel {
  /// An event of the input.
  enum Ask {
    case reload, nextPage
  }

  /// A request for one page.
  struct Request {
    let page: Int
    let generation: Int
  }

  /// The answer to a request.
  struct Answer {
    let request: Request
    let page: Result<Page<Print>, APIError>
  }
}
