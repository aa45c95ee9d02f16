import Gallery

/// Where the wall comes from, and who keeps whom the person follows.
public protocol SocialServiceProtocol: Sendable {
  func fetchWall() async throws(APIError) -> WallFeed
  /// Follows a member, or no longer. When it returns, that is kept for good.
  func setFollowing(_ isFollowing: Bool, member: Member.ID) async throws(APIError)
}
