import Gallery
import Services
import WorkerPool

/// The follow state of one member. All rows of the member share it.
@MainActor
final class Following {
  @Published private(set) var state: FollowState

  private let member: Member.ID
  private let service: any SocialServiceProtocol
  private let onPress: () -> Void
  private let onAlert: (Alert) -> Void
  /// The request that has not been answered yet.
  private(set) var asking: Task<Void, Never>?

  /// Creates the state of a member.
  ///
  /// - Parameters:
  ///   - onPress: Called before a request is sent.
  ///   - onAlert: Called with the error of a request that failed.
  init(
    member: Member.ID, isFollowing: Bool, service: any SocialServiceProtocol,
    onPress: @escaping () -> Void, onAlert: @escaping (Alert) -> Void
  ) {
    self.member = member
    self.service = service
    self.onPress = onPress
    self.onAlert = onAlert
    state = FollowState(isFollowing: isFollowing)
  }

  /// Follows or unfollows the member. Does nothing while a request is unanswered.
  func toggle() {
    switch state {
    case .notFollowing: ask(toFollow: true)
    case .following: ask(toFollow: false)
    case .asking: break
    }
  }

  /// Updates the state with what the service reported, unless a request is unanswered.
  func update(isFollowing: Bool) {
    let new = FollowState(isFollowing: isFollowing)
    if asking == nil, state != new { state = new }
  }

  private func ask(toFollow: Bool) {
    onPress()
    // The task keeps this object alive: the request is completed even if the wall is gone by then.
    asking = Task.onMainActor { [self, service, member] in
      do throws(APIError) {
        try await service.setFollowing(toFollow, member: member)
        asking = nil
        state = FollowState(isFollowing: toFollow)
      } catch {
        asking = nil
        state = FollowState(isFollowing: !toFollow)
        onAlert(
          Alert(title: toFollow ? localized("Can't follow") : localized("Can't unfollow"), message: error.message))
      }
    }
    state = .asking(toFollow: toFollow)
  }
}
