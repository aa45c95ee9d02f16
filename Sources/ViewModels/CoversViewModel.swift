import Finding
import Gallery
import Services
import WorkerPool

/// Album covers found by searching music.
///
/// Bound as input → output. The newest search wins over one under way.
@MainActor
public final class CoversViewModel {
  @MainActor
  public struct Input {
    /// The term as it is typed. It is searched when it has stood for 0.3 s.
    public let term: Subject<String>
    /// The term to be searched at once.
    public let submit: Subject<String>

    public init(term: Subject<String>, submit: Subject<String>) {
      self.term = term
      self.submit = submit
    }
  }

  @MainActor
  public struct Output {
    public let rows = Observable<[CoverRow]>([])
    public let state = Observable(State.idle)
  }

  public enum State: Hashable, Sendable {
    case idle
    case searching(String)
    case found(String, count: Int)
    case failed(String, APIError)

    public var isLoading: Bool {
      if case .searching = self { true } else { false }
    }

    /// What is, or was last, searched.
    public var term: String? {
      switch self {
      case .idle: nil
      case .searching(let term), .found(let term, _), .failed(let term, _): term
      }
    }
  }

  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }

  private let service: any MusicServiceProtocol
  private var output = Output()
  /// Counts the searches, so that the answer to an abandoned one is known for what it is.
  private var generation = 0
  private let typingDelay: Debounce
  private var subscriptions: [Subscription] = []
  /// The newest search; one before it is abandoned.
  private var searching: Task<Void, Never>?

  public init(service: any MusicServiceProtocol, clock: any Clock<Duration>) {
    self.service = service
    typingDelay = Debounce(.milliseconds(300), clock: clock)
  }

  deinit { searching?.cancel() }

  /// Binds the room, and searches for nothing in particular: a bundled collection shows all it has, a service far away
  /// is not asked before there is a term. A room bound before is let go.
  public func transform(_ input: Input) -> Output {
    typingDelay.cancel()
    searching?.cancel()
    output = Output()
    subscriptions = [
      input.term.bind { [weak self] term in
        self?.typingDelay.run { self?.handle(.typed(term)) }
      },
      input.submit.bind { [weak self] term in self?.handle(.submitted(term)) },
    ]
    handle(.submitted(""))
    return output
  }

  private func handle(_ ask: Ask) {
    if let search = begin(ask) { fetch(search) }
  }

  private func fetch(_ search: Search) {
    searching?.cancel()
    searching = Task.onMainActor { [weak self, service] in
      let tracks = await result { () throws(APIError) in try await service.search(search.term) }
      if !Task.isCancelled { self?.receive(Answer(search: search, tracks: tracks)) }
    }
  }

  /// The search that an ask leads to, if any: what was submitted is not searched again because it was also typed.
  func begin(_ ask: Ask) -> Search? {
    let isSame = ask.term == output.state.value.term
    switch ask {
    case .typed: if isSame { return nil }
    case .submitted: if isSame, output.state.value.isLoading { return nil }
    }
    generation += 1
    output.state.value = .searching(ask.term)
    return Search(term: ask.term, generation: generation)
  }

  func receive(_ answer: Answer) {
    guard answer.search.generation == generation else { return }
    switch answer.tracks {
    case .success(let tracks):
      output.rows.value = tracks.map(row)
      output.state.value = .found(answer.search.term, count: tracks.count)
    case .failure(let error):
      output.state.value = .failed(answer.search.term, error)
      onAlert(Alert(title: "Search error", error))
    }
  }

  private func row(_ track: Track) -> CoverRow {
    CoverRow(track) { [weak self] in
      self?.onAlert(Alert(title: "Tapped: \(track.collectionName)", message: "music: \(track.trackName)"))
    }
  }
}

extension CoversViewModel {
  enum Ask {
    case typed(String)
    case submitted(String)

    /// Without the spaces around it.
    var term: String {
      switch self {
      case .typed(let term), .submitted(let term): term.trimmed
      }
    }
  }

  struct Search {
    let term: String
    let generation: Int
  }

  struct Answer {
    let search: Search
    let tracks: Result<[Track], APIError>
  }
}
