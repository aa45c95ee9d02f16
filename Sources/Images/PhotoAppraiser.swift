import Dispatch
import Foundation
import Gallery
import ImageWire
import Services
import Store

/// Appraises photos in worker processes of their own, and keeps the results. The processes end after a pause.
@MainActor
public final class PhotoAppraiser: AppraisalServiceProtocol {
  private let workerPath: String?
  private let workerCount: Int
  private let index: AppraisalIndex
  private let pause: DispatchTimeInterval
  /// The workers; nil if no appraisal has been wanted for the time of ``pause``.
  private var queue: RenditionQueue?
  /// The timer that ends the workers; nil while an appraisal is wanted.
  private var timer: (any DispatchSourceTimer)?
  private var callers = 0
  private var lastNumber: UInt32 = 0

  /// The number of files that are looked up in the index at a time.
  private nonisolated static let filesAtOnce = 64

  /// Creates an appraiser without starting a process.
  ///
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable; nil if there is none, so that only the index has appraisals.
  ///   - workerCount: The most workers that run at once.
  ///   - pause: The time without appraisals after which the workers end. It is longer than a look at a stack, so that the
  ///     next stack finds them running.
  public init(
    workerPath: String?, workerCount: Int, index: AppraisalIndex, pause: DispatchTimeInterval = .seconds(10)
  ) {
    self.workerPath = workerPath
    self.workerCount = workerCount
    self.index = index
    self.pause = pause
  }

  public nonisolated func contents(of files: [FilePath]) async -> [FileContent?] { await FileContents.read(files) }

  public nonisolated func appraisals(
    of files: [FilePath], _ detail: ImageAppraisal.Detail
  ) async -> [ImageAppraisal?] {
    await begin()
    var all: [ImageAppraisal?] = []
    for start in stride(from: 0, to: files.count, by: Self.filesAtOnce) where !Task.isCancelled {
      all += await appraisals(of: files[start...].prefix(Self.filesAtOnce), detail)
    }
    await end()
    return all + Array(repeating: nil, count: files.count - all.count)
  }

  /// - Parameter files: Files that are looked up in the index together.
  private nonisolated func appraisals(
    of files: ArraySlice<FilePath>, _ detail: ImageAppraisal.Detail
  ) async -> [ImageAppraisal?] {
    let stamps = files.map { PhotoIndex.Stamp(ofFile: $0) }
    // Without the index, all files are decoded.
    let known = (try? await index.appraisals(of: Array(files))) ?? [:]
    var appraisals: [ImageAppraisal?] = zip(files, stamps).map { file, stamp in
      guard let entry = known[file], entry.stamp == stamp, entry.appraisal.has(detail) else { return nil }
      return entry.appraisal
    }
    await withTaskGroup { group in
      for (place, file) in files.enumerated() where appraisals[place] == nil && stamps[place] != nil {
        group.addTask { (place, await self.appraise(file, detail)) }
      }
      for await (place, appraisal) in group { appraisals[place] = appraisal }
    }
    let new = zip(zip(files, stamps), appraisals).compactMap { file, appraisal in
      file.1.flatMap { stamp in
        appraisal.flatMap {
          let entry = AppraisalIndex.Entry(path: file.0, stamp: stamp, appraisal: $0)
          return known[file.0] == entry ? nil : entry.keepingSharpness(of: known[file.0])
        }
      }
    }
    try? await index.add(new)
    return appraisals
  }

  private func begin() {
    callers += 1
    timer?.cancel()
    timer = nil
  }

  private func end() {
    callers -= 1
    guard callers == 0, queue != nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + pause)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        // An appraisal may have begun since the timer fired.
        guard let self, self.callers == 0 else { return }
        self.queue = nil
        self.timer = nil
      }
    }
    timer.activate()
    self.timer = timer
  }

  private func appraise(_ file: FilePath, _ detail: ImageAppraisal.Detail) async -> ImageAppraisal? {
    guard !Task.isCancelled, let workerPath else { return nil }
    let queue = queue ?? RenditionQueue(workerPath: workerPath, workerCount: workerCount, isInBackground: true)
    self.queue = queue
    lastNumber = lastNumber % 0xFF_FFFF + 1
    let answer = await queue.render(
      ImageRequest(number: lastNumber, path: file, job: .appraise(detail)))
    if case .appraisal(let appraisal) = answer.content { return appraisal }
    return nil
  }
}

extension AppraisalIndex.Entry {
  /// Returns the entry with the sharpness that is known of the same file, if it has none itself.
  fileprivate func keepingSharpness(of former: Self?) -> Self {
    var entry = self
    if let former, former.stamp == stamp, appraisal.sharpness.isEmpty {
      entry.appraisal.sharpness = former.appraisal.sharpness
    }
    return entry
  }
}

extension PhotoIndex.Stamp {
  /// Reads the size and the time of a file. Returns nil if the system does not return them.
  fileprivate init?(ofFile path: FilePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(size: Int(status.st_size), modifiedAt: status.modificationTime)
  }
}
