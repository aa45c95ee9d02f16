import Gallery

/// An entry of the guestbook.
public final class GuestbookEntryRow: RowViewModel {
  public let id: AnyHashable
  public let section: String?
  /// The name that was signed.
  public let name: String
  /// The date and time of the entry in the format yyyy-MM-dd HH:mm.
  public let date: String

  init(_ entry: GuestbookEntry, calendar: LocalClock) {
    id = entry.id
    section = "Signed by"
    name = entry.name
    date = calendar.minute(of: entry.date)
  }
}
