import Foundation
import Gallery
import Store

/// One photo's file, and what is known of it.
struct FolderRow: Sendable {
  let id: Photo.ID
  let found: FoundPhoto
  /// Nil where the file could not be looked at.
  let stamp: PhotoIndex.Stamp?
  var result: Result<PhotoFacts, PhotoFault>? {
    didSet { createdAt = Self.date(result, stamp) }
  }
  /// When the photo was taken, else when its file was written. Kept, since the C library looks for another time zone
  /// whenever it is asked.
  private var createdAt: Date

  init(
    id: Photo.ID, found: FoundPhoto, stamp: PhotoIndex.Stamp?, result: Result<PhotoFacts, PhotoFault>? = nil
  ) {
    (self.id, self.found, self.stamp, self.result) = (id, found, stamp, result)
    createdAt = Self.date(result, stamp)
  }

  /// - Parameter prefix: The length of the part of the path that is not shown.
  func photo(prefix: Int) -> Photo {
    let facts = try? result?.get()
    return Photo(
      id: id, name: facts?.title ?? found.path.printableName, description: facts?.caption, createdAt: createdAt,
      imageURL: name(prefix: prefix), image: .file(found.path), camera: facts?.camera, facts: facts)
  }

  /// What is the matter with the file, in a sentence; nil where nothing is, or it has not been read.
  var trouble: String? {
    switch result {
    case .failure(let fault): fault.message
    case .success(let facts) where facts.isCutOff:
      "The file ends before the picture does; it may still be on its way here, or have been cut off."
    default: nil
    }
  }

  /// The path from the folder on.
  func name(prefix: Int) -> String { String(decoding: found.path.bytes.dropFirst(prefix), as: UTF8.self) }

  private static func date(_ result: Result<PhotoFacts, PhotoFault>?, _ stamp: PhotoIndex.Stamp?) -> Date {
    guard let time = try? result?.get().takenAt else {
      return Date(timeIntervalSince1970: Double(stamp?.modifiedAt ?? 0) / 1e9)
    }
    if let offset = time.offset { return Date(timeIntervalSince1970: time.clock - Double(offset)) }
    // The camera's clock is taken for the person's own.
    var seconds = time_t(time.clock.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    parts.tm_isdst = -1
    return Date(timeIntervalSince1970: Double(mktime(&parts)))
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
