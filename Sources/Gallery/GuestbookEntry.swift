import FoundationEssentials

/// A visitor's name in the guestbook.
public struct GuestbookEntry: Identifiable, Hashable, Sendable {
  public let id: Int64
  public let name: String
  public let date: Date

  public init(id: Int64, name: String, date: Date) {
    self.id = id
    self.name = name
    self.date = date
  }
}
