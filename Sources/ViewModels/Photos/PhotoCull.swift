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
  private var files = Files()
  /// The photos.
  let lineup: PhotoLineup
  /// The places of the photos in their stacks when the cull began.
  private(set) var stacks: [Photo.ID: StackPlace]
  private var ids: [Photo.ID] { lineup.ids }
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

  /// The number of shots in closed stacks that the list did not show when the cull began.
  public var hiddenShotCount: Int { stacks.values.reduce(0) { $0 + ($1.isOpen ? 0 : $1.count - 1) } }

  /// - Parameter stacks: The places of the photos in their stacks.
  init(_ lineup: PhotoLineup, stacks: [Photo.ID: StackPlace] = [:]) { (self.lineup, self.stacks) = (lineup, stacks) }

  /// Reads the verdicts in the background, as when the cull begins or the source has read more of the photos.
  ///
  /// - Parameter changes: The stars that the table may not have yet.
  func count(in photos: PhotoTable, changes: [FilePath: Int?]) async {
    let order = lineup.order(in: photos)
    counts.begun += 1
    let number = counts.begun
    let read = await Task(executorPreference: WorkerPool.shared) {
      var (files, verdicts) = (Files(), [Photo.ID: Verdict]())
      for index in order.map(Int.init) {
        let id = photos.id(at: index)
        photos.groups.forEachPhoto(shownAs: index) { files.add(photos[$0], of: id, changes) }
        verdicts[id] = files.verdict(of: id)
      }
      return (files, verdicts)
    }.value
    guard number > counts.ended else { return }
    counts.ended = number
    (files, verdicts) = read
    pickedCount = verdicts.values.count { $0 == .picked }
    rejectedCount = verdicts.count - pickedCount
    take(late)
    if counts.ended == counts.begun { late = [:] }
  }

  /// Offers another shot of a closed stack.
  ///
  /// - Returns: Whether one of the shots was offered and is not any more.
  func offer(_ shot: Photo.ID, insteadOfOneOf shots: [Photo.ID]) -> Bool {
    guard let place = ids.firstIndex(where: shots.contains), let stack = stacks[ids[place]], !stack.isOpen,
      ids[place] != shot
    else { return false }
    stacks[ids[place]] = nil
    stacks[shot] = stack
    lineup.replace(at: place, with: shot)
    return true
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
    for id in files.take(stars) {
      let (old, new) = (verdicts[id], files.verdict(of: id))
      pickedCount += (new == .picked ? 1 : 0) - (old == .picked ? 1 : 0)
      rejectedCount += (new == .rejected ? 1 : 0) - (old == .rejected ? 1 : 0)
      verdicts[id] = new
    }
  }
}

extension PhotoCull {
  /// The files of the photos and their stars, without the videos.
  private struct Files: Sendable {
    private var paths: [Photo.ID: [FilePath]] = [:]
    private var photos: [FilePath: Photo.ID] = [:]
    private var stars: [FilePath: Int?] = [:]

    /// - Parameter changes: The stars that the table may not have yet.
    mutating func add(_ file: Photo, of photo: Photo.ID, _ changes: [FilePath: Int?]) {
      guard let path = file.file, !PhotoParts.isVideo(file) else { return }
      paths[photo, default: []].append(path)
      photos[path] = photo
      stars[path] = changes[path] ?? file.metadata?.rating
    }

    /// Takes note of changed stars.
    /// - Returns: The photos whose files have these stars.
    mutating func take(_ new: [FilePath: Int?]) -> Set<Photo.ID> {
      let known = new.filter { photos[$0.key] != nil }
      stars.merge(known) { $1 }
      return Set(known.keys.compactMap { photos[$0] })
    }

    /// Returns the verdict that the stars in the photo's row show.
    func verdict(of photo: Photo.ID) -> Verdict? {
      var decisions = PhotoDecisions()
      for path in paths[photo] ?? [] { decisions.fill(from: PhotoDecisions(stars: stars[path] ?? nil)) }
      return Verdict(stars: decisions.stars)
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
