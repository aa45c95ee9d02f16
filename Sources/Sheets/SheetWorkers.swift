import Gallery
import ImageWire
import Images
import Services

/// Makes contact sheets for steps. Its workers run only while a sheet is made.
@MainActor
public final class SheetWorkers: SheetMakerProtocol {
  private let workerPath: String
  private let workerCount: Int

  /// Creates a service without starting a worker.
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable.
  ///   - workerCount: The most workers that run at once.
  public nonisolated init(workerPath: String, workerCount: Int) {
    self.workerPath = workerPath
    self.workerCount = workerCount
  }

  public func make(_ sheet: PhotoSheet, _ work: StepWork) async throws(ImageFault) -> SheetOutcome {
    let exporter = PhotoExporter(workerPath: workerPath, workerCount: min(sheet.items.count, workerCount))
    var missing: [FilePath: ImageFault] = [:]
    var maker = SheetMaker(sheet, exporter: exporter)
    maker.isStopped = { work.isStopped }
    maker.onFault = { missing[$0] = $1 }
    work.update { $0 = StepProgress(total: sheet.items.count) }
    // The service counts the last photo when the step is done.
    maker.onPicture = { number in work.update { $0.done = min(number, sheet.items.count - 1) } }
    let files: Result<[FilePath]?, ImageFault>
    do throws(ImageFault) { files = .success(try await maker.make()) } catch { files = .failure(error) }
    await exporter.stop()
    guard let files = try files.get() else { return work.isStopped ? .stopped : .taken }
    if files.isEmpty { throw missing.values.first ?? .missing }
    return .made(without: missing)
  }
}
