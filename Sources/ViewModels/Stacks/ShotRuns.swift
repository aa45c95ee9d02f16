import Gallery
import Photos

/// The shots that a camera took within moments of each other, in one folder. A stack is a part of such a run.
struct ShotRuns {
  /// The indices of each run's shots in the order of their times, without those of series. Each run has at least two.
  private(set) var runs: [[TableIndex]] = []
  /// The series, which divide the runs: the indices of each one's shots, the one that represents it first.
  private(set) var series: [(kind: StackKind, shots: [TableIndex])] = []

  /// The properties of a shot that decide to which run it belongs.
  private struct Shot: Equatable {
    /// A number that the shots of one camera in one folder have in common, or nil for an unknown camera.
    var key: Int?
    /// The time in seconds.
    var clock: Double
    /// The properties of a shot whose time the camera has written, or nil.
    var timed: ShotSeries.Shot?

    init(_ photo: TableIndex, in photos: PhotoTable) {
      key = ShotRuns.key(of: photo, in: photos)
      clock = photos.clock(at: photo)
      timed = ShotSeries.Shot(photo, in: photos)
    }
  }

  /// Finds the runs of a table.
  ///
  /// Photos without a camera or a capture time belong to none: they may have been written at the same time because they were
  /// copied.
  ///
  /// - Returns: nil if the task is canceled.
  init?(in photos: PhotoTable) {
    let clocks = photos.clocks(in: photos.indices)
    var shots: [(key: Int, clock: Double, index: TableIndex)] = []
    for photo in photos.indices where !photos.groups.isHidden(photo) && photos.kindByName(of: photo) != .video {
      if photo.value & Self.cancellationMask == 0, Task.isCancelled { return nil }
      if let key = Self.key(of: photo, in: photos) { shots.append((key, clocks[photo.value], photo)) }
    }
    shots.sort { ($0.key, $0.clock, $0.index) < ($1.key, $1.clock, $1.index) }
    var run: [TableIndex] = []
    func end() {
      let timed = run.compactMap { photo in
        ShotSeries.Shot(photo, in: photos).map { (photo: photo, shot: $0) }
      }
      divide(timed.map(\.photo), by: ShotSeries.all(in: timed.map(\.shot)))
      run = []
    }
    for (place, shot) in shots.enumerated() {
      if place > 0, shots[place - 1].key != shot.key || shot.clock - shots[place - 1].clock > ShotSeries.longestGap {
        end()
      }
      run.append(shot.index)
    }
    end()
  }

  /// A mask of the index, by which cancellation is checked once every 4,096 photos.
  private static let cancellationMask = 0xFFF

  /// Returns whether a table has the same runs as an earlier one, because only other properties of its photos have changed.
  static func areSame(in photos: PhotoTable, as former: PhotoTable) -> Bool {
    guard let changes = photos.changes(since: former) else { return false }
    return changes.joined().allSatisfy { Shot($0, in: photos) == Shot($0, in: former) }
  }

  private static func key(of photo: TableIndex, in photos: PhotoTable) -> Int? {
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

  /// Adds a run, and the series in it.
  private mutating func divide(_ run: [TableIndex], by series: [ShotSeries]) {
    var start = 0
    func add(below end: Int) { if end - start > 1 { runs.append(Array(run[start..<end])) } }
    for series in series {
      let places = series.shots.sorted()
      add(below: places[0])
      start = places[places.count - 1] + 1
      self.series.append((series.kind, series.shots.map { run[$0] }))
    }
    add(below: run.count)
  }

  /// The indices of the shots that are a stack if they look alike.
  var similarShots: some Sequence<TableIndex> { runs.joined() }

  /// Returns the stacks: the series, and the parts of the runs whose shots look like the one before. A single shot between them
  /// that looks different, such as a damaged one, is left out.
  ///
  /// - Parameters:
  ///   - clock: Returns the time of a shot in seconds.
  ///   - hash: Returns the perceptual hash of a shot, or nil if it is unknown.
  func stacks(clock: (TableIndex) -> Double, hash: (TableIndex) -> UInt64?) -> [(kind: StackKind, shots: [TableIndex])]
  {
    func areAlike(_ first: TableIndex, _ next: TableIndex) -> Bool {
      Self.areAlike(hash(first), hash(next), gap: clock(next) - clock(first))
    }
    var stacks: [[TableIndex]] = []
    for run in runs {
      // After a shot that looks different, the next one decides whether a new stack begins.
      var (stack, different): ([TableIndex], TableIndex?) = ([], nil)
      for shot in run {
        if stack.last.map({ areAlike($0, shot) }) ?? true {
          stack.append(shot)
          different = nil
        } else if let other = different {
          stacks.append(stack)
          (stack, different) = areAlike(other, shot) ? ([other, shot], nil) : ([other], shot)
        } else {
          different = shot
        }
      }
      stacks.append(stack)
    }
    return stacks.filter { $0.count > 1 }.map { (.burst, $0) } + series
  }

  private static func areAlike(_ first: UInt64?, _ next: UInt64?, gap: Double) -> Bool {
    guard let first, let next, gap <= ShotSeries.longestGap else { return false }
    let most = gap <= ShotSeries.burstGap ? ImageAppraisal.burstDistance : ImageAppraisal.nearDuplicateDistance
    return ImageAppraisal(hash: first).distance(to: ImageAppraisal(hash: next)) <= most
  }
}

extension ShotSeries.Shot {
  /// Reads the properties of a photo. Returns nil if the camera has not written the time.
  init?(_ photo: TableIndex, in photos: PhotoTable) {
    guard let metadata = photos.metadataBesideColumns(at: photo), metadata.takenAt != nil else { return nil }
    self.init(
      clock: photos.clock(at: photo), exposureTime: metadata.exposureTime ?? 0, series: metadata.series,
      number: metadata.seriesNumber, bias: metadata.exposureBias, aperture: metadata.fNumber, iso: metadata.iso)
  }
}
