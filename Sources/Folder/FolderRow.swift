import Foundation
import Gallery
import Photos
import Store

/// The file of a photo, with what is known about it.
package struct FolderRow: Sendable {
  let id: Photo.ID
  let found: FoundPhoto
  /// The sizes and times of the files, or nil if the system did not return them.
  package let stamp: PhotoIndex.Stamp?
  /// The metadata or the reason why there is none, or nil if the file has not been read.
  var result: Result<MetadataRecord, PhotoFault>?
  /// Whether the file or its sidecar has been written since ``result`` was read, which is shown until it is read again.
  var isOutdated = false

  /// The result for a file that has been found again with the same stamp, possibly under another path: if it was missing when it was
  /// read, it was on its way.
  var lastingResult: Result<MetadataRecord, PhotoFault>? {
    if case .failure(.missing) = result { nil } else { result }
  }

  /// Whether the file has to be read.
  var isUnread: Bool { result == nil || isOutdated }

  /// Appends the photo of this row to a packer.
  /// - Parameters:
  ///   - prefix: The length of the part of the path that is not shown.
  ///   - image: The location of the image, or nil if it follows from the shown path.
  ///   - clock: The machine's clock.
  func pack(into packer: inout PhotoPacker, prefix: Int, image: ImageLocation?, clock: inout ClockOffsets) {
    let metadata = try? result?.get()
    let summary = metadata?.summary
    let created = created(summary?.takenAt, &clock)
    packer.append(
      id: id, createdAt: created.at, createdOffset: created.offset, image: image
    ) { column, bytes in
      switch column {
      case .name:
        if let metadata, let title = summary?.title, !title.isEmpty {
          bytes += metadata.bytes[title]
        } else if found.path.name.allSatisfy({ (0x20..<0x7F).contains($0) }) {
          bytes += found.path.name
        } else {
          bytes += found.path.printableName.utf8
        }
      case .description: if let metadata, let summary { bytes += metadata.bytes[summary.caption] }
      case .imageURL:
        if image != nil { bytes += name(prefix: prefix).utf8 } else { bytes += found.path.bytes[prefix...] }
      case .camera: if let metadata, let summary { bytes += metadata.bytes[summary.camera] }
      case .author, .license: break
      }
    }
    if let metadata { packer.append(metadata) }
  }

  /// The problem with the file, or nil if there is none or the file has not been read.
  var trouble: CatalogProblem.Fault? {
    switch result {
    case .failure(let fault): .photo(fault)
    case .success(let metadata) where metadata.summary.isCutOff: .cutOff
    default: nil
    }
  }

  /// Returns the path without its first `prefix` bytes, which is the part that is not shown.
  func name(prefix: Int) -> String { String(decoding: found.path.bytes[prefix...], as: UTF8.self) }

  /// Returns the time when the photo was taken, in seconds since 1970, and the offset of its clock from UTC. If it is
  /// unknown, the time when the file was written is returned.
  private func created(_ time: CaptureTime?, _ clock: inout ClockOffsets) -> (at: Double, offset: Int) {
    guard let time else {
      let written = Double(stamp?.modifiedAt ?? 0) / 1e9
      return (written, clock.offset(at: written))
    }
    if let offset = time.offset { return (time.clock - Double(offset), offset) }
    // A time without an offset is taken for the local time of this machine.
    return clock.moment(showing: time.clock)
  }
}

/// The offsets of this machine's clock from UTC. The C library takes far longer to look one up than to read a file's name.
struct ClockOffsets {
  /// The offsets by the quarter of an hour. Clocks are changed only at the beginning of one.
  private var offsets: [Int: Int] = [:]

  /// Returns the offset in seconds at a time in seconds since 1970.
  mutating func offset(at seconds: Double) -> Int {
    let quarter = Int((seconds / 900).rounded(.down))
    if let offset = offsets[quarter] { return offset }
    let offset = LocalClock.system.secondsFromUTC(Date(timeIntervalSince1970: seconds))
    offsets[quarter] = offset
    return offset
  }

  /// Returns the moment at which the clock shows a time in seconds since 1970-01-01 00:00:00 of the same clock, without the
  /// fraction of a second, and the offset at that moment.
  mutating func moment(showing clock: Double) -> (at: Double, offset: Int) {
    let clock = clock.rounded(.down)
    let guess = clock - Double(offset(at: clock))
    let offset = offset(at: guess)
    return (clock - Double(offset), offset)
  }
}

extension PhotoIndex.Stamp {
  /// Reads the sizes and times of a photo's file and of its sidecar. Returns nil if the system does not return them.
  init?(of photo: FoundPhoto) {
    var status = stat()
    guard photo.path.withCString({ stat($0, &status) }) == 0 else { return nil }
    let (size, modifiedAt) = (Int(status.st_size), status.modificationTime)
    let sidecar = photo.sidecar.flatMap { path in
      path.withCString { stat($0, &status) } == 0 ? status.modificationTime : nil
    }
    self.init(size: size, modifiedAt: modifiedAt, sidecarModifiedAt: sidecar ?? 0)
  }
}
