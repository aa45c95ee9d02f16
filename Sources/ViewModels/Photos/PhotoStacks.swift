import Gallery
import Photos
import Services
import WorkerPool

/// The stacks of the photo list: bursts, and photos that show nearly the same, each listed as its sharpest shot.
///
/// They are found in the background once the source has been read. The sharpness of a stack's shots, for which whole images
/// are decoded, is measured when the user comes near.
@MainActor
public final class PhotoStacks {
  /// Called when the listed photos change.
  var onChange: () -> Void = {}
  /// Whether similar photos are stacked.
  public private(set) var areOn = true

  private let service: (any AppraisalServiceProtocol)?
  private var photos = PhotoTable()
  private var files = PhotoGroups()
  private var isComplete = false
  /// The stacks, each with the identifiers of its shots, the one that represents it first.
  private var stacks: [[Photo.ID]] = []
  /// The stacks in the table.
  private var groups = PhotoGroups()
  private var opened: Set<Photo.ID> = []
  /// The appraisals that are known, without the sharpness.
  private var appraisals: [Photo.ID: ImageAppraisal] = [:]
  /// The shots that could not be appraised.
  private var unknown: Set<Photo.ID> = []
  /// The shots of the stacks that are in the order of their sharpness, each with this order.
  private var orders: [Set<Photo.ID>: [Photo.ID]] = [:]
  /// The fingerprint of the last runs.
  private var fingerprint: Int?
  /// The stacks whose sharpness is wanted, the most urgent last.
  private var wanted: [[Photo.ID]] = []
  /// The stack whose sharpness is being measured.
  private var current: [Photo.ID] = []
  private(set) var finding: Task<Void, Never>?
  private(set) var ordering: Task<Void, Never>?

  /// The shots that are appraised before the search for stacks can be canceled.
  private static let shotsAtOnce = 256
  /// The most stacks that wait for their sharpness. The user has left those before them.
  private static let mostWanted = 32
  /// The most shots of a stack whose sharpness is measured. A time lapse has thousands, all of which would be decoded.
  private static let mostOrdered = 200
  /// The most stacks whose order is kept.
  private static let mostOrders = 10_000

  /// - Parameter service: The service that looks at photos, or nil for none: then nothing is stacked.
  init(service: (any AppraisalServiceProtocol)?) { self.service = service }

  deinit {
    finding?.cancel()
    ordering?.cancel()
  }

  /// Whether there is a service that looks at photos.
  public var arePossible: Bool { service != nil }

  /// The photos that the list shows in place of others.
  var folding: PhotoFolding {
    guard areOn else { return PhotoFolding(files: files) }
    let open =
      opened.isEmpty
      ? [] : groups.all.filter { $0.contains { opened.contains(photos.id(at: Int($0))) } }.compactMap(\.first)
    return PhotoFolding(files: files, stacks: groups, open: Set(open))
  }

  /// Opens the stack of some shots, or closes it.
  func toggle(_ shots: [Photo.ID]) {
    if opened.isDisjoint(with: shots) { opened.formUnion(shots) } else { opened.subtract(shots) }
    order(shots)
    onChange()
  }

  /// Stacks similar photos, or lists each by itself.
  public func toggleAll() { set(areOn: !areOn) }

  /// Sets whether similar photos are stacked.
  public func set(areOn: Bool) {
    guard areOn != self.areOn else { return }
    self.areOn = areOn
    if areOn {
      find()
    } else {
      wanted = []
      finding?.cancel()
      ordering?.cancel()
    }
    onChange()
  }

  /// Takes note of the photos of the source.
  ///
  /// - Parameters:
  ///   - files: The files of each shot.
  ///   - isComplete: Whether the photos have been read.
  func sourceDidChange(_ photos: PhotoTable, files: PhotoGroups, isComplete: Bool) {
    (self.photos, self.files, self.isComplete) = (photos, files, isComplete)
    place()
    find()
  }

  /// Measures the sharpness of stacks, the last of which is the most urgent.
  func approach(_ stacks: [[Photo.ID]]) {
    if areOn { stacks.forEach(order) }
  }
}

// MARK: - Finding

extension PhotoStacks {
  private func find() {
    guard let service, areOn, isComplete else { return }
    finding?.cancel()
    finding = Task.onMainActor { [weak self, photos, files, fingerprint] in
      guard let runs = await ShotRuns(in: photos, files: files, unless: fingerprint) else { return }
      let shots = runs.runs.joined().map { (photos.id(at: Int($0)), photos.image(at: Int($0))) }
      await self?.appraise(shots, by: service)
      guard !Task.isCancelled else { return }
      self?.take(runs, of: photos)
    }
  }

  private func appraise(_ shots: [(id: Photo.ID, image: ImageLocation)], by service: any AppraisalServiceProtocol) async
  {
    let missing = shots.compactMap { id, image -> (id: Photo.ID, file: FilePath)? in
      guard case .file(let file) = image, appraisals[id] == nil, !unknown.contains(id) else { return nil }
      return (id, file)
    }
    for start in stride(from: 0, to: missing.count, by: Self.shotsAtOnce) {
      let some = missing[start...].prefix(Self.shotsAtOnce)
      let found = await service.appraisals(of: some.map(\.file), hasSharpness: false)
      guard !Task.isCancelled else { return }
      for (id, appraisal) in zip(some.map(\.id), found) {
        if let appraisal { appraisals[id] = ImageAppraisal(hash: appraisal.hash) } else { unknown.insert(id) }
      }
    }
  }

  private func take(_ runs: ShotRuns, of photos: PhotoTable) {
    fingerprint = runs.fingerprint
    let found = runs.stacks(clock: photos.clock) { appraisals[photos.id(at: $0)] }
      .map { $0.map { photos.id(at: Int($0)) } }.map { orders[Set($0)] ?? $0 }
    guard found != stacks else { return }
    stacks = found
    place()
    onChange()
  }

  /// Finds the stacks in the table.
  private func place() {
    if stacks.isEmpty { groups = PhotoGroups() }
    guard !stacks.isEmpty else { return }
    // After most changes, such as a rating, the photos are where they were.
    let isPlaced = zip(groups.all, stacks).allSatisfy { $0.elementsEqual($1, by: isPhoto) }
    if groups.count == stacks.count, isPlaced { return }
    let shots = Set(stacks.joined())
    var places: [Photo.ID: Int32] = [:]
    places.reserveCapacity(shots.count)
    for photo in photos.indices {
      let id = photos.id(at: photo)
      if shots.contains(id), !files.isHidden(photo) { places[id] = Int32(photo) }
    }
    let placed = stacks.map { $0.compactMap { places[$0] } }.filter { $0.count > 1 }
    groups = PhotoGroups(placed, photoCount: photos.count)
  }
}

// MARK: - Sharpness

extension PhotoStacks {
  private func order(_ shots: [Photo.ID]) {
    guard let service, shots.count <= Self.mostOrdered, orders[Set(shots)] == nil, current != shots else { return }
    wanted.removeAll { $0 == shots }
    wanted.append(shots)
    if wanted.count > Self.mostWanted { wanted.removeFirst() }
    guard ordering == nil else { return }
    ordering = Task.onMainActor { [weak self] in
      while let shots = self?.wanted.popLast() {
        guard let files = self?.filesOf(shots) else { continue }
        self?.current = shots
        let found = await service.appraisals(of: files.map(\.file), hasSharpness: true)
        if Task.isCancelled { break }
        self?.take(found, of: files, in: shots)
      }
      self?.ordering = nil
      self?.current = []
    }
  }

  private func isPhoto(_ place: Int32, _ id: Photo.ID) -> Bool {
    photos.indices.contains(Int(place)) && photos.id(at: Int(place)) == id && !files.isHidden(Int(place))
  }

  private func filesOf(_ shots: [Photo.ID]) -> [(id: Photo.ID, file: FilePath, focus: FocusPoint?)] {
    let group = groups.all.first { photos.id(at: Int($0[$0.startIndex])) == shots[0] } ?? []
    return group.compactMap { index in
      let photo = photos[Int(index)]
      return photo.file.map { (photo.id, $0, photo.metadata?.focus) }
    }
  }

  private func take(
    _ found: [ImageAppraisal?], of files: [(id: Photo.ID, file: FilePath, focus: FocusPoint?)], in shots: [Photo.ID]
  ) {
    let known = zip(files, found).compactMap { file, appraisal in appraisal.map { (file, $0) } }
    let sharpest = ImageAppraisal.sharpestFirst(known.map(\.1), focus: known.map { $0.0.focus.map { ($0.x, $0.y) } })
    let sorted = sharpest.map { known[$0].0.id }
    let order = sorted + shots.filter { !sorted.contains($0) }
    if orders.count >= Self.mostOrders { orders = [:] }
    orders[Set(shots)] = order
    guard let place = stacks.firstIndex(of: shots), order != shots else { return }
    stacks[place] = order
    self.place()
    onChange()
  }
}
