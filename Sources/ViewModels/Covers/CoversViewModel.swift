import Gallery
import Services
import WorkerPool

/// The view model of the covers room, which finds album covers by searching music.
@MainActor
public final class CoversViewModel: ViewModelType {
  /// The user's actions in the room.
  @MainActor
  public struct Input {
    /// The term while it is typed. A term is searched for after 0.3 s without a change.
    public let term: Subject<String>
    /// A term to search for at once.
    public let submit: Subject<String>

    /// Creates an input from its events.
    public init(term: Subject<String>, submit: Subject<String>) {
      self.term = term
      self.submit = submit
    }
  }

  /// The content of the room, and the events that it shows.
  @MainActor
  public struct Output {
    /// The tracks of the last search that succeeded. The tracks of an album follow each other.
    public let rows: Observable<[any FoundTrackRow]>
    /// The progress of the last search.
    public let state: Observable<State>
    /// The errors of failed searches, and the names of pressed covers.
    public let alerts: Signal<Alert>
  }

  /// The progress of a search.
  public enum State: Hashable, Sendable {
    case idle
    case searching(String)
    /// The search has failed, and the service tries again.
    case retrying(String, APIError)
    /// The number of albums was found.
    case found(String, count: Int)
    case failed(String, APIError)

    /// Whether a search is in progress.
    public var isLoading: Bool {
      switch self {
      case .searching, .retrying: true
      case .idle, .found, .failed: false
      }
    }

    /// The term of the search, or nil before the first one.
    public var term: String? {
      switch self {
      case .idle: nil
      case .searching(let term), .retrying(let term, _), .found(let term, _), .failed(let term, _): term
      }
    }
  }

  @Published private var rows: [any FoundTrackRow] = []
  @Published private var state = State.idle
  private let alerts = Subject<Alert>()

  private let service: any MusicServiceProtocol
  /// The number of the current search. An answer to an earlier one is ignored.
  private var generation = 0
  private let typingDelay: Debounce
  private var subscriptions: [Subscription] = []
  /// The current search. The next one cancels it.
  private var searching: Task<Void, Never>?

  /// Creates a view model that searches for nothing before ``transform(_:)`` is called.
  ///
  /// - Parameter clock: The clock that delays searches for `term`.
  public init(service: any MusicServiceProtocol, clock: any Clock<Duration>) {
    self.service = service
    typingDelay = Debounce(.milliseconds(300), clock: clock)
  }

  deinit {
    searching?.cancel()
  }

  /// Binds the input and searches for an empty term. The input of an earlier call is no longer bound.
  ///
  /// A bundled collection answers an empty term with all of its tracks, a server on the web with none.
  public func transform(_ input: Input) -> Output {
    typingDelay.cancel()
    searching?.cancel()
    state = .idle
    subscriptions = [
      input.term.bind { [weak self] term in
        self?.typingDelay.run { self?.handle(.typed(term)) }
      },
      input.submit.bind { [weak self] term in self?.handle(.submitted(term)) },
    ]
    handle(.submitted(""))
    return Output(rows: $rows, state: $state, alerts: alerts)
  }

  private func handle(_ ask: Ask) {
    if let search = begin(ask) { fetch(search) }
  }

  private func fetch(_ search: Search) {
    searching?.cancel()
    let onRetry = { @Sendable [weak self] (error: APIError) -> Void in
      Task.onMainActor { [weak self] in self?.retry(search, after: error) }
    }
    searching = Task.onMainActor { [weak self, service] in
      let tracks = await result { () throws(APIError) in try await service.search(search.term, onRetry: onRetry) }
      if !Task.isCancelled { self?.receive(Answer(search: search, tracks: tracks)) }
    }
  }

  /// Returns the search that an event leads to, or nil if the term is already being searched for.
  func begin(_ ask: Ask) -> Search? {
    let isSame = ask.term == state.term
    switch ask {
    case .typed: if isSame { return nil }
    case .submitted: if isSame, state.isLoading { return nil }
    }
    generation += 1
    state = .searching(ask.term)
    return Search(term: ask.term, generation: generation)
  }

  /// Shows that the current search has failed and is tried again. Ignores earlier searches.
  func retry(_ search: Search, after error: APIError) {
    if search.generation == generation, state.isLoading { state = .retrying(search.term, error) }
  }

  /// Shows the answer to the current search. Ignores answers to earlier searches.
  func receive(_ answer: Answer) {
    guard answer.search.generation == generation else { return }
    switch answer.tracks {
    case .success(let tracks):
      let albums = FoundAlbum.albums(of: tracks)
      rows = albums.flatMap(rows)
      state = .found(answer.search.term, count: albums.count)
    case .failure(let error):
      state = .failed(answer.search.term, error)
      alerts.send(Alert(title: localized("Search error"), error))
    }
  }

  private func rows(of album: FoundAlbum) -> [any FoundTrackRow] {
    zip(album.tracks, album.shortNames).enumerated().map { index, pair in
      let (track, name) = pair
      let onPress = { [weak self] () -> Void in
        self?.alerts.send(
          Alert(title: localized("Tapped: \(track.collectionName)"), message: localized("music: \(track.trackName)")))
      }
      return index == 0
        ? CoverRow(album, track: name, onPress: onPress)
        : TrackRow(name, id: track.id, on: album, onPress: onPress)
    }
  }
}

extension CoversViewModel {
  /// An event of the input.
  enum Ask {
    case typed(String)
    case submitted(String)

    /// The term without leading and trailing spaces.
    var term: String {
      switch self {
      case .typed(let term), .submitted(let term): term.trimmed
      }
    }
  }

  /// A search for one term.
  struct Search {
    let term: String
    let generation: Int
  }

  /// The answer to a search.
  struct Answer {
    let search: Search
    let tracks: Result<[Track], APIError>
  }
}
