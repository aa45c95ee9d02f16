import Foundation
import Gallery
import Services
import Store
import Testing
import Torture

@testable import Ratings

@Suite final class SidecarRatingsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var photos: [FilePath] { ["a", "b", "c"].map { FilePath("\(folder)/photos/\($0).jpg") } }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
    for photo in photos { try Data("\(photo)".utf8).write(to: URL(filePath: photo.printable)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Returns a service, as each session of the gallery has one.
  private func makeService() -> SidecarRatings {
    SidecarRatings(journal: StepJournal(folder: folder + "/state") { Issue.record("\($0.message)") })
  }

  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/photos")
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/photos/\($0)"))) })
  }

  @Test func aStepIsUndoneAndRedoneInTheNextSession() async throws {
    let made = await makeService().make(.stars(4), for: Array(photos.prefix(2)))
    #expect(
      made == RatingStep(title: "★★★★: 2 photos", ratings: [photos[0]: .init(stars: 4), photos[1]: .init(stars: 4)]))
    _ = await makeService().make(.label("Red"), for: [photos[0]])
    #expect(await makeService().undo()?.ratings == [photos[0]: PhotoRating(stars: 4)])
    #expect(await makeService().undo()?.title == "★★★★: 2 photos")
    #expect(await makeService().undo() == nil)
    #expect(await makeService().redo()?.ratings == made.ratings)
    #expect(await makeService().redo()?.ratings == [photos[0]: PhotoRating(stars: 4, label: "Red")])
    #expect(await makeService().redo() == nil)
  }

  @Test func aNewStepEndsTheRedo() async throws {
    let service = makeService()
    _ = await service.make(.stars(1), for: [photos[0]])
    _ = await service.undo()
    _ = await service.make(.stars(2), for: [photos[0]])
    #expect(await service.redo() == nil)
    #expect(await service.undo()?.title == "★★: a.jpg")
    #expect(await service.undo() == nil)
  }

  @Test func photosThatCannotBeRatedDoNotHoldUpTheOthers() async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/photos/b.jpg.xmp", withIntermediateDirectories: false)
    let step = await makeService().make(.stars(3), for: photos)
    #expect(Set(step.ratings.keys) == [photos[0], photos[2]])
    #expect(step.failures.count == 1 && step.failures[0].contains("b.jpg.xmp is not a regular file"))
    #expect(await makeService().undo()?.ratings == [photos[0]: PhotoRating(), photos[2]: PhotoRating()])
  }

  /// Any sequence of steps, undone and redone steps gives back the folder as it was when all are undone.
  @Test(arguments: Torture.blocks(4, long: 100)) func undoingEverythingGivesBackTheFolder(seed: Int) async throws {
    let before = try contents()
    var generator = SplitMix(seed: seed)
    let service = makeService()
    for _ in 0..<40 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: _ = await service.undo()
      case 1: _ = await service.redo()
      default:
        let changes: [RatingChange] = [.stars(-1), .stars(0), .stars(5), .label("Green"), .label("Blue"), .label(nil)]
        let change = changes[Int.random(in: 0..<changes.count, using: &generator)]
        let chosen = photos.filter { _ in Bool.random(using: &generator) }
        if !chosen.isEmpty { #expect(await service.make(change, for: chosen).failures == []) }
      }
    }
    while let step = await service.undo() { #expect(step.failures == []) }
    #expect(try contents() == before)
  }
}
