import Foundation
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing

@testable import Steps

/// Contact sheets as steps, with a maker that writes the names of the photos.
@Suite(.limited) final class SheetStepTests: FileFixture {
  private final class Maker: SheetMakerProtocol {
    let outcome = Mutex(SheetOutcome.made(without: [:]))
    let stops = Mutex(false)

    func make(_ sheet: PhotoSheet, _ work: StepWork) async throws(ImageFault) -> SheetOutcome {
      if stops.withLock(\.self) {
        work.stop()
        return .stopped
      }
      let names = sheet.items.map(\.file.printableName).joined(separator: " ")
      for target in sheet.targets { try? Data(names.utf8).write(to: URL(filePath: target.printable)) }
      return outcome.withLock(\.self)
    }
  }

  private let maker = Maker()
  private var out: FilePath { folder.appending("out".utf8) }

  private func makeSheetService() -> StepService {
    StepService(
      tools: StepTools(trash: Trash(home: trash), sheets: maker),
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") },
      root: photos)
  }

  private func request(_ format: SheetFormat = .pdf, count: Int = 2) throws -> StepRequest {
    let photos = try (0..<count).map { try add("\($0).jpg") }
    let items = photos.compactMap { photo in
      photo.file.map { PhotoSheet.Item($0, shown: MetadataRecord(PhotoMetadata())) }
    }
    var sheet = PhotoSheet(of: items, in: self.photos, to: out.appending("sheet.\(format.rawValue)".utf8))
    sheet.format = format
    sheet.grid = try #require(PageGrid("1x2"))
    return StepRequest(sheet, first: photos[0])
  }

  private func write(_ request: StepRequest, _ work: StepWork = StepWork()) async -> Step {
    let service = makeSheetService()
    return await service.write(await service.keep([request])[0], work)
  }

  private func files(in folder: FilePath) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.printable)) ?? []).sorted()
  }

  @Test func aSheetGoesToTheTrashAndComesBack() async throws {
    let request = try request(.png, count: 3)
    #expect(request.title == "Contact sheet sheet.png: 3 photos")
    #expect(await write(request).succeeded.count == 1)
    #expect(files(in: out) == ["sheet-1.png", "sheet-2.png"])
    // Another session undoes it.
    #expect(await makeSheetService().undo(StepWork())?.title == request.title)
    #expect(!out.isThere && files(in: trash.appending("files".utf8)) == ["sheet-1.png", "sheet-2.png"])
    _ = await makeSheetService().redo(StepWork())
    #expect(files(in: out) == ["sheet-1.png", "sheet-2.png"])
    #expect(files(in: photos) == ["0.jpg", "1.jpg", "2.jpg"])
  }

  @Test func allPagesGetTheNumberOfANameThatIsTaken() async throws {
    try FileManager.default.createDirectory(atPath: out.printable, withIntermediateDirectories: true)
    try Data("another".utf8).write(to: URL(filePath: "\(out.printable)/sheet-2.png"))
    _ = await write(try request(.png, count: 3))
    #expect(files(in: out) == ["sheet-2-1.png", "sheet-2-2.png", "sheet-2.png"])
    _ = await makeSheetService().undo(StepWork())
    #expect(files(in: out) == ["sheet-2.png"])
  }

  @Test func aSheetThatWasStoppedCanBeMadeLater() async throws {
    maker.stops.withLock { $0 = true }
    let step = await write(try request())
    #expect(step.faults == [] && files(in: out) == [])
    maker.stops.withLock { $0 = false }
    _ = await makeSheetService().redo(StepWork())
    #expect(files(in: out) == ["sheet.pdf"])
  }

  @Test func photosThatAreMissingInItAreNamed() async throws {
    maker.outcome.withLock { $0 = .made(without: ["/x/a.nef": .noPreview, "/x/b.nef": .noPreview]) }
    let fault = try #require(await write(try request()).faults.first)
    #expect(fault.title == "Not all photos are in the sheet")
    #expect(fault.message.hasPrefix("/x/a.nef is not in the sheet. "))
    #expect(fault.message.hasSuffix(" One other photo is not in it, either."))
    #expect(files(in: out) == ["sheet.pdf"])
  }

  @Test func aSheetWhoseNameIsAlwaysTakenWaits() async throws {
    maker.outcome.withLock { $0 = .taken }
    let step = await write(try request())
    #expect(step.isWaiting && step.faults.map(\.message) == ["Other files keep taking the names."])
  }
}
