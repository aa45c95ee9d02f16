import Gallery
import Photos
import Services
import WorkerPool

/// The stacks of the photo list: bursts, and photos that show nearly the same, each listed as its sharpest shot, or as one that
/// the user has chosen.
///
/// They are found in the background once the source has been read. The sharpness of a stack's shots is measured when the
/// highlight comes near it, because whole images have to be decoded for that.
@MainActor
public final class PhotoStacks {
  /// Called when the stacks of the source are found that are not the ones of before.
  var onFind: () -> Void = {}
  /// Called when ``listed`` has changed.
  var onChange: () -> Void = {}
  /// Returns how much the user has chosen a shot of a table, as by a mark or stars; 0 for not at all. A closed stack is listed as
  /// the shot that was chosen most, so that what the user does next is about the photo that is shown.
  var choice: (_ shot: TableIndex, _ photos: PhotoTable) -> Int = { _, _ in 0 }
  /// Whether similar photos are stacked.
  public private(set) var areOn = true

  private let finder: StackFinder?
  private var source: PhotoTable?
  private var found = StackFinder.Found()
  private var stacks = ShotStacks()
  /// The ``Stack/decisions`` of each stack that has been sorted.
  private var sorted: [ShotStacks.ID: Int] = [:]
  /// The shots that the user has kept of stacks that were compared.
  let kept: PhotoMarks
  /// The stacks that wait to be sorted, the most urgent last.
  private var wanted: [Stack] = []
  /// The stack that is being sorted.
  private var current: Stack?
  private(set) var finding: Task<Void, Never>?
  private(set) var ordering: Task<Void, Never>?

  /// A stack in a table.
  private struct Stack {
    let id: ShotStacks.ID
    /// The checksum of the rejected and of the chosen shots.
    let decisions: Int
    let shots: ArraySlice<TableIndex>
    let photos: PhotoTable

    init(_ shots: ArraySlice<TableIndex>, of photos: PhotoTable, choice: (TableIndex, PhotoTable) -> Int) {
      self.shots = shots
      self.photos = photos
      id = ShotStacks.id(shots.lazy.map { photos.id(at: $0) })
      let rejected = shots.filter { photos.stars(ofShot: $0) == PhotoDecisions.rejected }
      let choices = shots.map { photos.id(at: $0) &* (choice($0, photos) &* 3) }
      decisions = ShotStacks.id(rejected.map { photos.id(at: $0) }) &+ ShotStacks.id(choices)
    }

    var ids: [Photo.ID] { shots.map { photos.id(at: $0) } }

    @MainActor
    func kept(in kept: PhotoMarks) -> Photo.ID? { kept.count > 0 ? ids.first(where: kept.contains) : nil }

    func isSame(as other: Stack?) -> Bool { id == other?.id && decisions == other?.decisions }
  }

  /// The most stacks that wait for measurement. Older requests are dropped, because the user has moved on.
  private static let mostWanted = 32
  /// The most shots of a stack whose sharpness is measured. A time lapse has thousands, all of which would be decoded.
  private static let mostOrdered = 200
  /// The most stacks whose order is kept.
  private static let mostSorted = 10_000

  /// - Parameters:
  ///   - service: The service that looks at photos, or nil for none: then nothing is stacked.
  ///   - kept: The shots that the user keeps of stacks.
  init(service: (any AppraisalServiceProtocol)?, kept: PhotoMarks = PhotoMarks()) {
    finder = service.map(StackFinder.init)
    self.kept = kept
    kept.onRestore = { [weak self] _ in self?.listKept() }
  }

  deinit {
    finding?.cancel()
    ordering?.cancel()
  }

  /// The stacks that the list shows: none if each photo is listed by itself.
  var listed: ShotStacks { areOn ? stacks : ShotStacks() }

  /// Opens the stack of some shots, or closes it.
  func toggle(_ shots: [Photo.ID]) {
    stacks.toggle(shots)
    onChange()
  }

  /// Stacks similar photos, or lists each by itself.
  public func toggleAll() { set(areOn: !areOn) }

  /// Sets whether similar photos are stacked.
  public func set(areOn: Bool) {
    guard areOn != self.areOn else { return }
    self.areOn = areOn
    if areOn { find() } else { stop() }
    onChange()
  }

  private func stop() {
    finding?.cancel()
    ordering?.cancel()
    ordering = nil
    current = nil
    wanted = []
  }

  /// Takes note of the photos of the source.
  ///
  /// - Parameter isComplete: Whether the photos have been read.
  func sourceDidChange(_ photos: PhotoTable, isComplete: Bool) {
    source = isComplete ? photos : nil
    // If the user reads the source again, photos that could not be decoded are tried again.
    if !isComplete { found.photos = PhotoTable() }
    find()
  }

  private func find() {
    guard let finder, areOn, let source else { return }
    finding?.cancel()
    finding = Task.onMainActor { [weak self, found] in
      let new = await finder.stacks(of: source, known: found)
      if let new, !Task.isCancelled { self?.take(new) }
    }
  }

  private func take(_ new: StackFinder.Found) {
    found = new
    guard new.areNew else { return }
    stacks.replace(new.stacks)
    onFind()
    onChange()
  }
}

// MARK: - The order in a stack

extension PhotoStacks {
  /// Returns the order in which the shots of a stack are listed, or nil if they were not sorted.
  func order(of shots: [Photo.ID]) -> [Photo.ID]? { stacks.order(of: shots) }

  /// Sorts the shots of bursts that the user comes near.
  ///
  /// A burst that is being sorted and is not among them has to wait, because the user has left it. Otherwise each burst might
  /// be sorted a moment after the user has moved on to the next one.
  ///
  /// - Parameter bursts: The indices of each burst's shots, the most urgent burst last.
  func approach(_ bursts: some Sequence<ArraySlice<TableIndex>>, in photos: PhotoTable) {
    guard areOn else { return }
    let near = bursts.filter { $0.count <= Self.mostOrdered }.map {
      Stack($0, of: photos, choice: choice)
    }
    let missing = near.filter { sorted[$0.id] != $0.decisions }
    if let current, !missing.isEmpty, !missing.contains(where: { $0.isSame(as: current) }) { postpone(current) }
    for stack in missing { sort(stack) }
  }

  private func postpone(_ stack: Stack) {
    ordering?.cancel()
    ordering = nil
    current = nil
    if wanted.count < Self.mostWanted { wanted.insert(stack, at: 0) }
  }

  /// Lists a shot as the first one of its stack, because the user has kept it in a comparison.
  func keep(_ shot: Photo.ID, of shots: ArraySlice<TableIndex>, in photos: PhotoTable) {
    let stack = Stack(shots, of: photos, choice: choice)
    kept.change {
      $0.subtract(stack.ids)
      $0.insert(shot)
    }
    sorted[stack.id] = nil
    stacks.sort(stack.id, [shot] + stack.ids.filter { $0 != shot })
    listKept()
  }

  private func listKept() {
    stacks.keep(kept.ids)
    // The stacks may have been sorted before the marks of the last session were read.
    for shots in stacks.stacks.map(\.shots) {
      guard let shot = shots.first(where: kept.contains), let order = stacks.order(of: shots), order.first != shot
      else { continue }
      stacks.sort(ShotStacks.id(shots), [shot] + order.filter { $0 != shot })
    }
    onChange()
  }

  private func sort(_ stack: Stack) {
    guard let finder, sorted[stack.id] != stack.decisions, !stack.isSame(as: current) else { return }
    wanted.removeAll { $0.id == stack.id }
    wanted.append(stack)
    if wanted.count > Self.mostWanted { wanted.removeFirst() }
    guard ordering == nil else { return }
    ordering = Task.onMainActor { [weak self] in
      while let (stack, kept) = self?.nextStack() {
        let sorted = await finder.sorted(stack.shots, of: stack.photos, keeping: kept)
        guard !Task.isCancelled, let sorted else { return }
        self?.take(sorted.order, sharpness: sorted.sharpness, of: stack, keeping: kept)
      }
    }
  }

  private func nextStack() -> (Stack, kept: Photo.ID?)? {
    current = wanted.popLast()
    if current == nil { ordering = nil }
    return current.map { ($0, $0.kept(in: kept)) }
  }

  private func take(
    _ order: [Photo.ID], sharpness: [Photo.ID: Int], of stack: Stack, keeping keptBefore: Photo.ID?
  ) {
    current = nil
    // The user may have kept a shot since.
    guard stack.kept(in: kept) == keptBefore else { return sort(stack) }
    let isFull = sorted.count >= Self.mostSorted
    if isFull {
      sorted = [:]
      stacks.forgetOrders()
    }
    sorted[stack.id] = stack.decisions
    stacks.measure(stack.id, sharpness)
    stacks.sort(stack.id, order, lead: keptBefore == nil ? lead(of: stack, order) : nil)
    onChange()
  }

  /// Returns the shot of a stack that was chosen most; nil if none is. Of equal ones, it is the one that represents the stack
  /// already, or the sharpest one.
  private func lead(of stack: Stack, _ order: [Photo.ID]) -> Photo.ID? {
    let choices = Dictionary(stack.shots.map { (stack.photos.id(at: $0), choice($0, stack.photos)) }) { max($0, $1) }
    guard let most = choices.values.max(), most > 0 else { return nil }
    let shown = stack.shots.first.map { stack.photos.id(at: $0) }
    return shown.flatMap { choices[$0] } == most ? shown : order.first { choices[$0] == most }
  }
}
