import Catalog
import Foundation
import Gallery
import Photos

/// A photo or a video of an Immich server (`AssetResponseDto` of its API 3.3). Unknown members are ignored.
struct ImmichAsset: Decodable {
  let id: UUID
  private let originalFileName: String
  private let fileCreatedAt: String
  private let localDateTime: String?
  private let type: String?
  private let width: Int?
  private let height: Int?
  private let duration: Duration?
  fileprivate let exifInfo: Exif?
  private let tags: [ImmichTag]?
  private let isFavorite: Bool?
  private let livePhotoVideoId: UUID?

  /// The duration of a video, which is in milliseconds since API 3, and was a text before (`0:00:10.500`).
  private enum Duration: Decodable {
    case seconds(Double)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let milliseconds = try? container.decode(Double.self) {
        self = .seconds(milliseconds / 1000)
      } else {
        let parts = try container.decode(String.self).split(separator: ":").map { Double($0) ?? 0 }
        self = .seconds(parts.reduce(0) { 60 * $0 + $1 })
      }
    }
  }

  fileprivate struct Exif: Decodable {
    let make: String?
    let model: String?
    let lensModel: String?
    let exposureTime: String?
    let fNumber: Double?
    let focalLength: Double?
    let iso: Double?
    let latitude: Double?
    let longitude: Double?
    let rating: Double?
    let description: String?
    let fileSizeInByte: Double?
    let exifImageWidth: Double?
    let exifImageHeight: Double?
    let orientation: String?
    let city: String?
  }
}

extension ImmichAsset {
  /// The city in which the photo was taken, or nil if it is unknown.
  var city: String? { exifInfo?.city?.nonEmpty }

  /// The time that the photographer's clock showed, in seconds since 1970-01-01 00:00:00 of the same clock, or nil if it can't be read.
  var clock: Double? { Timestamp(localDateTime ?? fileCreatedAt)?.seconds }

  /// The decisions about the photo.
  var decisions: PhotoDecisions {
    var metadata = PhotoMetadata()
    exifInfo?.fill(&metadata)
    metadata.keywords = keywords
    metadata.isFavorite = isFavorite == true
    return PhotoDecisions(metadata)
  }

  /// The texts of the tags, those above them included: `animals/dogs`.
  private var keywords: [String] { tags?.map(\.value) ?? [] }

  /// The tags, by their texts.
  var tagsByText: [String: ImmichTag] { Dictionary(tags?.map { ($0.value, $0) } ?? []) { first, _ in first } }

  /// The location of the image.
  func image(base: ImmichBase) -> ImageLocation? {
    let sides = sides
    return base.location(
      of: base.imageURL(of: id.uuidString.lowercased(), width: sides.width, height: sides.height))
  }

  /// The photo, or nil if its time cannot be read.
  func photo(_ ids: inout PhotoIDs, base: ImmichBase) -> Photo? {
    guard let moment = Timestamp(fileCreatedAt) else { return nil }
    let id = id.uuidString.lowercased()
    let metadata = metadata(at: moment)
    let imageURL = base.imageURL(of: id, width: metadata.width, height: metadata.height)
    guard let image = base.location(of: imageURL) else { return nil }
    return Photo(
      id: ids.id(id.utf8), name: originalFileName.printable, description: metadata.caption, createdAt: moment.date,
      createdOffset: metadata.takenAt?.offset ?? 0, imageURL: imageURL, image: image, camera: metadata.camera,
      metadata: metadata)
  }

  /// The movie of a live photo, or nil if the photo has none. The list has only its ID, so its name is that of the photo with the suffix
  /// that the maker of the phone uses.
  func movie(_ ids: inout PhotoIDs, of photo: Photo, base: ImmichBase) -> Photo? {
    guard let id = livePhotoVideoId?.uuidString.lowercased(), let image = base.location(of: id) else { return nil }
    var movie = PhotoMetadata()
    movie.takenAt = photo.metadata?.takenAt
    movie.kind = .video
    let parts = photo.name.split(separator: ".", omittingEmptySubsequences: false)
    let stem = parts.dropLast(parts.count > 1 ? 1 : 0).joined(separator: ".")
    return Photo(
      id: ids.id(id.utf8), name: stem + (exifInfo?.make == "Apple" ? ".MOV" : ".mp4"), createdAt: photo.createdAt,
      createdOffset: photo.createdOffset, imageURL: id, image: image, metadata: movie)
  }

  private func metadata(at moment: Timestamp) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    // The local time is written as if it were in UTC.
    let clock = localDateTime.flatMap { Timestamp($0) }?.seconds ?? moment.seconds
    metadata.takenAt = CaptureTime(clock: clock, offset: Int((clock - moment.seconds).rounded()))
    metadata.kind =
      type == "VIDEO" ? .video : Array(originalFileName.utf8).withUnsafeBufferPointer(PhotoKind.init(name:))
    if case .seconds(let seconds)? = duration, seconds > 0 { metadata.duration = seconds }
    let sides = sides
    metadata.width = sides.width
    metadata.height = sides.height
    metadata.keywords = keywords
    metadata.isFavorite = isFavorite == true
    if let exifInfo { exifInfo.fill(&metadata) }
    metadata.check()
    return metadata
  }

  /// The width and the height of the upright image in pixels, or 0 if they are unknown. Servers before API 3 return those of the
  /// stored image, which may have to be turned.
  private var sides: (width: Int, height: Int) {
    if let width, let height { return (width, height) }
    let stored = (Int(clamping: exifInfo?.exifImageWidth), Int(clamping: exifInfo?.exifImageHeight))
    let isTurned = (exifInfo?.orientation).flatMap { Int($0) }.map { (5...8).contains($0) } ?? false
    return isTurned ? (stored.1, stored.0) : stored
  }
}

extension ImmichAsset.Exif {
  /// The largest size of a file in bytes, so that sums stay in range whatever a server says.
  private static let largestFile = Double(1 << 42)

  fileprivate func fill(_ metadata: inout PhotoMetadata) {
    metadata.camera = CameraName.joined(make: make?.nonEmpty, model: model?.nonEmpty)
    metadata.lens = lensModel?.nonEmpty
    metadata.exposureTime = exposureTime.flatMap { WrittenNumber($0, unit: .seconds)?.value }
    metadata.fNumber = fNumber
    metadata.focalLength = focalLength
    metadata.iso = iso.flatMap { Int(exactly: $0.rounded()) }
    metadata.latitude = latitude
    metadata.longitude = longitude
    metadata.rating = rating.flatMap { Int(exactly: $0) }
    metadata.caption = description?.nonEmpty
    metadata.fileSize = fileSizeInByte.flatMap { (0...Self.largestFile).contains($0) ? Int(exactly: $0) : nil }
  }
}

extension Int {
  /// Creates a number of pixels, which is 0 if it is unknown or not a whole number.
  fileprivate init(clamping value: Double?) { self = value.flatMap { Int(exactly: $0) } ?? 0 }
}

/// A tag of an Immich server (`TagResponseDto`).
struct ImmichTag: Decodable {
  let id: UUID
  let value: String
}

/// The place of the images of an Immich server. The photos of one server can only name images of that server.
struct ImmichBase: ImageBase {
  /// The address of the server's API.
  let api: String

  /// Returns the text of a photo's column: the asset, and the size of its image, which tells how much a preview is reduced.
  func imageURL(of asset: String, width: Int, height: Int) -> String {
    width > 0 && height > 0 ? "\(asset)#\(width)x\(height)" : asset
  }

  func location(of imageURL: String) -> ImageLocation? {
    let asset = imageURL.prefix { $0 != "#" }
    guard UUID(uuidString: String(asset)) != nil else { return nil }
    return .web("\(api)/assets/\(asset)/original\(imageURL.dropFirst(asset.count))")
  }
}
