import Finding
import Gallery
import Terminal
import ViewModels
import WorkerPool

extension FindPopup {
  /// The most columns of a bar.
  private static var barColumns: Int { 24 }

  /// Makes the list of the years and months in which photos were taken, each with a bar.
  ///
  /// - Parameter onChoice: Called with the query for the photos of the period that the user chooses.
  static func timeline(
    of search: PhotoSearchViewModel, host: any RoomHost, onChoice: @escaping (String) -> Void
  ) -> FindPopup {
    var periods: [PhotoTimeline.Period] = []
    let popup = FindPopup(
      name: localized("Timeline"), hint: localized("Type a year or a month"), entries: [],
      notice: [localized("The photos are counted…")],
      noMatch: noMonth(matching:), hints: [.moveUp, .press, .close], keys: host.keys
    ) { onChoice(periods[$0].query) }
    popup.choiceLabel = localized("Show")
    Task.onMainActor { [weak popup, weak host] in
      let timeline = await search.timeline()
      periods = timeline.periods
      popup?.entries = periods.map { period in
        let bar = period.month == nil ? "" : Self.bar(for: period.count, of: timeline.mostInMonth)
        return Entry(texts: .init(title: period.title, words: period.text), note: "\(bar) \(period.count.grouped)")
      }
      host?.setNeedsDisplay()
    }
    return popup
  }

  /// Returns a bar with a blank for each column that it does not fill.
  private static func bar(for count: Int, of most: Int) -> String {
    let columns = max(1, barColumns * count / max(1, most))
    return String(repeating: "█", count: columns) + String(repeating: " ", count: barColumns - columns)
  }

  private static func noMonth(matching text: String) -> [String] {
    [localized("No photo was taken in “\(text)”.")]
  }
}

extension PhotoTimeline.Period {
  /// The period in words: "2017" or "November 2017".
  fileprivate var title: String {
    guard let month else { return text }
    return "  \(Self.months[month - 1].text) \(year)"
  }

  private static let months = [
    LocalizedText("January"), LocalizedText("February"), LocalizedText("March"), LocalizedText("April"),
    LocalizedText("May"), LocalizedText("June"), LocalizedText("July"), LocalizedText("August"),
    LocalizedText("September"), LocalizedText("October"), LocalizedText("November"), LocalizedText("December"),
  ]
}
