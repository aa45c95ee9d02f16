import Finding
import Gallery
import Photos
import WorkerPool

/// The view model of the calendar: the years, the months of a year, or the days of a month, with the number of photos and the
/// best photo of each.
///
/// ```swift
/// let calendar = CalendarViewModel(list, at: highlighted)
/// calendar.onChange = { screen.setNeedsDisplay() }
/// calendar.recount()
/// calendar.goUp()              // from the days of a month to the months of its year
/// list.search.find(calendar.query)
/// ```
@MainActor
public final class CalendarViewModel {
  /// The periods that are side by side.
  public enum Level: Sendable {
    case years, months, days
  }

  /// A period with what is shown of it.
  public struct Cell {
    /// The year, the month or the day.
    public let period: PhotoCalendar.Period
    /// The name of the period: `2017`, `November` or `30`.
    public let title: String
    /// The number of photos; nil if they are not counted yet.
    public let count: Int?
    /// The row of the best photo; nil if there is none.
    public let best: PhotoRow?
  }

  /// Called when the photos have been counted.
  public var onChange: () -> Void = {}

  /// The periods that are side by side.
  public private(set) var level = Level.days
  /// The periods that are shown, row by row. A month begins with nil for the days of its first week that are in another one.
  public private(set) var cells: [Cell?] = []

  private let list: PhotoListViewModel
  /// The day at the cursor, which is in the month and the year at the cursor.
  private var day: PhotoCalendar.Period
  /// Whether the cursor goes to the last day with photos once they are counted.
  private var awaitsLastDay: Bool
  private var calendar: PhotoCalendar?
  private var years: [Int] = []
  /// Whether the photos have changed since the count has begun.
  private var isOutdated = false
  private(set) var counting: Task<Void, Never>?

  /// The number of years on a page.
  private static let yearsOfPage = 12

  /// - Parameter row: The row of the list whose day is shown first; nil for the last day with photos.
  public init(_ list: PhotoListViewModel, at row: RowIndex?) {
    self.list = list
    let start = row.map { CalendarTime(clock: list.rows.photos.clock(at: list.rows.photoIndex(at: $0))) }
    awaitsLastDay = start == nil
    day = PhotoCalendar.Period(start ?? CalendarTime(clock: 0))
    show()
  }

  deinit { counting?.cancel() }

  /// The number of cells side by side: the days of a week, from Monday on, or some months or years.
  public var columns: Int { level == .days ? 7 : 4 }

  /// The period at the cursor.
  public var cursor: PhotoCalendar.Period {
    switch level {
    case .years: PhotoCalendar.Period(year: day.year)
    case .months: PhotoCalendar.Period(year: day.year, month: day.month)
    case .days: day
    }
  }

  /// The index of the cell at the cursor.
  public var cursorIndex: Int { cells.firstIndex { $0?.period == cursor } ?? 0 }

  /// The cell at the cursor.
  public var chosen: Cell? { cells.indices.contains(cursorIndex) ? cells[cursorIndex] : nil }

  /// The month or the year whose days or months are shown, in words; nil for all years.
  public var title: String? {
    switch level {
    case .years: nil
    case .months: PhotoCalendar.Period(year: day.year).words
    case .days: PhotoCalendar.Period(year: day.year, month: day.month).words
    }
  }

  /// The number of photos in all cells; nil if they are not counted yet.
  public var count: Int? { calendar == nil ? nil : cells.reduce(0) { $0 + ($1?.count ?? 0) } }

  /// The search that lists the photos at the cursor.
  public var query: String { list.search.text(for: cursor) }

  /// The part of the search that is no date, by which the photos are counted; empty if all are.
  public var filter: String { list.search.textWithoutDates }

  /// Counts the photos. Call it again when the list has changed.
  public func recount() {
    if counting != nil {
      isOutdated = true
      return
    }
    counting = Task.onMainActor { [weak self, search = list.search] in
      let calendar = await search.calendar()
      guard let self, !Task.isCancelled else { return }
      counting = nil
      if let calendar { take(calendar) }
      if isOutdated {
        isOutdated = false
        recount()
      }
    }
  }

  private func take(_ calendar: PhotoCalendar) {
    self.calendar = calendar
    years = calendar.periods.filter { $0.month == nil }.map(\.year)
    if awaitsLastDay, let last = calendar.periods.last(where: { $0.day != nil }) {
      awaitsLastDay = false
      day = last
    }
    show()
    onChange()
  }
}

// MARK: - The cursor

extension CalendarViewModel {
  /// Moves the cursor by a number of cells, also into another month or year. It stays in the years with photos, and skips those
  /// without.
  public func move(by cells: Int) {
    switch level {
    case .years: moveByYears(cells)
    case .months: moveByMonths(cells)
    case .days:
      guard let time = day.start else { return }
      go(to: PhotoCalendar.Period(CalendarTime(clock: time.clock + Double(cells) * 86_400)), isBackwards: cells < 0)
    }
  }

  /// Moves the cursor to another month, year or page of years.
  public func turn(by pages: Int) {
    switch level {
    case .years: moveByYears(pages * Self.yearsOfPage)
    case .months: moveByYears(pages)
    case .days: moveByMonths(pages)
    }
  }

  /// Moves the cursor to the first period with photos, or to the last one.
  public func move(toLast isLast: Bool) {
    let periods = periodsOfLevel
    if let period = isLast ? periods.last : periods.first { moveCursor(to: period) }
  }

  /// Moves the cursor to the next period with photos, or to the previous one.
  public func moveToPhotos(isBackwards: Bool = false) {
    let periods = periodsOfLevel
    let next = isBackwards ? periods.last { $0 < cursor } : periods.first { $0 > cursor }
    if let next { moveCursor(to: next) }
  }

  /// Moves the cursor to a cell.
  public func moveCursor(toCell index: Int) {
    if cells.indices.contains(index), let cell = cells[index] { moveCursor(to: cell.period) }
  }

  /// Whether there is a level above.
  public var canGoUp: Bool { level != .years }
  /// Whether there is a level below.
  public var canGoDown: Bool { level != .days }

  /// Shows the months of the year, or all years.
  public func goUp() { show(level == .days ? .months : .years) }

  /// Shows the months of the year at the cursor, or the days of the month. The cursor goes to the first one with photos, unless
  /// the one at which it was before has some.
  public func goDown() {
    let (period, inner): (_, Level) = (cursor, level == .years ? .months : .days)
    show(inner)
    guard calendar?[cursor] == nil, let first = periodsOfLevel.first(where: { $0.isPart(of: period) }) else { return }
    moveCursor(to: first)
  }

  private func show(_ level: Level) {
    self.level = level
    show()
  }

  private var periodsOfLevel: [PhotoCalendar.Period] {
    (calendar?.periods ?? []).filter { ($0.month != nil) == (level != .years) && ($0.day != nil) == (level == .days) }
  }

  private func moveCursor(to period: PhotoCalendar.Period) {
    day =
      PhotoCalendar.Period(
        year: period.year, month: period.month ?? day.month, day: period.day ?? day.day
      ).onCalendar
    show()
  }

  private func moveByMonths(_ count: Int) {
    let month = max(0, day.year * 12 + (day.month ?? 1) - 1 + count)
    go(
      to: PhotoCalendar.Period(year: month / 12, month: month % 12 + 1, day: day.day).onCalendar,
      isBackwards: count < 0)
  }

  private func moveByYears(_ count: Int) {
    guard let place = years.firstIndex(where: { $0 >= day.year }) else { return }
    let year = years[min(max(0, place + count), years.count - 1)]
    go(to: PhotoCalendar.Period(year: year, month: day.month, day: day.day).onCalendar, isBackwards: count < 0)
  }

  /// Goes to a day, or to the nearest one beyond it if its year has no photos. Stays if there is none.
  private func go(to day: PhotoCalendar.Period, isBackwards: Bool) {
    if years.isEmpty || years.contains(day.year) {
      self.day = day
    } else if isBackwards, let year = years.last(where: { $0 < day.year }) {
      self.day = PhotoCalendar.Period(year: year, month: 12, day: 31)
    } else if !isBackwards, let year = years.first(where: { $0 > day.year }) {
      self.day = PhotoCalendar.Period(year: year, month: 1, day: 1)
    }
    show()
  }
}

// MARK: - The cells

extension CalendarViewModel {
  private func show() {
    let year = day.year
    switch level {
    case .years: cells = (years.isEmpty ? [year] : years).map { cell(PhotoCalendar.Period(year: $0)) }
    case .months: cells = (1...12).map { cell(PhotoCalendar.Period(year: year, month: $0)) }
    case .days:
      guard let first = PhotoCalendar.Period(year: year, month: day.month).start else { return }
      cells = Array(repeating: nil, count: first.dayOfWeek)
      cells += (1...first.daysInMonth).map { cell(PhotoCalendar.Period(year: year, month: day.month, day: $0)) }
    }
  }

  private func cell(_ period: PhotoCalendar.Period) -> Cell {
    let tally = calendar?[period]
    let best = tally.flatMap { tally in calendar.map { list.row(of: tally.best, in: $0.photos) } }
    return Cell(period: period, title: period.name, count: calendar == nil ? nil : tally?.count ?? 0, best: best)
  }
}

extension PhotoListViewModel {
  /// Returns a row of a photo that need not be listed.
  fileprivate func row(of shot: TableIndex, in photos: PhotoTable) -> PhotoRow {
    PhotoRow(photos.files(of: shot), photoIndex: shot, context)
  }
}

extension PhotoCalendar.Period {
  fileprivate init(_ time: CalendarTime) { self.init(year: time.year, month: time.month, day: time.day) }

  /// The period, or the last day of its month if that is shorter.
  fileprivate var onCalendar: Self {
    guard let day, let first = Self(year: year, month: month).start else { return self }
    return Self(year: year, month: month, day: min(day, first.daysInMonth))
  }

  fileprivate func isPart(of other: Self) -> Bool {
    year == other.year && (other.month == nil || other.month == month) && (other.day == nil || other.day == day)
  }

  /// The name of the period in the one that it is a part of: `2017`, `November` or `30`.
  fileprivate var name: String {
    guard let month else { return text }
    return day.map(String.init) ?? Self.months[month - 1].text
  }

  /// The period in words: `2017`, `November 2017` or `Thursday, 2017-11-30`.
  public var words: String {
    guard let month else { return text }
    return day == nil ? "\(Self.months[month - 1].text) \(text.prefix(4))" : start?.weekdayText ?? text
  }

  private static let months = [
    LocalizedText("January"), LocalizedText("February"), LocalizedText("March"), LocalizedText("April"),
    LocalizedText("May"), LocalizedText("June"), LocalizedText("July"), LocalizedText("August"),
    LocalizedText("September"), LocalizedText("October"), LocalizedText("November"), LocalizedText("December"),
  ]
}
