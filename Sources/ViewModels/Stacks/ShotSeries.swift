import Gallery
import Photos

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The part of a run that a camera took as a series: an exposure bracket, a focus series, or a panorama.
///
/// The maker note or Exif's `ExposureMode` tells a series. Without them, shots are an exposure bracket if a camera took at
/// least three within moments, each with another exposure, in even steps. Shots of a burst differ in exposure only if the
/// light changes, by small or uneven steps.
struct ShotSeries: Equatable {
  /// The longest time between a shot and the next one of a burst, in seconds.
  static let burstGap = 2.0
  /// The longest time between a shot and the next one that may show nearly the same, in seconds.
  static let longestGap = 30.0

  /// The kind of the stack.
  let kind: StackKind
  /// The places of the shots in the run, the one that represents the stack first: that with the middle exposure in a bracket, and
  /// the first one in other series. Those of a bracket follow from the darkest to the brightest.
  let shots: [Int]

  /// The known properties of a shot.
  struct Shot: Equatable {
    /// The time at which the camera took the shot, in seconds.
    var clock: Double
    /// The exposure time in seconds, or 0 if it is unknown.
    var exposureTime = 0.0
    /// The kind of series that the camera names.
    var series: PhotoSeries?
    /// The number of the shot in its series, from 1.
    var number: Int?
    /// The exposure bias in EV.
    var bias: Double?
    /// The exposure in EV by the exposure time alone. It is nil without an exposure time.
    var exposure: Double? { exposureTime > 0 ? log2(exposureTime) : nil }
    /// The aperture and the sensitivity, which a bracket of exposure times leaves as they are.
    var aperture: Double?
    var iso: Int?
  }

  /// The most shots of a bracket.
  private static let mostInBracket = 9
  /// The smallest step of a bracket by the exposure bias, in EV. Cameras offer a third.
  private static let leastBiasStep = 0.25
  /// The smallest step by the exposure time alone, in EV. In changing light, an automatic exposure takes smaller ones.
  private static let leastTimeStep = 0.9
  /// The largest difference between the steps of a bracket, in EV. Exposures are rounded to thirds.
  private static let unevenness = 0.35

  /// Finds the series in a run, in the order of the run.
  static func all(in run: [Shot]) -> [ShotSeries] {
    var found: [ShotSeries] = []
    var start = 0
    while start < run.count {
      if let series = series(at: start, in: run) {
        found.append(series)
        start += series.shots.count
      } else {
        start += 1
      }
    }
    return found
  }

  private static func series(at start: Int, in run: [Shot]) -> ShotSeries? {
    switch run[start].series {
    case .panorama: named(.panorama, at: start, in: run)
    case .focusSeries: named(.focusSeries, at: start, in: run)
    case .otherBracket: named(.bracket, at: start, in: run)
    case .exposureBracket, nil: bracket(at: start, in: run)
    case .burst: nil
    }
  }

  /// Returns the series that the camera names, or nil for a single shot.
  private static func named(_ kind: StackKind, at start: Int, in run: [Shot]) -> ShotSeries? {
    var end = start + 1
    while end < run.count, isNext(end, in: run) { end += 1 }
    return end - start > 1 ? ShotSeries(kind: kind, shots: Array(start..<end)) : nil
  }

  /// Returns whether a shot belongs to the same series as the one before, as far as times, names and numbers tell.
  private static func isNext(_ place: Int, in run: [Shot]) -> Bool {
    let (before, shot) = (run[place - 1], run[place])
    // The user may release the shutter for each shot of a series.
    let gap = shot.series == nil ? burstGap : longestGap
    guard shot.series == before.series, shot.clock - before.clock - before.exposureTime <= gap else { return false }
    guard let number = shot.number, let last = before.number else { return true }
    return number == last + 1
  }

  private static func bracket(at start: Int, in run: [Shot]) -> ShotSeries? {
    var end = start + 1
    while end < run.count, end - start < mostInBracket, isNext(end, in: run) { end += 1 }
    let isNamed = run[start].series == .exposureBracket
    let least = isNamed ? 2 : 3
    for end in stride(from: end, through: start + least, by: -1) {
      if let steps = steps(of: run[start..<end], isNamed: isNamed) {
        return ShotSeries(kind: .bracket, shots: order(steps).map { start + $0 })
      }
    }
    return nil
  }

  /// Returns the exposure of each shot in EV, relative to the middle one or to what the camera measured, if they are the steps
  /// of a bracket.
  private static func steps(of shots: ArraySlice<Shot>, isNamed: Bool) -> [Double]? {
    let biases = shots.compactMap(\.bias)
    if biases.count == shots.count, areSteps(biases, least: leastBiasStep, areEven: !isNamed) { return biases }
    let times = shots.compactMap(\.exposure)
    let first = shots.first
    guard times.count == shots.count, shots.allSatisfy({ $0.aperture == first?.aperture && $0.iso == first?.iso }),
      areSteps(times, least: isNamed ? leastBiasStep : leastTimeStep, areEven: !isNamed)
    else { return nil }
    let middle = times.sorted()[(times.count - 1) / 2]
    return times.map { $0 - middle }
  }

  private static func areSteps(_ exposures: [Double], least: Double, areEven: Bool) -> Bool {
    let sorted = exposures.sorted()
    let steps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }
    guard let smallest = steps.min(), let largest = steps.max() else { return false }
    return smallest >= least && (!areEven || largest - smallest <= unevenness)
  }

  /// Returns the places of shots: the one with the exposure 0 first, or else the middle one, and then the others from the
  /// darkest to the brightest.
  private static func order(_ exposures: [Double]) -> [Int] {
    let sorted = exposures.indices.sorted { exposures[$0] < exposures[$1] }
    let first = exposures.firstIndex { abs($0) < leastBiasStep / 2 } ?? sorted[(sorted.count - 1) / 2]
    return [first] + sorted.filter { $0 != first }
  }
}
