import FoundationEssentials
import Gallery

/// The wire form of a page of photos: the names of 500px's popular-photos answer. Unknown fields are ignored.
enum PhotoCatalogue {
  /// - Parameter folder: The absolute path that a relative `image_url` starts from.
  static func decode(_ json: Data, folder: String) throws -> Page<Photo> {
    do {
      let answer = try JSONDecoder().decode(Answer.self, from: json)
      return Page(
        items: answer.photos.map { $0.photo(folder: folder) },
        number: answer.currentPage ?? 1,
        totalPages: answer.totalPages ?? 1,
        totalItems: answer.totalItems)
    } catch let error as DecodingError {
      throw CatalogueFault(error, in: json)
    }
  }

  private struct Answer: Decodable {
    let photos: [Row]
    let currentPage: Int?
    let totalPages: Int?
    let totalItems: Int?

    enum CodingKeys: String, CodingKey {
      case photos
      case currentPage = "current_page"
      case totalPages = "total_pages"
      case totalItems = "total_items"
    }
  }

  private struct Row: Decodable {
    let id: Int
    let name: String
    let description: String?
    let createdAt: Timestamp
    let imageURL: String
    let forSale: Bool?
    let camera: String?
    let user: User?
    let license: String?

    enum CodingKeys: String, CodingKey {
      case id, name, description, camera, user, license
      case createdAt = "created_at"
      case imageURL = "image_url"
      case forSale = "for_sale"
    }

    func photo(folder: String) -> Photo {
      Photo(
        id: id,
        name: name.printable,
        description: description?.printableLines,
        createdAt: createdAt.date,
        imageURL: imageURL,
        image: ImageLocation(imageURL, relativeTo: folder),
        isForSale: forSale,
        camera: camera?.printable,
        author: user?.fullname?.printable,
        license: license?.printable)
    }
  }

  private struct User: Decodable {
    let fullname: String?
  }

  /// A moment as ISO 8601 writes it, with any offset from UTC.
  private struct Timestamp: Decodable {
    let date: Date

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = try? Date(text, strategy: .iso8601) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "is not a date of ISO 8601 with an offset: “\(text)”")
      }
      self.date = date
    }
  }
}
