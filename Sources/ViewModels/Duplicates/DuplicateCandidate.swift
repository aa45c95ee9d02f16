import Gallery
import Photos
import Services

/// A photo that may have duplicates, with what tells that: its bytes, its pixels, and when a camera took it.
struct DuplicateCandidate: Sendable {
  /// The index of the photo's first file.
  let photo: TableIndex
  /// The path of the first file.
  let path: FilePath
  /// The bytes of the first file, or nil if it can't be read.
  let content: FileContent?
  /// The pixels of the first file, or nil if they are unknown.
  var appraisal: ImageAppraisal?
  /// The shot as the camera describes it.
  let shot: CameraShot
}

/// A shot as the metadata of a photo describe it.
struct CameraShot: Hashable, Sendable {
  /// The time by the camera's clock in seconds, or nil if it is unknown.
  var clock: Double?
  /// The exposure time in seconds.
  var exposureTime: Double?
  /// The aperture.
  var fNumber: Double?
  /// The sensitivity.
  var iso: Int?
  /// The checksum of the camera's name.
  var camera = 0

  /// What two descriptions say about whether they are of one shot.
  enum Identity { case same, different, unknown }

  /// The largest relative difference between the same exposure as two programs write it.
  private static let rounding = 0.02

  /// Whether the clock shows fractions of a second. So it tells the shots of a burst apart.
  var hasFraction: Bool { clock.map { $0 != $0.rounded(.down) } ?? false }

  /// Compares two descriptions. A program that makes a copy may leave out all of it, or the fraction of the second.
  func identity(with other: CameraShot) -> Identity {
    if Self.differ(exposureTime, other.exposureTime) || Self.differ(fNumber, other.fNumber)
      || Self.differ(iso.map(Double.init), other.iso.map(Double.init))
    {
      return .different
    }
    guard let clock, let otherClock = other.clock else { return .unknown }
    let haveFractions = hasFraction && other.hasFraction
    if clock.rounded(.down) != otherClock.rounded(.down) || haveFractions && clock != otherClock { return .different }
    return haveFractions && camera == other.camera ? .same : .unknown
  }

  private static func differ(_ first: Double?, _ second: Double?) -> Bool {
    guard let first, let second, first > 0, second > 0 else { return false }
    return abs(first - second) > rounding * first
  }
}

extension CameraShot {
  /// Reads the description of a photo.
  init(_ photo: TableIndex, in photos: PhotoTable) {
    let metadata = photos.metadataBesideColumns(at: photo)
    self.init(
      clock: metadata?.takenAt?.clock, exposureTime: metadata?.exposureTime, fNumber: metadata?.fNumber,
      iso: metadata?.iso)
    photos.withText(.camera, at: photo) { camera in
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(camera))
      self.camera = hasher.finalize()
    }
  }
}
