import ImageWire

/// The policy for a terminal that takes any number of bytes at once: a preview, then the image itself.
@MainActor
struct LocalLinePolicy: LinePolicy {
  unowned let loader: ImageLoader

  let sendsAhead = false
  let needsFrame = false

  func beginFrame() {}

  func entry(toShow specification: RenditionSpecification, isAhead: Bool, skipsPreview: Bool) -> Entry? {
    let known = loader.memory[specification]?.best
    if let known, known.info.isSharp { return known }
    // A part that the user moves to is better shown a little later than blurred.
    let isPreviewDone =
      known != nil || skipsPreview || isAhead && specification.isPart || loader.lacksPreview(specification)
    // If the user moves on faster than images come, a preview of each is better than the whole image of a few.
    let isInTime =
      isAhead && !loader.wanted.contains { !$0.isAhead && $0.specification.hasSameExtent(as: specification) }
    let stage = isPreviewDone ? RenditionStage.full : isInTime ? .ahead : .preview
    loader.wanted.append(ImageLoader.Wish(specification: specification, stage: stage, isAhead: isAhead))
    return known
  }

  func standing(_: RenditionSpecification, isThere _: (UInt32) -> Bool) -> ImageLoader.StoredImage? { nil }

  func shownRung(of _: RenditionSpecification) -> Rung { .exact }

  func isImproving(_: RenditionSpecification) -> Bool { false }

  func predecessors(of specification: RenditionSpecification) -> [ImageLoader.StoredImage] {
    [loader.predecessors[specification]].compactMap(\.self)
  }

  func request(for wish: ImageLoader.Wish) -> RenditionRequest { RenditionRequest(wish.specification, wish.stage) }

  func ladder(_ old: RenditionLadder, with entry: Entry, for specification: RenditionSpecification) -> RenditionLadder {
    if loader.asked[specification] == false { loader.predecessors[specification] = old.best.rendition.graphic }
    return RenditionLadder(entry)
  }

  func rungAfterAnswer(hasRendition: Bool, isSharp: Bool) -> Rung? { hasRendition && isSharp ? nil : .exact }
}

extension RenditionSpecification {
  fileprivate func hasSameExtent(as other: RenditionSpecification) -> Bool {
    columns == other.columns && rows == other.rows
  }
}
