import Gallery
import Photos

/// The properties of a photo that tell it from its duplicates.
public struct DuplicateFacts: Hashable, Sendable {
  /// The size of the image in pixels, such as "6000×4000", or nil if it is unknown.
  public let pixels: String?
  /// The formats of the files, such as "JPEG" or "RAW+JPEG", or nil if the name doesn't say one.
  public let format: String?
  /// The number of bytes of the first file, or nil if it can't be read.
  public let size: Int?
  /// Whether a camera has written something about the photo.
  public let hasMetadata: Bool

  /// Creates the facts of a photo.
  ///
  /// - Parameters:
  ///   - files: The photos of all its files, the first one first.
  ///   - size: The number of bytes of the first file.
  public init(_ files: [Photo], size: Int?) {
    pixels = files.lazy.compactMap { $0.metadata?.pixelsText }.first
    format = PhotoParts.format(of: files) ?? files.first?.format?.shortName
    self.size = size
    hasMetadata = files.contains { $0.metadata?.isOfCamera == true }
  }
}

extension DuplicateFacts {
  /// Returns the remark about each photo of a group: what is not the same in all of them.
  static func remarks(about members: [DuplicateGroups.Member], _ files: [[Photo]]) -> [Photo.ID: String] {
    let facts = zip(members, files).map { DuplicateFacts($1, size: $0.size) }
    func differs(_ fact: (DuplicateFacts) -> some Hashable) -> Bool { Set(facts.map(fact)).count > 1 }
    let (pixels, format) = (differs(\.pixels), differs(\.format))
    let (size, metadata) = (differs(\.size), differs(\.hasMetadata))
    return zip(members, facts).enumerated().reduce(into: [:]) { remarks, item in
      let (place, (member, fact)) = item
      let parts = [
        place == 0 ? localized("Best") : member.isEqual ? localized("Same bytes") : nil,
        pixels ? fact.pixels : nil, format ? fact.format : nil,
        size ? fact.size.map { Int64($0).fileSizeText } : nil,
        metadata && !fact.hasMetadata ? localized("no metadata") : nil,
      ]
      remarks[member.id] = parts.compactMap(\.self).joined(separator: " · ")
    }
  }
}

extension ImageFormat {
  /// The name of a format that has several ones, or whose name in lists is long.
  fileprivate var shortName: String {
    switch self {
    case .heif: "HEIF"
    case .ppm: "PNM"
    default: name
    }
  }
}
