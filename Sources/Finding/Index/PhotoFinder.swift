import Gallery
import Photos
import Synchronization

/// A search engine for tables of photos, which uses all processor cores.
///
/// The finder keeps the words of the last table (``PieceIndex``), so that only the new part of a table that has grown
/// must be read. It also keeps the last result, so that a query that narrows the previous one searches only that
/// result. A search stops when its task is canceled or the next search starts. Stopping takes as long as one piece of
/// the table: some milliseconds.
public actor PhotoFinder {
  private var lineage: PhotoLineage?
  private var indexes: [PieceIndex?] = []
  private var last: (query: PhotoQuery, scores: [[UInt16]])?
  private var current: StopFlag?
  private var preparation: StopFlag?
  private var matching: StopFlag?
  private let pieceCount: Int

  /// Creates a finder without a table.
  public init() { self.init(pieceCount: PieceIndex.mostPhotos) }

  /// - Parameter pieceCount: The number of photos in a piece of the table, at most ``PieceIndex/mostPhotos``.
  init(pieceCount: Int) { self.pieceCount = pieceCount }

  /// Whether a search is running.
  var isSearching: Bool { current != nil }

  /// Reads the words of a table in advance, so that the first search does not wait for them.
  ///
  /// A search that starts in the meantime continues with the words read so far. If a search is already running, this
  /// function does nothing, because the next search reads the words itself.
  public func prepare(_ table: PhotoTable) async {
    if isSearching { return }
    preparation?.stop()
    let search = StopFlag()
    preparation = search
    follow(table)
    _ = await pieces(of: table, search) { _, _ in [] }
  }

  /// Finds the photos that match a query.
  ///
  /// - Parameter order: The indices of the photos in the order that applies to equally good matches, or nil for the
  ///   table's own order. Photos at the table's end that the order lacks follow the others.
  /// - Parameter sets: The photos of the sets that the query asks for.
  /// - Returns: The indices of the photos, best match first.
  /// - Throws: `CancellationError` if the task is canceled or another search starts.
  public func find(
    _ query: PhotoQuery, in table: PhotoTable, order: [TableIndex]? = nil, sets: PhotoSets = [:]
  ) async throws(CancellationError) -> [TableIndex] {
    // Tasks may arrive in a different order than they were created: an older search must not stop a newer one.
    if Task.isCancelled { throw CancellationError() }
    current?.stop()
    preparation?.stop()
    matching?.stop()
    let search = StopFlag()
    current = search
    defer { if current === search { current = nil } }
    follow(table)
    guard let scores = await scores(of: query, in: table, sets: sets, search) else { throw CancellationError() }
    // Sets change without a new table.
    let asksForSet = !query.sets.isEmpty
    if table.lineage === lineage { self.last = asksForSet ? nil : (query, scores) }
    let indices = await Ranking(scores, pieceCount: pieceCount).indices(order: order)
    // The next search may have started in the meantime.
    if search.isStopped || Task.isCancelled { throw CancellationError() }
    return indices
  }

  /// Counts the photos that match a query, beside the searches: the next one stops it, and goes on from the last one.
  ///
  /// - Throws: `CancellationError` if the task is canceled or a search starts.
  func count(
    _ query: PhotoQuery, in table: PhotoTable, sets: PhotoSets
  ) async throws(CancellationError) -> Int {
    if Task.isCancelled || isSearching { throw CancellationError() }
    preparation?.stop()
    let search = StopFlag()
    preparation = search
    follow(table)
    guard let scores = await scores(of: query, in: table, sets: sets, search) else { throw CancellationError() }
    return scores.reduce(0) { $0 + $1.count { $0 > 0 } }
  }

  /// Returns the photos that match a query in the order of the table, beside the searches: the next one stops it.
  ///
  /// - Throws: `CancellationError` if the task is canceled or a search starts.
  public func matches(
    of query: PhotoQuery, in table: PhotoTable, sets: PhotoSets
  ) async throws(CancellationError) -> [TableIndex] {
    if Task.isCancelled || isSearching { throw CancellationError() }
    let search = StopFlag()
    matching = search
    follow(table)
    guard let scores = await scores(of: query, in: table, sets: sets, search) else { throw CancellationError() }
    return scores.enumerated().flatMap { piece, scores in
      scores.indices.filter { scores[$0] > 0 }.map { table.startIndex + (piece * pieceCount + $0) }
    }
  }

  /// Returns the score of each photo in the pieces of a table, or nil if the search was stopped. A query that narrows the last
  /// one searches only its result.
  private func scores(
    of query: PhotoQuery, in table: PhotoTable, sets: PhotoSets, _ search: StopFlag
  ) async -> [[UInt16]]? {
    let last = last
    let isSame = last?.query == query
    let candidates = last.map { query.narrows($0.query) } == true ? last?.scores : nil
    let scores = await pieces(of: table, search) { piece, index in
      let known = candidates.flatMap { piece < $0.count ? $0[piece] : nil }
      if isSame, let known, known.count == index.range.count { return known }
      return PieceSearch(index: index, table: table, sets: sets).scores(of: query, among: known)
    }
    return search.isStopped ? nil : scores
  }

  /// Returns the words of the last searched table that begin with some letters, those of most photos first.
  ///
  /// - Parameters:
  ///   - field: The text in which the words are, or nil for those that are searched by default.
  ///   - most: The largest number of words.
  func words(beginningWith letters: [UInt8], in field: PhotoQuery.SearchedText?, most: Int) -> [String] {
    var counts: [[UInt8]: Int] = [:]
    for index in indexes.lazy.compactMap(\.self) where !Task.isCancelled {
      for text in PhotoQuery.SearchedText.all where text.isSearched(by: field) {
        index.words[text]?.forEachWord(beginningWith: letters) { counts[Array($0), default: 0] += $1 }
      }
    }
    // Of words of as many photos, the shortest ones are first, but `nikon` is before the `z` and the `6_2` of its name.
    let found = counts.sorted {
      ($1.value, Self.saysLittle($0.key) ? 1 : 0, $0.key.count, $0.key.text)
        < ($0.value, Self.saysLittle($1.key) ? 1 : 0, $1.key.count, $1.key.text)
    }
    return found.prefix(most).map(\.key.text)
  }

  /// Returns whether a word has one letter or begins with a digit.
  private static func saysLittle(_ word: [UInt8]) -> Bool {
    word.count == 1 || word.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
  }

  /// Returns the values of a number in the last searched table, those of most photos first.
  func values(of number: MetadataField.Number, most: Int) -> [Float] {
    var counts: [Float: Int] = [:]
    for index in indexes.lazy.compactMap(\.self) {
      index.numbers[number]?.forEachValue { counts[$0, default: 0] += 1 }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most).map(\.key)
  }

  /// Returns the word of the last searched table that is most like another one, or nil if none is like it.
  ///
  /// - Parameter field: The text in which the word may be, or nil for those that are searched by default.
  func nearestWord(to word: [UInt8], in field: PhotoQuery.SearchedText?) -> String? {
    var most = Spelling.mostErrors(letters: word.count)
    var best: [UInt8]?
    for index in indexes.lazy.compactMap(\.self) where most > 0 && !Task.isCancelled {
      for text in PhotoQuery.SearchedText.all where text.isSearched(by: field) {
        guard let near = index.words[text]?.nearest(to: word, atMost: most) else { continue }
        best = near.word
        most = near.distance - 1
      }
    }
    return best.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Forgets the words and the result of another table.
  private func follow(_ table: PhotoTable) {
    if lineage === table.lineage { return }
    lineage = table.lineage
    indexes = []
    last = nil
  }

  /// Reads the words of each piece of a table, and returns what `body` makes of them, or nil if the search was stopped.
  private func pieces(
    of table: PhotoTable, _ search: StopFlag, _ body: @escaping @Sendable (Int, PieceIndex) -> [UInt16]
  ) async -> [[UInt16]]? {
    let starts = Array(stride(from: table.startIndex, to: table.endIndex, by: pieceCount))
    indexes += Array(repeating: nil, count: max(0, starts.count - indexes.count))
    return await withTaskGroup { group in
      for (piece, start) in starts.enumerated() {
        let range = start..<min(table.endIndex, start + pieceCount)
        let known = indexes[piece].flatMap { $0.range == range ? $0 : nil }
        group.addTask { () -> (piece: Int, index: PieceIndex, result: [UInt16])? in
          if search.isStopped || Task.isCancelled { return nil }
          let index = known ?? PieceIndex(table, range)
          return (piece, index, body(piece, index))
        }
      }
      var results = [[UInt16]?](repeating: nil, count: starts.count)
      for await answer in group {
        guard let answer else { continue }
        // A stopped search contributes its words, too, because the next search needs them.
        if table.lineage === lineage, answer.piece < indexes.count { indexes[answer.piece] = answer.index }
        results[answer.piece] = answer.result
      }
      return results.contains { $0 == nil } ? nil : results.compactMap(\.self)
    }
  }
}

/// A flag that stops the tasks of a search whose result is not needed any more.
private final class StopFlag: Sendable {
  private let stopped = Atomic(false)

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func stop() { stopped.store(true, ordering: .relaxed) }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
