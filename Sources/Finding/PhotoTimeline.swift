import Gallery
import Photos

/// The numbers of photos that were taken in each year and month.
///
/// ```swift
/// let timeline = await PhotoTimeline(of: snapshot.photos)
/// timeline.periods.map { "\($0.query): \($0.count)" }   // ["date:2017: 3", "date:2017-11: 2", "date:2017-06: 1"]
/// ```
public struct PhotoTimeline: Sendable {
  /// A year or a month.
  public struct Period: Hashable, Sendable {
    /// The year.
    public let year: Int
    /// The month from 1 to 12; nil for the whole year.
    public let month: Int?
    /// The number of photos.
    public let count: Int

    /// The query that finds the photos.
    public var query: String { "\(QueryField.date.name):\(text)" }

    /// The period in digits: `2017` or `2017-11`.
    public var text: String {
      guard let time = CalendarTime(year: year, month: month ?? 1, day: 1) else { return "\(year)" }
      return month == nil ? time.yearText : time.monthText
    }
  }

  /// The years and months with photos, the latest first. Each year comes before its months.
  public let periods: [Period]
  /// The largest number of photos in a month.
  public let mostInMonth: Int

  /// Counts the photos of a table. Files that are shown in place of others count once.
  @concurrent
  public init(of photos: PhotoTable) async {
    var counts: [Int: Int] = [:]
    for (index, clock) in photos.clocks(in: photos.indices).enumerated()
    where !photos.groups.isHidden(TableIndex(index)) {
      let time = CalendarTime(clock: clock)
      counts[time.year * 12 + time.month - 1, default: 0] += 1
    }
    var periods: [Period] = []
    for (month, count) in counts.sorted(by: { $0.key > $1.key }) {
      let year = month / 12
      if periods.last?.year != year {
        let all = counts.filter { $0.key / 12 == year }.reduce(0) { $0 + $1.value }
        periods.append(Period(year: year, month: nil, count: all))
      }
      periods.append(Period(year: year, month: month % 12 + 1, count: count))
    }
    self.periods = periods
    mostInMonth = counts.values.max() ?? 0
  }
}
