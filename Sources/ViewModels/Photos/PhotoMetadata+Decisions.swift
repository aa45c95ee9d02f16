import Gallery

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
    return metadata
  }
}
