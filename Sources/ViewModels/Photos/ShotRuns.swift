import Gallery
import Photos

/// The shots that a camera took within moments of each other, in one folder. A stack is a part of such a run.
struct ShotRuns: Sendable {
  /// The indices of each run's shots in the order of their times. Each run has at least two.
  let runs: [[Int32]]
  /// A hash of the shots and their times, which changes when they do.
  let fingerprint: Int

  /// The longest time between a shot and the next one of a burst, in seconds.
  static let burstGap = 2.0
  /// The longest time between a shot and the next one that may show nearly the same, in seconds.
  static let longestGap = 30.0

  /// Finds the runs of a table.
  ///
  /// Photos without a camera or a capture time belong to none: they may have been written at the same time because they were
  /// copied.
  ///
  /// - Parameters:
  ///   - files: The files of each shot, of which the first counts.
  ///   - known: The fingerprint of the last runs.
  /// - Returns: nil if the fingerprint is still the same.
  @concurrent
  init?(in photos: PhotoTable, files: PhotoGroups, unless known: Int?) async {
    let clocks = photos.clocks(in: photos.indices)
    var shots: [(key: Int, clock: Double, index: Int32)] = []
    var hasher = Hasher()
    for photo in photos.indices where !files.isHidden(photo) {
      guard let key = Self.key(of: photo, in: photos) else { continue }
      hasher.combine(photos.id(at: photo))
      hasher.combine(clocks[photo])
      shots.append((key, clocks[photo], Int32(photo)))
    }
    fingerprint = hasher.finalize()
    guard fingerprint != known else { return nil }
    shots.sort { ($0.key, $0.clock, $0.index) < ($1.key, $1.clock, $1.index) }
    var (runs, run): ([[Int32]], [Int32]) = ([], [])
    func end() {
      let known = run.filter { photos.metadataBesideColumns(at: Int($0))?.takenAt != nil }
      if known.count > 1 { runs.append(known) }
      run = []
    }
    for (place, shot) in shots.enumerated() {
      if place > 0, shots[place - 1].key != shot.key || shot.clock - shots[place - 1].clock > Self.longestGap { end() }
      run.append(shot.index)
    }
    end()
    self.runs = runs
  }

  /// Returns a number that photos of one camera in one folder have in common, or nil for an unknown camera.
  private static func key(of photo: Int, in photos: PhotoTable) -> Int? {
    photos.withText(.camera, at: photo) { camera in
      guard !camera.isEmpty else { return nil }
      return photos.withText(.imageURL, at: photo) { path in
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(camera))
        hasher.combine(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: PhotoGrouping.folder(path))))
        return hasher.finalize()
      }
    }
  }

  /// Returns the stacks: the longest parts of the runs whose neighbors look alike.
  ///
  /// - Parameters:
  ///   - clock: Returns the time of a shot in seconds.
  ///   - appraisal: Returns what is known of the pixels of a shot.
  func stacks(clock: (Int) -> Double, appraisal: (Int) -> ImageAppraisal?) -> [[Int32]] {
    var stacks: [[Int32]] = []
    for run in runs {
      var stack = [run[0]]
      for (last, next) in zip(run, run.dropFirst()) {
        let gap = clock(Int(next)) - clock(Int(last))
        if Self.areAlike(appraisal(Int(last)), appraisal(Int(next)), gap: gap) {
          stack.append(next)
        } else {
          if stack.count > 1 { stacks.append(stack) }
          stack = [next]
        }
      }
      if stack.count > 1 { stacks.append(stack) }
    }
    return stacks
  }

  private static func areAlike(_ first: ImageAppraisal?, _ next: ImageAppraisal?, gap: Double) -> Bool {
    guard let first, let next else { return false }
    let most = gap <= burstGap ? ImageAppraisal.burstDistance : ImageAppraisal.nearDuplicateDistance
    return first.distance(to: next) <= most
  }
}
