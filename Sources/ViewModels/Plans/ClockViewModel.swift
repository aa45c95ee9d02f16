import Gallery
import Photos
import WorkerPool

/// The form that corrects the clock of a camera: by the right time of one photo, by a difference, or by time zones.
///
/// The time and the difference follow each other. What each choice does to the first and the last photo shows at once.
@MainActor
public final class ClockViewModel: Form {
  public var onChange: () -> Void = {}
  public private(set) var fields: [FormField]
  /// The changes that the fields lead to, once they are known.
  public private(set) var plan: ClockPlan?

  private let photo: Photo
  private let former: CaptureTime
  private let scopes: [PhotoScope]
  private let onSubmit: (ClockPlan) -> Void
  private var difference: Double? = 0
  /// The reason why a zone is invalid; nil if both are valid or empty.
  private var zoneFault: String?
  private var planning: Task<Void, Never>?

  private enum Row: Int { case time, difference, cameraZone, zone, scope }

  /// - Parameters:
  ///   - photo: The photo whose right time the user may know.
  ///   - time: The time that it shows.
  ///   - scopes: The choices of photos, of which the first one is proposed.
  ///   - onSubmit: Called with the changes to make.
  init(_ photo: Photo, time: CaptureTime, scopes: [PhotoScope], onSubmit: @escaping (ClockPlan) -> Void) {
    self.photo = photo
    former = time
    self.scopes = scopes
    self.onSubmit = onSubmit
    fields = [
      FormField(localized("Right time"), CaptureTime(clock: time.clock).shownText, hint: "2026-05-03 14:03:20"),
      FormField(localized("Difference"), "", hint: localized("such as +1:00 or -2d 3:00:05")),
      FormField(
        localized("Zone of the clock"), "", hint: time.offset.map { ClockZone(offset: $0).name } ?? localized("unknown")
      ),
      FormField(
        localized("Zone of the photos"), "", hint: localized("that of the clock, or such as +02:00 or Asia/Tokyo")),
      FormField(localized("Photos"), scopes[0].text, of: scopes.map(\.text)),
    ]
    renew()
  }

  public var title: String { localized("Time of \(photo.displayName)") }
  public let button = localized("Correct the time")

  public func set(_ value: String, of field: Int) {
    fields[field].value = value
    switch Row(rawValue: field) {
    case .time:
      // A difference is understood here, too.
      let isDifference = value.hasPrefix("+") || value.hasPrefix("-")
      difference =
        isDifference
        ? ClockDifference(value)?.seconds
        : CaptureTime(typed: value, day: former).map { $0.clock - former.clock.rounded(.down) }
      if let difference {
        fields[Row.difference.rawValue].value = difference == 0 ? "" : ClockDifference(seconds: difference).text
      }
    case .difference:
      difference = value.isEmpty ? 0 : ClockDifference(value)?.seconds
      if let difference {
        fields[Row.time.rawValue].value = CaptureTime(clock: former.clock + difference).shownText
      }
    default: break
    }
    renew()
  }

  /// Reads the zones, whose rules are in files, and plans the changes.
  private func renew() {
    plan = nil
    planning?.cancel()
    let names = (value(.cameraZone), value(.zone))
    let shots = scopes.first { $0.text == value(.scope) }?.shots ?? []
    planning = Task.onMainActor { [weak self, difference] in
      let outcome = await Task(executorPreference: WorkerPool.shared) {
        let zones = (ClockZone(names.0), ClockZone(names.1))
        var correction = ClockCorrection()
        correction.difference = difference ?? 0
        correction.cameraZone = zones.0
        correction.zone = zones.1
        let bad = [(names.0, zones.0), (names.1, zones.1)].first { !$0.0.isEmpty && $0.1 == nil }?.0
        return (bad, bad == nil && difference != nil ? ClockPlan(correction, forShots: shots) : nil)
      }.value
      guard let self, !Task.isCancelled else { return }
      zoneFault = outcome.0.map { localized("There is no time zone “\($0.printable)”.") }
      plan = outcome.1
      onChange()
    }
  }

  private func value(_ row: Row) -> String { fields[row.rawValue].value }

  public var fault: String? {
    if difference == nil {
      return CaptureTime(typed: value(.time), day: former) == nil
        ? localized("Write the time as 2026-05-03 14:03:20 or 14:03:20.")
        : localized("Write the difference as +1:00:00 or -2d 3:00.")
    }
    if let zoneFault { return zoneFault }
    guard let plan else { return localized("The new times are computed…") }
    if plan.correction.isEmpty { return localized("Change the time, the difference or a zone.") }
    if plan.changes.isEmpty {
      return plan.zonelessCount > 0
        ? localized("The time zone of the clock is unknown. Name it.") : localized("No time changes.")
    }
    return nil
  }

  public var preview: [String] {
    guard let plan else { return [] }
    let count = plan.photoCount > 1 ? [localized("\(plan.photoCount.photosText) change:")] : []
    return plan.changes.isEmpty ? plan.lines : count + plan.lines
  }

  public func submit() { if let plan, fault == nil { onSubmit(plan) } }
}

extension CaptureTime {
  /// Reads a time as the user types it: `2026-05-03 14:03:20`, `14:03:20` or `14:03`. A time alone is that of the same day.
  public init?(typed text: String, day former: CaptureTime) {
    let words = text.split(separator: " ").joined(separator: " ")
    let isWhole = words.contains(" ") || words.contains("T")
    let written = isWhole ? words : "\(CalendarTime(clock: former.clock).dayText) \(words)"
    guard let time = Self.strict(written) else { return nil }
    self = time
  }

  private static func strict(_ text: String) -> CaptureTime? {
    var text = text
    return text.withUTF8(CaptureTime.init(iso8601:))
  }
}
