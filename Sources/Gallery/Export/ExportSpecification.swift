/// The choices of an export: the format, the size, and everything else that is in the new file.
///
/// ``ExportLayout`` has the sizes that follow for one photo.
public struct ExportSpecification: Hashable, Codable, Sendable {
  /// The formats of new files.
  public enum Format: UInt8, CaseIterable, Codable, Sendable {
    case jpeg, png, webp, avif, jxl
  }

  /// The size of the image.
  public enum Size: Hashable, Codable, Sendable {
    /// The photo's own.
    case original
    /// The longer side in pixels. A smaller photo stays as it is.
    case longEdge(Int)
    /// The most pixels of the width and of the height. A smaller photo stays as it is.
    case fit(width: Int, height: Int)
    /// Exactly this width and height in pixels. What is left over at two sides is cut off, and a smaller photo is enlarged.
    case box(width: Int, height: Int)
  }

  /// The loss that the file may have, or its largest size.
  public enum Quality: Hashable, Codable, Sendable {
    /// The encoder's quality, from 1 to 100.
    case fixed(Int)
    /// The most bytes of the file. The quality is the best one with which the file is not larger.
    case limit(bytes: Int)
  }

  /// The strength with which the image is sharpened in its new size.
  public enum Sharpening: UInt8, CaseIterable, Codable, Sendable {
    case none, low, standard, high
  }

  /// The metadata of the file.
  public enum Metadata: UInt8, CaseIterable, Codable, Sendable {
    case all
    /// All but where the photo was taken.
    case withoutPlace
    /// The creator, and the rights.
    case copyright
    case none
  }

  /// The format.
  public var format = Format.jpeg
  /// The size.
  public var size = Size.original
  /// The quality; nil for the format's usual one. PNG has none.
  public var quality: Quality?
  /// The sharpening.
  public var sharpening = Sharpening.standard
  /// Whether the colors stay in the space of the photo's profile, which is embedded. Otherwise they become sRGB, as do those of
  /// a photo without a profile.
  public var keepsColors = false
  /// The metadata.
  public var metadata = Metadata.withoutPlace
  /// The line of text in the lower right corner, or nothing.
  public var watermark = ""
  /// The part of the upright image; nil for the one that the user has decided, or all of it.
  public var crop: PhotoCrop?

  /// The longest sides of a new image, in pixels.
  public static let sides = 16...16_384
  /// The qualities of the encoders.
  public static let qualities = 1...100
  /// The longest watermark, in characters.
  public static let longestWatermark = 200

  /// Creates the specification of a JPEG in the photo's own size.
  public init() {}
}

extension ExportSpecification.Format {
  /// The name in options and presets.
  public var name: String {
    switch self {
    case .jpeg: "jpeg"
    case .png: "png"
    case .webp: "webp"
    case .avif: "avif"
    case .jxl: "jxl"
    }
  }

  /// The name for readers.
  public var title: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .avif: "AVIF"
    case .jxl: "JPEG XL"
    }
  }

  /// The suffix of files.
  public var suffix: String { self == .jpeg ? "jpg" : name }

  /// The quality of a file without another choice, on the format's own scale; nil if the format loses nothing.
  public var usualQuality: Int? {
    switch self {
    case .jpeg: 85
    case .webp: 82
    case .avif: 65
    case .jxl: 85
    case .png: nil
    }
  }
}

extension ExportSpecification.Sharpening {
  /// The name in options and presets.
  public var name: String { "\(self)" }
}

extension ExportSpecification.Metadata {
  /// The name in options and presets.
  public var name: String { self == .withoutPlace ? "no-place" : "\(self)" }
}
