import Finding
import Gallery
import Photos
import Services
import WorkerPool

/// Prints for sale, by pages.
///
/// Bound as input → output: what the person wants comes as events, what there is to show goes out as observable values.
@MainActor
public final class PrintsViewModel {
  @MainActor
  public struct Input {
    /// From page one anew. The newest wins over whatever is under way.
    public let reload: Subject<Void>
    /// The end is near. Asks within 0.3 s of each other count once; while something is loading, and at the end, none
    /// does.
    public let nextPage: Subject<Void>

    public init(reload: Subject<Void>, nextPage: Subject<Void>) {
      self.reload = reload
      self.nextPage = nextPage
    }
  }

  @MainActor
  public struct Output {
    public let isLoading = Observable(false)
    /// The prints so far.
    public let rows = Observable<[PrintRow]>([])
    /// Where the prints end so far; nil before the first page.
    public let page = Observable<PageStatus?>(nil)
    /// Whether no page follows.
    public let isAtEnd = Observable(false)
  }

  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with the print to be shown in full.
  public var onOpen: (Print) -> Void = { _ in }

  private let service: any PrintServiceProtocol
  private let basket: BasketViewModel
  private var output = Output()
  /// Counts the requests, so that the answer to an abandoned one is known for what it is.
  private var generation = 0
  private let nextPageDelay: Debounce
  private var subscriptions: [Subscription] = []
  /// The newest request; one before it is abandoned.
  private var fetching: Task<Void, Never>?

  public init(service: any PrintServiceProtocol, basket: BasketViewModel, clock: any Clock<Duration>) {
    self.service = service
    self.basket = basket
    nextPageDelay = Debounce(.milliseconds(300), clock: clock)
  }

  deinit { fetching?.cancel() }

  /// Binds the room, and loads the first page. A room bound before is let go.
  public func transform(_ input: Input) -> Output {
    nextPageDelay.cancel()
    fetching?.cancel()
    output = Output()
    subscriptions = [
      input.reload.bind { [weak self] in self?.handle(.reload) },
      input.nextPage.bind { [weak self] in
        self?.nextPageDelay.run { self?.handle(.nextPage) }
      },
    ]
    handle(.reload)
    return output
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

  /// The request that an ask leads to, if any.
  func begin(_ ask: Ask) -> Request? {
    switch ask {
    case .reload: break
    case .nextPage: if output.isLoading.value || output.isAtEnd.value { return nil }
    }
    generation += 1
    if !output.isLoading.value { output.isLoading.value = true }
    return Request(
      page: ask == .reload ? 1 : (output.page.value?.number ?? 0) + 1, generation: generation)
  }

  func receive(_ answer: Answer) {
    guard answer.request.generation == generation else { return }
    switch answer.page {
    case .success(let page): show(page, replacing: answer.request.page == 1)
    case .failure(let error): onAlert(Alert(title: "Can't load prints", error))
    }
    output.isLoading.value = false
  }

  private func show(_ page: Page<Print>, replacing: Bool) {
    let before = replacing ? [] : output.rows.value
    var known = Set(before.map(\.print.id))
    output.rows.value = before + page.items.filter { known.insert($0.id).inserted }.map(row)
    output.page.value = PageStatus(number: page.number, totalPages: page.totalPages)
    let isAtEnd = page.number >= page.totalPages || page.items.isEmpty
    if output.isAtEnd.value != isAtEnd { output.isAtEnd.value = isAtEnd }
  }

  private func row(_ print: Print) -> PrintRow {
    PrintRow(print, basket: basket) { [weak self] in self?.onOpen(print) }
  }
}

/// How far a list that comes by pages has come.
public struct PageStatus: Hashable, Sendable {
  /// Counted from 1.
  public let number: Int
  public let totalPages: Int

  public var text: String { "Page \(number) of \(totalPages)" }
}

extension PrintsViewModel {
  enum Ask {
    case reload, nextPage
  }

  struct Request {
    let page: Int
    let generation: Int
  }

  struct Answer {
    let request: Request
    let page: Result<Page<Print>, APIError>
  }
}
