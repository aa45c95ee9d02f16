import Gallery

/// A service that provides the wall and keeps the list of members whom the user follows.
public protocol SocialServiceProtocol: Sendable {
  /// Fetches the wall.
  func fetchWall() async throws(APIError) -> WallFeed
  /// Follows or unfollows a member. The choice has been stored permanently when the call returns.
  func setFollowing(_ isFollowing: Bool, member: Member.ID) async throws(APIError)
}
