import Gallery
import Photos

/// The order in which photos are sorted: a key and a direction.
public struct PhotoOrder: Hashable, Sendable {
  /// The property that photos are sorted by.
  public enum Key: Hashable, CaseIterable, Sendable {
    /// The position in the source.
    case source
    /// The time that is shown for the photo (``Photo/clock``).
    case date
    /// A text. Case and accents are ignored, and numbers are compared by value.
    case name, camera
    /// The number of pixels in the image.
    case size
    /// The value of a metadata field.
    case metadata(MetadataField.Sort)

    /// The keys, in the order of the menu.
    public static let allCases: [Key] =
      [.source, .date, .name, .camera] + MetadataField.all.compactMap(\.sort).map(metadata) + [.size]

    /// The name that distinguishes the key from others.
    public var name: String {
      switch self {
      case .source: "source"
      case .date: "date"
      case .name: "name"
      case .camera: "camera"
      case .size: "size"
      case .metadata(let sort): sort.name
      }
    }

    /// Whether the direction that users expect first is ascending: texts start with A, but dates with the newest,
    /// sizes with the largest, and numbers of metadata with the highest.
    public var isAscendingFirst: Bool {
      switch self {
      case .source, .name, .camera: true
      case .date, .size: false
      case .metadata(let sort): if case .text = sort.key { true } else { false }
      }
    }
  }

  /// The property that photos are sorted by.
  public var key: Key
  /// Whether the lowest values come first.
  public var isAscending: Bool

  /// Creates an order.
  /// - Parameter isAscending: Whether the lowest values come first; nil for the direction that users expect first.
  public init(_ key: Key = .source, isAscending: Bool? = nil) {
    self.key = key
    self.isAscending = isAscending ?? key.isAscendingFirst
  }

  /// Sorts the photos of a table and returns their indices.
  ///
  /// Photos whose key is unknown come last in both directions. Photos with equal keys stay in the order of the table.
  /// The work runs outside the caller's actor on all processor cores, and stops when the task is canceled.
  public func indices(of table: PhotoTable) async throws(CancellationError) -> [Int32] {
    try await indices(of: table, pieceCount: 1 << 15)
  }

  /// - Parameter pieceCount: The number of photos that one task sorts.
  @concurrent
  func indices(of table: PhotoTable, pieceCount: Int) async throws(CancellationError) -> [Int32] {
    let all = 0..<Int32(table.count)
    if key == .source { return isAscending ? Array(all) : all.reversed() }
    var (runs, texts) = await sortedPieces(of: table, pieceCount)
    while runs.count > 1, !Task.isCancelled { runs = await merged(runs, texts) }
    if Task.isCancelled { throw CancellationError() }
    return runs.first?.indices ?? []
  }

  private func sortedPieces(of table: PhotoTable, _ pieceCount: Int) async -> ([SortedRun], SortTexts) {
    let starts = Array(stride(from: 0, to: table.count, by: pieceCount))
    let pieces = await Parallel.map(starts.count) { piece in
      let range = starts[piece]..<min(table.count, starts[piece] + pieceCount)
      var texts = SortTexts()
      return Task.isCancelled ? (SortedRun(), texts) : (SortedRun(table, range, by: self, &texts), texts)
    }
    return (pieces.map(\.0), pieces.reduce(into: SortTexts()) { $0.append($1.1) })
  }

  /// Merges every two neighboring runs into one.
  private func merged(_ runs: [SortedRun], _ texts: SortTexts) async -> [SortedRun] {
    await Parallel.map((runs.count + 1) / 2) { pair in
      guard pair * 2 + 1 < runs.count else { return runs[pair * 2] }
      return texts.withComparison(isAscending: isAscending) {
        runs[pair * 2].merged(with: runs[pair * 2 + 1], by: $0)
      }
    }
  }
}
