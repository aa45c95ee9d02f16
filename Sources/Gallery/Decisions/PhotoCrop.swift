/// A part of an image, in fractions of its width and height.
///
/// The decision about a photo is a part of the stored image, as in Lightroom, so that it stays the same part when the photo is
/// rotated. ``oriented(_:)`` returns the part of the upright image.
public struct PhotoCrop: Hashable, Codable, Sendable {
  /// The left edge.
  public var x: Double
  /// The upper edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a part of an image.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a part from its edges. Returns nil if it is none, or the whole image.
  public init?(left: Double, top: Double, right: Double, bottom: Double) {
    let edges = [left, top, right, bottom]
    guard edges.allSatisfy({ (0...1).contains($0) }), left < right, top < bottom, edges != [0, 0, 1, 1] else {
      return nil
    }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The edges: left, top, right and bottom.
  public var edges: [Double] { [x, y, x + width, y + height] }

  /// The edges as numbers with six decimals, which are exact for the largest images.
  public var edgeTexts: [String] {
    edges.map { edge in
      let millionths = Int((min(max(0, edge), 1) * 1e6).rounded())
      let digits = String(1_000_000 + millionths % 1_000_000).dropFirst()
      return "\(millionths / 1_000_000).\(digits)"
    }
  }

  /// Creates a part from its text. Returns nil if it is none.
  public init?(text: String) {
    let edges = text.split(separator: " ").compactMap { Double($0) }
    guard edges.count == 4 else { return nil }
    self.init(left: edges[0], top: edges[1], right: edges[2], bottom: edges[3])
  }

  /// The part as one text, such as `0.100000 0.000000 0.900000 1.000000`.
  public var text: String { edgeTexts.joined(separator: " ") }

  /// Returns the same part of the upright image, which an orientation makes of the stored one.
  public func oriented(_ orientation: ImageOrientation) -> PhotoCrop {
    let (endX, endY) = (1 - x - width, 1 - y - height)
    return switch orientation {
    case .upright: self
    case .mirrored: PhotoCrop(x: endX, y: y, width: width, height: height)
    case .rotated180: PhotoCrop(x: endX, y: endY, width: width, height: height)
    case .mirroredRotated180: PhotoCrop(x: x, y: endY, width: width, height: height)
    case .mirroredRotated270: PhotoCrop(x: y, y: x, width: height, height: width)
    case .rotated90: PhotoCrop(x: endY, y: x, width: height, height: width)
    case .mirroredRotated90: PhotoCrop(x: endY, y: endX, width: height, height: width)
    case .rotated270: PhotoCrop(x: y, y: endX, width: height, height: width)
    }
  }

  /// Returns the same part of the stored image, given the orientation that makes the upright one of it.
  public func stored(_ orientation: ImageOrientation) -> PhotoCrop {
    switch orientation {
    case .rotated90: oriented(.rotated270)
    case .rotated270: oriented(.rotated90)
    default: oriented(orientation)
    }
  }
}

// The crop in XMP: the properties of Adobe's Camera Raw, which Lightroom, Bridge and Photo Mechanic share.
extension PhotoCrop {
  /// The properties that ``init(xmp:)`` asks for.
  public static let xmpNames = ["crs:HasCrop", "crs:CropAngle", "crs:AlreadyApplied"] + xmpEdges
  /// The properties of the edges.
  public static let xmpEdges = ["crs:CropLeft", "crs:CropTop", "crs:CropRight", "crs:CropBottom"]

  /// Creates the crop that a sidecar contains. A crop that is turned by some degrees is none here, since it is no part of the
  /// image.
  ///
  /// - Parameter values: As for `PhotoDecisions.init(xmp:)`.
  public init?(xmp values: (String) -> [String]?) {
    func isTrue(_ name: String) -> Bool { values(name)?.first?.lowercased() == "true" }
    let edges = Self.xmpEdges.compactMap { values($0)?.first.flatMap { Double($0) } }
    let angle = values("crs:CropAngle")?.first.flatMap { Double($0) } ?? 0
    guard isTrue("crs:HasCrop"), !isTrue("crs:AlreadyApplied"), angle == 0, edges.count == 4 else { return nil }
    self.init(left: edges[0], top: edges[1], right: edges[2], bottom: edges[3])
  }
}
