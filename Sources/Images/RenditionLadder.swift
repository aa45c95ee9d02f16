import ImageWire

/// The cached renditions of a specification, coarsest first. On a slow line there is one for each rung that was reached, otherwise
/// only the last one.
struct RenditionLadder {
  struct Entry {
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

  private(set) var entries: [Entry]

  init(_ entry: Entry) { entries = [entry] }

  /// The finest entry.
  var best: Entry { entries[entries.count - 1] }
  var graphics: [ImageLoader.StoredImage] { entries.compactMap(\.rendition.graphic) }
  /// The coarsest rendition in characters, or nil if there is none.
  var cells: CellImage? {
    for entry in entries { if case .cells(let image) = entry.rendition { return image } }
    return nil
  }
  var cost: Int { entries.reduce(0) { $0 + $1.rendition.cost } }

  /// Returns the finest entry up to a rung.
  func entry(_ rung: Rung) -> Entry { entries.last { $0.rung <= rung } ?? entries[0] }

  /// Inserts an entry, and removes those that it makes needless.
  mutating func insert(_ entry: Entry) {
    entries.removeAll { $0.rung == entry.rung || entry.isFinal && $0.rung > entry.rung }
    entries.insert(entry, at: entries.firstIndex { $0.rung > entry.rung } ?? entries.endIndex)
  }

  /// Returns the rung to show at first: the finest one that the terminal stores or that takes at most `bytes`.
  func start(bytes: Int, isStored: (UInt32) -> Bool) -> Rung {
    (entries.last { $0.isStored(isStored) || $0.rendition.byteCount <= bytes } ?? entries[0]).rung
  }

  /// Returns how to get the rendition after that of a rung, or nil if there is none.
  /// - Parameter bytes: Returns the most bytes that a rendition may take at a rung if it is exact.
  func next(after rung: Rung, bytes: (Rung) -> Int, isStored: (UInt32) -> Bool) -> Next? {
    guard !entry(rung).isFinal, let next = rung.next else { return nil }
    guard let cached = entries.first(where: { $0.rung > rung }),
      cached.rung == next || cached.isStored(isStored) || cached.rendition.byteCount <= bytes(next)
    else { return .request(next) }
    return .cached(cached.rung)
  }
}

extension RenditionLadder.Entry {
  /// Returns whether the terminal stores the entry's image.
  func isStored(_ isStored: (UInt32) -> Bool) -> Bool { rendition.graphic.map { isStored($0.id) } ?? false }
}
