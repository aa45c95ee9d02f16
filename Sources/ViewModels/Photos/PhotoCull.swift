import Gallery
import Photos
import WorkerPool

/// A pass through the photos that were listed when it began, in which the user picks some and rejects others.
///
/// The photos keep their order and stay, even if a search or a sort changes the list.
@MainActor
public final class PhotoCull {
  /// A decision that counts.
  public enum Verdict: Sendable {
    case picked, rejected
  }

  /// The verdicts that are known. Other photos are undecided.
  private var verdicts: [Photo.ID: Verdict] = [:]
  /// The photos.
  let lineup: PhotoLineup
  private var ids: [Photo.ID] { lineup.ids }
  private var places: [FilePath: Photo.ID] = [:]
  /// The stars that have been given since the verdicts are being read.
  private var late: [FilePath: Int?] = [:]
  /// The number of times that the verdicts have begun to be read, and the last one that has ended.
  private var counts = (begun: 0, ended: 0)

  /// The number of photos when the cull began.
  public var count: Int { ids.count }
  /// The number of photos with at least one star.
  public private(set) var pickedCount = 0
  /// The number of rejected photos.
  public private(set) var rejectedCount = 0
  /// The number of photos that are neither picked nor rejected.
  public var undecidedCount: Int { count - pickedCount - rejectedCount }

  init(_ lineup: PhotoLineup) { self.lineup = lineup }

  /// Reads the verdicts in the background, as when the cull begins or the source has read more of the photos.
  ///
  /// - Parameter changes: The stars that the table may not have yet.
  func count(in photos: PhotoTable, changes: [FilePath: Int?]) async {
    let order = lineup.order(in: photos)
    counts.begun += 1
    let number = counts.begun
    let read = await Task(executorPreference: WorkerPool.shared) {
      var (places, verdicts): ([FilePath: Photo.ID], [Photo.ID: Verdict]) = ([:], [:])
      for index in order.map(Int.init) {
        let photo = photos[index]
        guard let path = photo.file else { continue }
        places[path] = photo.id
        verdicts[photo.id] = Verdict(stars: changes[path] ?? photo.metadata?.rating)
      }
      return (places, verdicts)
    }.value
    guard number > counts.ended else { return }
    counts.ended = number
    (places, verdicts) = read
    pickedCount = verdicts.values.count { $0 == .picked }
    rejectedCount = verdicts.count - pickedCount
    take(late)
    if counts.ended == counts.begun { late = [:] }
  }

  /// The photos that are picked.
  public var picks: [Photo.ID] { ids.filter { verdicts[$0] == .picked } }

  /// Returns the place of the first undecided photo from a photo on, or of that photo if all are decided.
  public func firstUndecided(from id: Photo.ID?) -> Int {
    let start = id.flatMap(ids.firstIndex) ?? 0
    return ids.indices[start...].first { verdicts[ids[$0]] == nil } ?? ids.indices.first { verdicts[ids[$0]] == nil }
      ?? start
  }

  /// Takes note of changed stars.
  func take(_ stars: [FilePath: Int?]) {
    if counts.ended < counts.begun { late.merge(stars) { $1 } }
    for (path, stars) in stars {
      guard let id = places[path] else { continue }
      let (old, new) = (verdicts[id], Verdict(stars: stars))
      pickedCount += (new == .picked ? 1 : 0) - (old == .picked ? 1 : 0)
      rejectedCount += (new == .rejected ? 1 : 0) - (old == .rejected ? 1 : 0)
      verdicts[id] = new
    }
  }
}

extension PhotoCull.Verdict {
  fileprivate init?(stars: Int?) {
    switch stars {
    case PhotoDecisions.rejected: self = .rejected
    case .some(1...): self = .picked
    default: return nil
    }
  }
}
