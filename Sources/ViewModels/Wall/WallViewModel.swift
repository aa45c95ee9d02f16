import FoundationEssentials
import Gallery
import Services
import WorkerPool

/// The view model of the wall: photos and the members who post them, newest first, in sections by day.
///
/// A screen sets the closure hooks before it fetches. A hook reports that something has changed; the properties say what
/// to show. The state of a follow button is an ``Observable`` of its row.
@MainActor
public final class WallViewModel {
  /// Called after ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with an alert to show.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with ``isLoading`` whenever it changes.
  public var onLoading: (Bool) -> Void = { _ in }
  /// Called with a photo to show in full.
  public var onOpen: (Photo) -> Void = { _ in }

  /// The progress of the last fetch.
  public private(set) var state = FetchState.idle {
    didSet {
      if isLoading != (oldValue == .loading) { onLoading(isLoading) }
    }
  }
  /// The rows of the wall: ``WallPhotoRow`` and ``MemberRow``.
  public private(set) var rows: [any RowViewModel] = [] {
    didSet { onReload() }
  }

  private let service: any SocialServiceProtocol
  private let calendar: LocalClock
  private var followings: [Member.ID: Following] = [:]
  /// The members with a request that the current fetch may not know of: it was sent since, or was unanswered then.
  private var pressed: Set<Member.ID> = []
  private var stateBeforeFetch = FetchState.idle
  /// The number of the current fetch. An answer to an earlier one is ignored.
  private var generation = 0
  private(set) var fetching: Task<Void, Never>?

  /// Creates an empty wall.
  public init(service: any SocialServiceProtocol, calendar: LocalClock = .system) {
    self.service = service
    self.calendar = calendar
  }

  deinit {
    fetching?.cancel()
  }

  /// Whether a fetch is in progress.
  public var isLoading: Bool { state == .loading }

  /// Fetches the wall. Does nothing while a fetch is in progress.
  public func fetch() {
    guard !isLoading else { return }
    generation += 1
    let generation = generation
    stateBeforeFetch = state
    pressed = Set(followings.filter { $0.value.asking != nil }.keys)
    state = .loading
    // `onLoading` may have canceled the fetch.
    guard generation == self.generation else { return }
    fetching = Task.onMainActor { [weak self, service] in
      let answer = await result { () throws(APIError) in try await service.fetchWall() }
      self?.receive(answer, generation: generation)
    }
  }

  /// Cancels the fetch in progress. The rows stay as they are.
  public func cancelFetch() {
    guard isLoading else { return }
    generation += 1
    fetching?.cancel()
    state = stateBeforeFetch
  }

  private func receive(_ answer: Result<WallFeed, APIError>, generation: Int) {
    guard generation == self.generation else { return }
    switch answer {
    case .success(let feed):
      for (member, following) in followings where !pressed.contains(member) {
        following.update(isFollowing: feed.followed.contains(member))
      }
      // Items with the same date keep the order of the service.
      let items = feed.items.enumerated()
        .sorted { ($0.element.date, -$0.offset) > ($1.element.date, -$1.offset) }.map(\.element)
      var posted: [Member.ID: [Photo]] = [:]
      for case .photo(let photo, let member) in items.map(\.content) { posted[member.id, default: []].append(photo) }
      rows = items.map { row($0, posted: posted, followed: feed.followed) }
      state = .loaded
    case .failure(let error):
      state = .failed(error)
      onAlert(Alert(title: localized("Can't load the wall"), error))
    }
  }

  private func row(
    _ item: FeedItem, posted: [Member.ID: [Photo]], followed: Set<Member.ID>
  ) -> any RowViewModel {
    switch item.content {
    case .photo(let photo, let member):
      return WallPhotoRow(photo, by: member, item: item, calendar: calendar) { [weak self] in self?.onOpen(photo) }
    case .member(let member):
      let following = following(member.id, isFollowing: followed.contains(member.id))
      return MemberRow(
        member, posted: posted[member.id] ?? [], item: item, calendar: calendar, following: following)
    }
  }

  private func following(_ member: Member.ID, isFollowing: Bool) -> Following {
    if let known = followings[member] { return known }
    let following = Following(
      member: member, isFollowing: isFollowing, service: service,
      onPress: { [weak self] in self?.pressed.insert(member) },
      onAlert: { [weak self] in self?.onAlert($0) })
    followings[member] = following
    return following
  }
}
