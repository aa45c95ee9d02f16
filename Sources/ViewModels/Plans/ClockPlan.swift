import Gallery
import Photos

/// The new times of photos whose camera had a wrong clock, before the user agrees.
public struct ClockPlan: EditPlan {
  /// The correction of the clock.
  public let correction: ClockCorrection
  public private(set) var photoCount = 0
  public private(set) var changes: [(photo: Photo, edits: DecisionEdits)] = []
  /// The old and the new time of the first photo and of the last one, in the order of the old times.
  public private(set) var examples: [(name: String, old: CaptureTime, new: CaptureTime)] = []
  /// The number of photos that have not been read, or whose files have no time.
  public private(set) var timelessCount = 0
  /// The number of photos whose time zone is not known, which the correction needs.
  public private(set) var zonelessCount = 0
  /// The number of videos, whose sidecars no program reads.
  public private(set) var videoCount = 0

  public var origin: DecisionChange.Plan { .clock(correction.text) }

  /// Creates a plan, which takes some microseconds a photo.
  ///
  /// - Parameter shots: The files of each photo.
  public init(_ correction: ClockCorrection, forShots shots: [[ShownFile]]) {
    self.correction = correction
    var (first, last): (Example?, Example?)
    for shot in shots {
      var (hasTime, isChanged) = (false, false)
      let images = shot.filter { $0.photo.kind != .video }
      for (photo, decisions) in images {
        guard let old = decisions.takenAt else { continue }
        hasTime = true
        guard let new = correction.corrected(old), new != old else { continue }
        isChanged = true
        var edits = DecisionEdits()
        edits[.takenAt] = .set(.text(new.iso8601))
        changes.append((photo, edits))
        let example = Example(photo: photo, old: old, new: new)
        if first.map({ old.clock < $0.old.clock }) ?? true { first = example }
        if last.map({ old.clock >= $0.old.clock }) ?? true { last = example }
      }
      if images.isEmpty {
        videoCount += 1
      } else if !hasTime {
        timelessCount += 1
      } else if isChanged {
        photoCount += 1
      } else if images.contains(where: { $0.decisions.takenAt.map { correction.corrected($0) == nil } ?? false }) {
        zonelessCount += 1
      }
    }
    let ends = [first, last].compactMap(\.self)
    examples = (photoCount > 1 ? ends : ends.dropLast()).map { ($0.photo.displayName, $0.old, $0.new) }
  }

  private struct Example {
    let photo: Photo
    let old: CaptureTime
    let new: CaptureTime
  }

  /// The times of the examples, and what is left out, each in a line.
  public var lines: [String] {
    examples.map { "\($0.name): \($0.old.shownText) → \($0.new.shownText)" } + remarks
  }

  /// What is left out, each in a line.
  public var remarks: [String] {
    [
      timelessCount > 0 ? localized("Without a time: \(timelessCount.photosText)") : nil,
      zonelessCount > 0 ? localized("Without a time zone: \(zonelessCount.photosText)") : nil,
      videoCount > 0 ? localized("Videos left out: \(videoCount.grouped)") : nil,
    ].compactMap(\.self)
  }
}
