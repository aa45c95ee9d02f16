import Dispatch
import Foundation
import Gallery
import ImageWire

/// The outcome of an export.
public enum ExportOutcome: Hashable, Sendable {
  /// The new file at this path.
  case exported(FilePath, ExportedImage)
  /// Nothing, since the name is taken.
  case skipped
  /// The reason why there is no new file.
  case failed(ImageFault)
}

/// Makes new files of photos, in worker processes without rights on files. As many run at once as the caller allows.
///
/// ```swift
/// let exporter = PhotoExporter(workerPath: path, workerCount: 4)
/// let outcome = await exporter.export(
///   "/photos/a.nef", shown: metadata, as: specification, to: "/web/a.jpg", isNumbering: true)
/// ```
@MainActor
public final class PhotoExporter {
  private let queue: RenditionQueue
  private var lastNumber: UInt32 = 0

  /// The number of exports that keep all workers busy if the caller waits for them in their order: some take longer than others.
  public let usefulCount: Int

  /// Creates an exporter, and starts its first worker.
  /// - Parameters:
  ///   - workerPath: The path of the worker's executable.
  ///   - workerCount: The most workers that run at once. Other processes go first.
  public init(workerPath: String, workerCount: Int) {
    queue = RenditionQueue(
      workerPath: workerPath, workerCount: workerCount, arguments: ["--export"],
      patience: .seconds(ExportRequest.longest + 5))
    usefulCount = Self.usefulCount(forWorkers: workerCount)
  }

  /// The most workers that the machine has processors and memory for. Few photos need more than a third of what a worker may
  /// use.
  public nonisolated static var mostWorkers: Int {
    let memory = Int(clamping: ProcessInfo.processInfo.physicalMemory) / (ExportRequest.mostMemory / 3)
    return max(1, min(ProcessInfo.processInfo.activeProcessorCount, memory))
  }

  nonisolated static func usefulCount(forWorkers count: Int) -> Int { 4 * max(1, count) }

  /// Exports a photo to a file in an existing folder. No file is replaced.
  ///
  /// - Parameters:
  ///   - photo: The absolute path of the photo's file.
  ///   - shown: The photo's metadata as the gallery shows them: with the decisions, which count before what the file says.
  ///   - specification: The choices of the export.
  ///   - target: The absolute path of the new file.
  ///   - isNumbering: Whether the new file gets a number if another one has its name (`a-2.jpg`). Otherwise the photo is skipped.
  @concurrent public nonisolated func export(
    _ photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification, to target: FilePath,
    isNumbering: Bool
  ) async -> ExportOutcome {
    do throws(ImageFault) {
      if !isNumbering, !target.isMissing { return .skipped }
      let destination = try ExportDestination(in: target.folder)
      defer { destination.discard() }
      let image = try await write(photo, shown, specification, to: destination)
      let path = try await destination.finish(as: target, isNumbering: isNumbering)
      return path.map { .exported($0, image) } ?? .skipped
    } catch {
      return .failed(error)
    }
  }

  /// Exports a photo to memory.
  ///
  /// - Parameters:
  ///   - photo: The absolute path of the photo's file.
  ///   - shown: The photo's metadata as the gallery shows them.
  ///   - specification: The choices of the export.
  ///   - folder: A folder for a temporary file.
  /// - Returns: The bytes of the new file, and its description.
  @concurrent public nonisolated func contents(
    of photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification, in folder: FilePath
  ) async throws(ImageFault) -> (bytes: [UInt8], image: ExportedImage) {
    let destination = try ExportDestination(in: folder)
    defer { destination.discard() }
    let image = try await write(photo, shown, specification, to: destination)
    return (try await destination.contents(), image)
  }

  /// Draws pages of a contact sheet to a new file in an existing folder. No file is replaced.
  ///
  /// - Parameters:
  ///   - drawing: The bytes of the drawing in the file of the pictures.
  ///   - pictures: The file with the pictures and the drawing.
  ///   - format: The format of the new file.
  ///   - target: The absolute path of the new file.
  ///   - isNumbering: Whether the new file gets a number if another one has its name. Otherwise, nothing is drawn.
  @concurrent public nonisolated func draw(
    _ drawing: Range<Int>, of pictures: ExportDestination, as format: SheetRequest.Format, to target: FilePath,
    isNumbering: Bool
  ) async -> ExportOutcome {
    do throws(ImageFault) {
      let destination = try ExportDestination(in: target.folder)
      defer { destination.discard() }
      let request = SheetRequest(format, drawing: drawing, destination: destination.path)
      let image = try await make(.drawSheet(request), of: pictures.path)
      let path = try await destination.finish(as: target, isNumbering: isNumbering)
      return path.map { .exported($0, image) } ?? .skipped
    } catch {
      return .failed(error)
    }
  }

  private func write(
    _ photo: FilePath, _ shown: PhotoMetadata, _ specification: ExportSpecification, to destination: ExportDestination
  ) async throws(ImageFault) -> ExportedImage {
    var specification = specification
    specification.crop = specification.crop ?? shown.shownCrop
    let request = ExportRequest(specification, metadata: MetadataRecord(shown), destination: destination.path)
    return try await make(.export(request), of: photo)
  }

  private func make(_ job: ImageRequest.Job, of photo: FilePath) async throws(ImageFault) -> ExportedImage {
    lastNumber = lastNumber % 0xFF_FFFF + 1
    switch await queue.render(ImageRequest(number: lastNumber, path: photo, job: job)).content {
    case .exported(let image): return image
    // The words of the other fault are about the time of a rendition.
    case .failure(.timedOut): throw .unresponsive
    case .failure(let fault): throw fault
    case .cells, .graphic, .noPreview, .appraisal, .listing, .transfer: throw .invalidAnswer
    }
  }

  /// Ends the workers, and waits for them.
  public func stop() async { await queue.stop() }
}
