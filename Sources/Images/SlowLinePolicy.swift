import ImageWire

/// The policy for a line that takes seconds for an image: one rendition after the other, each within a number of bytes.
///
/// A visible image begins with the rendition that is at the terminal first. It gets the next better one when the line is idle,
/// so that is sent only while the user stays on the photo.
@MainActor
final class SlowLinePolicy: LinePolicy {
  /// The bytes that renditions may take.
  var budgets: RenditionBudgets
  private unowned let loader: ImageLoader
  /// The rungs that the last frame showed, and those of the frame before.
  private var shown: [RenditionSpecification: Rung] = [:]
  private var shownBefore: [RenditionSpecification: Rung] = [:]

  // The terminal waits for bytes, so rendering ahead does not slow it down.
  let sendsAhead = true

  init(_ budgets: RenditionBudgets, loader: ImageLoader) {
    self.budgets = budgets
    self.loader = loader
  }

  func beginFrame() { (shown, shownBefore) = ([:], shown) }

  /// Perhaps nothing else leads to the next frame: the terminal is not asked whether a few bytes have arrived.
  var needsFrame: Bool {
    shown.contains { shownBefore[$0.key] != $0.value && isImproving($0.key) }
  }

  func entry(toShow specification: RenditionSpecification, isAhead: Bool, skipsPreview: Bool) -> Entry? {
    guard let ladder = loader.memory[specification] else {
      // An enlarged part of a thumbnail shows nothing.
      let isPreviewMissing = skipsPreview || specification.isPart || loader.lacksPreview(specification)
      want(specification, isPreviewMissing ? .full : .preview, .preview, isAhead: isAhead)
      return nil
    }
    return isAhead ? entryAhead(of: specification, ladder) : ladder.entry(visibleRung(of: specification, ladder))
  }

  func standing(
    _ specification: RenditionSpecification, isThere: (UInt32) -> Bool
  ) -> ImageLoader.StoredImage? {
    guard let entry = loader.memory[specification]?.entries.last(where: { $0.isStored(isThere) }) else { return nil }
    loader.asked[specification] = false
    shown[specification] = entry.rung
    return entry.rendition.graphic
  }

  func shownRung(of specification: RenditionSpecification) -> Rung { shown[specification] ?? .exact }

  func isImproving(_ specification: RenditionSpecification) -> Bool {
    !isMoving(specification)
      && loader.memory[specification].map { !$0.entry(shownRung(of: specification)).isFinal } ?? false
  }

  func predecessors(of specification: RenditionSpecification) -> [ImageLoader.StoredImage] {
    guard let ladder = loader.memory[specification], let rung = shown[specification] else {
      return [loader.predecessors[specification]].compactMap(\.self)
    }
    let graphics = ladder.entries.filter { $0.rung < rung }.compactMap(\.rendition.graphic)
    let stored = graphics.filter { loader.isStored($0.id) }
    return stored.isEmpty ? Array(graphics.prefix(1)) : stored.reversed()
  }

  func request(for wish: ImageLoader.Wish) -> RenditionRequest {
    var request = RenditionRequest(wish.specification, wish.stage)
    let cells = wish.specification.cellCount
    var budget = budgets.budget(wish.rung, cells: cells)
    if wish.rung == .preview {
      let (format, bytes) = wish.specification.screen.format.forPreviews(cells: cells, budget: budget.bytes)
      request.specification.screen.format = format
      budget.bytes = bytes
      budget.exactBytes = min(bytes, budget.exactBytes)
    }
    request.budget = budget
    return request
  }

  func ladder(_ old: RenditionLadder, with entry: Entry, for specification: RenditionSpecification) -> RenditionLadder {
    if case .failed = entry.rendition {
      shown[specification] = nil
      return RenditionLadder(entry)
    }
    var ladder = old
    ladder.insert(entry)
    return ladder
  }

  func rungAfterAnswer(hasRendition: Bool, isSharp _: Bool) -> Rung? { hasRendition ? nil : .preview }
}

// MARK: - Rungs

extension SlowLinePolicy {
  private func want(
    _ specification: RenditionSpecification, _ stage: RenditionStage, _ rung: Rung, isAhead: Bool = false
  ) {
    loader.wanted.append(
      ImageLoader.Wish(specification: specification, stage: stage, rung: rung, isAhead: isAhead))
  }

  /// Returns whether another position of the same video follows soon.
  private func isMoving(_ specification: RenditionSpecification) -> Bool {
    loader.isPlaying && specification.presentation.frame != 0
  }

  /// Returns the rung to show, and requests the one after it.
  private func visibleRung(of specification: RenditionSpecification, _ ladder: RenditionLadder) -> Rung {
    func bytes(_ rung: Rung) -> Int { budgets.budget(rung, cells: specification.cellCount).exactBytes }
    var rung = shownBefore[specification] ?? ladder.start(bytes: bytes(.preview), isStored: loader.isStored)
    if shownBefore[specification] != nil, !isMoving(specification) {
      switch ladder.next(after: rung, bytes: bytes, isStored: loader.isStored) {
      case .cached(let next) where next > .readable && !areOthersReadable(specification): break
      case .request(let next) where next > .readable && !areOthersReadable(specification): break
      case .cached(let next)
      where budgets.isLineIdle || next >= .fine && ladder.entry(rung).isStored(loader.isStored):
        rung = next
      // A fine rendition takes long to encode, and that can go on while the readable one is on its way.
      case .request(let next) where budgets.isLineIdle || next >= .fine: want(specification, .full, next)
      case .cached, .request, nil: break
      }
    }
    shown[specification] = rung
    return rung
  }

  /// Returns whether all images beside a part are readable, so that a finer one of it doesn't hold them up.
  private func areOthersReadable(_ specification: RenditionSpecification) -> Bool {
    guard specification.isPart else { return true }
    return shownBefore.allSatisfy { other, rung in
      other == specification || rung >= .readable || loader.memory[other]?.entry(rung).isFinal ?? true
    }
  }

  /// Returns the rendition to send while an image is not visible yet, and requests a readable and then a fine one for a
  /// terminal that stores them.
  private func entryAhead(of specification: RenditionSpecification, _ ladder: RenditionLadder) -> Entry {
    let known = ladder.best
    if budgets.isLineIdle, !isMoving(specification), known.rung < .fine, !known.isFinal,
      case .kitty = specification.screen.format,
      !loader.wanted.contains(where: { !$0.isAhead }), !loader.inFlight.values.contains(where: { !$0.isAhead })
    {
      want(specification, .full, known.rung < .readable ? .readable : .fine, isAhead: true)
    }
    // If the user comes to it while the fine one is on its way, the readable one is there.
    return ladder.entries.first { $0.rung >= .readable && !$0.isStored(loader.isStored) } ?? known
  }
}
