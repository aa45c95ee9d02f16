import FoundationEssentials
import Gallery
import Services
import Store

/// The guestbook of this account, kept in the stores.
public struct KeptGuestbook: GuestbookServiceProtocol {
  private let book: GuestbookStore
  private let state: StateStore
  private let now: @Sendable () -> Date

  /// - Parameter now: The time of an entry.
  public init(book: GuestbookStore, state: StateStore, now: @escaping @Sendable () -> Date = { .now }) {
    self.book = book
    self.state = state
    self.now = now
  }

  public func entries() async throws(APIError) -> [GuestbookEntry] { try await book.entries() }

  public func visitor() async throws(APIError) -> String? { try await state.visitor() }

  public func sign(_ name: String) async throws(APIError) -> GuestbookEntry {
    // The name first: should the second fail, no entry stands in the book that was said not to be kept.
    try await state.setVisitor(name)
    return try await book.add(name, date: now())
  }
}
