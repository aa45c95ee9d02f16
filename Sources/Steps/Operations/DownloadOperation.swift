import CSystem
import FoundationEssentials
import Gallery
import Photos
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A copy of the original of a photo on a server. It goes to the trash when that is undone, as an export does.
struct DownloadOperation: StepOperation {
  /// The values of the operation. The journal identifies the kind of an operation by the name of this member.
  private var download: Download

  private struct Download: Codable {
    var target: FilePath
    /// Whether nothing is copied if there is a file of the name.
    let isSkipping: Bool
    /// The size of the original in bytes, or 0 if it is unknown.
    let size: Int64
    /// The time that the copy gets as its last change, in seconds since 1970.
    let time: Double
  }

  /// The number of photos that are downloaded at once. They share the line.
  private static let atOnce = 4
  /// The most bytes of a name from a server.
  private static let longestName = 200

  static var hasEffect: Bool { false }

  init(_ photo: Photo, to folder: FilePath, isSkipping: Bool) {
    download = Download(
      target: folder.appending(Self.fileName(Self.name(of: photo))), isSkipping: isSkipping,
      size: Int64(photo.metadata?.fileSize ?? 0), time: photo.createdAt.timeIntervalSince1970)
  }

  /// Returns the name of the file. That of the photo may be a title, and the address of the image may say nothing.
  private static func name(of photo: Photo) -> String {
    let last = photo.imageURL.split(separator: "/").last ?? ""
    return PhotoName.isPhoto(ArraySlice(last.utf8)) ? String(last) : photo.name
  }

  /// Returns a name that is one in any folder, and is not hidden.
  private static func fileName(_ name: String) -> [UInt8] {
    let safe = String(name.printable.map { $0 == "/" ? "_" : $0 })
    let visible = safe.isEmpty || safe.hasPrefix(".") ? "_" + safe : safe
    // The suffix says what the file is.
    let dot = visible.lastIndex(of: ".") ?? visible.endIndex
    let suffix = visible[dot...].utf8.prefix(longestName / 4)
    return Array(String(decoding: visible[..<dot].utf8.prefix(longestName - suffix.count), as: UTF8.self).utf8) + suffix
  }

  func place(of _: ImageLocation) -> FilePath? { nil }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    let effect = expected ?? Step.Effect()
    let busy = fault(localized("Other files keep taking the names."))
    if download.isSkipping, download.target.isThere {
      return StepPlan(operation: self, inverse: nil, effect: effect, busy: busy) { .written() }
    }
    var planned = self
    // Also after a crash, a file of the name may be another one. If it is the own one, there will be two, and none is lost.
    planned.download.target = download.target.free
    let target = planned.download.target
    let folders = target.folder.missingFolders
    let back = FileOperation(trashingNew: target, folders: folders)
    return StepPlan(
      operation: planned, inverse: back, effect: effect, claims: [target], copiedSize: download.size,
      atOnce: Self.atOnce, busy: busy
    ) { [planned, back] () async throws(OperationFault) in
      guard let server = tools.server, server.has(photo) else { throw .stopped }
      if tools.work.isStopped { throw .stopped }
      try back.checkPlaces()
      try folders.create(planned.fault)
      let isWritten = try await planned.write(photo, server)
      tools.work.update { $0.copiedSize += planned.download.size }
      return isWritten ? .written() : .outdated
    }
  }

  /// Downloads the original. Returns false if another file has taken its name.
  private func write(_ photo: ImageLocation, _ server: any PhotoServerProtocol) async throws(OperationFault) -> Bool {
    let target = download.target
    let temporary = FileCopy.temporary(for: target)
    // What an attempt that was interrupted has left.
    _ = temporary.withCString { unlink($0) }
    let descriptor: Int32
    do throws(SystemError) { descriptor = try FileCopy.create(temporary, permissions: 0o666) } catch {
      throw unwritable(error)
    }
    defer { _ = temporary.withCString { unlink($0) } }
    defer { close(descriptor) }
    do throws(PhotoServerFault) { try await server.download(photo, to: descriptor) } catch {
      throw operationFault(error)
    }
    let time = timespec(tv_sec: Int(download.time), tv_nsec: 0)
    _ = futimens(descriptor, [time, time])
    guard fsync(descriptor) == 0 else { throw unwritable(SystemError(errno)) }
    let result = temporary.withCString { from in target.withCString { move_without_replacing(from, $0) } }
    if result == 0 { return true }
    if errno == EEXIST { return false }
    throw unwritable(SystemError(errno))
  }

  private func unwritable(_ error: SystemError) -> OperationFault {
    .impossible(fault(localized("\(download.target.printable) can't be written (\(error.reason.printable)).")))
  }

  private func operationFault(_ fault: PhotoServerFault) -> OperationFault {
    switch fault {
    case .missing, .conflict: .missing
    case .outage(let error):
      .failed(
        StepFault(
          title: localized("Not copied yet"),
          message: localized("\(error.message) The photo is copied with the next step or at the next start."),
          concernsFolder: true))
    case .refused(let error): .impossible(self.fault(error.message))
    }
  }

  private func fault(_ message: String) -> StepFault { StepFault(title: localized("Can't copy"), message: message) }
}
