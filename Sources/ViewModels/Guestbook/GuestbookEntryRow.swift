import Gallery

/// An entry of the guestbook.
public final class GuestbookEntryRow: RowViewModel {
  public let id: AnyHashable
  public let section: String?
  /// The name that was signed.
  public let name: String
  /// The date and time of the entry, such as `Sunday, 2003-12-14 at 12:01`.
  public let date: String
  /// The date and time for narrow screens, such as `2003-12-14 12:01`.
  public let shortDate: String
  public var words: [String] { [name, date] }

  init(_ entry: GuestbookEntry, calendar: LocalClock) {
    id = entry.id
    section = localized("Signed by")
    name = entry.name
    date = calendar.weekdayAndMinute(of: entry.date)
    shortDate = calendar.minute(of: entry.date)
  }
}
