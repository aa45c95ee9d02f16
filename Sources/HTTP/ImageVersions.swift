/// The rule by which the addresses of smaller versions follow from that of an image.
public struct ImageVersions: Hashable, Sendable {
  /// A smaller version.
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

  /// The end of the address of an image.
  public var ending: String
  /// The versions, smallest first.
  public var smaller: [Smaller]

  /// Creates a rule.
  public init(ending: String, smaller: [Smaller]) {
    self.ending = ending
    self.smaller = smaller
  }

  /// Returns the smaller versions of an image, smallest first.
  ///
  /// - Parameter image: The address. Its fragment may be the size of the image: `#6000x4000`.
  func smaller(of image: String) -> [WebImageVersion] {
    let parts = image.split(separator: "#", maxSplits: 1)
    guard let address = parts.first, address.hasSuffix(ending) else { return [] }
    let sides = parts.dropFirst().first?.split(separator: "x").compactMap { Int($0) } ?? []
    let size = sides.count == 2 && sides.allSatisfy { $0 > 0 } ? (sides[0], sides[1]) : nil
    return smaller.map {
      WebImageVersion(
        address: address.dropLast(ending.count) + $0.ending, shorterSide: $0.shorterSide, imageWidth: size?.0 ?? 0,
        imageHeight: size?.1 ?? 0)
    }
  }
}

/// A version of an image that is smaller than the image.
public struct WebImageVersion: Hashable, Sendable {
  /// The address of the version.
  public let address: String
  /// The pixels of its shorter side, which are fewer if the image has fewer.
  public let shorterSide: Int
  /// The width of the upright image itself in pixels, or 0 if it is unknown.
  public let imageWidth: Int
  /// The height of the upright image itself in pixels, or 0 if it is unknown.
  public let imageHeight: Int
}
