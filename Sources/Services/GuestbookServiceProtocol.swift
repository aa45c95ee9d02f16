import Gallery

/// Who keeps the guestbook, and the visitor's name.
public protocol GuestbookServiceProtocol: Sendable {
  /// Newest first.
  func entries() async throws(APIError) -> [GuestbookEntry]
  /// Who signed last in this account; nil before anybody did.
  func visitor() async throws(APIError) -> String?
  /// Writes a name into the book, and remembers it as the visitor's.
  func sign(_ name: String) async throws(APIError) -> GuestbookEntry
}
