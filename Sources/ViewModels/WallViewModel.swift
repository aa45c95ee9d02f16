import Finding
import FoundationEssentials
import Gallery
import Services
import WorkerPool

/// The wall: photos and the members who post them, newest first, under the days they came.
///
/// Bound by closure hooks; what a row shows live is an ``Observable`` of its own.
@MainActor
public final class WallViewModel {
  public enum State: Hashable, Sendable {
    case idle, loading, loaded
    case failed(APIError)
  }

  /// Called when ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with whether the wall is being fetched, whenever that changes.
  public var onLoading: (Bool) -> Void = { _ in }
  /// Called with the photo to be shown in full.
  public var onOpen: (Photo) -> Void = { _ in }

  public private(set) var state = State.idle {
    didSet {
      if isLoading != (oldValue == .loading) { onLoading(isLoading) }
    }
  }
  public private(set) var rows: [any RowViewModel] = [] {
    didSet { onReload() }
  }

  private let service: any SocialServiceProtocol
  private let calendar: LocalClock
  private var followings: [Member.ID: Following] = [:]
  /// Whose button was pressed since the fetch under way began, or was not answered by then: the fetch may not know.
  private var pressed: Set<Member.ID> = []
  private var stateBeforeFetch = State.idle
  private var generation = 0
  private(set) var fetching: Task<Void, Never>?

  public init(service: any SocialServiceProtocol, calendar: LocalClock = .system) {
    self.service = service
    self.calendar = calendar
  }

  deinit {
    fetching?.cancel()
  }

  public var isLoading: Bool { state == .loading }

  /// Fetches the wall, anew if there is one. Does nothing while a fetch is under way.
  public func fetch() {
    guard !isLoading else { return }
    generation += 1
    let generation = generation
    stateBeforeFetch = state
    pressed = Set(followings.filter { $0.value.asking != nil }.keys)
    state = .loading
    // The hook may have thought better of it.
    guard generation == self.generation else { return }
    fetching = Task.onMainActor { [weak self, service] in
      let answer = await result { () throws(APIError) in try await service.fetchWall() }
      self?.receive(answer, generation: generation)
    }
  }

  /// Abandons the fetch that is under way; what was shown stays.
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
      // Of the same moment, in the service's own order.
      rows = feed.items.enumerated()
        .sorted { ($0.element.date, -$0.offset) > ($1.element.date, -$1.offset) }
        .map { row($0.element, followed: feed.followed) }
      state = .loaded
    case .failure(let error):
      state = .failed(error)
      onAlert(Alert(title: "Can't load the wall", error))
    }
  }

  private func row(_ item: FeedItem, followed: Set<Member.ID>) -> any RowViewModel {
    switch item.content {
    case .photo(let photo, let member):
      return WallPhotoRow(photo, by: member, item: item, calendar: calendar) { [weak self] in self?.onOpen(photo) }
    case .member(let member):
      let following = following(member.id, isFollowing: followed.contains(member.id))
      return MemberRow(member, item: item, calendar: calendar, following: following)
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
