import Finding
import Gallery
import Services
import WorkerPool

/// Whether the person follows a member.
public enum FollowState: Hashable, Sendable {
  case notFollowing, following
  /// The service was asked to make it so, and has not answered.
  case asking(toFollow: Bool)

  init(isFollowing: Bool) {
    self = isFollowing ? .following : .notFollowing
  }
}

/// Following one member: shared by all rows that show this member.
@MainActor
final class Following {
  let state: Observable<FollowState>

  private let member: Member.ID
  private let service: any SocialServiceProtocol
  private let onPress: () -> Void
  private let onAlert: (Alert) -> Void
  private(set) var asking: Task<Void, Never>?

  init(
    member: Member.ID, isFollowing: Bool, service: any SocialServiceProtocol,
    onPress: @escaping () -> Void, onAlert: @escaping (Alert) -> Void
  ) {
    self.member = member
    self.service = service
    self.onPress = onPress
    self.onAlert = onAlert
    state = Observable(FollowState(isFollowing: isFollowing))
  }

  /// Follows or no longer; nothing while the service has yet to answer.
  func toggle() {
    switch state.value {
    case .notFollowing: ask(toFollow: true)
    case .following: ask(toFollow: false)
    case .asking: break
    }
  }

  /// Takes over what the service says of itself, unless it has been asked to change that.
  func update(isFollowing: Bool) {
    let new = FollowState(isFollowing: isFollowing)
    if asking == nil, state.value != new { state.value = new }
  }

  private func ask(toFollow: Bool) {
    onPress()
    // What was asked for is done, also when the wall is no longer there to show it.
    asking = Task.onMainActor { [self, service, member] in
      do throws(APIError) {
        try await service.setFollowing(toFollow, member: member)
        asking = nil
        state.value = FollowState(isFollowing: toFollow)
      } catch {
        asking = nil
        state.value = FollowState(isFollowing: !toFollow)
        onAlert(Alert(message: error.message))
      }
    }
    state.value = .asking(toFollow: toFollow)
  }
}
