import CSystem
import Foundation
import Gallery
import Services
import Store
import WorkerPool

/// Fetches the files of photos on another machine, and hands them to the service that copies files here.
///
/// The files come into a folder of the cache first, under their own names and with their own times. If a fetch is interrupted, the next
/// one goes on where it has ended, unless the file there has changed since.
struct RemoteFetch: Sendable {
  let connection: RemoteConnection
  /// The service that copies files on this machine.
  let steps: any StepServiceProtocol
  /// The folder for files that are not complete.
  let folder: FilePath

  /// The bytes that are asked for at once.
  private static let part = 1 << 18

  /// Copies the files of photos to a folder on this machine.
  ///
  /// - Parameter request: The request, whose changes are copies.
  /// - Returns: The outcome, and for each step in the journal here the photo that it has copied.
  fileprivate func write(_ request: StepRequest, _ work: StepWork) async -> (step: Step, copied: [ImageLocation]) {
    var (result, copied): (Step, [ImageLocation]) = (Step(title: request.title), [])
    work.update { $0 = StepProgress(total: request.targets.count) }
    for target in request.targets {
      if work.isStopped { break }
      guard let here = await fetch(target.files, work) else {
        result.parts.append(Step.Part(target.photo.image, work.isStopped ? .waiting(nil) : .missing))
        continue
      }
      var photo = target.photo
      photo.image = .file(here[0])
      let shot = here.map { path in
        var file = photo
        file.image = .file(path)
        return file
      }
      let local = StepRequest(target.change, forShots: [shot], called: request.title)
      for kept in await steps.keep([local]) {
        let step = await steps.write(kept, StepWork())
        // A copy that is there already is of an earlier step.
        if step.isInJournal { copied.append(target.photo.image) }
        result.fault = step.fault ?? result.fault
        result.parts += step.parts.map { Step.Part(target.photo.image, $0.outcome, shortfall: $0.shortfall) }
      }
      for file in here { remove(file) }
      work.update { $0.done += 1 }
    }
    return (result, copied)
  }

  /// Fetches the files of a photo and their sidecars. Returns the paths of the photo's own files here, or nil if one is not there.
  private func fetch(_ files: [FilePath], _ work: StepWork) async -> [FilePath]? {
    let paths = files.compactMap { $0.remote?.path }
    guard case .files(let described)? = try? await connection.call(.describe(paths)) else { return nil }
    // Nothing else would be removed afterwards.
    let wanted = Set(paths + paths.flatMap(RemoteFile.sidecars))
    let found = described.filter { wanted.contains($0.path) }
    guard Set(paths).isSubset(of: Set(found.map(\.path))) else { return nil }
    work.update { progress in
      progress.planned += 1
      progress.plannedSize = min(progress.plannedSize + found.size, RemoteFile.mostBytes)
    }
    var targets: [FilePath: FilePath] = [:]
    for file in found {
      guard let target = await fetch(file, work) else { return nil }
      targets[file.path] = target
    }
    return paths.compactMap { targets[$0] }
  }

  /// Fetches a file, from where an earlier fetch has ended.
  private func fetch(_ file: RemoteFile, _ work: StepWork) async -> FilePath? {
    // Sidecars have to be next to their photo, and another version of a file is another file.
    let place = folder.appending(
      SHA256.name("\(connection.address.machine) \(file.path.folder.bytes)").utf8)
    let part = place.appending(Array(file.path.name) + Array(".\(file.size)-\(file.modifiedAt).part".utf8))
    let target = place.appending(file.path.name)
    do {
      try FileManager.default.createDirectory(
        atPath: String(decoding: place.bytes, as: UTF8.self), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch { return nil }
    let descriptor = part.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var done = min(Int64(lseek(descriptor, 0, SEEK_END)), file.size)
    work.update { [done] in $0.copiedSize += done }
    while done < file.size {
      if work.isStopped { return nil }
      let count = Int(min(Int64(Self.part), file.size - done))
      guard let bytes = await connection.read(file.path, from: done, count: count), !bytes.isEmpty,
        bytes.count <= count,
        bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, off_t(done)) }) == bytes.count
      else { return nil }
      done += Int64(bytes.count)
      work.update { $0.copiedSize += Int64(bytes.count) }
    }
    let time = timespec(tv_sec: Int(file.modifiedAt / 1_000_000_000), tv_nsec: Int(file.modifiedAt % 1_000_000_000))
    _ = futimens(descriptor, [time, time])
    return part.withCString { part in target.withCString { rename(part, $0) } } == 0 ? target : nil
  }

  private func remove(_ file: FilePath) {
    for path in [file] + RemoteFile.sidecars(of: file) { _ = path.withCString { unlink($0) } }
    _ = file.folder.withCString { rmdir($0) }
  }
}

extension RemoteFetch {
  /// A copy to this machine, which can be undone.
  final class Run: Sendable {
    let request: StepRequest
    private let work: StepWork
    private let fetch: RemoteFetch
    private let task: Task<(step: Step, copied: [ImageLocation]), Never>

    /// Starts to copy.
    init(_ request: StepRequest, _ work: StepWork, by fetch: RemoteFetch) {
      self.request = request
      self.work = work
      self.fetch = fetch
      task = Task(executorPreference: WorkerPool.shared) { await fetch.write(request, work) }
    }

    /// The outcome of the copy, once it has ended.
    var outcome: (step: Step, copied: [ImageLocation]) { get async { await task.value } }

    /// Stops the copy if it has not ended, and undoes it.
    func undo(_ work: StepWork) async -> Step {
      self.work.stop()
      var result = Step(title: request.title)
      for photo in await outcome.copied.reversed() {
        guard !work.isStopped, let step = await fetch.steps.undo(StepWork()) else { break }
        result.fault = step.fault ?? result.fault
        result.parts += step.parts.map { Step.Part(photo, $0.outcome, shortfall: $0.shortfall) }
      }
      return result
    }
  }
}

extension RemoteConnection {
  /// Returns a part of a file, which is asked for again whenever the connection breaks; nil if the connection is ended.
  func read(_ path: FilePath, from offset: Int64, count: Int) async -> [UInt8]? {
    await bytes(.read(path, offset: offset, count: count))
  }
}
