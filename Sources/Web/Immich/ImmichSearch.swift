import Gallery

/// A search of an Immich server (`MetadataSearchDto`, `SmartSearchDto` and `StatisticsSearchDto` of its API 3.3).
struct ImmichSearch: Encodable {
  /// The properties of all photos that are found.
  struct Filter: Encodable {
    var visibility: String?
    var isFavorite: Bool?
    var albumIds: [String]?
    var personIds: [String]?
    var city: String?
    /// The first and the last time, in ISO 8601, at which the photos were taken.
    var takenAfter: String?
    var takenBefore: String?
  }

  var filter = Filter()
  /// Whether photos in the trash are found, too.
  var withDeleted: Bool?
  /// The time, in ISO 8601, since which the photos are in the trash.
  var trashedAfter: String?
  /// What the photos show, in the user's words.
  var query: String?
  /// The number of the page, from 1.
  var page = 1
  /// The number of photos on a page.
  var size = 100

  private enum Key: String, CodingKey {
    case withDeleted, trashedAfter, query, page, size, withExif
  }

  func encode(to encoder: any Encoder) throws {
    try filter.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(withDeleted, forKey: .withDeleted)
    try container.encodeIfPresent(trashedAfter, forKey: .trashedAfter)
    try container.encodeIfPresent(query, forKey: .query)
    try container.encode(page, forKey: .page)
    try container.encode(size, forKey: .size)
    // Otherwise, the photos have no metadata.
    try container.encode(true, forKey: .withExif)
  }
}

/// A page of found photos (`SearchResponseDto`).
struct ImmichPage: Decodable {
  let assets: Assets

  struct Assets: Decodable {
    let items: [Item]
    /// The number of the next page; nil for the last one.
    let nextPage: String?
  }

  /// A photo that may be invalid, which does not harm the others.
  struct Item: Decodable {
    let result: Result<ImmichAsset, any Error>

    init(from decoder: any Decoder) throws { result = Result { try ImmichAsset(from: decoder) } }
  }
}
