import Foundation
import Gallery
import Services

@testable import Photos
@testable import ViewModels

/// A file in a folder with duplicates.
struct DuplicateFile {
  var name: String
  /// The number of the picture that it shows. Pictures have different hashes and different cells.
  var picture: Int
  /// The number of the file's bytes, or nil if no other file has the same ones.
  var bytes: String?
  var size = 1000
  /// The file on the disk, or nil for one of its own.
  var inode: Int?
  var pixels = (600, 400)
  /// The time in seconds, or nil without metadata.
  var time: Double? = 100.25
  var stars: Int?
  var iso: Int?
  /// The number of bits of the hash that a program has changed.
  var changedBits = 0
  /// Whether something in the picture has moved.
  var hasMoved = false

  var appraisal: ImageAppraisal {
    let hash = UInt64(picture + 1) &* 0x9E37_79B9_7F4A_7C15 ^ (1 << UInt64(changedBits) - 1)
    let side = ImageAppraisal.cellSide
    let cells = (0..<side * side).map { place in
      UInt8(hasMoved && place % side < 4 ? 255 : (place * (picture + 3) * 7) % 200)
    }
    return ImageAppraisal(hash: hash, cells: cells)
  }

  var content: FileContent {
    let inode = inode ?? name.hashValue & 0xFFFF_FFFF
    return FileContent(
      size: size, identity: FileContent.Identity(device: 1, inode: UInt64(inode)), digest: bytes)
  }

  var photo: Photo {
    var metadata = PhotoMetadata()
    metadata.takenAt = time.map { CaptureTime(clock: $0) }
    metadata.camera = time.map { _ in "X100" }
    (metadata.width, metadata.height) = pixels
    (metadata.rating, metadata.iso) = (stars, iso)
    return Photo(
      id: name.hashValue, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: name,
      image: .file(FilePath("/\(name)")), camera: metadata.camera, metadata: metadata)
  }
}

extension FakeAppraisals {
  /// Returns a folder with files, whose pixels and bytes are known from now on.
  func folder(_ files: [DuplicateFile]) -> PhotoSnapshot {
    for file in files { set(file.name, file.appraisal, file.content) }
    var snapshot = PhotoSnapshot.all(files.map(\.photo)).with { $0.capabilities = .folder }
    snapshot.groups = PhotoParts().groups(of: snapshot.photos)
    return snapshot
  }
}
