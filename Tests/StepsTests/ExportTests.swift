import Foundation
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing

@testable import Steps

/// Exports as steps, with an exporter that copies.
@Suite(.limited) final class ExportTests: FileFixture {
  private final class Copier: PhotoExporterProtocol {
    let usefulCount = 3
    let fault = Mutex<ImageFault?>(nil)
    /// The numbers of exports that have begun, and of those that have ended.
    let counts = Mutex<(begun: Int, ended: Int, most: Int)>((0, 0, 0))
    /// The number of exports that have to have begun before one ends.
    let together = Mutex(1)

    func export(_ export: PhotoExport) async throws(ImageFault) -> Bool {
      counts.withLock {
        $0.begun += 1
        $0.most = max($0.most, $0.begun - $0.ended)
      }
      let together = together.withLock(\.self)
      while counts.withLock({ $0.begun }) < together { await Task.yield() }
      counts.withLock { $0.ended += 1 }
      if let fault = fault.withLock(\.self) { throw fault }
      if export.target.isThere { return false }
      try? FileManager.default.copyItem(atPath: export.file.printable, toPath: export.target.printable)
      return true
    }

    func contents(
      of photo: FilePath, shown: PhotoMetadata, as specification: ExportSpecification
    ) async throws(ImageFault) -> [UInt8] { photo.head(.max) }
  }

  private let copier = Copier()
  private var web: FilePath { folder.appending("out/web".utf8) }

  private func makeService(trash: FilePath) -> StepService {
    StepService(
      tools: StepTools(trash: Trash(home: trash), exporter: copier),
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") },
      root: photos)
  }

  private func request(_ names: [String]) throws -> StepRequest {
    StepRequest(
      try names.map { name in
        let photo = try add(name)
        let shown = MetadataRecord(PhotoMetadata())
        let export = PhotoExport(
          of: try #require(photo.file), shown: shown, as: ExportSpecification(), to: web.appending(name.utf8))
        return (photo, export)
      })
  }

  private func files(in folder: FilePath) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.printable)) ?? []).sorted()
  }

  @Test func newFilesGoToTheTrashAndComeBack() async throws {
    let service = makeService(trash: trash)
    let request = try request(["a.jpg", "b.jpg"])
    #expect(request.title == "Export 2 photos to web")
    let step = await service.write(await service.keep([request])[0], StepWork())
    #expect(step.succeeded.count == 2 && files(in: web) == ["a.jpg", "b.jpg"])
    // Another session undoes it.
    let other = makeService(trash: trash)
    #expect(await other.undo(StepWork())?.title == request.title)
    #expect(!folder.appending("out".utf8).isThere)
    #expect(files(in: trash.appending("files".utf8)) == ["a.jpg", "b.jpg"])
    #expect(await other.redo(StepWork())?.title == request.title)
    #expect(files(in: web) == ["a.jpg", "b.jpg"] && files(in: trash.appending("files".utf8)) == [])
    #expect(await other.undo(StepWork())?.succeeded.count == 2)
    #expect(!folder.appending("out".utf8).isThere)
    #expect(files(in: photos) == ["a.jpg", "b.jpg"])
  }

  @Test func severalAreMadeAtOnceAndNotMore() async throws {
    let service = makeService(trash: trash)
    let request = try request((1...12).map { "\($0).jpg" })
    copier.together.withLock { $0 = copier.usefulCount }
    let work = StepWork()
    let step = await service.write(await service.keep([request])[0], work)
    #expect(step.succeeded.count == 12 && work.progress.done == 12)
    #expect(copier.counts.withLock { $0.most } == copier.usefulCount)
  }

  @Test func aNameThatIsTakenGetsANumber() async throws {
    let service = makeService(trash: trash)
    try FileManager.default.createDirectory(atPath: web.printable, withIntermediateDirectories: true)
    try Data("another".utf8).write(to: URL(filePath: "\(web.printable)/a.jpg"))
    let request = try request(["a.jpg"])
    #expect(await service.forecast(request.exports).takenCount == 1)
    _ = await service.write(await service.keep([request])[0], StepWork())
    #expect(files(in: web) == ["a-2.jpg", "a.jpg"])
    _ = await service.undo(StepWork())
    #expect(files(in: web) == ["a.jpg"])
  }

  @Test func aFaultIsReportedAndNothingIsLeftToUndo() async throws {
    copier.fault.withLock { $0 = .noPreview }
    let service = makeService(trash: trash)
    let step = await service.write(await service.keep([try request(["a.nef"])])[0], StepWork())
    let message = try #require(step.faults.first?.message)
    #expect(message.hasPrefix("\(photos.printable)/a.nef was not exported. ") && message.hasSuffix("."))
    #expect(await service.undo(StepWork()) == nil)
  }

  @Test func withoutAnExporterNothingIsMade() async throws {
    let request = try request(["a.jpg"])
    let service = makeService()
    let step = await service.write(await service.keep([request])[0], StepWork())
    #expect(step.faults.map(\.message) == ["Exports need the image libraries. Install Tintype with them."])
    #expect(step.isWaiting && !web.isThere)
    // Another start has them.
    let resumed = await makeService(trash: trash).resume(StepWork())
    #expect(resumed?.parts.map(\.outcome) == [.done])
    #expect(files(in: web) == ["a.jpg"])
  }

  /// The program was killed between the new file and the note about it.
  @Test func anExportThatWasInterruptedIsEndedOnce() async throws {
    let requests = try request(["a.jpg", "b.jpg"])
    let id = try #require(await makeService(trash: trash).keep([requests])[0].id)
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
    let waiting = try await journal.parts(of: id).waiting
    let planned = try PartWriter(tools: StepTools(trash: Trash(home: trash), exporter: copier)).plan(waiting[0])
    _ = try await journal.prepare([planned.part], removing: [], of: id, in: photos)
    #expect(try await planned.plan.write().isWritten)
    // The next session.
    let next = makeService(trash: trash)
    #expect(await next.resume(StepWork())?.succeeded.count == 2)
    // The file of the name may be another one, which no undo may take away.
    #expect(files(in: web) == ["a-2.jpg", "a.jpg", "b.jpg"])
    _ = await next.undo(StepWork())
    #expect(files(in: web) == ["a.jpg"])
  }
}

extension StepRequest {
  fileprivate var exports: [PhotoExport] {
    targets.compactMap { if case .export(let export) = $0.change { export } else { nil } }
  }
}
