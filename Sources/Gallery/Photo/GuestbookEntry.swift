import FoundationEssentials

/// The name that a visitor signed in the guestbook.
public struct GuestbookEntry: Identifiable, Hashable, Sendable {
  /// The number of the entry. Later entries have larger numbers.
  public let id: Int64
  /// The name as the visitor typed it.
  public let name: String
  /// The moment of the signature.
  public let date: Date

  /// Creates an entry.
  public init(id: Int64, name: String, date: Date) {
    self.id = id
    self.name = name
    self.date = date
  }
}
