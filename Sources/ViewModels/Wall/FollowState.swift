/// Whether the user follows a member.
public enum FollowState: Hashable, Sendable {
  case notFollowing, following
  /// The change has been requested, and the service has not answered yet.
  case asking(toFollow: Bool)

  init(isFollowing: Bool) {
    self = isFollowing ? .following : .notFollowing
  }
}
