import Foundation
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing

@testable import Steps

/// Decisions about photos on a server, which keeps them instead of a sidecar.
@Suite(.limited) final class ServerStepTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private let server = TestServer()

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A server with photos whose addresses begin with `https://a/`.
  private final class TestServer: PhotoServerProtocol {
    struct State {
      var decisions: [ImageLocation: PhotoDecisions] = [:]
      var fault: PhotoServerFault?
      var calls = 0
    }

    let state = Mutex(State())

    func has(_ photo: ImageLocation) -> Bool { photo.printable.hasPrefix("https://a/") }

    func change(
      _ photo: ImageLocation, by edits: DecisionEdits, from former: PhotoDecisions
    ) async throws(PhotoServerFault) {
      try state.withLock { state throws(PhotoServerFault) in
        state.calls += 1
        if let fault = state.fault { throw fault }
        state.decisions[photo] = (state.decisions[photo] ?? former).applying(edits)
      }
    }

    func download(_ photo: ImageLocation, to descriptor: Int32) async throws(PhotoServerFault) {
      if let fault = state.withLock({ $0.fault }) {
        // A part has come.
        _ = write(descriptor, "half", 4)
        throw fault
      }
      let content = Array("content of \(photo.printable)".utf8)
      _ = write(descriptor, content, content.count)
    }

    func rating(_ photo: Photo) -> Int? { state.withLock { $0.decisions[photo.image]?.rating } }
    var calls: Int { state.withLock { $0.calls } }
    func fail(_ fault: PhotoServerFault?) { state.withLock { $0.fault = fault } }
  }

  private func photo(_ name: String, host: String = "a", rating: Int? = nil) -> Photo {
    var metadata = PhotoMetadata()
    metadata.rating = rating
    let address = "https://\(host)/assets/\(name)/original"
    return Photo(
      id: 1, name: name, createdAt: .now, imageURL: address, image: .web(address), metadata: metadata)
  }

  private func makeService(server: TestServer?, root: FilePath = "https://a/assets") -> StepService {
    StepService(
      tools: StepTools(trash: Trash(home: FilePath("\(folder)/trash")), server: server),
      journal: StepJournal(folder: folder) { Issue.record("\($0.message)") },
      root: root)
  }

  @Test func aDecisionIsSentUndoneAndMadeAgain() async throws {
    let service = makeService(server: server)
    let photos = [photo("x", rating: 2), photo("y")]
    let step = await service.make(.rating(4), for: photos)
    #expect(step.faults.isEmpty && step.parts.map(\.outcome) == [.done, .done])
    #expect(photos.map(server.rating) == [4, 4])
    // Another session undoes it.
    let later = makeService(server: server)
    let undone = try #require(await later.undo(StepWork()))
    #expect(undone.parts.map(\.outcome) == [.done, .done] && photos.map(server.rating) == [2, nil])
    let effects = undone.parts.reduce(into: [:]) { $0[$1.photo] = $1.effect.decisions[.rating] }
    #expect(effects == [photos[0].image: .set(2), photos[1].image: .remove])
    #expect(await later.redo(StepWork())?.parts.count == 2)
    #expect(photos.map(server.rating) == [4, 4])
  }

  private func copy(_ photos: [Photo], isSkipping: Bool = false, by service: StepService) async -> Step {
    let target = FilePath("\(folder)/new/in")
    let steps = await service.keep([StepRequest(.files(.copy(to: target, isSkipping: isSkipping)), for: photos)])
    return await service.write(steps[0], StepWork())
  }

  private var copies: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/new/in")) ?? []).sorted()
  }

  @Test func originalsAreCopiedToAFolderAndTakenBack() async throws {
    let service = makeService(server: server)
    let names = [
      "a.jpg", "../../evil.jpg", ".hidden", "x/y.jpg", "x_y.jpg", String(repeating: "x", count: 400) + ".jpeg",
    ]
    let photos = names.map { photo($0) }
    let step = await copy(photos, by: service)
    #expect(step.faults.isEmpty && step.parts.allSatisfy { $0.outcome == .done })
    let long = String(repeating: "x", count: 195) + ".jpeg"
    #expect(copies == ["_.._.._evil.jpg", "_.hidden", "a.jpg", "x_y-2.jpg", "x_y.jpg", long].sorted())
    let content = try String(contentsOfFile: "\(folder)/new/in/a.jpg", encoding: .utf8)
    #expect(content == "content of https://a/assets/a.jpg/original")
    // A name that is taken gets a number, or is skipped.
    _ = await copy([photo("a.jpg")], by: service)
    #expect(copies.contains("a-2.jpg"))
    let skipped = await copy([photo("a.jpg")], isSkipping: true, by: service)
    #expect(skipped.parts.map(\.outcome) == [.needless])
    let before = copies
    _ = await makeService(server: server).undo(StepWork())
    #expect(copies == before.filter { $0 != "a-2.jpg" })
    _ = await service.undo(StepWork())
    #expect(copies == [])
  }

  @Test func aCopyThatIsInterruptedLeavesNothingAndGoesOn() async throws {
    let service = makeService(server: server)
    server.fail(.outage(.noNetwork))
    let step = await copy([photo("a.jpg")], by: service)
    #expect(step.isWaiting && step.faults.map(\.title) == ["Not copied yet"] && copies == [])
    server.fail(nil)
    #expect(await makeService(server: server).resume(StepWork())?.parts.map(\.outcome) == [.done])
    #expect(copies == ["a.jpg"])
    server.fail(.refused(.cannotWrite(.system(reason: "No space left on device"))))
    #expect(await copy([photo("b.jpg")], by: service).parts.allSatisfy { $0.outcome.isGivenUp } && copies == ["a.jpg"])
  }

  @Test func whatChangesNothingIsNotSent() async throws {
    let service = makeService(server: server)
    let step = await service.make(.rating(4), for: [photo("x", rating: 4)])
    #expect(step.parts.map(\.outcome) == [.needless] && server.calls == 0)
    #expect(await service.undo(StepWork()) == nil)
  }

  @Test func aDecisionWaitsUntilTheServerIsThere() async throws {
    server.fail(.outage(.noNetwork))
    let photo = photo("x")
    let step = await makeService(server: server).make(.rating(4), for: [photo])
    #expect(step.isWaiting && step.faults.count == 1 && step.faults[0].title == "Not sent yet")
    #expect(step.parts[0].effect.decisions[.rating] == .set(4))
    // A session without the server sends nothing, and does not complain.
    let other = await makeService(server: nil, root: "/").resume(StepWork())
    #expect(other?.parts.map(\.outcome) == [.waiting(nil)])
    server.fail(nil)
    let resumed = await makeService(server: server).resume(StepWork())
    #expect(resumed?.parts.map(\.outcome) == [.done] && server.rating(photo) == 4)
  }

  /// What waits is canceled by an undo, and the photo shows what it showed before.
  @Test func aDecisionThatWaitsIsCanceled() async throws {
    server.fail(.outage(.noNetwork))
    let service = makeService(server: server)
    _ = await service.make(.rating(4), for: [photo("x", rating: 2)])
    let undone = try #require(await service.undo(StepWork()))
    #expect(undone.parts.map { $0.effect.decisions[.rating] } == [.set(2)])
    server.fail(nil)
    _ = await service.resume(StepWork())
    #expect(server.rating(photo("x")) == nil)
    let again = await service.redo(StepWork())
    #expect(again?.parts.map { $0.effect.decisions[.rating] } == [.set(4)] && server.rating(photo("x")) == 4)
  }

  /// Each photo would wait for the server as long as the first.
  @Test func aServerThatIsAwayIsNotAskedForEachPhoto() async throws {
    server.fail(.outage(.noNetwork))
    let service = makeService(server: server)
    let photos = (0..<100).map { photo("p\($0)") }
    let step = await service.make(.rating(4), for: photos)
    #expect(step.parts.allSatisfy(\.outcome.isWaiting) && server.calls < 10)
    server.fail(nil)
    _ = await service.resume(StepWork())
    #expect(photos.allSatisfy { server.rating($0) == 4 })
    server.fail(.outage(.noNetwork))
    let calls = server.calls
    _ = await service.undo(StepWork())
    #expect(server.calls == calls + 1)
  }

  @Test func laterDecisionsWaitForEarlierOnes() async throws {
    server.fail(.outage(.serverOverload))
    let service = makeService(server: server)
    _ = await service.make(.rating(4), for: [photo("x")])
    _ = await service.make(.rating(2), for: [photo("x", rating: 4)])
    #expect(server.rating(photo("x")) == nil)
    server.fail(nil)
    _ = await service.resume(StepWork())
    #expect(server.rating(photo("x")) == 2)
    _ = await service.undo(StepWork())
    #expect(server.rating(photo("x")) == 4)
  }

  @Test func aRefusalAndAConflictAreReportedOnce() async throws {
    let service = makeService(server: server)
    for (fault, title) in [
      (PhotoServerFault.refused(.permissionDenied(subject: "a")), "The server refuses the change"),
      (.conflict(PhotoDecisions(rating: 1)), "Changed elsewhere"),
    ] {
      server.fail(fault)
      let step = await service.make(.rating(5), for: [photo("x")])
      #expect(step.faults.map(\.title) == [title] && step.parts[0].outcome.isGivenUp)
    }
    #expect(await service.resume(StepWork()) == nil)
    server.fail(.missing)
    #expect(await service.make(.rating(5), for: [photo("x")]).missing == [photo("x").image])
  }

  /// Each server has its own steps, and so have folders.
  @Test func onlyTheStepsOfTheServerAreUndone() async throws {
    let service = makeService(server: server)
    _ = await service.make(.rating(1), for: [photo("x")])
    #expect(await makeService(server: server, root: "https://b/assets").undo(StepWork()) == nil)
    #expect(await makeService(server: nil, root: "/").undo(StepWork()) == nil)
    #expect(await service.undo(StepWork())?.parts.count == 1)
  }
}
