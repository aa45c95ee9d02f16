import Catalog
import Foundation
import Gallery
import HTTP
import Photos
import Services
import Store

/// The photos of an Immich server (its API 3.3), from the newest on.
///
/// All pages are read one after another, so search and order know all photos. Pages are cached, and are shown if the server cannot be
/// reached.
public struct ImmichPhotos: APIServiceProtocol {
  private let address: ImmichAddress
  private let server: ImmichServer
  private let list = ShownList()

  /// The photos of the first page, which are to be seen soon, and of each further one, which is the most that the server allows.
  private static let (firstPage, furtherPage) = (100, 1000)

  /// The most pages that are read, so that a server does not decide how much memory is used.
  private static let mostPages = 2000

  /// Creates the source.
  /// - Parameters:
  ///   - server: ``ImmichAddress/server(headers:)`` with the key.
  ///   - client: The client that sends the requests.
  ///   - cache: The cache of the pages.
  public init(_ address: ImmichAddress, server: NamedServer, client: HTTPClient, cache: PageCache) {
    self.address = address
    self.server = ImmichServer(address: address, server: server, client: client, cache: cache)
  }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    .answers { answer throws(APIError) in try await read { answer(list.shown($0)) } }
  }

  private func read(_ answer: (PhotoSnapshot) -> Void) async throws(APIError) {
    var search = try await search()
    var list = ImmichList(base: ImmichBase(api: address.api), clocks: address.selection.clocks)
    search.size = Self.firstPage
    // What was there last time is shown until the server has answered.
    if let kept = server.keptPage(search) {
      var known = list
      _ = known.add(kept.answer, keptSince: nil)
      answer(known.snapshot(isComplete: false))
    }
    var isAway = false
    while true {
      let (page, keptSince) = try await server.page(search, isAway: isAway) { error in
        answer(list.snapshot(isComplete: false, retriedError: error))
      }
      isAway = keptSince != nil
      let hasNews = list.add(page, keptSince: keptSince)
      // A server that sends the same page again would never end.
      let isLast = page.assets.nextPage == nil || !hasNews || search.page == Self.mostPages
      answer(list.snapshot(isComplete: isLast))
      if isLast { return }
      if search.size == Self.firstPage {
        // A page is a number of photos, so pages of another size begin again.
        search.size = Self.furtherPage
        if !isAway { list.total = try? await server.count(search) }
      } else {
        search.page += 1
      }
    }
  }

  /// The number of photos that a search by contents finds. The server would return all, those that fit least at the end.
  private static let mostFitting = 250

  /// Returns what the server is asked for.
  private func search() async throws(APIError) -> ImmichSearch {
    var search = ImmichSearch()
    switch address.selection {
    case .timeline: search.filter.visibility = "timeline"
    case .favorites: search.filter.isFavorite = true
    case .archive: search.filter.visibility = "archive"
    case .trash:
      search.withDeleted = true
      search.trashedAfter = "1970-01-01T00:00:00.000Z"
    case .album(let name):
      search.filter.albumIds = [try await server.id(of: name, among: .albums)]
    case .person(let name):
      search.filter.personIds = [try await server.id(of: name, among: .people(named: name))]
    case .city(let name): search.filter.city = name
    case .month(let month):
      search.filter.visibility = "timeline"
      // The server compares moments, and a month is one of the photographers' clocks, which are 12 hours behind to 14 ahead.
      let clocks = month.clocksOfMonth
      search.filter.takenAfter = CalendarTime(clock: clocks.lowerBound - 14 * 3600).iso8601(offset: 0)
      search.filter.takenBefore = CalendarTime(clock: clocks.upperBound + 12 * 3600).iso8601(offset: 0)
    case .found(let text): search.query = text
    }
    return search
  }
}

extension ImmichPhotos: ContentSearchProtocol {
  public func photos(fitting text: String) async throws(APIError) -> [ImageLocation] {
    var search = try await search()
    search.query = text
    search.size = Self.mostFitting
    let page = try await server.page(search, isAway: false) { _ in }.answer
    let base = ImmichBase(api: address.api)
    return page.assets.items.compactMap { item in (try? item.result.get())?.image(base: base) }
  }
}

/// The photos that have been read so far.
struct ImmichList {
  let base: ImmichBase
  /// The times of the photographers' clocks at which the photos were taken; nil for any.
  let clocks: Range<Double>?
  private var photos = PhotoTable()
  private var ids = PhotoIDs()
  private var known: Set<UUID> = []
  private var livePhotos: [[TableIndex]] = []
  private var problems = CatalogProblems()
  private var keptSince: Date?
  private var pages = 0
  /// The number of all photos; nil if it is unknown.
  var total: Int?

  init(base: ImmichBase, clocks: Range<Double>?) {
    self.base = base
    self.clocks = clocks
  }

  /// Adds the photos of a page, and returns whether any is new.
  mutating func add(_ page: ImmichPage, keptSince: Date?) -> Bool {
    let count = known.count
    pages += 1
    // The age of what is shown is that of its oldest page.
    self.keptSince = [self.keptSince, keptSince].compactMap(\.self).min()
    var packer = PhotoPacker(base: base)
    for item in page.assets.items {
      guard case .success(let asset) = item.result else {
        problems.append(CatalogProblem(.page(pages), .notAnObject))
        continue
      }
      // A photo that was added meanwhile moves the others to the next page.
      guard known.insert(asset.id).inserted else { continue }
      if let clocks, asset.clock.map(clocks.contains) == false { continue }
      guard let photo = asset.photo(&ids, base: base) else { continue }
      packer.append(photo)
      if let movie = asset.movie(&ids, of: photo, base: base) {
        let place = TableIndex(photos.count + packer.count)
        packer.append(movie)
        livePhotos.append([place - 1, place])
      }
      if packer.isFull { photos.append(packer.pack()) }
    }
    if packer.count > 0 { photos.append(packer.pack()) }
    return known.count > count
  }

  func snapshot(isComplete: Bool, retriedError: APIError? = nil) -> PhotoSnapshot {
    // The server counts no movies of live photos.
    let all = max(photos.count, isComplete ? 0 : (total ?? 0) + livePhotos.count)
    var snapshot = PhotoSnapshot(photos: photos, totalItems: all)
    snapshot.capabilities = [.deciding(ImmichPhotoServer.possible), .copying, .exporting]
    // With other groups, a search would index all photos again.
    if !livePhotos.isEmpty { snapshot.groups = PhotoGroups(livePhotos, photoCount: photos.count) }
    snapshot.problems = problems
    snapshot.isComplete = isComplete
    snapshot.retriedError = retriedError
    snapshot.keptSince = keptSince
    if !isComplete, total != nil { snapshot.progress = .init(done: photos.count, total: all, unit: .photos) }
    return snapshot
  }
}
