import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

extension Step {
  /// Creates a step whose faults are those of the photos that wait, or of another photo.
  init(
    title: String, decisions: [FilePath: PhotoDecisions], waiting: Set<FilePath> = [], failures: [String] = []
  ) {
    let faults = failures.map { StepFault(title: "Can't write the sidecar", message: $0) }
    let parts = decisions.map { path, decisions in
      var edits = DecisionEdits()
      for decision in Decision.allCases { if let value = decisions[decision] { edits[decision] = .set(value) } }
      return Part(
        .file(path), waiting.contains(path) ? .waiting(faults.first) : .done, Effect(decisions: edits))
    }
    self.init(title: title, parts: parts + (waiting.isEmpty ? faults : []).map { Part(.file("/"), .failed($0)) })
  }
}

/// A service of ratings that answers when the test says so.
final class HeldDecisions: StepServiceProtocol {
  let steps = Held<String, Step?>()
  /// The numbers of the changes that are to be kept, while they are held.
  let kept = Held<Int, Void>()
  /// Whether changes are kept only when the test says so.
  let holdsKeeping = Mutex(false)
  /// The steps in words.
  let titles = Mutex<[String]>([])
  /// What the first photo of each step showed before it.
  let shown = Mutex<[PhotoDecisions?]>([])

  /// The change of the first photo of each step.
  let changes = Mutex<[StepRequest.Change]>([])

  func keep(_ requests: [StepRequest]) async -> [Step] {
    if holdsKeeping.withLock(\.self) { try? await kept.ask(requests.count) }
    titles.withLock { $0 += requests.map(\.title) }
    changes.withLock { $0 += requests.map(\.targets[0].change) }
    shown.withLock { $0 += requests.map(\.targets[0].shown) }
    return requests.map {
      Step(title: $0.targets[0].change.title(for: "\($0.targets.compactMap(\.photo.file?.printable))"), id: 1)
    }
  }

  func write(_ step: Step, _ work: StepWork) async -> Step {
    await ask(step.title) ?? Step(title: "", parts: [Step.Part(.file("/"), .done)])
  }

  func undo(_ work: StepWork) async -> Step? { await ask("undo") }
  func redo(_ work: StepWork) async -> Step? { await ask("redo") }
  func undoSession(_ work: StepWork) async -> Step? { await ask("undo session") }
  func resume(_ work: StepWork) async -> Step? { await ask("resume") }
  func forecast(_ change: FileChange, of files: [FilePath]) async -> FileForecast { FileForecast() }
  func forecast(_ renames: [FileRename]) async -> RenameForecast { RenameForecast() }
  func forecast(_ exports: [PhotoExport]) async -> FileForecast { FileForecast() }

  private func ask(_ request: String) async -> Step? { (try? await steps.ask(request)) ?? nil }
}

@MainActor
@Suite(.limited) struct PhotoDecidingTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var choosing: PhotoChoosingViewModel { fixture.choosing }
  private var deciding: PhotoDeciding { choosing.deciding }
  private var history: [String] { fixture.history.entries.filter { $0.hasPrefix("note") || $0.hasPrefix("alert") } }

  /// Returns the photos A, B and C of a folder, with stars as in their sidecars.
  private static func folder(stars: [Int?] = [nil, nil, nil]) -> PhotoSnapshot {
    .all(
      zip(["A", "B", "C"], stars).map { name, stars in
        var metadata = PhotoMetadata()
        metadata.rating = stars
        return photo(name, at: .file(FilePath("/\(name).jpg")), metadata: metadata)
      }
    ).with { $0.capabilities = .folder }
  }

  private var stars: [Int?] { viewModel.rows.map(\.decisions.rating) }

  private func answer(_ number: Int, _ stars: Int?, title: String = "step", failures: [String] = []) async throws {
    let decisions = failures.isEmpty ? [FilePath("/A.jpg"): PhotoDecisions(rating: stars)] : [:]
    try await fixture.decisions.steps.answer(
      number, .success(Step(title: title, decisions: decisions, failures: failures)))
    try await end(of: choosing.deciding.jobs.last)
  }

  @Test func aRatingShowsBeforeItIsKeptAndUntilTheSourceHasReadIt() async throws {
    try await fixture.load(Self.folder())
    choosing.decide(.rating(4), orRow: 0)
    #expect(stars == [4, nil, nil])
    #expect(history == ["note 4 stars on A"])
    try await answer(0, 4)
    #expect(await fixture.decisions.steps.requests == ["4 stars on [\"/A.jpg\"]"])
    // The source has not seen the sidecar yet, then it has, and then another program changes it.
    try await fixture.give(Self.folder())
    #expect(stars == [4, nil, nil])
    try await fixture.give(Self.folder(stars: [4, nil, nil]))
    #expect(stars == [4, nil, nil])
    try await fixture.give(Self.folder(stars: [2, nil, nil]))
    #expect(stars == [2, nil, nil])
  }

  /// A server says only what a step was about, and its photos are read again only when the user wants that.
  @Test func theDecisionsAboutAPhotoOnAServerAddUp() async throws {
    let image = ImageLocation.web("https://a/assets/1/original")
    func server(stars: Int?) -> PhotoSnapshot {
      var metadata = PhotoMetadata()
      metadata.rating = stars
      return .all([photo("A", at: image, metadata: metadata)]).with {
        $0.capabilities = .deciding([.rating, .caption])
      }
    }
    func answer(_ number: Int, _ decision: Decision, _ value: DecisionValue?, _ outcome: Step.Outcome) async throws {
      var edits = DecisionEdits()
      edits[decision] = DecisionEdit(value)
      let part = Step.Part(image, outcome, Step.Effect(decisions: edits))
      try await fixture.decisions.steps.answer(number, .success(Step(title: "step", parts: [part])))
      try await end(of: deciding.jobs.last)
    }
    try await fixture.load(server(stars: 1))
    #expect(deciding.possible == [.rating, .caption])
    choosing.decide(.rating(3), orRow: 0)
    try await answer(0, .rating, 3, .done)
    choosing.decide(.caption("b"), orRow: 0)
    try await answer(1, .caption, "b", .done)
    choosing.deciding.undo()
    try await answer(2, .caption, nil, .done)
    #expect(stars == [3] && viewModel.rows[0].decisions.caption == nil)
    // An undo that was refused shows nothing.
    choosing.deciding.undo()
    try await answer(3, .rating, 1, .failed(StepFault(title: "Changed elsewhere", message: "")))
    #expect(stars == [3])
    // What the server says counts, but for what it has not got yet.
    try await fixture.give(server(stars: 5))
    #expect(stars == [5])
    choosing.decide(.rating(2), orRow: 0)
    try await answer(4, .rating, 2, .waiting(nil))
    try await fixture.give(server(stars: 5))
    #expect(stars == [2])
  }

  @Test func theMarkedPhotosAreRatedInOneStep() async throws {
    try await fixture.load(Self.folder())
    choosing.marks.toggle(row: 0, in: viewModel.rows)
    choosing.marks.toggle(row: 2, in: viewModel.rows)
    choosing.decide(.rating(PhotoDecisions.rejected), orRow: 1)
    #expect(stars == [-1, nil, -1])
    #expect(history == ["note Rejected: 2 photos"])
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["Rejected: [\"/A.jpg\", \"/C.jpg\"]"])
  }

  @Test func changesAreKeptInTheOrderOfTheKeys() async throws {
    try await fixture.load(Self.folder())
    choosing.decide(.rating(1), orRow: 0)
    choosing.decide(.rating(5), orRow: 0)
    try await fixture.decisions.steps.waitUntilAsked(1)
    #expect(await fixture.decisions.steps.requests == ["1 star on [\"/A.jpg\"]"])
    try await fixture.decisions.steps.answer(
      0, .success(Step(title: "", decisions: ["/A.jpg": .init(rating: 1)])))
    try await fixture.decisions.steps.waitUntilAsked(2)
    #expect(stars == [5, nil, nil], "the answer to the first key must not replace the second")
    try await answer(1, 5)
    #expect(stars == [5, nil, nil])
  }

  /// A journal that takes long to write delays the next write, but not by one for each change.
  @Test func changesThatWaitAreKeptTogether() async throws {
    try await fixture.load(Self.folder())
    fixture.decisions.holdsKeeping.withLock { $0 = true }
    choosing.decide(.rating(1), orRow: 0)
    try await fixture.decisions.kept.waitUntilAsked(1)
    for stars in 2...4 { choosing.decide(.rating(stars), orRow: 0) }
    try await fixture.decisions.kept.answer(0, .success(()))
    // The sidecar of the first change is not written, and the next changes don't wait for it.
    try await fixture.decisions.kept.waitUntilAsked(2)
    #expect(await fixture.decisions.kept.requests == [1, 3])
    try await fixture.decisions.kept.answer(1, .success(()))
    await deciding.settleKept()
    let steps = (1...4).map { DecisionChange.rating($0).title(for: "[\"/A.jpg\"]") }
    #expect(await fixture.decisions.steps.requests == [steps[0]])
    for number in 0..<4 {
      try await fixture.decisions.steps.answer(
        number, .success(Step(title: "", decisions: ["/A.jpg": .init(rating: number + 1)])))
    }
    try await end(of: deciding.jobs.last)
    #expect(await fixture.decisions.steps.requests == steps)
    #expect(stars == [4, nil, nil])
  }

  /// An undo of many photos takes a while, and waits for a long copy, in which a crash must not lose a change.
  @Test func aChangeAfterAnUndoIsKeptBeforeItIsDone() async throws {
    try await fixture.load(Self.folder())
    choosing.decide(.rating(1), orRow: 0)
    await deciding.settleKept()
    fixture.decisions.holdsKeeping.withLock { $0 = true }
    deciding.undo()
    choosing.decide(.rating(2), orRow: 0)
    try await fixture.decisions.kept.answer(0, .success(()))
    try await fixture.decisions.steps.answer(0, .success(nil))
    try await fixture.decisions.steps.waitUntilAsked(2)
    #expect(await fixture.decisions.steps.requests == ["1 star on [\"/A.jpg\"]", "undo"])
    try await fixture.decisions.steps.answer(1, .success(nil))
    try await fixture.decisions.steps.waitUntilAsked(3)
    #expect(await fixture.decisions.steps.requests.last == "2 stars on [\"/A.jpg\"]")
  }

  @Test func aChangeAfterAnUndoIsNotKeptTogetherWithTheChangesBefore() async throws {
    try await fixture.load(Self.folder())
    fixture.decisions.holdsKeeping.withLock { $0 = true }
    choosing.decide(.rating(1), orRow: 0)
    try await fixture.decisions.kept.waitUntilAsked(1)
    choosing.decide(.rating(2), orRow: 0)
    deciding.undo()
    choosing.decide(.rating(3), orRow: 0)
    try await fixture.decisions.kept.answer(0, .success(()))
    try await fixture.decisions.kept.waitUntilAsked(2)
    #expect(await fixture.decisions.kept.requests == [1, 1])
  }

  /// What shows as done for half a second is kept, or the screen says that it is not.
  @Test func theScreenSaysThatChangesAreNotKeptYet() async throws {
    let clock = ManualClock()
    let fixture = PhotoListFixture(clock: clock)
    let choosing = fixture.choosing
    let decisions = fixture.decisions
    try await fixture.load(Self.folder())
    decisions.holdsKeeping.withLock { $0 = true }
    choosing.decide(.rating(1), orRow: 0)
    try await decisions.kept.waitUntilAsked(1)
    choosing.decide(.rating(2), orRow: 0)
    choosing.decide(.rating(3), orRow: 0)
    // One of them looks at the step that is being written.
    try await clock.wait(forSleepers: 3)
    #expect(choosing.deciding.unsavedCount == 0)
    let frames = fixture.progress.entries.count
    clock.advance(by: .milliseconds(499))
    #expect(choosing.deciding.unsavedCount == 0)
    clock.advance(by: .milliseconds(1))
    try await fixture.progress.wait(for: frames + 2)
    #expect(choosing.deciding.unsavedCount == 3)
    try await decisions.kept.answer(0, .success(()))
    try await decisions.kept.waitUntilAsked(2)
    try await fixture.progress.wait(for: frames + 3)
    #expect(choosing.deciding.unsavedCount == 2)
    try await decisions.kept.answer(1, .success(()))
    await choosing.deciding.settleKept()
    #expect(choosing.deciding.unsavedCount == 0)
    // A change that is kept in time requests no frame and leaves no alarm, but for that of the first step.
    decisions.holdsKeeping.withLock { $0 = false }
    choosing.decide(.rating(4), orRow: 0)
    await choosing.deciding.settleKept()
    try await clock.wait(forSleepers: 1)
    #expect(clock.sleeperCount == 1)
  }

  @Test func aStepIsUndoneAndRedone() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    choosing.decide(.rating(4), orRow: 0)
    try await answer(0, 4)
    deciding.undo()
    try await answer(1, 2, title: "4 stars on A")
    #expect(stars == [2, nil, nil])
    deciding.redo()
    try await answer(2, 4, title: "4 stars on A")
    #expect(stars == [4, nil, nil])
    deciding.undo()
    try await fixture.decisions.steps.answer(3, .success(nil))
    try await end(of: choosing.deciding.jobs.last)
    #expect(
      history == [
        "note 4 stars on A", "note Undone: 4 stars on A", "note Redone: 4 stars on A", "note There is nothing to undo.",
      ])
  }

  /// Without a value in the sidecar, the photo's own counts.
  @Test func anUndoneFirstRatingLeavesTheSourcesOwn() async throws {
    try await fixture.load(Self.folder(stars: [3, nil, nil]))
    choosing.decide(.rating(5), orRow: 0)
    try await answer(0, 5)
    deciding.undo()
    try await answer(1, nil)
    #expect(stars == [3, nil, nil])
  }

  /// The source has read the sidecar that the undo removes, and reads the photo again some time later.
  @Test(arguments: [DecisionEdit.remove, .set(3)], [nil, 2])
  func anUndoneRejectionDoesNotCountUntilTheSourceHasReadIt(former: DecisionEdit, later: Int?) async throws {
    let own = former.value??.number
    try await fixture.load(Self.folder(stars: [own, nil, nil]))
    choosing.decide(.rating(-1), orRow: 0)
    try await answer(0, -1)
    try await fixture.give(Self.folder(stars: [-1, nil, nil]))
    let history = History()
    deciding.onChange = { [unowned viewModel] in history.add("\(viewModel.rows.map(\.decisions.rating)[0] ?? 0)") }
    deciding.undo()
    var edits = DecisionEdits()
    edits[.rating] = former
    let part = Step.Part(.file("/A.jpg"), .done, Step.Effect(decisions: edits))
    try await fixture.decisions.steps.answer(1, .success(Step(title: "Rejected: A", parts: [part])))
    try await end(of: deciding.jobs.last)
    for stars in [-1, own, later] {
      try await fixture.give(Self.folder(stars: [stars, nil, nil]))
      history.add("\(stars ?? 0) read, \(viewModel.rows[0].decisions.rating ?? 0) shown")
    }
    let shown = own ?? 0
    #expect(
      history.entries == [
        "\(shown)", "-1 read, \(shown) shown", "\(shown) read, \(shown) shown",
        "\(later ?? 0) read, \(later ?? 0) shown",
      ])
  }

  /// The next step may begin where the sidecar says nothing again, although the source still says what it said.
  @Test func aStepKnowsWhatThePhotosShow() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    choosing.decide(.rating(4), orRow: 0)
    choosing.decide(.rating(5), orRow: 0)
    await deciding.settleKept()
    #expect(fixture.decisions.shown.withLock { $0.map { $0?.rating } } == [2, 4])
  }

  @Test func aPhotoThatIsGoneIsNotSaidToBeUndone() async throws {
    try await fixture.load(Self.folder())
    let parts = ["/A.jpg", "/B.jpg", "/C.jpg"].map { Step.Part(.file($0), .missing) }
    let steps = [
      Step(title: "1 star on A.jpg", parts: [parts[0]]),
      Step(title: "1 star on 2 photos", parts: Array(parts.prefix(2))),
      Step(title: "1 star on 3 photos", parts: parts.prefix(2) + [Step.Part(.file("/C.jpg"), .done)]),
    ]
    for (number, step) in steps.enumerated() {
      deciding.undo()
      try await fixture.decisions.steps.answer(number, .success(step))
    }
    try await end(of: deciding.jobs.last)
    #expect(
      history == [
        "note A.jpg is no longer there. Nothing was changed.",
        "note 2 photos are no longer there. Nothing was changed.",
        "note Undone: 1 star on 3 photos · no longer there: 2 photos",
      ])
  }

  @Test func theSameFailureIsReportedOnce() async throws {
    try await fixture.load(Self.folder())
    for number in 0...1 {
      choosing.decide(.rating(number), orRow: 0)
      try await answer(number, nil, failures: ["The folder is read-only."])
    }
    #expect(stars == [nil, nil, nil], "what is not kept must not show")
    #expect(
      history == [
        "note No stars: A", "alert Can't write the sidecar: The folder is read-only.", "note 1 star on A",
        "note Not kept: step",
      ])
  }

  @Test func aChangeThatWaitsStaysVisible() async throws {
    try await fixture.load(Self.folder())
    choosing.decide(.rating(4), orRow: 0)
    choosing.decide(.rating(5), orRow: 1)
    for (number, name) in ["A", "B"].enumerated() {
      let step = Step(
        title: "step \(name)", decisions: [FilePath("/\(name).jpg"): .init()], waiting: [FilePath("/\(name).jpg")],
        failures: ["The disk is full (\(name))."])
      try await fixture.decisions.steps.answer(number, .success(step))
    }
    try await end(of: deciding.jobs.last)
    #expect(stars == [4, 5, nil])
    #expect(
      history == [
        "note 4 stars on A", "note 5 stars on B",
        "alert Can't write the sidecar: The disk is full (A). Until then, Tintype keeps the change.",
        "note Not written yet: step B",
      ])
  }

  /// In the next session, what waits from an earlier one shows as soon as the service has said so.
  @Test func whatWaitsShowsInTheNextSession() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    deciding.resume()
    try await answer(0, 4)
    #expect(stars == [4, nil, nil] && history == [])
  }

  @Test func keywordsCaptionAndRotationShowAtOnce() async throws {
    var metadata = PhotoMetadata()
    (metadata.keywords, metadata.orientation) = (["sea", "fjord"], 6)
    let photos = ["A", "B"].map { photo($0, at: .file(FilePath("/\($0).jpg")), metadata: metadata) }
    try await fixture.load(.all(photos).with { $0.capabilities = .folder })
    choosing.decide(.keywords(added: ["boat"], removed: ["sea"]), orRow: 0)
    choosing.decide(.caption("One\nTwo"), orRow: 0)
    choosing.decide(.rotation(quarters: 1), orRow: 0)
    let detail = viewModel.rows[0].detail
    #expect(detail.fields.contains(PhotoDetail.Field("Keywords", "fjord, boat")))
    #expect(detail.description == ["One", "Two"] && detail.quarters == 1)
    #expect(viewModel.rows[0].decisions.orientation == .rotated180)
    #expect(viewModel.rows[1].quarters == 0)
    #expect(history == ["note Keywords +boat -sea: A", "note Caption: A", "note Rotated: A"])
  }

  /// Each photo gets its own texts in one step. What is not read could have keywords that would be lost.
  @Test func aTemplateShowsAtOnce() async throws {
    var (known, template) = (PhotoMetadata(), MetadataTemplate(name: "press"))
    (known.keywords, known.city) = (["sea"], "Oslo")
    try template.set("title", to: ["Shoot {seq:2}"])
    try template.set("city", to: ["Bergen"])
    try template.set("caption", to: ["{name} {seq}"])
    try template.set("keywords", to: ["press"])
    let photos = [
      photo("A", at: .file("/A.jpg"), metadata: known), photo("B", at: .file("/B.jpg")),
      photo("C", at: .file("/C.jpg"), metadata: PhotoMetadata()),
    ]
    try await fixture.load(.all(photos).with { $0.capabilities = .folder })
    func makePlan() async -> TemplatePlan {
      await withCheckedContinuation { done in choosing.plan(template, of: photos) { done.resume(returning: $0) } }
    }
    let plan = await makePlan()
    #expect((plan.photoCount, plan.replacedCount, plan.unreadCount, plan.unchangedCount) == (2, 1, 1, 0))
    #expect(
      plan.changes.first?.edits.lines == ["Keywords: sea, press", "Caption: A 1", "Title: Shoot 01", "City: Bergen"])
    choosing.apply(plan)
    #expect(viewModel.rows.map(\.name) == ["Shoot 01", "B", "Shoot 03"] && viewModel.rows[0].detail.name == "Shoot 01")
    #expect(viewModel.rows.map(\.decisions.caption) == ["A 1", nil, "C 3"])
    #expect(viewModel.rows.map(\.decisions.keywords) == [["sea", "press"], nil, ["press"]])
    #expect(viewModel.rows[0].detail.fields.contains(PhotoDetail.Field("Location", "Bergen")))
    #expect(history == ["note Template press: 2 photos"])
    #expect(await makePlan().changes.isEmpty)
    deciding.possible = [.caption, .keywords]
    #expect(await makePlan().leftOut == [.title, .city])
  }

  @Test func aCullCountsWhatCouldBeKept() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    let cull = await withCheckedContinuation { done in choosing.beginCull { done.resume(returning: $0) } }
    choosing.decide(.rating(-1), orRow: 0)
    choosing.decide(.rating(4), orRow: 1)
    #expect((cull.pickedCount, cull.rejectedCount) == (1, 1))
    for number in 0...1 {
      try await fixture.decisions.steps.answer(
        number, .success(Step(title: "", decisions: [:], failures: ["The disk is full."])))
    }
    try await end(of: deciding.jobs.last)
    #expect((cull.pickedCount, cull.rejectedCount) == (1, 0) && cull.picks == [viewModel.rows.photo(at: 0).id])
  }

  /// Its own keywords and its orientation are not known, which the sidecar replaces.
  @Test func aPhotoThatHasNotBeenReadKeepsWhatItsFileContains() async throws {
    let photos = [photo("A", at: .file("/A.jpg")), photo("B", at: .file("/B.jpg"), metadata: PhotoMetadata())]
    try await fixture.load(.all(photos).with { $0.capabilities = .folder })
    choosing.decide(.rotation(quarters: 1), orRow: 0)
    for row: RowIndex in 0...1 { choosing.marks.toggle(row: row, in: viewModel.rows) }
    choosing.decide(.keywords(added: ["sea"], removed: []), orRow: 0)
    #expect(viewModel.rows.map(\.isRead) == [false, true])
    #expect(viewModel.rows.map(\.decisions.keywords) == [nil, ["sea"]])
    #expect(history == ["note Not read yet: A", "note Keywords +sea: B · not read yet: 1 photo"])
  }

  @Test func theMostUsedKeywordsComeFirst() async throws {
    let photos = [["sea", "boat"], ["boat"], ["bird", "boat", "sea"]].map { keywords in
      var metadata = PhotoMetadata()
      metadata.keywords = keywords
      return photo("A", metadata: metadata)
    }
    try await fixture.load(.all(photos))
    let counted = await withCheckedContinuation { done in deciding.countKeywords { done.resume(returning: $0) } }
    #expect(counted == ["boat", "sea", "bird"])
  }

  @Test func aStepThatCannotBeUndoneIsNotNoted() async throws {
    try await fixture.load(Self.folder())
    deciding.undo()
    try await answer(0, nil, failures: ["The disk is full."])
    #expect(history == ["alert Can't write the sidecar: The disk is full."])
  }

  @Test func photosOfACatalogAreNotRated() async throws {
    try await fixture.load(.all("A"))
    choosing.decide(.rating(4), orRow: 0)
    #expect(viewModel.rows[0].deciding == nil && viewModel.rows[0].decisions.rating == nil)
    #expect(history.isEmpty)
  }

  @Test func labelsAndStarsAreIndependent() async throws {
    try await fixture.load(Self.folder(stars: [2, nil, nil]))
    choosing.decide(.label("Red"), orRow: 0)
    let red = viewModel.rows[0].decisions
    #expect((red.rating, red.label) == (2, "Red"))
    #expect(viewModel.rows[0].detail.fields.contains(PhotoDetail.Field("Label", "Red")))
    choosing.decide(.label(nil), orRow: 0)
    let none = viewModel.rows[0].decisions
    #expect((none.rating, none.label) == (2, nil))
  }

  @Test func autoAdvanceIsToggled() {
    #expect(deciding.advances)
    deciding.toggleAdvance()
    #expect(!deciding.advances)
    #expect(history == ["note The photo stays after a rating."])
  }
}
