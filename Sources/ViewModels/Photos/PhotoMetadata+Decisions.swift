import Gallery
import Photos

extension PhotoMetadata {
  /// Returns the metadata with the decisions about the photo, which may be newer.
  func with(_ decisions: PhotoDecisions) -> PhotoMetadata {
    var metadata = self
    metadata.rating = decisions.rating
    metadata.label = decisions.label
    metadata.keywords = decisions.keywords ?? []
    metadata.caption = decisions.caption
    metadata.chosenOrientation = decisions.orientation?.rawValue
    metadata.crop = decisions.crop?.text
    metadata.isFavorite = decisions.isFavorite
    metadata.takenAt = decisions.takenAt
    metadata.latitude = decisions.latitude
    metadata.longitude = decisions.longitude
    metadata.altitude = decisions.altitude
    for text in IPTCText.all { text.set(decisions[text.decision]?.text, of: &metadata) }
    return metadata
  }
}

extension PhotoTable {
  /// Returns the table with decisions about some photos that its source has not read yet.
  @concurrent
  func with(_ edits: [ImageLocation: DecisionEdits]) async -> PhotoTable {
    changing(Set(indices.filter { edits[image(at: $0)] != nil })) { photo in
      guard let edits = edits[photo.image] else { return photo }
      var metadata = photo.metadata ?? PhotoMetadata()
      metadata = metadata.with(PhotoDecisions(metadata).applying(edits))
      return Photo(
        id: photo.id, name: photo.name, description: metadata.caption, createdAt: photo.createdAt,
        createdOffset: photo.createdOffset, imageURL: photo.imageURL, image: photo.image, isForSale: photo.isForSale,
        camera: photo.camera, author: photo.author, license: photo.license, metadata: metadata)
    }
  }
}
