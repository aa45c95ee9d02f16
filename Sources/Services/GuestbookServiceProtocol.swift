import Gallery

/// A service that keeps the guestbook and the visitor's name.
public protocol GuestbookServiceProtocol: Sendable {
  /// Returns the guestbook's entries, newest first.
  func entries() async throws(APIError) -> [GuestbookEntry]
  /// Returns the last name that was signed with this account, or nil before the first signature.
  func visitor() async throws(APIError) -> String?
  /// Adds a name to the guestbook, remembers it as the visitor's name and returns the new entry.
  func sign(_ name: String) async throws(APIError) -> GuestbookEntry
}
