import Foundation
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing
import Torture

@testable import Sidecars
@testable import Steps

@Suite(.limited) final class StepServiceTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var paths: [FilePath] { ["a", "b", "c"].map { FilePath("\(folder)/photos/\($0).jpg") } }
  private var photos: [Photo] { paths.map { photo($0) } }

  private func photo(_ path: FilePath, keywords: [String] = []) -> Photo {
    var metadata = PhotoMetadata()
    metadata.keywords = keywords
    return Photo(
      id: 1, name: "", createdAt: .now, imageURL: path.printable, image: .file(path), metadata: metadata)
  }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
    for path in paths { try Data("\(path)".utf8).write(to: URL(filePath: path.printable)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Returns a service, as each session of the gallery has one.
  private func makeService(isFull: Bool = false, session: Int = 0) -> StepService {
    makeService(session: session) { isFull }
  }

  private func makeService(session: Int = 0, isFull: @escaping @Sendable () -> Bool) -> StepService {
    var system = SidecarSystem()
    system.sync = {
      guard isFull() else { return fsync($0) }
      errno = ENOSPC
      return -1
    }
    return StepService(
      tools: StepTools(sidecars: Sidecars(system: system)),
      journal: StepJournal(folder: folder + "/state") { Issue.record("\($0.message)") }, root: "/",
      now: { Date(timeIntervalSince1970: TimeInterval(session)) })
  }

  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/photos")
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/photos/\($0)"))) })
  }

  /// The caller may write steps in another order than it has kept them, such as those of an earlier session of a gallery on another
  /// machine after the first one of this session.
  @Test(arguments: [[1, 2, 0], [2, 0, 1], [2]]) func aPhotoHasItsLastRatingInWhateverOrderStepsAreWritten(order: [Int])
    async throws
  {
    let service = makeService()
    let kept = await service.keep([3, 1, 2].map { StepRequest(.decision(.rating($0)), for: [photos[0]]) })
    for index in order { #expect(await service.write(kept[index], StepWork()).parts.map(\.outcome) == [.done]) }
    #expect(try rating(of: paths[0]) == 2)
    #expect(await undone(by: service) == ["2 stars on a.jpg", "1 star on a.jpg", "3 stars on a.jpg"])
    #expect(try contents().count == 3)
  }

  /// For another machine, the last step that was kept is undone, and the others are written, also if no call writes them.
  @Test func theLastOfTheKeptStepsIsUndone() async throws {
    let service = makeService()
    _ = await service.keep([3, 1].map { StepRequest(.decision(.rating($0)), for: [photos[0]]) })
    #expect(await service.undo(StepWork(), token: "a")?.title == "1 star on a.jpg")
    #expect(try rating(of: paths[0]) == 3)
  }

  /// A gallery that has another folder of the machine open may deliver them before the undo. What they have changed can't be undone
  /// below them.
  @Test(arguments: [false, true]) func whatAnotherMachineHasKeptAfterAnUndoStays(isAboutTheSame: Bool) async throws {
    let (service, other) = (makeService(), makeService())
    for stars in 1...2 { _ = await service.make(.rating(stars), for: [photos[0]]) }
    let rated = isAboutTheSame ? photos : [photos[1], photos[2]]
    let later = await other.keep(
      rated.map { (title: "5 stars", operations: StepRequest(.decision(.rating(5)), for: [$0]).operations) },
      token: "later")
    for step in later { _ = await other.write(step) }
    let titles = [
      await service.undo(StepWork(), token: "a", before: ["later", "unknown"])?.title,
      await service.undoSession(StepWork(), token: "b", before: ["later"])?.title,
      await service.undo(StepWork(), token: "c", before: ["later"])?.title,
    ]
    #expect(titles == (isAboutTheSame ? [nil, nil, nil] : ["2 stars on a.jpg", "1 star on a.jpg", nil]))
    for photo in rated { #expect(try photo.image.file.flatMap(rating) == 5) }
    #expect(await service.undo(StepWork(), token: "d")?.title == "5 stars")
  }

  /// What is left of an undo that was stopped is a new step in the place of the old one.
  @Test func whatIsKeptDuringAnUndoThatIsStoppedComesAfterTheNextOne() async throws {
    let isFull = Atomic(false)
    let service = makeService { isFull.load(ordering: .relaxed) }
    for stars in 1...2 { _ = await service.make(.rating(stars), for: [photos[0]]) }
    let kept = await service.keep([StepRequest(.decision(.rating(5)), for: [photos[0]])])
    let work = StepWork()
    work.stop()
    _ = await service.undo(work)
    isFull.store(true, ordering: .relaxed)
    #expect(await service.undo()?.waiting == [paths[0]])
    isFull.store(false, ordering: .relaxed)
    #expect(await service.write(kept[0]).parts.map(\.outcome) == [.done])
    _ = await service.resume()
    #expect(try rating(of: paths[0]) == 5)
    #expect(await service.undo()?.title == "5 stars on a.jpg")
    #expect(try rating(of: paths[0]) == 1)
    #expect(await undone(by: service) == ["1 star on a.jpg"])
    #expect(try contents().count == 3)
  }

  private func rating(of photo: FilePath) throws -> Int? {
    let text = try String(contentsOfFile: photo.printable + ".xmp", encoding: .utf8)
    return text.firstMatch(of: #/<xmp:Rating>(\d)</#).flatMap { Int($0.1) }
  }

  /// The undo of thousands of photos takes a while, in which the user goes on.
  @Test(arguments: [false, true]) func whatIsKeptDuringAnUndoComesAfterIt(isOfSession: Bool) async throws {
    let service = makeService()
    for stars in 1...2 { _ = await service.make(.rating(stars), for: photos) }
    let kept = await service.keep([StepRequest(.decision(.rating(5)), for: [photos[0]])])
    let undone = isOfSession ? await service.undoSession() : await service.undo()
    #expect(undone?.title == (isOfSession ? "2 steps" : "2 stars on 3 photos"))
    #expect(undone?.waiting == [] && undone?.failures == [])
    #expect(await service.write(kept[0]).parts.map(\.outcome) == [.done])
    let before: Int? = isOfSession ? nil : 1
    #expect(try paths.map { try Sidecars().decisions(of: $0)?.rating } == [5, before, before])
    #expect(await service.redo() == nil)
    #expect(await self.undone(by: service) == ["5 stars on a.jpg"] + (isOfSession ? [] : ["1 star on 3 photos"]))
  }

  /// It is in the journal when the program is killed, and so is the undo.
  @Test func whatWasKeptDuringAnUndoIsWrittenAfterItByTheNextSession() async throws {
    for stars in 1...2 { _ = await makeService().make(.rating(stars), for: photos) }
    do {
      let killed = makeService(isFull: true)
      _ = await killed.keep([StepRequest(.decision(.rating(5)), for: [photos[0]])])
      #expect(await killed.undo()?.waiting == Set(paths))
    }
    let next = makeService()
    #expect(await next.resume()?.failures == [])
    #expect(try paths.map { try Sidecars().decisions(of: $0)?.rating } == [5, 1, 1])
    #expect(await undone(by: next) == ["5 stars on a.jpg", "1 star on 3 photos"])
  }

  /// Undoes all steps, and returns their titles.
  private func undone(by service: StepService) async -> [String] {
    var titles: [String] = []
    while let step = await service.undo(StepWork()), step.fault == nil { titles.append(step.title) }
    return titles
  }

  @Test func aStepIsUndoneAndRedoneInTheNextSession() async throws {
    let made = await makeService().make(.rating(4), for: Array(photos.prefix(2)))
    #expect(made.title == "4 stars on 2 photos" && made.parts.map(\.outcome) == [.done, .done])
    #expect(made.decisions == [paths[0]: .init(rating: 4), paths[1]: .init(rating: 4)])
    _ = await makeService().make(.label("Red"), for: [photos[0]])
    #expect(await makeService().undo()?.decisions == [paths[0]: PhotoDecisions(rating: 4)])
    #expect(await makeService().undo()?.title == "4 stars on 2 photos")
    #expect(await makeService().undo() == nil)
    #expect(await makeService().redo()?.decisions == made.decisions)
    #expect(await makeService().redo()?.decisions == [paths[0]: PhotoDecisions(rating: 4, label: "Red")])
    #expect(await makeService().redo() == nil)
  }

  @Test func aNewStepEndsTheRedo() async throws {
    let service = makeService()
    _ = await service.make(.rating(1), for: [photos[0]])
    _ = await service.undo()
    _ = await service.make(.rating(2), for: [photos[0]])
    #expect(await service.redo() == nil)
    #expect(await service.undo()?.title == "2 stars on a.jpg")
    #expect(await service.undo() == nil)
  }

  @Test func photosThatCannotBeRatedDoNotHoldUpTheOthers() async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/photos/b.jpg.xmp", withIntermediateDirectories: false)
    let step = await makeService().make(.rating(3), for: photos)
    #expect(Set(step.decisions.keys) == [paths[0], paths[2]])
    #expect(step.failures.count == 1 && step.failures[0].contains("b.jpg.xmp is not a regular file"))
    #expect(await makeService().undo()?.decisions == [paths[0]: PhotoDecisions(), paths[2]: PhotoDecisions()])
  }

  @Test func aStepThatChangesNothingIsNotKept() async throws {
    let service = makeService()
    _ = await service.make(.rating(4), for: photos)
    _ = await service.make(.label("Red"), for: [photos[0]])
    _ = await service.undo()
    #expect(await service.make(.rating(4), for: photos).decisions.count == 3)
    #expect(await service.redo()?.title == "Label Red: a.jpg")
    _ = await service.undo()
    #expect(await service.undo()?.title == "4 stars on 3 photos")
    #expect(await service.undo() == nil)
  }

  @Test func photosThatShareASidecarAreRotatedOnce() async throws {
    let pair = ["pair.jpg", "pair.cr2"].map { FilePath("\(folder)/photos/\($0)") }
    for path in pair { try Data("\(path)".utf8).write(to: URL(filePath: path.printable)) }
    let before = try contents()
    let service = StepService(
      tools: StepTools(sidecars: Sidecars(naming: .insteadOfExtension)),
      journal: StepJournal(folder: folder + "/state") { _ in },
      root: "/")
    _ = await service.make(.rotation(quarters: 1), for: pair.map { photo($0) })
    #expect(try Sidecars().decisions(of: pair[0])?.orientation?.rawValue == 6)
    _ = await service.undo()
    #expect(try contents() == before)
  }

  /// A step is made in batches of 16 photos. The pair is at the end of the first one, around it, or far apart.
  @Test(arguments: [[14, 15], [15, 16], [0, 17]])
  func photosOfALargeStepThatShareASidecarAreRotatedOnce(places: [Int]) async throws {
    var all = (0..<16).map { FilePath("\(folder)/photos/\($0).jpg") }
    let pair = ["pair.jpg", "pair.cr2"].map { FilePath("\(folder)/photos/\($0)") }
    for (path, place) in zip(pair, places) { all.insert(path, at: place) }
    for path in all { try Data("\(path)".utf8).write(to: URL(filePath: path.printable)) }
    let before = try contents()
    let service = StepService(
      tools: StepTools(sidecars: Sidecars(naming: .insteadOfExtension)),
      journal: StepJournal(folder: folder + "/state") { _ in },
      root: "/", photosAtOnce: 16)
    let step = await service.make(.rotation(quarters: 1), for: all.map { photo($0) })
    #expect(step.decisions.count == 18 && step.decisions.values.allSatisfy { $0.orientation?.rawValue == 6 })
    for path in all { #expect(try Sidecars().decisions(of: path)?.orientation?.rawValue == 6) }
    _ = await service.undo()
    #expect(try contents() == before)
  }

  // MARK: Folders

  /// Returns the service of a session in a folder, which contains a photo with each name.
  private func makeService(in folder: String, session: Int, _ names: String...) throws -> (StepService, [Photo]) {
    let root = FilePath("\(self.folder)/\(folder)")
    let paths = names.map { FilePath("\(root.printable)/\($0)") }
    for path in paths {
      try FileManager.default.createDirectory(atPath: path.folder.printable, withIntermediateDirectories: true)
      try Data("\(path)".utf8).write(to: URL(filePath: path.printable))
    }
    let service = StepService(
      journal: StepJournal(folder: self.folder + "/state") { Issue.record("\($0.message)") }, root: root,
      now: { Date(timeIntervalSince1970: TimeInterval(session)) })
    return (service, paths.map { photo($0) })
  }

  private func stars(_ photos: [Photo]) throws -> [Int?] {
    try photos.map { try Sidecars().decisions(of: try #require($0.file))?.rating }
  }

  @Test func eachFolderHasItsOwnHistory() async throws {
    let (first, a) = try makeService(in: "a", session: 1, "1.jpg", "2.jpg")
    // The name of the other folder begins with that of the first one.
    let (second, b) = try makeService(in: "ab", session: 2, "3.jpg")
    _ = await first.make(.rating(1), for: [a[0]])
    _ = await second.make(.rating(5), for: b)
    _ = await first.make(.rating(2), for: a)
    #expect(await second.undo()?.title == "5 stars on 3.jpg")
    #expect(await second.undo() == nil)
    #expect(try stars(a + b) == [2, 2, nil])
    // A step in the other folder does not end the redo.
    _ = await first.make(.rating(3), for: a)
    #expect(await second.redo()?.title == "5 stars on 3.jpg")
    #expect(await second.redo() == nil)
    let (next, _) = try makeService(in: "a", session: 3, "1.jpg")
    #expect(await next.undo()?.title == "3 stars on 2 photos")
    #expect(await next.undoSession()?.title == "2 steps")
    #expect(await next.undo() == nil)
    #expect(await next.undoSession() == nil)
    #expect(try stars(a + b) == [nil, nil, 5])
    let none = StepService(journal: StepJournal(folder: folder + "/state") { _ in }, root: nil)
    #expect(await none.undo() == nil)
    #expect(await none.redo() == nil)
    #expect(await none.undoSession() == nil)
  }

  /// A step with a photo outside of the folder is skipped, and so is what it has changed since.
  @Test func aFolderInAFolderUndoesItsOwnSteps() async throws {
    let (outer, all) = try makeService(in: "a", session: 1, "1.jpg", "b/2.jpg", "b/3.jpg")
    let (inner, _) = try makeService(in: "a/b", session: 2)
    _ = await inner.make(.rating(1), for: [all[1]])
    _ = await inner.make(.rating(1), for: [all[2]])
    _ = await outer.make(.rating(4), for: Array(all.prefix(2)))
    #expect(await inner.undo()?.title == "1 star on 3.jpg")
    #expect(await inner.undo() == nil)
    #expect(try stars(all) == [4, 4, nil])
    #expect(await outer.undo()?.title == "4 stars on 2 photos")
    #expect(await inner.undo()?.title == "1 star on 2.jpg")
    #expect(try stars(all) == [nil, nil, nil])
    // What was undone is made again in the order of the steps.
    _ = await outer.redo()
    _ = await outer.redo()
    #expect(try stars(all) == [nil, 1, 1])
    _ = await inner.make(.rating(2), for: [all[1]])
    #expect(await outer.redo() == nil)
  }

  /// The step that the other one was made upon comes first.
  @Test func aFolderInAFolderRedoesInTheOrderOfTheSteps() async throws {
    let (outer, all) = try makeService(in: "a", session: 1, "1.jpg", "b/2.jpg")
    let (inner, _) = try makeService(in: "a/b", session: 2)
    _ = await outer.make(.rating(1), for: all)
    _ = await inner.make(.rating(2), for: [all[1]])
    _ = await inner.undo()
    _ = await outer.undo()
    #expect(await inner.redo() == nil)
    _ = await outer.redo()
    #expect(await inner.redo()?.title == "2 stars on 2.jpg")
    #expect(try stars(all) == [1, 2])
  }

  // MARK: Waiting

  @Test func whatCannotBeWrittenWaitsForTheNextSession() async throws {
    let full = makeService(isFull: true)
    let step = await full.make(.rating(4), for: photos)
    #expect(step.waiting == Set(paths) && Set(step.decisions.keys) == Set(paths))
    #expect(step.failures.count == 3 && step.failures[0].contains("Free some space"))
    _ = await full.make(.keywords(added: ["sea"], removed: []), for: [photo(paths[0], keywords: ["own"])])
    #expect(try contents().count == 3)
    let resumed = await makeService().resume()
    #expect(resumed?.waiting == [] && resumed?.failures == [])
    let sidecars = Sidecars()
    #expect(try paths.map { try sidecars.decisions(of: $0)?.rating } == [4, 4, 4])
    #expect(try sidecars.decisions(of: paths[0])?.keywords == ["own", "sea"])
    #expect(await makeService().resume() == nil)
    _ = await makeService().undo()
    _ = await makeService().undo()
    #expect(try contents().count == 3)
  }

  @Test func whatWaitsIsWrittenBeforeTheNextStep() async throws {
    _ = await makeService(isFull: true).make(.rating(1), for: photos)
    _ = await makeService().make(.rating(2), for: [photos[0]])
    #expect(try paths.map { try Sidecars().decisions(of: $0)?.rating } == [2, 1, 1])
  }

  @Test func undoingWhatWaitsWritesNothing() async throws {
    let before = try contents()
    let full = makeService(isFull: true)
    _ = await full.make(.rating(4), for: photos)
    _ = await full.make(.label("Red"), for: [photos[0]])
    let undone = await full.undo()
    #expect(undone?.decisions == [paths[0]: PhotoDecisions(rating: 4)] && undone?.waiting == [])
    _ = await full.redo()
    let session = await full.undoSession()
    #expect(
      session?.title == "2 steps" && session?.decisions == [paths[0]: .init(), paths[1]: .init(), paths[2]: .init()])
    #expect(await makeService().resume() == nil)
    #expect(try contents() == before)
    #expect(await makeService().redo()?.decisions[paths[0]] == PhotoDecisions(rating: 4))
  }

  @Test func anUndoThatCannotBeWrittenWaits() async throws {
    let before = try contents()
    let service = makeService()
    _ = await service.make(.rating(1), for: [photos[0]])
    _ = await service.make(.rating(2), for: [photos[0]])
    let full = makeService(isFull: true)
    for _ in 0..<2 { #expect(await full.undo()?.waiting == [paths[0]]) }
    #expect(await makeService().resume()?.failures == [])
    #expect(try contents() == before)
  }

  private static var templateEdits: DecisionEdits {
    var edits = DecisionEdits()
    (edits[.keywords], edits[.creator], edits[.city]) = (.set(["sea"]), .set("Ana; Björn"), .set("Oslo"))
    return edits
  }

  /// The program may be killed after it has written a sidecar and before the journal says so.
  @Test(arguments: [
    DecisionChange.rating(4), .rotation(quarters: 1), .keywords(added: ["sea"], removed: []),
    .planned(templateEdits, by: .template("press")),
  ])
  func aStepThatWasInterruptedCanBeUndone(decision: DecisionChange) async throws {
    let before = try contents()
    _ = await makeService(isFull: true).make(decision, for: [photos[0]])
    var change = SidecarChange()
    switch decision {
    case .set: change[.rating] = .set(4)
    case .rotation: change[.orientation] = .set(6)
    case .keywords: change[.keywords] = .set(["sea"])
    case .planned(let edits, _): change.edits = edits
    }
    let written = try Sidecars().apply(change, to: paths[0]).decisions
    #expect(await makeService().resume()?.decisions == [paths[0]: written])
    _ = await makeService().undo()
    #expect(try contents() == before)
  }

  /// The program may be killed as soon as the journal has the steps, of which nothing has been read or written.
  @Test func stepsThatWereOnlyKeptAreWrittenByTheNextSession() async throws {
    let before = try contents()
    var metadata = PhotoMetadata()
    metadata.orientation = 6
    let rotated = Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(paths[0]), metadata: metadata)
    let changes: [DecisionChange] = [.rating(2), .rotation(quarters: 1), .rating(4), .rotation(quarters: 1)]
    _ = await makeService().keep(changes.map { StepRequest(.decision($0), for: [rotated, photos[1]]) })
    #expect(try contents() == before)
    let resumed = await makeService().resume()
    #expect(resumed?.failures == [] && resumed?.waiting == [])
    #expect(try paths.map { try Sidecars().decisions(of: $0)?.rating } == [4, 4, nil])
    #expect(try paths.map { try Sidecars().decisions(of: $0)?.orientation?.rawValue } == [8, 3, nil])
    for title in ["Rotated: 2 photos", "4 stars on 2 photos", "Rotated: 2 photos", "2 stars on 2 photos"] {
      #expect(await makeService().undo()?.title == title)
    }
    #expect(try contents() == before)
  }

  /// The later step was only kept by a copy of the program that was killed.
  @Test func anUndoneStepIsFinalOnceTheNextSessionWritesALaterOne() async throws {
    let service = makeService()
    _ = await service.make(.rating(2), for: [photos[0]])
    _ = await service.undo()
    _ = await makeService().keep([StepRequest(.decision(.rating(4)), for: [photos[0]])])
    let next = makeService()
    #expect(await next.resume()?.failures == [])
    #expect(await next.redo() == nil)
    #expect(try Sidecars().decisions(of: paths[0])?.rating == 4)
  }

  /// Another copy of the program leaves the steps to the copy that has kept them. Its own about the same photos wait for them.
  @Test func stepsAreWrittenByTheCopyThatHasKeptThem() async throws {
    let before = try contents()
    let (first, second) = (makeService(), makeService())
    let steps = await first.keep([
      StepRequest(.decision(.rotation(quarters: 1)), for: photos), StepRequest(.decision(.rating(3)), for: photos),
    ])
    #expect(await second.make(.label("Red"), for: [photos[0]]).waiting == [paths[0]])
    #expect(try contents() == before)
    for step in steps {
      let written = await first.write(step)
      #expect(written.isInJournal && written.failures == [] && Set(written.decisions.keys) == Set(paths))
    }
    #expect(try paths.map { try Sidecars().decisions(of: $0)?.orientation?.rawValue } == [6, 6, 6])
    // The other one has waited for the end of the steps.
    let end = ContinuousClock.now + .seconds(60)
    while await second.resume() != nil, ContinuousClock.now < end { await Task.yield() }
    #expect(try Sidecars().decisions(of: paths[0])?.label == "Red")
    for _ in 0..<3 { #expect(await first.undo()?.failures == []) }
    #expect(await first.undo() == nil)
    #expect(try contents() == before)
  }

  /// The steps of this session that are about to be written are no leftovers.
  @Test func resumingLeavesTheStepsThatAreAboutToBeWritten() async throws {
    let service = makeService()
    let steps = await service.keep([StepRequest(.decision(.rating(3)), for: photos)])
    #expect(await service.resume() == nil)
    #expect(await service.write(steps[0]).decisions[paths[0]] == PhotoDecisions(rating: 3))
  }

  @Test func changesThatWaitFollowFromEachOther() async throws {
    let full = makeService(isFull: true)
    _ = await full.make(.rotation(quarters: 1), for: [photos[0]])
    _ = await full.make(.rating(4), for: [photos[0]])
    let step = await full.make(.rotation(quarters: 1), for: [photos[0]])
    let expected = PhotoDecisions(rating: 4, orientation: .rotated180)
    #expect(step.decisions == [paths[0]: expected])
    #expect(await makeService(isFull: true).resume()?.decisions == [paths[0]: expected])
    #expect(await makeService().resume()?.decisions == [paths[0]: expected])
    #expect(try Sidecars().decisions(of: paths[0])?.orientation?.rawValue == 3)
  }

  @Test func aSidecarThatCannotBeWrittenDoesNotHoldUpTheFolder() async throws {
    _ = await makeService(isFull: true).make(.rating(4), for: photos)
    try Data("no XMP".utf8).write(to: URL(filePath: "\(paths[0].printable).xmp"))
    #expect(await makeService().resume()?.waiting == [paths[0]])
    #expect(try paths.dropFirst().map { try Sidecars().decisions(of: $0)?.rating } == [4, 4])
  }

  @Test func whatWaitsInAnotherCopyOfTheProgramIsWrittenFirst() async throws {
    let (first, second) = (makeService(isFull: true), makeService())
    for label in ["Red", "Blue"] { _ = await second.make(.label(label), for: [photos[1]]) }
    _ = await first.make(.rating(1), for: [photos[0]])
    #expect(await second.make(.rating(5), for: [photos[0]]).waiting == [paths[0]])
    _ = await second.make(.label("Red"), for: [photos[2]])
    #expect(try Sidecars().decisions(of: paths[0])?.rating == 5)
    _ = await first.resume()
    #expect(try Sidecars().decisions(of: paths[0])?.rating == 5)
  }

  @Test func aFolderThatIsNotThereIsAwaited() async throws {
    _ = await makeService(isFull: true).make(.rating(4), for: photos)
    try FileManager.default.moveItem(atPath: folder + "/photos", toPath: folder + "/away")
    let step = await makeService().resume()
    #expect(step?.waiting == Set(paths) && step?.failures == [])
    try FileManager.default.moveItem(atPath: folder + "/away", toPath: folder + "/photos")
    #expect(await makeService().resume()?.waiting == [])
    #expect(try Sidecars().decisions(of: paths[2])?.rating == 4)
  }

  @Test func anUndoLeavesNoSidecarOfAPhotoThatWasMoved() async throws {
    let service = makeService()
    for stars in [3, 5] { _ = await service.make(.rating(stars), for: [photos[0]]) }
    for suffix in ["", ".xmp"] { try FileManager.default.removeItem(atPath: paths[0].printable + suffix) }
    #expect(await service.undo()?.waiting == [])
    #expect(try contents().keys.sorted() == ["b.jpg", "c.jpg"])
  }

  @Test func aPhotoThatWasDeletedGetsNoSidecar() async throws {
    _ = await makeService(isFull: true).make(.rating(4), for: [photos[0]])
    try FileManager.default.removeItem(atPath: paths[0].printable)
    #expect(await makeService().resume()?.waiting == [])
    #expect(try contents().count == 2)
    #expect(await makeService().resume() == nil)
  }

  // MARK: Keywords and rotations

  @Test func keywordsKeepThoseOfThePhotoAndTheirHierarchy() async throws {
    var change = SidecarChange()
    change[.keywords] = .set(["Norway", "sea"])
    change[.hierarchicalKeywords] = .set(["Places|Norway", "sea"])
    try Sidecars().apply(change, to: paths[1])
    let photos = [photo(paths[0], keywords: ["own"]), photo(paths[1], keywords: ["own"])]
    _ = await makeService().make(.keywords(added: ["boat"], removed: ["Norway"]), for: photos)
    #expect(try Sidecars().decisions(of: paths[0])?.keywords == ["own", "boat"])
    #expect(try Sidecars().decisions(of: paths[0])?.hierarchicalKeywords == nil)
    #expect(try Sidecars().decisions(of: paths[1])?.keywords == ["sea", "boat"])
    #expect(try Sidecars().decisions(of: paths[1])?.hierarchicalKeywords == ["sea", "boat"])
  }

  @Test func undoKeepsTheKeywordsThatAnotherProgramHasAdded() async throws {
    let service = makeService()
    _ = await service.make(.keywords(added: ["boat"], removed: []), for: [photo(paths[0], keywords: ["own"])])
    var change = SidecarChange()
    change[.keywords] = .set(["own", "boat", "theirs"])
    try Sidecars().apply(change, to: paths[0])
    _ = await service.undo()
    #expect(try Sidecars().decisions(of: paths[0])?.keywords == ["theirs"])
    _ = await service.redo()
    #expect(try Sidecars().decisions(of: paths[0])?.keywords?.contains("boat") == true)
  }

  @Test func undoListsAKeywordOnceThatAnotherProgramHasAddedAgain() async throws {
    var change = SidecarChange()
    change[.keywords] = .set(["sea", "boat"])
    try Sidecars().apply(change, to: paths[0])
    let service = makeService()
    _ = await service.make(.keywords(added: [], removed: ["boat"]), for: [photos[0]])
    try Sidecars().apply(change, to: paths[0])
    _ = await service.undo()
    #expect(try Sidecars().decisions(of: paths[0])?.keywords == ["sea", "boat"])
  }

  /// A change of the sidecar right before it is replaced makes the service plan the undo again.
  @Test func anUndoStaysOneIfAnotherProgramChangesTheSidecar() async throws {
    let isBusy = Mutex(false)
    let path = paths[0]
    let system = SidecarSystem(willReplace: {
      let changes = isBusy.withLock { isBusy in
        defer { isBusy = false }
        return isBusy
      }
      guard changes else { return }
      var change = SidecarChange()
      change[.caption] = .set("Theirs")
      _ = try? Sidecars().apply(change, to: path)
    })
    let service = StepService(
      tools: StepTools(sidecars: Sidecars(system: system)),
      journal: StepJournal(folder: folder + "/state") { Issue.record("\($0.message)") }, root: "/")
    _ = await service.make(.rating(4), for: [photos[0]])
    isBusy.withLock { $0 = true }
    _ = await service.undo()
    #expect(try Sidecars().decisions(of: path) == PhotoDecisions(caption: "Theirs"))
  }

  @Test func whatIsRemovedDoesNotReturnFromTheFile() async throws {
    let before = try contents()
    var metadata = PhotoMetadata()
    (metadata.keywords, metadata.label, metadata.caption) = (["own"], "Red", "Own")
    let own = Photo(id: 1, name: "", createdAt: .now, imageURL: "", image: .file(paths[0]), metadata: metadata)
    let service = makeService()
    for change in [DecisionChange.keywords(added: [], removed: ["own"]), .label(nil), .caption(nil)] {
      _ = await service.make(change, for: [own])
      // A photo without them needs no sidecar.
      #expect(await service.make(change, for: [photos[1]]).failures == [])
    }
    let sidecar = try String(contentsOf: URL(filePath: "\(paths[0].printable).xmp"), encoding: .utf8)
    for name in ["dc:subject", "xmp:Label", "dc:description"] { #expect(sidecar.contains("<\(name)"), "\(name)") }
    #expect(try Sidecars().decisions(of: paths[1]) == nil)
    while await service.undo() != nil {}
    #expect(try contents() == before)
  }

  @Test func aRotationBeginsAtThePhotosOwnOrientation() async throws {
    var metadata = PhotoMetadata()
    metadata.orientation = 6
    let rotated = Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(paths[0]), metadata: metadata)
    let service = makeService()
    _ = await service.make(.rotation(quarters: 1), for: [rotated])
    _ = await service.make(.rotation(quarters: 1), for: [rotated])
    #expect(try Sidecars().decisions(of: paths[0])?.orientation?.rawValue == 8)
  }

  @Test func aSessionIsUndoneAsAWhole() async throws {
    let before = try contents()
    let first = makeService()
    _ = await first.make(.rating(1), for: photos)
    let second = makeService(session: 1)
    for stars in 2...4 { _ = await second.make(.rating(stars), for: [photos[stars - 2]]) }
    let undone = await second.undoSession()
    #expect(undone?.title == "3 steps" && Set(undone?.decisions.values.map(\.rating) ?? []) == [1])
    #expect(await second.undoSession()?.title == "1 star on 3 photos")
    #expect(try contents() == before)
    #expect(await second.undoSession() == nil)
  }

  /// Any sequence of steps, undone and redone steps gives back the folder as it was when all are undone, also if two copies
  /// of the program take turns, one of them finds the disk full, and they are killed before they write.
  @Test(arguments: Torture.blocks(4, long: 100), [false, true])
  func undoingEverythingGivesBackTheFolder(seed: Int, isFull: Bool) async throws {
    let before = try contents()
    var generator = SplitMix(seed: seed)
    var services = [makeService(), makeService(isFull: isFull)]
    for _ in 0..<40 {
      let place = Int.random(in: services.indices, using: &generator)
      let service = services[place]
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: _ = await service.undo()
      case 1: _ = await service.redo()
      case 2:
        let stars = DecisionChange.rating(Int.random(in: 1...5, using: &generator))
        let kept = await service.keep([StepRequest(.decision(stars), for: photos)])
        _ = await service.undo()
        #expect(await service.write(kept[0]).failures == [] || isFull)
      default:
        let changes: [DecisionChange] = [
          .rating(-1), .rating(0), .rating(5), .label("Green"), .label("Blue"), .label(nil), .caption("One\nTwo"),
          .caption(nil), .keywords(added: ["sea", "a|b"], removed: []), .keywords(added: ["fjord"], removed: ["sea"]),
          .rotation(quarters: 1),
        ]
        let change = changes[Int.random(in: 0..<changes.count, using: &generator)]
        let chosen = photos.filter { _ in Bool.random(using: &generator) }
        if chosen.isEmpty { continue }
        if Int.random(in: 0..<6, using: &generator) == 0 {
          _ = await service.keep([StepRequest(.decision(change), for: chosen)])
          services[place] = makeService(isFull: isFull && place == 1)
        } else {
          #expect(await service.make(change, for: chosen).failures == [] || isFull)
        }
      }
    }
    let service = makeService()
    #expect(await service.resume()?.waiting.isEmpty != false)
    while let step = await service.undo() { #expect(step.failures == []) }
    #expect(try contents() == before)
  }
}
