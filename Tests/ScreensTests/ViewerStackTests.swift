import Foundation
import Gallery
import ImageWire
import Photos
import Services
import Synchronization
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

/// An appraiser that returns the sharpness of shots when the test says so. The second shot is the sharpest.
private final class HeldAppraisals: AppraisalServiceProtocol {
  private let (answers, answer) = AsyncStream<Void>.makeStream()

  func release() { answer.finish() }

  func contents(of files: [FilePath]) async -> [FileContent?] { files.map { _ in nil } }

  func appraisals(of files: [FilePath], _ detail: ImageAppraisal.Detail) async -> [ImageAppraisal?] {
    let hasSharpness = detail == .sharpness
    if hasSharpness { for await _ in answers {} }
    let tiles = ImageAppraisal.side * ImageAppraisal.side
    return files.map { file in
      let sharpness: UInt16 = file.printableName == "b.jpg" ? 900 : 100
      return ImageAppraisal(hash: 0, sharpness: hasSharpness ? Array(repeating: sharpness, count: tiles) : [])
    }
  }
}

/// The viewer on a closed burst whose sharpest shot becomes known while the user looks at another one.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct ViewerStackTests {
  private let host: StubHost
  private let clock = HeldClock()
  private let appraisals = HeldAppraisals()
  private let reloads = Counter()

  init() { host = StubHost(clock: clock) }

  private final class Counter {
    var count = 0
  }

  /// Loads a burst of three, of which a.jpg is listed, and another photo.
  ///
  /// - Parameter orientation: The orientation that a sidecar gives to a.jpg, or nil for none.
  private func load(orientation: Int? = nil) async -> PhotoChoosingViewModel {
    let photos = ["a.jpg", "b.jpg", "c.jpg", "z.jpg"].enumerated().map { id, name in
      var metadata = PhotoMetadata()
      metadata.takenAt = CaptureTime(clock: name == "z.jpg" ? 5000 : Double(id))
      if id == 0 { metadata.chosenOrientation = orientation }
      return Photo(
        id: id, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: name,
        image: .file(FilePath("/\(name)")), camera: "X100", metadata: metadata)
    }
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    snapshot.capabilities = .folder
    let viewModel = PhotoListViewModel(service: StubPhotos(snapshot: snapshot))
    let choosing = PhotoChoosingViewModel(
      list: viewModel, decisions: StubDecisions(), appraisals: appraisals, desktop: StubDesktop(),
      exporter: StubExporter())
    viewModel.onReload = { [host, reloads] in
      reloads.count += 1
      host.setNeedsDisplay()
    }
    viewModel.fetch()
    await host.wait { viewModel.rows.count == 2 }
    return choosing
  }

  /// Opens the viewer on the burst.
  private func open(
    isCull: Bool, orientation: Int? = nil, images choice: OutputChoice = .none
  ) async throws -> ViewerScreen {
    let choosing = await load(orientation: orientation)
    var cull: PhotoCull?
    if isCull { cull = await withCheckedContinuation { done in choosing.beginCull { done.resume(returning: $0) } } }
    let rows = { isCull ? choosing.culledRows : choosing.list.rows }
    let viewModel = try #require(ViewerViewModel(0, among: rows, clock: clock, cull: cull))
    let viewer = ViewerScreen(viewModel, images: host.makeContext(images: choice).images, clock: clock) { _ in
      ChoicePopup(title: "", choices: []) { _ in }
    }
    viewer.onChange = { [host] in host.setNeedsDisplay() }
    viewModel.onTurn = { if isCull { choosing.look(at: choosing.culledRows[$0].photoID) } }
    viewer.onOpen = { _ in }
    #expect(name(viewer) == "a.jpg")
    return viewer
  }

  private func name(_ viewer: ViewerScreen) -> String {
    viewer.drawing().lines.last.map { String($0.dropFirst().prefix(5)) } ?? ""
  }

  /// A key that the user has pressed for a.jpg must not decide about b.jpg.
  @Test(arguments: [true, false])
  func decisionsWaitAMomentAfterAnotherShotHasAppeared(isCull: Bool) async throws {
    let viewer = try await open(isCull: isCull)
    #expect(viewer.offers(.rateFive) && viewer.offers(.mark))
    appraisals.release()
    await host.wait { name(viewer) == "b.jpg" }
    let refusal = "Another shot of the stack has just appeared. Press the key again."
    for command in [Command.rateFive, .reject, .labelRed, .mark] {
      #expect(viewer.refusal(of: command) == refusal, "\(command)")
    }
    await clock.waitForSleep()
    clock.endSleep()
    await host.wait { viewer.offers(.rateFive) }
    #expect(viewer.offers(.mark))
  }

  @Test func anotherShotIsNotRotatedLikeTheOneBefore() async throws {
    let viewer = try await open(isCull: true, orientation: 6)
    #expect(viewer.image.presentation.rotation == .clockwise90)
    appraisals.release()
    await host.wait { name(viewer) == "b.jpg" }
    #expect(viewer.image.presentation.rotation == .upright)
  }

  @Test func decisionsInTheListWaitAsWell() async {
    let choosing = await load()
    let screen = PhotosScreen(
      viewModel: choosing.list, choosing: choosing, savedSearches: SavedSearches(service: StubSearches()),
      source: OpenSource(place: Place(arguments: [], name: "test")), firstView: .list,
      host: host, context: host.makeContext())
    screen.pane.setRows(choosing.list.rows)
    #expect(screen.offers(.rateFive))
    appraisals.release()
    await host.wait { screen.refusal(of: .rateFive) != nil }
    #expect(screen.refusal(of: .reject) != nil && screen.refusal(of: .mark) != nil && screen.offers(.cull))
    // Another row was there all the time.
    screen.perform(.moveDown)
    #expect(screen.offers(.rateFive))
  }

  @Test(arguments: [true, false])
  func theShotStaysOnceTheUserHasActedOnIt(isCull: Bool) async throws {
    let viewer = try await open(isCull: isCull)
    let before = reloads.count
    viewer.perform(.label)
    appraisals.release()
    await host.wait { reloads.count > before }
    #expect(name(viewer) == "a.jpg" && viewer.offers(.rateFive))
    viewer.perform(.nextPhoto)
    #expect(name(viewer) == "z.jpg")
  }

  @Test func theShotStaysOnceTheUserHasTurnedTheWheel() async throws {
    let viewer = try await open(isCull: true, images: .symbols)
    let before = reloads.count
    viewer.handle(Mouse(.wheelUp, column: 5, row: 5))
    appraisals.release()
    await host.wait { reloads.count > before }
    #expect(name(viewer) == "a.jpg")
  }

  @Test func aRejectedShotOfACullIsFollowedByTheNextOne() async throws {
    let viewer = try await open(isCull: true)
    appraisals.release()
    await host.wait { name(viewer) == "b.jpg" }
    await clock.waitForSleep()
    clock.endSleep()
    await host.wait { viewer.offers(.reject) }
    for next in ["a.jpg", "c.jpg", "z.jpg"] {
      viewer.perform(.reject)
      #expect(name(viewer) == next)
    }
  }
}
