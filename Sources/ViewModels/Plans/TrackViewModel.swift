import Gallery
import Photos
import Services
import WorkerPool

/// The form that gives photos positions from the track of a GPS receiver.
@MainActor
public final class TrackViewModel: Form {
  public var onChange: () -> Void = {}
  public private(set) var fields: [FormField]
  /// The changes that the fields lead to, once they are known.
  public private(set) var plan: TrackPlan?

  private let scopes: [PhotoScope]
  private let service: any TrackServiceProtocol
  private let folders: DestinationViewModel
  private let onSubmit: (TrackPlan) -> Void
  /// The tracks that have been read, and their path.
  private var tracks: (path: FilePath, tracks: [NamedTrack])?
  private var obstacle: String?
  private var planning: Task<Void, Never>?

  private enum Row: Int { case track, limit, zone, places, scope }

  private static let keeping = LocalizedText("keep those that are there")
  private static let replacing = LocalizedText("replace those that are there")

  /// - Parameters:
  ///   - folder: The open folder, in which tracks are looked for first.
  ///   - scopes: The choices of photos, of which the first one is proposed.
  ///   - folders: The folders that complete the field.
  ///   - onSubmit: Called with the changes to make.
  init(
    folder: FilePath?, scopes: [PhotoScope], service: any TrackServiceProtocol, folders: DestinationViewModel,
    onSubmit: @escaping (TrackPlan) -> Void
  ) {
    self.scopes = scopes
    self.service = service
    self.folders = folders
    self.onSubmit = onSubmit
    fields = [
      FormField(
        localized("GPS track"), folder.map { "\($0.printable)/" } ?? "",
        hint: localized("a GPX, KML or NMEA file, or a folder of them")
      ),
      FormField(localized("Farthest"), "5m", hint: localized("the time to the nearest point")),
      FormField(localized("Zone of the clock"), "", hint: localized("guessed, or such as +02:00 or Asia/Tokyo")),
      FormField(localized("Positions"), Self.keeping.text, of: [Self.keeping.text, Self.replacing.text]),
      FormField(localized("Photos"), scopes[0].text, of: scopes.map(\.text)),
    ]
    renew()
  }

  public let title = localized("Positions from a track")
  public let button = localized("Add the positions")

  public func set(_ value: String, of field: Int) {
    fields[field].value = value
    renew()
  }

  public func folders(of field: Int) -> DestinationViewModel? { field == Row.track.rawValue ? folders : nil }

  /// Reads the track and the zone, which are in files, and plans the changes.
  private func renew() {
    plan = nil
    obstacle = nil
    planning?.cancel()
    let limit = ClockDifference(value(.limit))?.seconds ?? 0
    guard let path = folders.folder(of: value(.track)), limit > 0 else { return }
    let known = tracks?.path == path ? tracks?.tracks : nil
    let (zone, replaces) = (value(.zone), value(.places) == Self.replacing.text)
    let shots = scopes.first { $0.text == value(.scope) }?.shots ?? []
    planning = Task.onMainActor { [weak self, service] in
      do throws(TrackFault) {
        let read = if let known { known } else { try await service.tracks(at: path) }
        if Task.isCancelled { return }
        self?.tracks = (path, read)
        let plan = await Task(executorPreference: WorkerPool.shared) { () -> TrackPlan? in
          var rules = TrackPlan.Rules()
          rules.limit = limit
          rules.replaces = replaces
          rules.zone = ClockZone(zone)
          return zone.isEmpty || rules.zone != nil ? TrackPlan(read, rules, forShots: shots) : nil
        }.value
        if Task.isCancelled { return }
        self?.plan = plan
        if plan == nil { self?.obstacle = localized("There is no time zone “\(zone.printable)”.") }
      } catch {
        if Task.isCancelled { return }
        self?.obstacle = error.message
      }
      self?.onChange()
    }
  }

  private static func filesText(_ count: Int) -> String {
    localized("\(count.grouped) track", plural: "\(count.grouped) tracks", count: count)
  }

  private func value(_ row: Row) -> String { fields[row.rawValue].value }

  public var fault: String? {
    if value(.track).isEmpty { return localized("Name a track, or a folder of tracks.") }
    if (ClockDifference(value(.limit))?.seconds ?? 0) <= 0 {
      return localized("Write the time to the nearest point as 5m or 300s.")
    }
    if let obstacle { return obstacle }
    guard let plan else { return localized("The track is read…") }
    return plan.changes.isEmpty ? localized("No photo gets a position.") : nil
  }

  public var preview: [String] {
    guard let plan else { return [] }
    let tracks = tracks?.tracks ?? []
    let span = tracks.compactMap(\.track.moments)
    let points = tracks.reduce(0) { $0 + $1.track.points.count }
    let ends = span.map(\.lowerBound).min().flatMap { first in span.map(\.upperBound).max().map { (first, $0) } }
    let times =
      ends.map { " · \(CalendarTime(clock: $0).minuteText) – \(CalendarTime(clock: $1).minuteText) UTC" } ?? ""
    let count =
      plan.changes.isEmpty
      ? []
      : [
        localized(
          "\(plan.photoCount.grouped) photo gets a position.",
          plural: "\(plan.photoCount.grouped) photos get positions.", count: plan.photoCount)
      ]
    return ["\(Self.filesText(tracks.count)), \(localized("\(points.grouped) points"))\(times)"] + count + plan.lines
  }

  public func submit() { if let plan, fault == nil { onSubmit(plan) } }
}
