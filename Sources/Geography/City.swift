/// A city of the ``Gazetteer``.
public struct City: Hashable, Sendable {
  /// The name in GeoNames, most often the English or the local one.
  public let name: String
  /// The English name of the country.
  public let country: String
  /// The code of the country (ISO 3166-1).
  public let countryCode: String
  /// The latitude in degrees, positive in the north.
  public let latitude: Double
  /// The longitude in degrees, positive in the east.
  public let longitude: Double
}
