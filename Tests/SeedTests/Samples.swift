import Foundation
import Gallery

/// Returns a photo of 2017-10-03.
func photo(
  _ name: String, description: String? = nil, isForSale: Bool? = nil, camera: String? = nil
) -> Photo {
  Photo(
    id: name.hashValue, name: name, description: description, createdAt: Date(timeIntervalSince1970: 1_507_032_000),
    imageURL: "\(name).jpg", image: .file(FilePath("/\(name).jpg")), isForSale: isForSale, camera: camera)
}
