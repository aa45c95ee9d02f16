import FoundationEssentials
import Gallery

/// The wire form of a page of photos: the names of 500px's popular-photos answer. Unknown fields are ignored.
enum PhotoCatalogue {
  /// - Parameter folder: The absolute path that a relative `image_url` starts from.
  static func decode(_ json: Data, folder: String) throws -> Page<Photo> {
    let answer = try JSONFile.decode(Answer.self, from: json)
    return Page(
      items: answer.photos.map { $0.photo(folder: folder) },
      number: answer.currentPage?.value ?? 1,
      totalPages: answer.totalPages?.value ?? 1,
      totalItems: answer.totalItems?.value)
  }

  private struct Answer: Decodable {
    let photos: [Row]
    let currentPage: WireInteger?
    let totalPages: WireInteger?
    let totalItems: WireInteger?

    enum CodingKeys: String, CodingKey {
      case photos
      case currentPage = "current_page"
      case totalPages = "total_pages"
      case totalItems = "total_items"
    }
  }

  struct Row: Decodable {
    let id: WireInteger
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
        id: id.value,
        name: name.printable,
        description: description?.printableLines.nonEmpty,
        createdAt: createdAt.date,
        imageURL: imageURL,
        image: ImageLocation(imageURL, relativeTo: folder),
        isForSale: forSale,
        camera: camera?.printable.nonEmpty,
        author: user?.fullname?.printable.nonEmpty,
        license: license?.printable.nonEmpty)
    }
  }

  struct User: Decodable {
    let fullname: String?
  }
}
