import FoundationEssentials
import Gallery
import Services
import Store

/// The guestbook of this account, saved in the stores.
public struct KeptGuestbook: GuestbookServiceProtocol {
  private let book: GuestbookStore
  private let state: StateStore
  private let now: @Sendable () -> Date

  /// Creates a guestbook.
  /// - Parameters:
  ///   - book: The store of the entries.
  ///   - state: The store of the visitor's name.
  ///   - now: Returns the date of a new entry.
  public init(book: GuestbookStore, state: StateStore, now: @escaping @Sendable () -> Date = { .now }) {
    self.book = book
    self.state = state
    self.now = now
  }

  /// Returns all entries.
  public func entries() async throws(APIError) -> [GuestbookEntry] { try await book.entries() }

  /// Returns the name that the user signed with last, or nil if there is none.
  public func visitor() async throws(APIError) -> String? { try await state.visitor() }

  /// Saves the visitor's name, and adds an entry with it.
  public func sign(_ name: String) async throws(APIError) -> GuestbookEntry {
    // The name is saved first: if an error is thrown, the book contains no entry that the user believes lost.
    try await state.setVisitor(name)
    return try await book.add(name, date: now())
  }
}
