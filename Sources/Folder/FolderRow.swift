import Foundation
import Gallery
import Photos
import Store

/// The file of a photo, with what is known about it.
struct FolderRow: Sendable {
  let id: Photo.ID
  let found: FoundPhoto
  /// The sizes and times of the files, or nil if the system did not return them.
  let stamp: PhotoIndex.Stamp?
  /// The metadata or the reason why there is none, or nil if the file has not been read.
  var result: Result<PhotoMetadata, PhotoFault>? {
    didSet { created = Self.created(result, stamp) }
  }
  /// The time when the photo was taken, and the offset of its clock from UTC in seconds. If it is unknown, the time
  /// when the file was written.
  ///
  /// The value is stored because the C library checks for a new time zone at every conversion.
  private var created: (at: Date, offset: Int)

  init(
    id: Photo.ID, found: FoundPhoto, stamp: PhotoIndex.Stamp?, result: Result<PhotoMetadata, PhotoFault>? = nil
  ) {
    (self.id, self.found, self.stamp, self.result) = (id, found, stamp, result)
    created = Self.created(result, stamp)
  }

  /// Returns the photo of this row.
  /// - Parameter prefix: The length of the part of the path that is not shown.
  func photo(prefix: Int) -> Photo {
    let metadata = try? result?.get()
    return Photo(
      id: id, name: metadata?.title ?? found.path.printableName, description: metadata?.caption,
      createdAt: created.at, createdOffset: created.offset, imageURL: name(prefix: prefix), image: .file(found.path),
      camera: metadata?.camera, metadata: metadata)
  }

  /// The problem with the file, or nil if there is none or the file has not been read.
  var trouble: CatalogProblem.Fault? {
    switch result {
    case .failure(let fault): .photo(fault)
    case .success(let metadata) where metadata.isCutOff: .cutOff
    default: nil
    }
  }

  /// Returns the path without its first `prefix` bytes, which is the part that is not shown.
  func name(prefix: Int) -> String { String(decoding: found.path.bytes.dropFirst(prefix), as: UTF8.self) }

  private static func created(
    _ result: Result<PhotoMetadata, PhotoFault>?, _ stamp: PhotoIndex.Stamp?
  ) -> (at: Date, offset: Int) {
    guard let time = try? result?.get().takenAt else {
      let written = Date(timeIntervalSince1970: Double(stamp?.modifiedAt ?? 0) / 1e9)
      return (written, LocalClock.system.secondsFromUTC(written))
    }
    if let offset = time.offset { return (Date(timeIntervalSince1970: time.clock - Double(offset)), offset) }
    // A time without an offset is taken for the local time of this machine.
    let date = LocalClock.date(showing: time.clock)
    return (date, Int(time.clock.rounded(.down) - date.timeIntervalSince1970))
  }
}

extension FoundPhoto {
  /// Creates a photo with the sidecar that is next to its file now.
  init(at path: FilePath) {
    let sidecars = PhotoName.sidecars(of: Array(path.name)).map(path.folder.appending)
    self.init(path: path, sidecar: sidecars.first { $0.withCString { access($0, F_OK) } == 0 })
  }
}

extension PhotoIndex.Stamp {
  /// Reads the sizes and times of a photo's file and of its sidecar. Returns nil if the system does not return them.
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
