import FoundationEssentials
import Gallery
import Photos
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A copy of the originals of a photo on a server. It goes to the trash when that is undone, as an export does.
struct DownloadOperation: StepOperation {
  /// The copy of the photo's first file. The journal identifies the kind of an operation by the name of this member.
  private var download: Download
  /// The copies of its other files, such as the movie of a live photo; nil in the journal of a version that had none.
  private var others: [Other]?

  private struct Download: Codable {
    var target: FilePath
    /// Whether nothing is copied if there is a file of the name.
    let isSkipping: Bool
    /// The size of the original in bytes, or 0 if it is unknown.
    let size: Int64
    /// The time that the copy gets as its last change, in seconds since 1970.
    let time: Double

    init(_ photo: Photo, to folder: FilePath, isSkipping: Bool) {
      target = folder.appending(photo.originalName)
      self.isSkipping = isSkipping
      size = Int64(photo.metadata?.fileSize ?? 0)
      time = photo.createdAt.timeIntervalSince1970
    }
  }

  private struct Other: Codable {
    let photo: ImageLocation
    var download: Download
  }

  static var hasEffect: Bool { false }

  init(_ photo: Photo, with others: [Photo], to folder: FilePath, isSkipping: Bool) {
    download = Download(photo, to: folder, isSkipping: isSkipping)
    self.others = others.map {
      Other(photo: $0.image, download: Download($0, to: folder, isSkipping: isSkipping))
    }
  }

  func place(of _: ImageLocation) -> FilePath? { nil }

  private var downloads: [Download] { [download] + (others ?? []).map(\.download) }

  /// Gives all files names that are free. If one is taken, all get the same number, so that they stay together.
  private mutating func chooseNames() {
    let number = (1...).first { number in !downloads.contains { $0.target.numbered(number).isThere } } ?? 1
    download.target = download.target.numbered(number)
    var names: Set<FilePath> = [download.target]
    for index in (others ?? []).indices {
      let target = others?[index].download.target.numbered(number) ?? download.target
      // Two files of one photo may be called alike in different folders.
      let free = (1...).lazy.map(target.numbered).first { !names.contains($0) && !$0.isThere } ?? target
      others?[index].download.target = free
      names.insert(free)
    }
  }

  func plan(
    for photo: ImageLocation, after expected: Step.Effect?, _ tools: StepTools
  ) throws(OperationFault) -> StepPlan {
    let effect = expected ?? Step.Effect()
    let busy = fault(localized("Other files keep taking the names."))
    if download.isSkipping, downloads.contains(where: \.target.isThere) {
      return StepPlan(operation: self, inverse: nil, effect: effect, busy: busy) { .written() }
    }
    var planned = self
    // Also after a crash, a file of the name may be another one. If it is the own one, there will be two, and none is lost.
    planned.chooseNames()
    let targets = planned.downloads.map(\.target)
    let size = downloads.reduce(0) { $0 + $1.size }
    let folders = planned.download.target.folder.missingFolders
    let back = FileOperation(trashingNew: targets, folders: folders)
    return StepPlan(
      operation: planned, inverse: back, effect: effect, claims: targets, copiedSize: size,
      atOnce: DownloadedFile.atOnce,
      busy: busy
    ) { [planned, back] () async throws(OperationFault) in
      guard let server = tools.server, server.has(photo) else { throw .stopped }
      if tools.work.isStopped { throw .stopped }
      try back.checkPlaces()
      let isWritten = try await planned.write(photo, server, folders)
      tools.work.update { $0.copiedSize += size }
      return isWritten ? .written() : .outdated
    }
  }

  /// Downloads the originals, and names them when all are here. Returns false if another file has taken one of their names.
  private func write(
    _ photo: ImageLocation, _ server: any PhotoServerProtocol, _ folders: [FilePath]
  ) async throws(OperationFault) -> Bool {
    let photos = [photo] + (others ?? []).map(\.photo)
    let targets = downloads.map(\.target)
    var files: [DownloadedFile] = []
    do throws(DownloadedFile.Fault) {
      for (photo, target) in zip(photos, targets) {
        files.append(try await DownloadedFile(of: photo, from: server, for: target))
      }
    } catch {
      throw error.fault(for: download.target, fault) { error in
        StepFault(
          title: localized("Not copied yet"),
          message: localized("\(error.message) The photo is copied with the next step or at the next start."),
          concernsFolder: true)
      }
    }
    try folders.create(fault)
    var named = 0
    do throws(DownloadedFile.Fault) {
      for (file, download) in zip(files, downloads) {
        guard try file.finish(as: download.target, changedAt: download.time) else { break }
        named += 1
      }
    } catch {
      remove(targets[..<named])
      throw .impossible(fault(error.message(for: targets[named])))
    }
    if named < files.count { remove(targets[..<named]) }
    return named == files.count
  }

  /// Removes files that got their names a moment ago.
  private func remove(_ files: ArraySlice<FilePath>) { for file in files { _ = file.withCString { unlink($0) } } }

  private func fault(_ message: String) -> StepFault { StepFault(title: localized("Can't copy"), message: message) }
}
