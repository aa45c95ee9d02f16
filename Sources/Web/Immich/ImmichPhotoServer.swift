import Catalog
import Foundation
import Gallery
import HTTP
import Services

/// The photos of an Immich server for steps: the stars, favorites, captions and tags that it keeps, and the originals.
public struct ImmichPhotoServer: PhotoServerProtocol {
  private let address: ImmichAddress
  private let server: NamedServer
  private let client: HTTPClient

  /// The decisions that are kept.
  static let possible: [Decision] = [.rating, .keywords, .caption, .favorite]

  /// Creates the service.
  /// - Parameter server: ``ImmichAddress/server(headers:)`` with the key.
  public init(_ address: ImmichAddress, server: NamedServer, client: HTTPClient) {
    self.address = address
    self.server = server
    self.client = client
  }

  public func has(_ photo: ImageLocation) -> Bool { asset(of: photo) != nil }

  public func change(
    _ photo: ImageLocation, by edits: DecisionEdits, from former: PhotoDecisions
  ) async throws(PhotoServerFault) {
    guard let asset = asset(of: photo) else { throw .missing }
    let known = try await sendAsset(.get, asset)
    let current = known.decisions
    var body = ImmichChange()
    for decision in edits.changed where decision != .keywords {
      let (now, new) = (current[decision], edits[decision].value ?? nil)
      if Self.areEqual(now, new) { continue }
      guard Self.areEqual(now, former[decision]) else { throw .conflict(current) }
      body.set(decision, new)
    }
    if !body.isEmpty { _ = try await sendAsset(.put, asset, body) }
    guard edits.changed.contains(.keywords) else { return }
    let keywords = (edits[.keywords].value ?? nil)?.list ?? []
    try await changeTags(of: known, from: Set(former.keywords ?? []), to: Set(keywords))
  }

  /// Adds and removes tags. Others, which a list of photos does not have, stay.
  private func changeTags(
    of asset: ImmichAsset, from former: Set<String>, to new: Set<String>
  ) async throws(PhotoServerFault) {
    let known = asset.tagsByText
    let body = ImmichTaggedPhotos(ids: [asset.id.uuidString.lowercased()])
    for tag in former.subtracting(new).sorted().compactMap({ known[$0] }) {
      _ = try await send(.delete, "\(tag.path)/assets", body)
    }
    let added = new.subtracting(former).subtracting(known.keys).sorted()
    if added.isEmpty { return }
    // The server creates those that it does not have.
    let tags = try decode([ImmichTag].self, try await send(.put, "tags", ImmichTagTexts(tags: added)))
    for tag in tags where added.contains(tag.value) { _ = try await send(.put, "\(tag.path)/assets", body) }
  }

  public func download(_ photo: ImageLocation, to descriptor: Int32) async throws(PhotoServerFault) {
    guard let asset = asset(of: photo) else { throw .missing }
    var request = server.request("\(address.assets)/\(asset)/original")
    request.destination = .file(descriptor: descriptor)
    // The user has asked for the file, however large it is.
    request.sizeLimit = .max
    request.mayBeTriedAgain = false
    do throws(HTTPError) { _ = try await client.send(request) } catch { throw PhotoServerFault(error, .get) }
  }

  /// No stars are no value, and so is an empty text.
  private static func areEqual(_ one: DecisionValue?, _ other: DecisionValue?) -> Bool {
    func significant(_ value: DecisionValue?) -> DecisionValue? {
      value == .number(0) || value == .text("") ? nil : value
    }
    return significant(one) == significant(other)
  }

  /// Returns the ID of a photo on this server, or nil for another one.
  private func asset(of photo: ImageLocation) -> String? {
    let start = address.assets + "/"
    guard case .web(let image) = photo, image.hasPrefix(start) else { return nil }
    let asset = image.dropFirst(start.count).prefix { $0 != "/" }
    return UUID(uuidString: String(asset)) == nil ? nil : String(asset)
  }

  /// Sends a request about a photo, and returns the photo as it is then.
  private func sendAsset(
    _ method: HTTPRequest.Method, _ asset: String, _ body: ImmichChange? = nil
  ) async throws(PhotoServerFault) -> ImmichAsset {
    try decode(ImmichAsset.self, try await send(method, "assets/\(asset)", body))
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: (some Encodable)?
  ) async throws(PhotoServerFault) -> HTTPResponse {
    var request = server.request("\(address.api)/\(path)")
    request.method = method
    if let body {
      request.body = [UInt8]((try? JSONEncoder().encode(body)) ?? Data())
      request.headers["Content-Type"] = "application/json"
    }
    // What can't be sent is kept, and the next change follows at once.
    request.mayBeTriedAgain = false
    do throws(HTTPError) { return try await client.send(request) } catch { throw PhotoServerFault(error, method) }
  }

  private func decode<Answer: Decodable>(
    _: Answer.Type, _ answer: HTTPResponse
  ) throws(PhotoServerFault) -> Answer {
    do throws(ContentFault) {
      return try JSONAnswer.decode(Answer.self, from: Data(answer.body))
    } catch {
      throw .outage(.serverFault(server: address.host, .unreadable(error)))
    }
  }
}

/// Tags by their texts (`TagUpsertDto`).
private struct ImmichTagTexts: Encodable { let tags: [String] }

/// The photos that get or lose a tag (`BulkIdsDto`).
private struct ImmichTaggedPhotos: Encodable { let ids: [String] }

extension ImmichTag {
  fileprivate var path: String { "tags/\(id.uuidString.lowercased())" }
}

/// A change of a photo (`UpdateAssetDto`). No stars are `null`.
private struct ImmichChange: Encodable {
  private var rating: Int??
  private var description: String?
  private var isFavorite: Bool?

  var isEmpty: Bool { rating == nil && description == nil && isFavorite == nil }

  mutating func set(_ decision: Decision, _ value: DecisionValue?) {
    switch decision {
    case .rating: rating = .some(value?.number == 0 ? nil : value?.number)
    case .caption: description = value?.text ?? ""
    case .favorite: isFavorite = value != nil
    default: break
    }
  }

  private enum Key: CodingKey { case rating, description, isFavorite }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if let rating { try container.encode(rating, forKey: .rating) }
    try container.encodeIfPresent(description, forKey: .description)
    try container.encodeIfPresent(isFavorite, forKey: .isFavorite)
  }
}

extension PhotoServerFault {
  /// - Parameter method: The method of the request that has failed.
  fileprivate init(_ error: HTTPError, _ method: HTTPRequest.Method) {
    // Only Immich gives a reason. What a proxy or the login page of a network answers says nothing about the photo.
    switch error {
    // It tells a photo that is gone from one that the user may not see by neither status.
    case .refused(_, let status, .some) where method == .get && [400, 404].contains(status): self = .missing
    case .refused(_, let status, .some) where [400, 404, 422].contains(status): self = .refused(APIError(error))
    case .unwritable: self = .refused(APIError(error))
    default: self = .outage(APIError(error))
    }
  }
}
