import FoundationEssentials

/// A photo of a catalog.
public struct Photo: Identifiable, Hashable, Sendable {
  public let id: Int
  public let name: String
  /// What there is to say about it, in any number of lines.
  public let description: String?
  public let createdAt: Date
  /// How far the clock by which ``createdAt`` was written is ahead of UTC, in seconds.
  public let createdOffset: Int
  /// The image's address as the catalog spells it.
  public let imageURL: String
  /// The image's place, with ``imageURL`` resolved against the catalog's.
  public let image: ImageLocation
  /// Whether it can be bought; nil where the source does not say.
  public let isForSale: Bool?
  public let camera: String?
  public let author: String?
  public let license: String?
  /// What the photo's file says of it; nil where it has not been read.
  public let metadata: PhotoMetadata?

  public init(
    id: Int, name: String, description: String? = nil, createdAt: Date, createdOffset: Int = 0, imageURL: String,
    image: ImageLocation, isForSale: Bool? = nil, camera: String? = nil, author: String? = nil, license: String? = nil,
    metadata: PhotoMetadata? = nil
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.createdAt = createdAt
    self.createdOffset = createdOffset
    self.imageURL = imageURL
    self.image = image
    self.isForSale = isForSale
    self.camera = camera
    self.author = author
    self.license = license
    self.metadata = metadata
  }

  /// What the photo's own clock showed, in seconds since 1970-01-01 00:00:00 of that clock: the camera's clock if the
  /// photo's file says what it showed, otherwise the clock by which ``createdAt`` was written.
  ///
  /// This is the time that is shown, sorted, and searched. The time zone of the reader doesn't change it.
  public var clock: Double { metadata?.takenAt?.clock ?? createdAt.timeIntervalSince1970 + Double(createdOffset) }
}

/// Where an image's bytes are.
public enum ImageLocation: Hashable, Sendable {
  /// An absolute path.
  case file(FilePath)
  /// An http or https address.
  case web(String)

  /// A file's path, or the address: as it is, which may not be printable.
  public var bytes: [UInt8] {
    switch self {
    case .file(let path): path.bytes
    case .web(let address): Array(address.utf8)
    }
  }

  public var printable: String { String(decoding: bytes, as: UTF8.self).printable }

  /// Resolves a catalog's `image_url`: an http(s) address, an absolute path, or a path relative to `folder`.
  public init(_ imageURL: String, relativeTo folder: FilePath) {
    let lowercased = imageURL.lowercased()
    if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") {
      self = .web(imageURL)
    } else if imageURL.hasPrefix("/") {
      self = .file(FilePath(imageURL))
    } else {
      self = .file(folder.appending(imageURL.utf8))
    }
  }
}
