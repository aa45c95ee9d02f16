import Gallery
import Photos

/// The numbers of photos that were taken in each year, in each month and on each day, with the best photo of each.
///
/// ```swift
/// let calendar = await PhotoCalendar(of: snapshot.photos)
/// calendar.periods.map { "\($0.query): \(calendar[$0]?.count ?? 0)" }   // ["date:2017: 2", "date:2017-11: 2", "date:2017-11-30: 2"]
/// ```
public struct PhotoCalendar: Sendable {
  /// A year, a month or a day.
  public struct Period: Hashable, Sendable, Comparable {
    /// The year.
    public let year: Int
    /// The month from 1 to 12; nil for a whole year.
    public let month: Int?
    /// The day from 1 to 31; nil for a whole year or month.
    public let day: Int?

    /// Creates a year, a month or a day.
    public init(year: Int, month: Int? = nil, day: Int? = nil) {
      self.year = year
      self.month = month
      self.day = month == nil ? nil : day
    }

    /// The query that finds the photos.
    public var query: String { "\(QueryField.date.name):\(text)" }

    /// Creates the period of a query such as `date:2017-11`; nil if it is another one.
    public init?(query: String) {
      let parts = query.dropFirst(QueryField.date.name.count + 1).split(separator: "-").map { Int($0) ?? -1 }
      guard (1...3).contains(parts.count) else { return nil }
      self.init(year: parts[0], month: parts.dropFirst().first, day: parts.dropFirst(2).first)
      if start == nil || self.query != query { return nil }
    }

    /// The first day of the period, or nil if the calendar has no such day.
    public var start: CalendarTime? { CalendarTime(year: year, month: month ?? 1, day: day ?? 1) }

    /// The period in digits: `2017`, `2017-11` or `2017-11-30`.
    public var text: String {
      guard let start else { return "\(year)" }
      return month == nil ? start.yearText : day == nil ? start.monthText : start.dayText
    }

    /// Whether the period comes before another one. A year comes before its months, and a month before its days.
    public static func < (first: Self, second: Self) -> Bool {
      (first.year, first.month ?? 0, first.day ?? 0) < (second.year, second.month ?? 0, second.day ?? 0)
    }
  }

  /// The photos of a period.
  public struct Tally: Hashable, Sendable {
    /// The number of photos. The files of a shot count once.
    public fileprivate(set) var count: Int
    /// The best photo: that with the most stars. Of several, it is the sharpest one, and then the earliest one.
    public fileprivate(set) var best: TableIndex
    fileprivate var rank: Rank
  }

  /// The reasons for which a photo is better than another one.
  fileprivate struct Rank: Hashable, Sendable {
    let stars: Int
    let sharpness: Int
    let clock: Double

    func isBetter(than other: Self) -> Bool {
      (stars, sharpness, other.clock) > (other.stars, other.sharpness, clock)
    }
  }

  /// The table with the photos.
  public let photos: PhotoTable
  private var tallies: [Period: Tally] = [:]

  /// Counts the photos of a table. Files that are shown in place of others count once.
  ///
  /// - Parameters:
  ///   - shots: The photos to count, such as those that a search has found; nil for all.
  ///   - sharpness: The sharpness of the photos that were measured, in percent of the sharpest one of their stack. Photos that
  ///     were not measured come after those.
  @concurrent
  public init(of photos: PhotoTable, among shots: [TableIndex]? = nil, sharpness: [Photo.ID: Int] = [:]) async {
    self.photos = photos
    var days: [Int: Tally] = [:]
    func add(_ photo: TableIndex, _ clock: Double) {
      let rank = Rank(
        stars: photos.stars(ofShot: photo) ?? 0,
        sharpness: sharpness.isEmpty ? -1 : sharpness[photos.id(at: photo)] ?? -1, clock: clock)
      // Queries compare clocks with the start of a day, too.
      let known = min(max(clock, CaptureTime.clocks.lowerBound), CaptureTime.clocks.upperBound - 1)
      let day = Int((known / 86_400).rounded(.down))
      let tally = Tally(count: 1, best: photo, rank: rank)
      days[day, default: Tally(count: 0, best: photo, rank: rank)].add(tally)
    }
    if let shots {
      for photo in shots { add(photo, photos.clock(at: photo)) }
    } else {
      let groups = photos.groups
      for (index, clock) in photos.clocks(in: photos.indices).enumerated() where !groups.isHidden(TableIndex(index)) {
        add(TableIndex(index), clock)
      }
    }
    for (day, tally) in days {
      let time = CalendarTime(clock: Double(day) * 86_400)
      for period in [
        Period(year: time.year), Period(year: time.year, month: time.month),
        Period(year: time.year, month: time.month, day: time.day),
      ] { tallies[period, default: Tally(count: 0, best: tally.best, rank: tally.rank)].add(tally) }
    }
  }

  /// The photos of a year, a month or a day; nil if there are none.
  public subscript(period: Period) -> Tally? { tallies[period] }

  /// The years, months and days with photos, the earliest first.
  public var periods: [Period] { tallies.keys.sorted() }
}

extension PhotoCalendar.Tally {
  fileprivate mutating func add(_ other: Self) {
    count += other.count
    if other.rank.isBetter(than: rank) {
      best = other.best
      rank = other.rank
    }
  }
}
