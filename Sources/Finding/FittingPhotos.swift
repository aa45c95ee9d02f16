import Gallery
import Photos

/// The photos that a server has found for a text, by what their images show.
public struct FittingPhotos: Sendable {
  /// The text.
  public let text: String
  private let images: [ImageLocation]

  /// Creates the result of a search.
  /// - Parameter images: The images of the photos, best first.
  public init(text: String, images: [ImageLocation]) {
    self.text = text
    self.images = images
  }

  /// Returns the ranks of the photos that are in a table, from 0 for the best one.
  @concurrent
  public func ranks(in photos: PhotoTable) async -> [Photo.ID: Int] {
    let places = Dictionary(zip(images, 0...), uniquingKeysWith: { first, _ in first })
    var ranks: [Photo.ID: Int] = [:]
    for index in photos.indices {
      if let rank = places[photos.image(at: index)] { ranks[photos.id(at: index)] = rank }
    }
    return ranks
  }
}

extension [TableIndex] {
  /// Returns the indices of photos in the order of their ranks, with those that have none at the end.
  public func sorted(by ranks: [Photo.ID: Int], in photos: PhotoTable) -> [TableIndex] {
    let ranked = map { (index: $0, rank: ranks[photos.id(at: $0)] ?? .max) }
    return ranked.sorted { $0.rank < $1.rank }.map(\.index)
  }
}
