import FoundationEssentials

/// A photo: an entry of a catalog.
public struct Photo: Identifiable, Hashable, Sendable {
  /// The number that identifies the photo in its catalog.
  public let id: Int
  /// The title, or the name of the file.
  public let name: String
  /// A description of any number of lines.
  public let description: String?
  /// The moment at which the photo was made.
  public let createdAt: Date
  /// The offset from UTC of the clock that showed ``createdAt``, in seconds.
  public let createdOffset: Int
  /// The image's address as the catalog spells it.
  public let imageURL: String
  /// The location of the image: ``imageURL``, resolved against the location of the catalog.
  public var image: ImageLocation
  /// Whether the photo is for sale, or nil if the source does not say.
  public let isForSale: Bool?
  /// The name of the camera.
  public let camera: String?
  /// The name of the author.
  public let author: String?
  /// The license of the image, such as `CC0-1.0`.
  public let license: String?
  /// The metadata of the image, or nil if it has not been read.
  public let metadata: PhotoMetadata?

  /// Creates a photo.
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

  /// The path of the image, or nil if it is on a web server.
  public var file: FilePath? { image.file }

  /// The time of the photo's own clock, in seconds since 1970-01-01 00:00:00 of that clock.
  ///
  /// It is the clock of the camera if the metadata contains its time, otherwise the clock that showed ``createdAt``.
  ///
  /// This is the time that is shown, sorted and searched. It does not depend on the user's time zone.
  public var clock: Double { metadata?.takenAt?.clock ?? createdAt.timeIntervalSince1970 + Double(createdOffset) }
}

/// The location of an image. It identifies a photo across sessions.
public enum ImageLocation: Hashable, Sendable {
  /// A file at an absolute path.
  case file(FilePath)
  /// An http or https address.
  case web(String)

  /// Creates a location of its ``bytes``. A path begins with a slash, and an address does not.
  public init(bytes: [UInt8]) {
    self = bytes.first == UInt8(ascii: "/") ? .file(FilePath(bytes)) : .web(String(decoding: bytes, as: UTF8.self))
  }

  /// The path of a file, or nil if the image is on a web server.
  public var file: FilePath? { if case .file(let path) = self { path } else { nil } }

  /// The bytes of the path or the address, which need not be printable.
  public var bytes: [UInt8] {
    switch self {
    case .file(let path): path.bytes
    case .web(let address): Array(address.utf8)
    }
  }

  /// The path or the address as printable text. The fragment of an address, which says something about the image to this program
  /// alone, is left out.
  public var printable: String {
    switch self {
    case .file(let path): path.printable
    case .web(let address): String(address.prefix { $0 != "#" }).printable
    }
  }

  /// Resolves the `image_url` of a catalog: an http or https address, an absolute path, or a path relative to `folder`.
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

// A location has the form of a path with its bytes.
extension ImageLocation: Codable {
  public init(from decoder: any Decoder) throws { self.init(bytes: try FilePath(from: decoder).bytes) }

  public func encode(to encoder: any Encoder) throws { try FilePath(bytes).encode(to: encoder) }
}
