import Foundation
import Gallery
import Services
import WorkerPool

/// Makes new files of photos for steps. Its workers run only while there are exports, and for a moment after the last one.
@MainActor
public final class ExportWorkers: PhotoExporterProtocol {
  private let workerPath: String
  private let workerCount: Int
  private var exporter: PhotoExporter?
  private var runningCount = 0
  private var ending: Task<Void, Never>?

  /// The time after the last export in which another one finds the workers running.
  private static let patience = Duration.seconds(5)

  /// The number of exports that keep all workers busy.
  public nonisolated let usefulCount: Int

  /// Creates a service without starting a worker.
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable.
  ///   - workerCount: The most workers that run at once.
  public nonisolated init(workerPath: String, workerCount: Int) {
    self.workerPath = workerPath
    self.workerCount = workerCount
    usefulCount = PhotoExporter.usefulCount(forWorkers: workerCount)
  }

  public func export(_ export: PhotoExport) async throws(ImageFault) -> Bool {
    let exporter = begin()
    defer { end(exporter) }
    switch await exporter.export(
      export.file, shown: export.shown.metadata, as: export.specification, to: export.target, isNumbering: false)
    {
    case .exported: return true
    case .skipped: return false
    case .failed(let fault): throw fault
    }
  }

  public func contents(
    of photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification
  ) async throws(ImageFault) -> [UInt8] {
    let exporter = begin()
    defer { end(exporter) }
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
    return try await exporter.contents(of: photo, shown: shown, as: specification, in: folder).bytes
  }

  private func begin() -> PhotoExporter {
    let exporter = exporter ?? PhotoExporter(workerPath: workerPath, workerCount: workerCount)
    self.exporter = exporter
    ending?.cancel()
    runningCount += 1
    return exporter
  }

  private func end(_ exporter: PhotoExporter) {
    runningCount -= 1
    guard runningCount == 0 else { return }
    ending = Task.onMainActor {
      guard (try? await WorkerPoolClock().sleep(for: Self.patience)) != nil else { return }
      self.exporter = nil
      await exporter.stop()
    }
  }
}
