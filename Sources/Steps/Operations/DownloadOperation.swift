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
  static let atOnce = 4

  static var hasEffect: Bool { false }

  init(_ photo: Photo, to folder: FilePath, isSkipping: Bool) {
    download = Download(
      target: folder.appending(photo.originalName), isSkipping: isSkipping,
      size: Int64(photo.metadata?.fileSize ?? 0), time: photo.createdAt.timeIntervalSince1970)
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
    do throws(DownloadedFile.Fault) {
      let file = try await DownloadedFile(of: photo, from: server, for: target)
      let time = timespec(tv_sec: Int(download.time), tv_nsec: 0)
      _ = futimens(file.descriptor, [time, time])
      guard fsync(file.descriptor) == 0 else { throw .unwritable(reason: SystemError(errno).reason) }
      let result = file.path.withCString { from in target.withCString { move_without_replacing(from, $0) } }
      if result == 0 { return true }
      if errno == EEXIST { return false }
      throw .unwritable(reason: SystemError(errno).reason)
    } catch {
      throw error.fault(for: target, fault) { error in
        StepFault(
          title: localized("Not copied yet"),
          message: localized("\(error.message) The photo is copied with the next step or at the next start."),
          concernsFolder: true)
      }
    }
  }

  private func fault(_ message: String) -> StepFault { StepFault(title: localized("Can't copy"), message: message) }
}
