import Finding
import FoundationEssentials
import Gallery
import Photos
import Services
import WorkerPool

/// The search of the photo list, and the order in which the list shows photos.
///
/// Searching and sorting take place in the background. The list keeps its rows until the newest search has finished;
/// a search that is no longer wanted is canceled.
@MainActor
public final class PhotoSearchViewModel {
  /// The text as the user typed it.
  public private(set) var text = ""
  /// The reason why the text is not a valid query, and how to correct it; nil if the text is valid.
  public private(set) var fault: String?
  /// The last valid query, or nil if nothing is searched for.
  public private(set) var query: PhotoQuery?
  /// Whether the list shows all photos and highlights the matches, instead of showing only the matches.
  public private(set) var listsAll = false
  /// The order of the photos.
  public private(set) var order = PhotoOrder()
  /// The number of matches, or nil if nothing is searched for or the first result is not known yet.
  public var matchCount: Int? { arrangement.matchCount }
  /// Whether a search or a sort is running, so that the rows are still those of before.
  public var isRunning: Bool { running != nil }

  /// Whether the query asks for duplicates that are still looked for. The rows are those of before.
  public var awaitsDuplicates: Bool { duplicates == nil && query?.asks(for: .duplicates) == true }

  /// Whether the server is being asked for photos. The rows are those of before.
  public var awaitsServer: Bool { asking != nil }

  /// The advice for a query that finds nothing; nil if photos are found, or if there is no advice.
  public private(set) var advice: String?
  /// The ways to go on with the query, or to replace one that finds nothing, as far as they are known.
  public private(set) var completions: [QueryCompletion] = []

  /// Returns the marked photos, for the query `is:marked`.
  var marked: () -> Set<Photo.ID> = { [] }
  /// Returns the decisions that the source does not tell by itself. A search finds photos by them, too.
  var unread: () -> [ImageLocation: DecisionEdits] = { [:] }
  /// Returns the files of a collection; none if there is no such collection.
  var filesOfCollection: (String) async -> [FilePath] = { _ in [] }
  /// Returns the names of all collections.
  var collectionNames: () -> [String] = { [] }
  /// Called with whether the query asks for duplicates.
  var onAskForDuplicates: (Bool) -> Void = { _ in }
  /// Called with each new arrangement of the list.
  var onArrange: (PhotoArrangement) -> Void = { _ in }
  /// Called after other properties have changed.
  var onChange: () -> Void = {}

  private let now: () -> CalendarTime
  /// The photos that `is:marked` finds: those that were marked when the search began, so that the list does not lose rows
  /// under the highlight.
  private var searchedMarks: Set<Photo.ID> = []
  /// The duplicates that were found, or nil if they are unknown.
  private var duplicates: DuplicateGroups?
  /// The photos that the server has found for a text, best first; nil before it has been asked.
  private var fitting: FittingPhotos?
  /// The ranks of these photos, from 0 for the best one.
  private var ranks: [Photo.ID: Int] = [:]
  /// The photos of the collections that the query asks for, as they were when the search began.
  private var collected: PhotoSets = [:]
  private let server: (any ContentSearchProtocol)?
  private let clock: any Clock<Duration>
  private let finder = PhotoFinder()
  private var photos = PhotoTable()
  /// The photos with the decisions that the source does not tell, or nil if there are none or they have not been needed.
  private var decided: (unread: [ImageLocation: DecisionEdits], photos: PhotoTable)?
  private var groupsByFolder = false
  private var stacks = ShotStacks()
  private var arrangement = PhotoArrangement(PhotoTable())
  /// The last order that was computed for `photos`.
  private var sorted: (order: PhotoOrder, indices: [TableIndex])?
  private(set) var running: Task<Void, Never>?
  private(set) var asking: Task<Void, Never>?
  private(set) var collecting: Task<Void, Never>?
  private(set) var advising: Task<Void, Never>?
  private(set) var completing: Task<Void, Never>?

  /// The most photos whose stacks and files are arranged on the main actor. More would delay the next frame.
  private static let mostFoldedAtOnce = 20_000
  /// The most times that the photos of a calendar are counted, until no search stops that.
  private static let mostCounts = 8
  /// The time without a key after which the server is asked.
  private static let pauseOfTyping = Duration.milliseconds(300)

  /// - Parameters:
  ///   - now: Returns the time that the user's clock shows, from which a query such as `taken:last-week` counts.
  ///   - server: The server of the photos, for the query `smart:`; nil if it can't find photos by what they show.
  ///   - clock: The clock that measures how long the user has not typed.
  public init(
    now: @escaping () -> CalendarTime = { LocalClock.system.time(of: Date()) },
    server: (any ContentSearchProtocol)? = nil, clock: any Clock<Duration> = WorkerPoolClock()
  ) {
    self.now = now
    self.server = server
    self.clock = clock
  }

  deinit {
    running?.cancel()
    asking?.cancel()
    collecting?.cancel()
    advising?.cancel()
    completing?.cancel()
  }

  /// Searches for a text.
  ///
  /// The text may contain words and fields, such as `river camera:x100`. If it isn't a valid query, ``fault`` says why
  /// and the last valid query stays.
  public func find(_ text: String) {
    guard text != self.text else { return }
    self.text = text
    do throws(QueryError) {
      let query = try PhotoQuery(text, now: now())
      fault = nil
      self.query = query.isEmpty ? nil : query
      searchedMarks = query.asks(for: .mark) ? marked() : []
      onAskForDuplicates(query.asks(for: .duplicates))
      askServer()
      askForCollections()
      arrange()
    } catch {
      fault = error.message
    }
    onChange()
  }

  /// Asks the server for the photos of a query that needs it, once the user stops typing.
  private func askServer() {
    asking?.cancel()
    asking = nil
    guard let text = query?.textForServer, text != fitting?.text else { return }
    guard let server else {
      fault = QueryError.noServer.message
      return
    }
    asking = Task.onMainActor { [weak self, server, clock] in
      do { try await clock.sleep(for: Self.pauseOfTyping) } catch { return }
      let answer = await result { () async throws(APIError) in try await server.photos(fitting: text) }
      guard let self, !Task.isCancelled else { return }
      asking = nil
      switch answer {
      case .success(let images):
        fitting = FittingPhotos(text: text, images: images)
        arrange()
      case .failure(let error): fault = error.message
      }
      onChange()
    }
  }

  /// Finds the photos of the collections that the query asks for.
  private func askForCollections() {
    collecting?.cancel()
    collecting = nil
    guard let names = query?.collections, !names.isEmpty else { return }
    collecting = Task.onMainActor { [weak self, photos, filesOfCollection] in
      var found: PhotoSets = [:]
      for name in Set(names) {
        found[.collection(name)] = await Self.photos(ofFiles: await filesOfCollection(name), in: photos)
      }
      guard let self, !Task.isCancelled else { return }
      collecting = nil
      collected = found
      arrange()
      onChange()
    }
  }

  @concurrent
  private static func photos(ofFiles files: [FilePath], in photos: PhotoTable) async -> Set<Photo.ID> {
    let files = Set(files.map(ImageLocation.file))
    return files.isEmpty ? [] : Set(photos.indices.filter { files.contains(photos.image(at: $0)) }.map(photos.id))
  }

  /// Runs the search again, whose result may have changed: dates are counted from today, and marks as they are now.
  public func findAgain() {
    let text = text
    self.text = ""
    find(text)
  }

  /// Runs the search again if marks that it asks for have changed.
  public func findMarkedAgain() {
    if query?.asks(for: .mark) == true, searchedMarks != marked() { findAgain() }
  }

  /// Counts the photos of each year, month and day that the search finds, or would find without its dates.
  ///
  /// - Returns: nil if another search has begun, after which the photos have to be counted again.
  func calendar() async -> PhotoCalendar? {
    let photos = decided?.photos ?? photos
    guard let query = try? PhotoQuery(textWithoutDates, now: now()), !query.isEmpty else {
      return await Self.calendar(of: photos, among: nil, stacks)
    }
    for _ in 0..<Self.mostCounts {
      if let shots = try? await finder.matches(of: query, in: photos, sets: sets) {
        return await Self.calendar(of: photos, among: shots, stacks)
      }
      // The search for advice, too, stops the count.
      await running?.value
      await advising?.value
    }
    return nil
  }

  @concurrent
  private static func calendar(
    of photos: PhotoTable, among shots: [TableIndex]?, _ stacks: ShotStacks
  ) async -> PhotoCalendar { await PhotoCalendar(of: photos, among: shots, sharpness: stacks.sharpness) }

  /// Returns the text of the search with a period in place of its dates.
  public func text(for period: PhotoCalendar.Period) -> String {
    // All text behind a field for the server is its own.
    [period.query, textWithoutDates].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text without the periods that a calendar has put there.
  var textWithoutDates: String {
    PhotoQuery.terms(of: text).filter { PhotoCalendar.Period(query: $0) == nil }.joined(separator: " ")
  }

  /// Indexes the photos, so that the first key of a search has no delay.
  public func prepare() {
    Task.onMainActor { [finder, photos] in await finder.prepare(photos) }
  }

  /// Looks for ways to go on with the text. They are found after the photos that it finds. A text that is one of the known
  /// completions keeps them, so that the user can go on to the next one.
  public func complete() {
    if completions.contains(where: { $0.query == text && $0.count != nil }) { return }
    completing?.cancel()
    completing = Task.onMainActor {
      [weak self, running, text, photos, finder, time = now(), sets, collections = collectionNames()] in
      await running?.value
      // A query that finds nothing gets advice.
      guard self?.matchCount != 0, !Task.isCancelled else { return }
      let completions = await QueryCompletion.completions(
        of: text, in: photos, by: finder, now: time, sets: sets, collections: collections)
      guard let self, !Task.isCancelled else { return }
      self.completions = completions
      onChange()
    }
  }

  /// Forgets the completions, as when the user ends typing.
  public func endCompleting() {
    completing?.cancel()
    completions = []
  }

  /// The completion after the one that is the text, or the first one; nil if none is known.
  public var nextCompletion: QueryCompletion? {
    let next = completions.firstIndex { $0.query == text }.map { $0 + 1 } ?? 0
    return completions.isEmpty ? nil : completions[next % completions.count]
  }

  /// Switches between a list of all photos and a list of the matches. See ``listsAll``.
  public func toggleListsAll() {
    listsAll.toggle()
    arrange()
    onChange()
  }

  /// Sorts by a key. Reverses the order if the photos are already sorted by that key.
  public func sort(by key: PhotoOrder.Key) {
    sort(PhotoOrder(key, isAscending: key == order.key ? !order.isAscending : nil))
  }

  /// Sorts the photos in an order.
  public func sort(_ order: PhotoOrder) {
    guard order != self.order else { return }
    self.order = order
    arrange()
    onChange()
  }

  /// Returns the row of the next match after a row, or of the first match after the last one.
  ///
  /// - Parameter isBackwards: Whether to return the previous match instead.
  /// - Returns: nil if there are no matches.
  public func match(after row: RowIndex, isBackwards: Bool = false) -> RowIndex? {
    guard query != nil, let count = matchCount, count > 0 else { return nil }
    guard let rows = arrangement.matchingRows else {
      return RowIndex((row.value + (isBackwards ? count - 1 : 1)) % count)
    }
    let next = rows.partitioningIndex { isBackwards ? $0 >= row : $0 > row }
    return isBackwards ? rows[(next + count - 1) % count] : rows[next % count]
  }

  /// Searches and sorts new photos.
  ///
  /// - Parameter groupsByFolder: Whether the list can be grouped by folders.
  func arrange(_ photos: PhotoTable, groupsByFolder: Bool) {
    self.photos = photos
    self.groupsByFolder = groupsByFolder
    sorted = nil
    decided = nil
    askForCollections()
    arrange()
  }

  /// Lists the same photos with other stacks.
  func stack(_ stacks: ShotStacks) {
    self.stacks = stacks
    arrange()
  }

  /// Adds photos to the marked ones that the search finds.
  func addMarked(_ photos: [Photo.ID]) {
    guard query?.asks(for: .mark) == true else { return }
    searchedMarks.formUnion(photos)
    arrange()
  }

  /// Takes the duplicates that were found.
  func take(_ duplicates: DuplicateGroups) {
    self.duplicates = duplicates
    guard query?.asks(for: .duplicates) == true else { return }
    arrange()
    onChange()
  }

  private var sets: PhotoSets {
    var sets: PhotoSets = [.mark: searchedMarks]
    sets[.duplicates] = duplicates?.ids
    if let fitting { sets[.fitting(fitting.text)] = Set(ranks.keys) }
    return sets.merging(collected) { $1 }
  }

  private func arrange() {
    running?.cancel()
    running = nil
    advising?.cancel()
    advice = nil
    let text = query?.textForServer
    if awaitsDuplicates || collecting != nil || text != nil && text != fitting?.text { return }
    let isFolded = !photos.groups.isEmpty || !stacks.stacks.isEmpty
    guard query != nil || order != PhotoOrder() || isFolded && photos.count > Self.mostFoldedAtOnce else {
      return show(
        PhotoArrangement(photos, groupsByFolder: groupsByFolder, stacks: stacks, after: arrangement))
    }
    let unread = unread()
    if unread != decided?.unread ?? [:] {
      decided = nil
      sorted = nil
    }
    let known = sorted.flatMap { $0.order == order ? $0.indices : nil }
    running = Task.onMainActor {
      [
        weak self, finder, photos, groupsByFolder, stacks, arrangement, query, listsAll, order, sets, duplicates,
        fitting, decided
      ] in
      var sets = sets
      var found = unread.isEmpty ? photos : decided?.photos
      if found == nil { found = await photos.with(unread) }
      guard let found else { return }
      let ranks = text == nil ? [:] : await fitting?.ranks(in: photos) ?? [:]
      if let text { sets[.fitting(text)] = Set(ranks.keys) }
      let arrangement = try? await PhotoArrangement(
        photos, groupsByFolder: groupsByFolder, stacks: stacks, after: arrangement, query: query,
        listsAll: listsAll, order: order, sorted: known, finder: finder, in: found, sets: sets,
        duplicates: duplicates ?? DuplicateGroups(), ranks: ranks)
      guard let self, let arrangement, !Task.isCancelled else { return }
      running = nil
      self.ranks = ranks
      self.decided = unread.isEmpty ? nil : (unread, found)
      sorted = arrangement.sorted.map { (order, $0) }
      show(arrangement)
      onChange()
      if arrangement.matchCount == 0 {
        completions = []
        advise()
      }
    }
  }

  /// Looks for what can be written instead of the query.
  private func advise() {
    advising = Task.onMainActor {
      [weak self, text, photos, finder, time = now(), sets, collections = collectionNames()] in
      let advice = await QueryAdvice.advice(for: text, in: photos, by: finder, now: time, sets: sets)
      guard let self, !Task.isCancelled else { return }
      self.advice = advice?.message
      onChange()
      let replacements = await QueryCompletion.replacements(
        of: text, by: advice, in: photos, by: finder, now: time, sets: sets, collections: collections)
      guard !Task.isCancelled, self.text == text else { return }
      completions = replacements
      onChange()
    }
  }

  private func show(_ arrangement: PhotoArrangement) {
    self.arrangement = arrangement
    onArrange(arrangement)
  }
}
