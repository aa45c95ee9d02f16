import Catalog
import FoundationEssentials
import Gallery
import Photos
import Services
import Store

/// The bundled wall, which is read from a JSON file. A store saves which members the user follows.
public struct WallFile: SocialServiceProtocol {
  private let file: JSONFile
  private let store: StateStore

  /// Creates the service.
  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - delay: The time that passes before an answer, as with a distant server.
  ///   - clock: The clock that measures the delay.
  ///   - store: The store of the followed members.
  public init(path: String, delay: Duration = .zero, clock: any Clock<Duration>, store: StateStore) {
    file = JSONFile(path: path, delay: delay, clock: clock)
    self.store = store
  }

  /// Returns the items of the wall and the members that the user follows.
  public func fetchWall() async throws(APIError) -> WallFeed {
    guard let items = try await file.read(WallAnswer.decode) else { return WallFeed(items: []) }
    return WallFeed(items: items, followed: try await store.followed())
  }

  /// Saves whether the user follows a member.
  public func setFollowing(_ isFollowing: Bool, member: Member.ID) async throws(APIError) {
    await file.pause()
    try await store.setFollowing(isFollowing, member: member)
  }
}

/// The JSON form of the wall: the members, and items that show a photo or suggest a member.
///
/// The same object is also a catalog of the photos that the items show.
private struct WallAnswer: Decodable {
  let members: [Person]
  let items: [Item]

  static func decode(_ json: Data, folder: FilePath) throws -> [FeedItem] {
    let answer = try JSONAnswer.decode(WallAnswer.self, from: json)
    let members = Dictionary(answer.members.map { ($0.id.value, $0.member(folder: folder)) }) { first, _ in first }
    let photos = answer.items.contains { $0.photo != nil } ? try photos(json, folder: folder) : [:]
    return try answer.items.enumerated().map { index, item in
      try item.feedItem(members: members, photos: photos, path: "items[\(index)]")
    }
  }

  private static func photos(_ json: Data, folder: FilePath) throws -> [Photo.ID: Photo] {
    var reader = CatalogReader(base: folder)
    [UInt8](json).withUnsafeBytes { reader.feed($0) }
    reader.finish()
    if let problem = reader.problems.first.first { throw ContentFault.problem(problem) }
    return Dictionary(reader.photos.map { ($0.id, $0) }) { first, _ in first }
  }

  struct Person: Decodable {
    let id: WireInteger
    let name: String
    let avatarURL: String

    enum CodingKeys: String, CodingKey {
      case id, name
      case avatarURL = "avatar_url"
    }

    func member(folder: FilePath) -> Member {
      Member(id: id.value, name: name.printable, avatar: ImageLocation(avatarURL, relativeTo: folder))
    }
  }

  struct Item: Decodable {
    let id: WireInteger
    let createdAt: WireMoment
    let member: WireInteger
    /// The id of the photo that the member posted. An item without a photo suggests the member.
    let photo: WireInteger?

    enum CodingKeys: String, CodingKey {
      case id, member, photo
      case createdAt = "created_at"
    }

    func feedItem(
      members: [Member.ID: Member], photos: [Photo.ID: Photo], path: String
    ) throws -> FeedItem {
      guard let member = members[member.value] else {
        throw ContentFault.value(path: "\(path).member", .notAMember)
      }
      let content: FeedItem.Content
      if let id = photo?.value {
        guard let photo = photos[id] else {
          throw ContentFault.value(path: "\(path).photo", .notAPhoto)
        }
        content = .photo(photo, by: member)
      } else {
        content = .member(member)
      }
      return FeedItem(id: id.value, date: createdAt.date, content: content)
    }
  }
}
