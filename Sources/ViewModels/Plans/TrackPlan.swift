import FoundationEssentials
import Gallery
import Photos
import Services

/// The positions that photos get from tracks, before the user agrees.
public struct TrackPlan: EditPlan {
  /// The choices of the user.
  public struct Rules: Sendable {
    /// The most seconds from a photo to the nearest point of a track.
    public var limit = 300.0
    /// The time zone of the cameras' clocks; nil if the files say it, or it is guessed.
    public var zone: ClockZone?
    /// Whether positions that photos have are replaced.
    public var replaces = false

    /// Creates the usual choices.
    public init() {}
  }

  public let origin: DecisionChange.Plan
  public private(set) var photoCount = 0
  public private(set) var changes: [(photo: Photo, edits: DecisionEdits)] = []
  /// The cameras whose clocks were guessed, and what was found.
  public private(set) var clocks: [(camera: String?, clock: TrackClock)] = []
  /// The number of photos that keep their positions.
  public private(set) var placedCount = 0
  /// The number of photos of which no point of a track is near in time.
  public private(set) var farCount = 0
  /// The number of photos that have not been read, or whose files have no time.
  public private(set) var timelessCount = 0
  /// The number of videos, whose sidecars no program reads.
  public private(set) var videoCount = 0
  /// The place of the first photo and of the last one that change, with their names.
  public private(set) var examples: [(name: String, place: PhotoMetadata.Place)] = []

  /// Creates a plan, which takes some microseconds a photo, and about a second for a thousand photos of unknown clocks.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - shots: The files of each photo.
  ///   - zone: The user's time zone.
  public init(_ tracks: [NamedTrack], _ rules: Rules, forShots shots: [[ShownFile]], zone: LocalClock = .system) {
    origin = .track(tracks.count == 1 ? tracks[0].name : localized("\(tracks.count) tracks"))
    let paths = tracks.map(\.track)
    let guessed = rules.zone == nil ? guessClocks(shots, paths, rules, zone) : [:]
    for shot in shots {
      let images = shot.filter { $0.photo.kind != .video }
      guard let (first, decisions) = images.first(where: { $0.decisions.takenAt != nil }) else {
        if images.isEmpty { videoCount += 1 } else { timelessCount += 1 }
        continue
      }
      guard let time = decisions.takenAt else { continue }
      if !rules.replaces, images.contains(where: { $0.decisions.latitude != nil }) {
        placedCount += 1
        continue
      }
      let offset =
        rules.zone.map { Double($0.offset(ofClock: time.clock)) } ?? time.offset.map(Double.init)
        ?? guessed[first.shownCamera].map { $0.offset(ofClock: time.clock, zone) }
      let found = offset.flatMap { offset in
        paths.compactMap { $0.position(at: time.clock - offset, within: rules.limit) }.min { $0.distance < $1.distance }
      }
      guard let place = found?.place else {
        farCount += 1
        continue
      }
      var isChanged = false
      for (photo, decisions) in images {
        var edits = DecisionEdits()
        for (decision, value) in place.decisions where decisions[decision] != value { edits[decision] = .set(value) }
        // The altitude of another place would be wrong.
        if place.altitude == nil, decisions.altitude != nil { edits[.altitude] = .remove }
        if edits.isEmpty { continue }
        isChanged = true
        changes.append((photo, edits))
      }
      guard isChanged else {
        placedCount += 1
        continue
      }
      photoCount += 1
      if examples.count == 2 { examples.removeLast() }
      examples.append((first.displayName, place))
    }
  }

  /// Guesses the clock of each camera that does not say its offset from UTC.
  private mutating func guessClocks(
    _ shots: [[ShownFile]], _ tracks: [PositionTrack], _ rules: Rules, _ zone: LocalClock
  ) -> [String?: TrackClock] {
    var cameras: [String?: [TrackClock.Shot]] = [:]
    for (photo, decisions) in shots.joined() where photo.kind != .video {
      guard let time = decisions.takenAt, time.offset == nil else { continue }
      let place = decisions.latitude.flatMap { north in
        decisions.longitude.map { PhotoMetadata.Place(latitude: north, longitude: $0) }
      }
      cameras[photo.shownCamera, default: []].append((time.clock, place))
    }
    var guessed: [String?: TrackClock] = [:]
    for (camera, shots) in cameras.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      let clock = TrackClock.guess(shots, on: tracks, within: rules.limit) { zone.offset(ofClock: $0) }
      guard let clock else { continue }
      guessed[camera] = clock
      clocks.append((camera, clock))
    }
    return guessed
  }

  /// The guessed clocks, the examples, and what is left out, each in a line.
  public var lines: [String] {
    clockLines + examples.map { "\($0.name): \($0.place.text)" } + remarks
  }

  /// The guessed clocks, each in a line.
  public var clockLines: [String] {
    clocks.map { "\($0.camera?.printable ?? localized("Unknown camera")): \($0.clock.text)" }
  }

  /// What is left out, each in a line.
  public var remarks: [String] {
    [
      placedCount > 0 ? localized("With a position already: \(placedCount.photosText)") : nil,
      farCount > 0 ? localized("Not on the track at that time: \(farCount.photosText)") : nil,
      timelessCount > 0 ? localized("Without a time: \(timelessCount.photosText)") : nil,
      videoCount > 0 ? localized("Videos left out: \(videoCount.grouped)") : nil,
    ].compactMap(\.self)
  }
}

extension TrackClock {
  /// Returns the seconds that the clock is ahead of UTC when it shows a time.
  fileprivate func offset(ofClock clock: Double, _ zone: LocalClock) -> Double {
    if case .zone = reason { Double(zone.offset(ofClock: clock)) } else { offset }
  }

  /// The offset and how it is known, such as `clock at UTC+02:00, by 12 photos with positions (15 m off)`.
  public var text: String {
    let whole = Int(offset)
    let zone = whole % 60 == 0 ? ClockZone(offset: whole).name : ClockDifference(seconds: offset).text
    let clock = localized("clock at \(whole == 0 ? zone : "UTC\(zone)")")
    switch reason {
    case .positions(let count, let meters):
      return "\(clock) \(localized("(guessed by \(count.photosText) with positions, \(Int(meters.rounded())) m off)"))"
    case .zone: return "\(clock) \(localized("(guessed: your time zone)"))"
    case .overlap(let count): return "\(clock) \(localized("(guessed: \(count.photosText) are on the track then)"))"
    }
  }
}

extension PhotoMetadata.Place {
  /// The position as decisions. Digits that no receiver can know are left out.
  fileprivate var decisions: [(Decision, DecisionValue)] {
    let parts: [(Decision, DecisionValue?)] = [
      (.latitude, .text(XMPPosition.latitude(latitude))), (.longitude, .text(XMPPosition.longitude(longitude))),
      (.altitude, altitude.map { .text(XMPPosition.altitude($0)) }),
    ]
    return parts.compactMap { decision, value in value.map { (decision, $0) } }
  }
}

extension LocalClock {
  /// Returns the offset from UTC of the clock when it shows a time, in seconds.
  fileprivate func offset(ofClock clock: Double) -> Int {
    let guess = secondsFromUTC(Date(timeIntervalSince1970: clock))
    return secondsFromUTC(Date(timeIntervalSince1970: clock - Double(guess)))
  }
}
