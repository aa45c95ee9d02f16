import Gallery
import Photos

/// The photos of a source that are there in several files: with the same bytes, or as the same picture in another size, format
/// or quality.
public struct DuplicateGroups: Hashable, Sendable {
  /// A photo of a group.
  public struct Member: Hashable, Sendable {
    /// The photo: that of its first file.
    public let id: Photo.ID
    /// The number of bytes of its first file, or nil if it can't be read.
    public let size: Int?
    /// Whether its first file has the same bytes as that of the group's best photo.
    public let isEqual: Bool
  }

  /// The photos of each group, the best one first. Each of the others is the same picture as the best one.
  public let groups: [[Member]]
  /// The photos of all groups.
  public let ids: Set<Photo.ID>

  /// Creates groups of at least two photos each.
  public init(_ groups: [[Member]] = []) {
    self.groups = groups
    ids = Set(groups.joined().map(\.id))
  }
}

/// The rank of a photo among its duplicates. The lowest one is the best.
struct DuplicateRank: Comparable {
  private let values: [Int]

  /// - Parameters:
  ///   - files: The photos of all its files, the shown one first.
  ///   - size: The number of bytes of the first file, or nil if it can't be read.
  init(_ files: [Photo], size: Int?) {
    let metadata = files.compactMap(\.metadata)
    let stars = files.reduce(Int?.none) { PhotoDecisions.rating($0, orElse: $1.metadata?.rating) } ?? 0
    values = [
      stars == PhotoDecisions.rejected ? 1 : 0,
      -(metadata.map { $0.width * $0.height }.max() ?? 0),
      files.map(Self.formatRank).min() ?? 0,
      metadata.contains(where: \.isOfCamera) ? 0 : 1,
      -stars,
      -(size ?? 0),
      // The name of a copy has something added, as "a (copy).jpg".
      files.first?.file?.name.count ?? 0,
    ]
  }

  /// Returns how far a format is from what a camera has written: raw, its JPEG or HEIF, a copy without losses, and one with.
  private static func formatRank(_ photo: Photo) -> Int {
    if photo.kind == .raw { return 0 }
    switch photo.format {
    case .jpeg, .heif: return photo.metadata?.isOfCamera == true ? 1 : 3
    case .png, .tiff, .bmp, .ppm, .pam, .psd, .openEXR, .fits: return 2
    default: return 3
    }
  }

  static func < (left: DuplicateRank, right: DuplicateRank) -> Bool {
    left.values.lexicographicallyPrecedes(right.values)
  }
}

extension PhotoMetadata {
  /// Whether a camera has written something about the photo.
  var isOfCamera: Bool { camera != nil || takenAt != nil }
}

extension Photo {
  /// The format that the name of the photo's file says, or nil if it says none.
  var format: ImageFormat? {
    guard let name = file?.name, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let suffix = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    return ImageFormat.allCases.first { $0.suffixes.contains(suffix) }
  }
}
