import Gallery
import Photos
import WorkerPool

/// A pass through the photos that were listed when it began, in which the user picks some and rejects others.
///
/// The photos keep their order, even if a search or a sort changes the list. A closed stack has one place, which offers one
/// of its shots: the sharpest one that is not rejected. So when the user moves on from a rejected shot, the place offers the
/// next one. The shots that were never offered are undecided.
@MainActor
public final class PhotoCull: RowStacks {
  /// A decision that counts.
  public enum Verdict: Sendable {
    case picked, rejected
  }

  /// A place of the cull.
  struct Place {
    /// The shots, of which one is offered, in the order in which they are offered.
    var shots: [Photo.ID]
    /// The kind of the closed stack, or nil for a photo that is listed by itself.
    var kind: StackKind?
    /// The place of that photo in its open stack, or nil for none.
    var openStack: StackPlace?
    /// Whether the shots are sorted by their sharpness.
    var isSorted = false
    /// Whether the user has acted on one of the shots. From then on, they keep their order.
    var isInUse = false
    /// The shot that the user has kept in a comparison.
    var kept: Photo.ID?
  }

  /// The shots that the places offer.
  private(set) var lineup: PhotoLineup
  /// The shots of all places, one place after the other.
  private var shots: PhotoLineup
  private var places: [Place]
  /// The place of each shot, and that in ``shots``.
  private var positions: [Photo.ID: (place: PlaceIndex, shot: PlaceIndex)] = [:]
  /// The verdicts that are known. Other photos are undecided.
  private var verdicts: [Photo.ID: Verdict] = [:]
  private var files = Files()
  /// The place that the user looks at.
  private var current: PlaceIndex?
  /// Whether the user has left the last place before its burst was sorted.
  private var isAhead = false
  /// The shots that the user has looked at.
  private var seen: Set<Photo.ID> = []
  /// The stars that were given while the verdicts were read.
  private var late: [ImageLocation: Int?] = [:]
  /// The number of the latest reading of the verdicts.
  private var lastReading = 0
  /// The number of the latest reading that has finished.
  private var lastFinished = 0

  /// The number of places.
  public var count: Int { places.count }
  /// The number of shots with at least one star.
  public private(set) var pickedCount = 0
  /// The number of rejected shots.
  public private(set) var rejectedCount = 0
  /// The number of shots that are neither picked nor rejected.
  public var undecidedCount: Int { shots.ids.count - pickedCount - rejectedCount }

  /// The number of undecided shots in closed bursts that the user has not looked at, behind the one that is offered. Bursts
  /// that were not reached don't count.
  public var unseenShotCount: Int {
    lineup.places.filter { isReached($0) && places[$0].kind == .burst }.reduce(0) { count, place in
      count + places[place].shots.count { verdicts[$0] == nil && !seen.contains($0) && $0 != lineup[place] }
    }
  }

  private func isReached(_ place: PlaceIndex) -> Bool {
    places[place].shots.contains { seen.contains($0) || verdicts[$0] != nil }
  }

  /// Returns the progress at a photo, such as `37 of 300 · 12 picked · 9 rejected`; nil if it is not in the cull.
  public func progress(at id: Photo.ID) -> String? {
    guard let place = positions[id]?.place else { return nil }
    return [
      localized("\((place.value + 1).grouped) of \(count.grouped)"), localized("\(pickedCount.grouped) picked"),
      localized("\(rejectedCount.grouped) rejected"),
    ].joined(separator: " · ")
  }

  /// - Parameters:
  ///   - places: The places, each with at least one shot, of which it offers the first one.
  ///   - offered: The first shots of the places.
  ///   - shots: All shots of all places, one place after the other.
  init(_ places: [Place], offered: PhotoLineup, shots: PhotoLineup) {
    self.places = places
    lineup = offered
    self.shots = shots
    findPositions()
  }

  private func findPositions() {
    var shot: PlaceIndex = 0
    for (place, shots) in zip(lineup.places, places.map(\.shots)) {
      for id in shots {
        positions[id] = (place, shot)
        shot = shot + 1
      }
    }
  }

  /// The photos that are picked.
  public var picks: [Photo.ID] { shots.ids.filter { verdicts[$0] == .picked } }

  /// The photos that are rejected.
  public var rejects: [Photo.ID] { shots.ids.filter { verdicts[$0] == .rejected } }

  /// Returns the first undecided place from the one of a photo on, or the place of that photo if all are decided.
  public func firstUndecided(from id: Photo.ID?) -> PlaceIndex {
    let start = id.flatMap { positions[$0]?.place } ?? 0
    return lineup.places[start...].first { !isDecided($0) } ?? lineup.places.first { !isDecided($0) } ?? start
  }

  private func isDecided(_ place: PlaceIndex) -> Bool {
    let shots = places[place].shots
    return shots.contains { verdicts[$0] == .picked } || shots.allSatisfy { verdicts[$0] == .rejected }
  }
}

extension [PhotoCull.Place] {
  fileprivate subscript(place: PlaceIndex) -> PhotoCull.Place {
    get { self[place.value] }
    _modify { yield &self[place.value] }
  }
}

// MARK: - The offered shots

extension PhotoCull {
  /// Takes note of the photo that the user looks at.
  public func look(at id: Photo.ID) {
    let place = positions[id]?.place
    if let current, current != place { isAhead = places[current].kind == .burst && !places[current].isSorted }
    current = place
    seen.insert(id)
  }

  /// Keeps the order in the stack of a photo from now on, because the user acts on the photo.
  public func use(_ id: Photo.ID) { if let place = positions[id]?.place { places[place].isInUse = true } }

  /// Returns the place of a shot, or nil if the shot is not in the cull.
  func place(of id: Photo.ID) -> PlaceIndex? { positions[id]?.place }

  /// Returns whether two photos are shots of the same place.
  public func areTogether(_ first: Photo.ID, _ second: Photo.ID) -> Bool {
    positions[first].map { $0.place == positions[second]?.place } ?? false
  }

  /// Returns whether ``offerNext(after:)`` offers another shot.
  public func hasNext(after id: Photo.ID) -> Bool {
    guard let place = positions[id]?.place, lineup[place] == id, verdicts[id] == .rejected else { return false }
    return bestShot(at: place) != id
  }

  /// Offers the next shot of a stack, unless the photo is not rejected or is the last one.
  public func offerNext(after id: Photo.ID) {
    if hasNext(after: id), let place = positions[id]?.place { offerBestShot(at: place) }
  }

  /// Offers a shot that the user has kept in a comparison.
  func keep(_ id: Photo.ID) {
    guard let place = positions[id]?.place else { return }
    places[place].kept = id
    places[place].isInUse = true
    offerBestShot(at: place)
  }

  /// Offers the shots of bursts in another order, unless the user has acted on one of them.
  ///
  /// - Parameter order: Returns the shots of a stack, the sharpest one first, or nil if their sharpness is unknown.
  func sort(by order: ([Photo.ID]) -> [Photo.ID]?) {
    for place in lineup.places where places[place].kind == .burst && !places[place].isInUse {
      guard let shots = order(places[place].shots) else { continue }
      places[place].shots = shots
      places[place].isSorted = true
      offerBestShot(at: place)
    }
    lineup.renew()
  }

  /// Gives each stack that was found after the cull had begun one place, as it would have had before. A stack that is open, or of
  /// which the user has seen a shot, stays as it is.
  func fold(_ folding: PhotoFolding, in photos: PhotoTable) {
    // From here on, the indices of the shots are those of the table.
    _ = shots.order(in: photos)
    let shown = current.map { lineup[$0] }
    var folded: Set<Photo.ID> = []
    var offers: [(place: Place, offered: Photo.ID)] = []
    for (place, offered) in zip(places, lineup.ids) where !folded.contains(offered) {
      offers.append((place, offered))
      guard isUnseenPhoto(place), let stack = index(of: offered).flatMap(folding.closedStack) else { continue }
      let ids = stack.shots.map { photos.id(at: $0) }.filter { positions[$0] != nil }
      let areApart = ids.allSatisfy { id in positions[id].map { isUnseenPhoto(places[$0.place]) } == true }
      guard ids.count > 1, areApart else { continue }
      folded.formUnion(ids)
      offers[offers.count - 1] = (Place(shots: ids, kind: stack.kind), ids[0])
    }
    if folded.isEmpty { return }
    func makeLineup(_ ids: [Photo.ID]) -> PhotoLineup {
      PhotoLineup(ids, indices: ids.map { index(of: $0) ?? PhotoLineup.missing })
    }
    let newShots = makeLineup(offers.flatMap(\.place.shots))
    lineup = makeLineup(offers.map(\.offered))
    shots = newShots
    places = offers.map(\.place)
    findPositions()
    current = shown.flatMap { positions[$0]?.place }
  }

  /// Returns whether a place has a photo that is in no stack, and that the user has not seen.
  private func isUnseenPhoto(_ place: Place) -> Bool {
    place.shots.count == 1 && place.kind == nil && place.openStack == nil && !seen.contains(place.shots[0])
  }

  /// Returns the bursts that the user sees soon, each as the indices of its shots in the table that was counted last. The
  /// first one is needed first.
  ///
  /// If the user moves faster than bursts are sorted, the next burst comes before the current one. Otherwise each of them would
  /// be ready a moment too late.
  ///
  /// - Parameter distance: The number of places behind the current one.
  func nextBursts(within distance: Int) -> [[TableIndex]] {
    guard let current else { return [] }
    var near = Array(current...min(current + distance, lineup.places.upperBound - 1))
    if isAhead, near.count > 1 { near.swapAt(0, 1) }
    return near.lazy.map { self.places[$0] }.filter { $0.kind == .burst && !$0.isInUse }
      .map { $0.shots.compactMap(self.index) }
  }

  /// Returns the place in its stack of a shot that is offered, or nil for a photo without a stack.
  func stackPlace(of id: Photo.ID) -> StackPlace? {
    guard let place = positions[id].map({ places[$0.place] }) else { return nil }
    guard let kind = place.kind, let number = place.shots.firstIndex(of: id) else { return place.openStack }
    return StackPlace(
      number: number + 1, count: place.shots.count, isOpen: false, kind: kind, isSorted: place.isSorted)
  }

  /// Returns the indices of the other shots that a decision about an offered one is about, too.
  func others(with id: Photo.ID) -> [TableIndex] {
    guard let place = positions[id].map({ places[$0.place] }), place.kind?.isSet == true else { return [] }
    return place.shots.filter { $0 != id }.compactMap(index)
  }

  private func index(of id: Photo.ID) -> TableIndex? { positions[id].flatMap { shots.index(at: $0.shot) } }

  private func offerBestShot(at place: PlaceIndex) {
    guard let best = bestShot(at: place), best != lineup[place], let index = index(of: best) else { return }
    lineup.replace(at: place, with: best, index: index)
    if place == current { seen.insert(best) }
  }

  /// Returns the kept shot of a place, or a picked one, or the first one that is not rejected. If all are, it is the one that is
  /// offered already.
  private func bestShot(at place: PlaceIndex) -> Photo.ID? {
    let shots = places[place].shots.filter { index(of: $0) != nil }
    let kept = shots.first { $0 == places[place].kept && verdicts[$0] != .rejected }
    let offered = shots.contains(lineup[place]) ? lineup[place] : shots.first
    return kept ?? shots.first { verdicts[$0] == .picked } ?? shots.first { verdicts[$0] == nil } ?? offered
  }
}

// MARK: - Verdicts

extension PhotoCull {
  /// Reads the verdicts in the background, as when the cull begins or the source has read more of the photos.
  ///
  /// - Parameters:
  ///   - changes: The stars that the table may not have yet.
  ///   - then: Called when the verdicts are known.
  func count(in photos: PhotoTable, changes: [ImageLocation: Int?], then: @escaping () -> Void) {
    let order = shots.order(in: photos)
    lastReading += 1
    Task.onMainActor { [number = lastReading] in
      let read = await Self.read(order, in: photos, changes)
      self.take(read, number)
      then()
    }
  }

  @concurrent
  private static func read(
    _ shots: [TableIndex], in photos: PhotoTable, _ changes: [ImageLocation: Int?]
  ) async -> (files: Files, verdicts: [Photo.ID: Verdict]) {
    var files = Files()
    var verdicts: [Photo.ID: Verdict] = [:]
    for shot in shots {
      let id = photos.id(at: shot)
      photos.groups.forEachPhoto(shownAs: shot) { files.add(photos[$0], of: id, changes) }
      verdicts[id] = files.verdict(of: id)
    }
    return (files, verdicts)
  }

  private func take(_ read: (files: Files, verdicts: [Photo.ID: Verdict]), _ number: Int) {
    guard number > lastFinished else { return }
    lastFinished = number
    files = read.files
    verdicts = read.verdicts
    pickedCount = verdicts.values.count { $0 == .picked }
    rejectedCount = verdicts.count - pickedCount
    take(late)
    if lastFinished == lastReading { late = [:] }
  }

  /// Takes note of changed stars. A shot that is no longer rejected is offered again.
  func take(_ stars: [ImageLocation: Int?]) {
    if lastFinished < lastReading { late.merge(stars) { $1 } }
    for id in files.take(stars) {
      let old = verdicts[id]
      let new = files.verdict(of: id)
      pickedCount += (new == .picked ? 1 : 0) - (old == .picked ? 1 : 0)
      rejectedCount += (new == .rejected ? 1 : 0) - (old == .rejected ? 1 : 0)
      verdicts[id] = new
      use(id)
      if old == .rejected, new != .rejected, let place = positions[id]?.place { offerBestShot(at: place) }
    }
  }

  /// The files of the photos and their stars.
  private struct Files: Sendable {
    private var images: [Photo.ID: [ImageLocation]] = [:]
    private var photos: [ImageLocation: Photo.ID] = [:]
    private var stars: [ImageLocation: Int?] = [:]

    /// - Parameter changes: The stars that the table may not have yet.
    mutating func add(_ file: Photo, of photo: Photo.ID, _ changes: [ImageLocation: Int?]) {
      images[photo, default: []].append(file.image)
      photos[file.image] = photo
      stars[file.image] = changes[file.image] ?? file.metadata?.rating
    }

    /// Takes note of changed stars.
    /// - Returns: The photos whose files have these stars.
    mutating func take(_ new: [ImageLocation: Int?]) -> Set<Photo.ID> {
      let known = new.filter { photos[$0.key] != nil }
      stars.merge(known) { $1 }
      return Set(known.keys.compactMap { photos[$0] })
    }

    /// Returns the verdict that the stars in the photo's row show.
    func verdict(of photo: Photo.ID) -> Verdict? {
      let rating = (images[photo] ?? []).reduce(nil) { PhotoDecisions.rating($0, orElse: stars[$1] ?? nil) }
      return Verdict(stars: rating)
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
