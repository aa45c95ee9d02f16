import Catalog
import Foundation
import Gallery
import HTTP
import Store

/// The requests to an Immich server, whose answers are cached.
struct ImmichServer: Sendable {
  let address: ImmichAddress
  let server: NamedServer
  let client: HTTPClient
  let cache: PageCache

  /// Returns a page of photos, and when it was fetched if it comes from the cache.
  ///
  /// - Parameter isAway: Whether the server has just not been reached, so that a cached page is taken without asking.
  func page(
    _ search: ImmichSearch, isAway: Bool, onRetry: (APIError) -> Void
  ) async throws(APIError) -> (answer: ImmichPage, keptSince: Date?) {
    try await answer(ImmichPage.self, request(search), isAway: isAway, onRetry: onRetry)
  }

  /// Returns a page of photos from the cache, or nil if it is not there.
  func keptPage(_ search: ImmichSearch) -> (answer: ImmichPage, keptSince: Date?)? {
    requests.kept(request(search)) { page throws(APIError) in try decode(ImmichPage.self, page) }
  }

  private func request(_ search: ImmichSearch) -> HTTPRequest {
    post(search.query == nil ? "search/metadata" : "search/smart", search)
  }

  /// Returns the number of photos on all pages, or nil if the server does not count them.
  func count(_ search: ImmichSearch) async throws(APIError) -> Int? {
    // The filter for a month finds some of the days around it, too.
    guard search.query == nil, search.trashedAfter == nil, search.filter.takenAfter == nil else { return nil }
    struct Answer: Decodable { let total: WireCount }
    return try await answer(Answer.self, post("search/statistics", search.filter)).answer.total.value
  }

  /// A list of things that have names.
  enum Names {
    case albums
    case people(named: String)
  }

  /// Returns the ID of an album or a person.
  /// - Parameter name: The name or the ID. Small and capital letters are the same.
  /// - Throws: An error that says which names there are.
  func id(of name: String, among names: Names) async throws(APIError) -> String {
    let found: [Named]
    switch names {
    case .albums: found = try await albums()
    case .people(let name) where UUID(uuidString: name) != nil: return name
    case .people(let name):
      let query = "search/person?name=\(Self.encoded(name))&withHidden=true"
      found = try await answer([Person].self, request(query)).answer.map(Named.init)
    }
    let wanted = name.lowercased()
    let match = found.first { $0.id.lowercased() == wanted } ?? found.first { $0.name.lowercased() == wanted }
    if let match { return match.id }
    throw .serverFault(
      server: address.host, .nothingNamed(name, others: found.map(\.name).filter { !$0.isEmpty }.prefix(5).map(\.self)))
  }

  /// An album or a person.
  struct Named {
    let id: String
    let name: String
    /// The number of photos, or nil if it is unknown.
    var photoCount: Int?
    /// The ID of the photo that is their cover, or nil if there is none.
    var cover: String?
  }

  /// Returns the albums, in the order of their names.
  func albums() async throws(APIError) -> [Named] {
    try await answer([Album].self, request("albums")).answer.map(Named.init).sorted { $0.name < $1.name }
  }

  /// Returns the cities in which photos were taken.
  func cities() async throws(APIError) -> [Named] {
    let photos = try await answer([ImmichPage.Item].self, request("search/cities")).answer
    return photos.compactMap { try? $0.result.get() }.compactMap { photo in
      photo.city.map { Named(id: $0, name: $0, cover: photo.id.uuidString.lowercased()) }
    }
    .sorted { $0.name < $1.name }
  }

  /// Returns the months in which photos were taken, the latest first. Their IDs are like `2026-07`.
  func months() async throws(APIError) -> [Named] {
    let path = "timeline/buckets?visibility=timeline&order=desc"
    return try await answer([Month].self, request(path)).answer.compactMap { month in
      let id = String(month.timeBucket.prefix("2026-07".count))
      guard case .month(let time)? = ImmichAddress.Selection(path: "months/\(id)") else { return nil }
      return Named(id: id, name: time.monthText, photoCount: month.count)
    }
  }

  /// Returns the people whose names are known, those with the most photos first.
  func people() async throws(APIError) -> [Named] {
    try await answer(People.self, request("people?withHidden=false&size=500")).answer.people.filter { !$0.name.isEmpty }
      .map(Named.init)
  }

  fileprivate struct Album: Decodable {
    let id: UUID
    let albumName: String
    let assetCount: Int?
    let albumThumbnailAssetId: UUID?
  }

  fileprivate struct Person: Decodable {
    let id: UUID
    let name: String
  }

  private struct Month: Decodable {
    let timeBucket: String
    let count: Int?
  }

  private struct People: Decodable { let people: [Person] }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  // MARK: - Requests

  private func request(_ path: String) -> HTTPRequest { server.request("\(address.api)/\(path)") }

  private func post(_ path: String, _ body: some Encodable) -> HTTPRequest {
    var request = request(path)
    let encoder = JSONEncoder()
    // The same question has the same bytes, by which the cache knows it.
    encoder.outputFormatting = .sortedKeys
    request.method = .post
    request.body = [UInt8]((try? encoder.encode(body)) ?? Data())
    request.headers["Content-Type"] = "application/json"
    return request
  }

  private func answer<Answer: Decodable>(
    _: Answer.Type, _ request: HTTPRequest, isAway: Bool = false, onRetry: (APIError) -> Void = { _ in }
  ) async throws(APIError) -> (answer: Answer, keptSince: Date?) {
    try await requests.answer(to: request, isAway: isAway, onRetry: onRetry) { page throws(APIError) in
      try decode(Answer.self, page)
    }
  }

  private var requests: CachedRequests { CachedRequests(client: client, cache: cache) }

  private func decode<Answer: Decodable>(_: Answer.Type, _ page: WebPage) throws(APIError) -> Answer {
    let body = Data(page.body.prefix(page.body.size))
    do throws(ContentFault) {
      return try JSONAnswer.decode(Answer.self, from: body)
    } catch {
      let isPage = WebMarkup.begins(page.body.prefix(WebMarkup.longestLead))
      throw .serverFault(server: address.host, isPage ? .webPage(insteadOf: .catalog) : .unreadable(error))
    }
  }
}

extension ImmichServer.Named {
  fileprivate init(_ album: ImmichServer.Album) {
    self.init(
      id: album.id.uuidString.lowercased(), name: album.albumName, photoCount: album.assetCount,
      cover: album.albumThumbnailAssetId?.uuidString.lowercased())
  }

  fileprivate init(_ person: ImmichServer.Person) {
    self.init(id: person.id.uuidString.lowercased(), name: person.name)
  }
}
