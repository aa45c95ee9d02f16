import Geography

/// A text that the program guesses from the position of a photo whose metadata lacks it.
///
/// Searches find photos by it, and the details show it as "near Lisbon, Portugal". It is never written, exported or filled
/// into names, which only the photo's own texts are.
public enum PlaceGuess: CaseIterable, Hashable, Sendable {
  case city, country, countryCode

  /// The name of the metadata field whose text is guessed.
  public var fieldName: String {
    switch self {
    case .city: "city"
    case .country, .countryCode: "country"
    }
  }

  /// Whether words without a field are searched for in this text. A code of two letters would be found by too many.
  public var isSearchedByDefault: Bool { self != .countryCode }

  /// Returns the text for a photo, or nil if the photo has its own.
  ///
  /// - Parameter city: The photo's ``PhotoMetadata/nearestCity``.
  public func text(for metadata: PhotoMetadata, near city: City) -> String? {
    switch self {
    case .city: metadata.city == nil ? city.name.printable : nil
    case .country: metadata.hasCountry ? nil : city.country.printable
    case .countryCode: metadata.hasCountry ? nil : city.countryCode.printable
    }
  }
}

extension PhotoMetadata {
  /// The nearest city, if the photo has a position but lacks the name of its city or its country; nil otherwise.
  public var nearestCity: City? {
    guard let latitude, let longitude, city == nil || !hasCountry else { return nil }
    return Gazetteer.bundled?.city(nearLatitude: latitude, longitude: longitude)
  }

  fileprivate var hasCountry: Bool { country != nil || countryCode != nil }
}
