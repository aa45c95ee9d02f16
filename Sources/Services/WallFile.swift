import FoundationEssentials
import Gallery
import Store

/// The bundled wall, of a JSON file, with the person's following kept in a store.
public struct WallFile: SocialServiceProtocol {
  private let file: JSONFile
  private let store: StateStore

  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - delay: How long an answer is held back, as a server far away would.
  public init(path: String, delay: Duration = .zero, clock: any Clock<Duration>, store: StateStore) {
    file = JSONFile(path: path, delay: delay, clock: clock)
    self.store = store
  }

  public func fetchWall() async throws(APIError) -> WallFeed {
    guard let items = try await file.read(WallAnswer.decode) else { return WallFeed(items: []) }
    return WallFeed(items: items, followed: try await store.followed())
  }

  public func setFollowing(_ isFollowing: Bool, member: Member.ID) async throws(APIError) {
    await file.pause()
    try await store.setFollowing(isFollowing, member: member)
  }
}

/// The wire form of the wall: the members, and what happened, a photo or the suggestion of a member.
private struct WallAnswer: Decodable {
  let members: [Person]
  let items: [Item]

  static func decode(_ json: Data, folder: FilePath) throws -> [FeedItem] {
    let answer = try JSONFile.decode(WallAnswer.self, from: json)
    let members = Dictionary(answer.members.map { ($0.id.value, $0.member(folder: folder)) }) { first, _ in first }
    return try answer.items.enumerated().map { index, item in
      try item.feedItem(members: members, folder: folder, path: "items[\(index)]")
    }
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
    let createdAt: Timestamp
    let member: WireInteger
    /// The photo that the member posted; without one, the member is suggested.
    let photo: PhotoCatalog.Row?

    enum CodingKeys: String, CodingKey {
      case id, member, photo
      case createdAt = "created_at"
    }

    func feedItem(members: [Member.ID: Member], folder: FilePath, path: String) throws -> FeedItem {
      guard let member = members[member.value] else {
        throw CatalogFault.field(path: "\(path).member", reason: "is no member's id")
      }
      let content = photo.map { FeedItem.Content.photo($0.photo(folder: folder), by: member) } ?? .member(member)
      return FeedItem(id: id.value, date: createdAt.date, content: content)
    }
  }
}
