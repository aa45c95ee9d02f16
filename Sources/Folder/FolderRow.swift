import Foundation
import Gallery
import Photos
import Store

/// One photo's file, and what is known of it.
struct FolderRow: Sendable {
  let id: Photo.ID
  let found: FoundPhoto
  /// Nil where the file could not be looked at.
  let stamp: PhotoIndex.Stamp?
  var result: Result<PhotoMetadata, PhotoFault>? {
    didSet { created = Self.created(result, stamp) }
  }
  /// When the photo was taken, otherwise when its file was written, and how far the clock that showed it is ahead of
  /// UTC. Kept, since the C library looks for another time zone whenever it is asked.
  private var created: (at: Date, offset: Int)

  init(
    id: Photo.ID, found: FoundPhoto, stamp: PhotoIndex.Stamp?, result: Result<PhotoMetadata, PhotoFault>? = nil
  ) {
    (self.id, self.found, self.stamp, self.result) = (id, found, stamp, result)
    created = Self.created(result, stamp)
  }

  /// - Parameter prefix: The length of the part of the path that is not shown.
  func photo(prefix: Int) -> Photo {
    let metadata = try? result?.get()
    return Photo(
      id: id, name: metadata?.title ?? found.path.printableName, description: metadata?.caption,
      createdAt: created.at, createdOffset: created.offset, imageURL: name(prefix: prefix), image: .file(found.path),
      camera: metadata?.camera, metadata: metadata)
  }

  /// What is the matter with the file, in a sentence; nil where nothing is, or it has not been read.
  var trouble: String? {
    switch result {
    case .failure(let fault): fault.message
    case .success(let metadata) where metadata.isCutOff:
      "The file ends before the image does; it may still be on its way here, or have been cut off."
    default: nil
    }
  }

  /// The path from the folder on.
  func name(prefix: Int) -> String { String(decoding: found.path.bytes.dropFirst(prefix), as: UTF8.self) }

  private static func created(
    _ result: Result<PhotoMetadata, PhotoFault>?, _ stamp: PhotoIndex.Stamp?
  ) -> (at: Date, offset: Int) {
    guard let time = try? result?.get().takenAt else {
      let written = Date(timeIntervalSince1970: Double(stamp?.modifiedAt ?? 0) / 1e9)
      return (written, LocalClock.system.secondsFromUTC(written))
    }
    if let offset = time.offset { return (Date(timeIntervalSince1970: time.clock - Double(offset)), offset) }
    // If the file doesn't say how the camera's clock stood to UTC, it is taken for this machine's.
    let date = LocalClock.date(showing: time.clock)
    return (date, Int(time.clock.rounded(.down) - date.timeIntervalSince1970))
  }
}

extension FoundPhoto {
  /// With what stands beside it now.
  init(at path: FilePath) {
    let sidecars = PhotoName.sidecars(of: Array(path.name)).map(path.folder.appending)
    self.init(path: path, sidecar: sidecars.first { $0.withCString { access($0, F_OK) } == 0 })
  }
}

extension PhotoIndex.Stamp {
  /// How a photo's file, and the one beside it, look now; nil where it cannot be looked at.
  init?(of photo: FoundPhoto) {
    var status = stat()
    guard photo.path.withCString({ stat($0, &status) }) == 0 else { return nil }
    let (size, modifiedAt) = (Int(status.st_size), Self.nanoseconds(status))
    let sidecar = photo.sidecar.flatMap { path in
      path.withCString { stat($0, &status) } == 0 ? Self.nanoseconds(status) : nil
    }
    self.init(size: size, modifiedAt: modifiedAt, sidecarModifiedAt: sidecar ?? 0)
  }

  private static func nanoseconds(_ status: stat) -> Int {
    status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
  }
}
