import FoundationEssentials
import Gallery

/// The wire form of a photo within something else: the names of 500px's popular-photos answer. Unknown fields are ignored.
enum PhotoCatalog {
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

    func photo(folder: FilePath) -> Photo {
      Photo(
        id: id.value,
        name: name.printable,
        description: description?.printableLines.nonEmpty,
        createdAt: createdAt.date,
        createdOffset: createdAt.offset,
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
