import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing

@testable import Sidecars
@testable import Steps

/// What becomes of the parts of a step, and what their photos show then.
@Suite(.limited) final class OutcomeTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var paths: [FilePath] { ["a", "b"].map { FilePath("\(folder)/photos/\($0).jpg") } }
  private lazy var service = makeService()

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
    for path in paths { try Data("\(path)".utf8).write(to: URL(filePath: path.printable)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func makeService() -> StepService {
    StepService(journal: StepJournal(folder: folder + "/state") { Issue.record("\($0.message)") }, root: "/")
  }

  /// Returns a photo whose own file has a rating and a label.
  private func photo(_ path: FilePath, rating: Int? = nil, label: String? = nil, isRead: Bool = true) -> Photo {
    var metadata = PhotoMetadata()
    metadata.rating = rating
    metadata.label = label
    return Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(path), metadata: isRead ? metadata : nil)
  }

  private func remove(_ path: FilePath) throws {
    for suffix in ["", ".xmp"] { try? FileManager.default.removeItem(atPath: path.printable + suffix) }
  }

  // MARK: Photos that are gone

  @Test func undoingSaysWhichPhotosAreGone() async throws {
    _ = await service.make(.rating(4), for: paths.map { photo($0) })
    try remove(paths[0])
    let undone = try #require(await service.undo())
    #expect(undone.missing == [.file(paths[0])] && undone.succeeded == [.file(paths[1])])
    let redone = try #require(await service.redo())
    #expect(redone.missing == [.file(paths[0])] && redone.succeeded == [.file(paths[1])])
    try remove(paths[1])
    #expect(await service.undo()?.succeeded == [])
    #expect(await service.undo() == nil && FileManager.default.subpaths(atPath: folder + "/photos") == [])
  }

  @Test func aStepForAPhotoThatIsGoneIsNotKept() async throws {
    try remove(paths[0])
    let step = await service.make(.rating(4), for: [photo(paths[0])])
    #expect(step.parts == [Step.Part(.file(paths[0]), .missing)] && !step.isInJournal)
    #expect(await service.undo() == nil && FileManager.default.subpaths(atPath: folder + "/photos") == ["b.jpg"])
  }

  /// A disk that was removed may return, with its photos.
  @Test func aStepForAFolderThatIsGoneWaits() async throws {
    try FileManager.default.moveItem(atPath: folder + "/photos", toPath: folder + "/away")
    let step = await service.make(.rating(4), for: [photo(paths[0])])
    #expect(step.isWaiting && step.faults.count == 1 && step.isInJournal)
    try FileManager.default.moveItem(atPath: folder + "/away", toPath: folder + "/photos")
    #expect(await makeService().resume()?.parts.map(\.outcome) == [.done])
    #expect(try Sidecars().decisions(of: paths[0])?.rating == 4)
  }

  // MARK: What photos show

  /// The source has read the sidecar that is gone after the undo, so only the journal knows what the photo showed before.
  @Test func anUndoSaysWhatThePhotoShowsWithoutASidecar() async throws {
    let photos = [photo(paths[0], rating: 3), photo(paths[1])]
    _ = await service.make(.rating(-1), for: photos)
    for _ in 0..<2 {
      #expect(try await ratings(makeService().undo()) == [.set(3), .remove])
      #expect(try await ratings(makeService().redo()) == [.set(-1), .set(-1)])
    }
    // The second step was made upon the first one.
    _ = await service.make(.rating(5), for: photos)
    #expect(try await ratings(service.undo()) == [.set(-1), .set(-1)])
    #expect(try await ratings(service.undo()) == [.set(3), .remove])
  }

  @Test(arguments: [1, 1_000_000_000.5])
  func anUndoLeavesToTheSourceWhatItCannotKnow(seconds: Double) async throws {
    func setTime(_ seconds: Double) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: paths[1].printable)
    }
    try setTime(1_000_000_000)
    _ = await service.make(.rating(4), for: [photo(paths[0], isRead: false), photo(paths[1], rating: 3)])
    // The user exports the photo again, which may take less than a second.
    try setTime(seconds)
    #expect(try await ratings(service.undo()) == [.keep, .keep])
  }

  @Test func redoingARemovalShowsThatNothingIsLeft() async throws {
    _ = await service.make(.label(nil), for: [photo(paths[0], label: "Red")])
    for _ in 0..<2 {
      #expect(await service.undo()?.parts.map { $0.effect.decisions.shown[.label] } == [.set("Red")])
      #expect(await service.redo()?.parts.map { $0.effect.decisions.shown[.label] } == [.remove])
    }
  }

  /// After an undo, the source may still have the keywords of the sidecar that is gone.
  @Test func keywordsBeginWithThoseThatThePhotoShows() async throws {
    var metadata = PhotoMetadata()
    metadata.keywords = ["own", "undone"]
    let photo = Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(paths[0]), metadata: metadata)
    let request = StepRequest(.decision(.keywords(added: ["sea"], removed: [])), forShots: [[photo]]) { _ in
      PhotoDecisions(keywords: ["own"])
    }
    for step in await service.keep([request]) { _ = await service.write(step) }
    #expect(try Sidecars().decisions(of: paths[0])?.keywords == ["own", "sea"])
  }

  private func ratings(_ step: Step?) throws -> [DecisionEdit] {
    let parts = try #require(step).parts.sorted { $0.photo.printable < $1.photo.printable }
    return parts.map { $0.effect.decisions.shown[.rating] }
  }
}
