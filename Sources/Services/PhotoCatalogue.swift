import FoundationEssentials
import Gallery

/// The wire form of a page of photos: the names of 500px's popular-photos answer. Unknown fields are ignored.
enum PhotoCatalogue {
  /// - Parameter folder: The absolute path that a relative `image_url` starts from.
  static func decode(_ json: Data, folder: String) throws -> Page<Photo> {
    var json = json
    if json.starts(with: [0xEF, 0xBB, 0xBF]) {
      // A byte order mark, which some editors put before UTF-8.
      json.removeFirst(3)
    } else if json.starts(with: [0xFE, 0xFF]) || json.starts(with: [0xFF, 0xFE]) {
      throw CatalogueFault.field(path: "", reason: "is written in UTF-16; save it as UTF-8")
    }
    do {
      let answer = try JSONDecoder().decode(Answer.self, from: json)
      return Page(
        items: answer.photos.map { $0.photo(folder: folder) },
        number: answer.currentPage?.value ?? 1,
        totalPages: answer.totalPages?.value ?? 1,
        totalItems: answer.totalItems?.value)
    } catch let error as DecodingError {
      throw CatalogueFault(error, in: json)
    }
  }

  private struct Answer: Decodable {
    let photos: [Row]
    let currentPage: Integer?
    let totalPages: Integer?
    let totalItems: Integer?

    enum CodingKeys: String, CodingKey {
      case photos
      case currentPage = "current_page"
      case totalPages = "total_pages"
      case totalItems = "total_items"
    }
  }

  private struct Row: Decodable {
    let id: Integer
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

  private struct User: Decodable {
    let fullname: String?
  }

  /// An integer; of any other number the fault names the place, which the decoder's own does not.
  private struct Integer: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
      do {
        value = try decoder.singleValueContainer().decode(Int.self)
      } catch let error as DecodingError {
        throw error
      } catch {
        throw CatalogueFault.field(at: decoder.codingPath, reason: "is not an integer, or too large")
      }
    }
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
