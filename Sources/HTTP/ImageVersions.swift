/// The rules by which the smaller versions of a server's images follow from the addresses of these.
public struct ImageVersions: Hashable, Sendable {
  /// A smaller version that the server makes.
  public struct Smaller: Hashable, Sendable {
    /// The text in place of ``ImageVersions/ending``.
    public var ending: String
    /// The pixels of the version's shorter side, which are fewer if the image has fewer.
    public var shorterSide: Int

    /// Creates a version.
    public init(ending: String, shorterSide: Int) {
      self.ending = ending
      self.shorterSide = shorterSide
    }
  }

  /// The start of the addresses of images.
  public var start = ""
  /// The text in place of ``start`` in the addresses of the versions.
  public var otherStart = ""
  /// The end of the addresses of images.
  public var ending = ""
  /// The versions that the server makes, smallest first.
  public var smaller: [Smaller] = []
  /// The numbers of bytes from the start of a file in which the preview of its image is, by the suffixes of names in small letters.
  /// Files with other suffixes have no such preview.
  public var firstParts: [String: Int] = [:]

  /// Creates rules by which there are no versions.
  public init() {}

  /// The pixels of a box's shorter side up to which the preview in the first part of a file is enough. Those of JPEGs are 120 pixels
  /// high (DCF 2.0, section 3.3.1), and look good in twice their size.
  private static let sideOfFirstPart = 240

  /// Returns the smaller versions of an image, the one that takes the fewest bytes first.
  ///
  /// - Parameter image: The address. Its fragment may be the size of the image: `#6000x4000`.
  func smaller(of image: String) -> [WebImageVersion] {
    let parts = image.split(separator: "#", maxSplits: 1)
    guard let address = parts.first else { return [] }
    let sides = parts.dropFirst().first?.split(separator: "x").compactMap { Int($0) } ?? []
    let size = sides.count == 2 && sides.allSatisfy { $0 > 0 } ? (sides[0], sides[1]) : nil
    // Another fragment tells the versions of a file apart.
    let fragment = size == nil && parts.count == 2 ? "#\(parts[1])" : ""
    var versions: [WebImageVersion] = []
    if address.hasPrefix(start), address.hasSuffix(ending) {
      let middle = address.dropFirst(start.count).dropLast(ending.count)
      versions = smaller.map {
        WebImageVersion(
          file: WebImageFile("\(otherStart)\(middle)\($0.ending)\(fragment)"), shorterSide: $0.shorterSide,
          imageWidth: size?.0 ?? 0, imageHeight: size?.1 ?? 0)
      }
    }
    let suffix = address.lastIndex(of: ".").map { address[$0...].dropFirst().lowercased() }
    if let suffix, let count = firstParts[suffix] {
      versions.append(WebImageVersion(file: WebImageFile(image, prefix: count), shorterSide: Self.sideOfFirstPart))
    }
    return versions
  }
}

/// A file with an image on a web server, or the first part of one.
public struct WebImageFile: Hashable, Sendable {
  /// The address of the file.
  public let address: String
  /// The number of bytes from the start of the file; nil for all of it.
  public let prefix: Int?

  /// Names a file.
  public init(_ address: String, prefix: Int? = nil) {
    self.address = address
    self.prefix = prefix
  }
}

/// A version of an image that is smaller than the image.
public struct WebImageVersion: Hashable, Sendable {
  /// The file with the version. In the first part of a file, it is the preview of the image.
  public let file: WebImageFile
  /// The pixels of its shorter side, which are fewer if the image has fewer.
  public let shorterSide: Int
  /// The width of the upright image itself in pixels, or 0 if it is unknown.
  public var imageWidth = 0
  /// The height of the upright image itself in pixels, or 0 if it is unknown.
  public var imageHeight = 0
}
