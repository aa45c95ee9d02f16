import ImageWire

/// The cached renditions of a specification, coarsest first. On a slow line there is one for each rung that was reached, otherwise
/// only the last one.
struct RenditionLadder {
  struct Step {
    var rendition: ImageLoader.Rendition
    var info: ImageInfo
    var rung: Rung

    /// Whether no better rendition can follow.
    var isFinal: Bool {
      if case .failed = rendition { true } else { info.isSharp || rung.next == nil }
    }
  }

  /// The way to a better rendition.
  enum Next: Equatable {
    case cached(Rung)
    case request(Rung)
  }

  private(set) var steps: [Step]

  init(_ step: Step) { steps = [step] }

  /// The finest step.
  var best: Step { steps[steps.count - 1] }
  var graphics: [ImageLoader.StoredImage] { steps.compactMap(\.rendition.graphic) }
  /// The coarsest rendition in characters, or nil if there is none.
  var cells: CellImage? {
    for step in steps { if case .cells(let image) = step.rendition { return image } }
    return nil
  }
  var cost: Int { steps.reduce(0) { $0 + $1.rendition.cost } }

  /// Returns the finest step up to a rung.
  func step(_ rung: Rung) -> Step { steps.last { $0.rung <= rung } ?? steps[0] }

  /// Inserts a step, and removes those that it makes needless.
  mutating func insert(_ step: Step) {
    steps.removeAll { $0.rung == step.rung || step.isFinal && $0.rung > step.rung }
    steps.insert(step, at: steps.firstIndex { $0.rung > step.rung } ?? steps.endIndex)
  }

  /// Returns the rung to show at first: the finest one that the terminal stores or that takes at most `bytes`.
  func start(bytes: Int, isStored: (UInt32) -> Bool) -> Rung {
    (steps.last { $0.isStored(isStored) || $0.rendition.byteCount <= bytes } ?? steps[0]).rung
  }

  /// Returns how to get the rendition after that of a rung, or nil if there is none.
  /// - Parameter bytes: Returns the most bytes that a rendition may take at a rung if it is exact.
  func next(after rung: Rung, bytes: (Rung) -> Int, isStored: (UInt32) -> Bool) -> Next? {
    guard !step(rung).isFinal, let next = rung.next else { return nil }
    guard let cached = steps.first(where: { $0.rung > rung }),
      cached.rung == next || cached.isStored(isStored) || cached.rendition.byteCount <= bytes(next)
    else { return .request(next) }
    return .cached(cached.rung)
  }
}

extension RenditionLadder.Step {
  /// Returns whether the terminal stores the step's image.
  func isStored(_ isStored: (UInt32) -> Bool) -> Bool { rendition.graphic.map { isStored($0.id) } ?? false }
}
