import Finding
import Gallery
import Photos
import Terminal
import ViewModels

@testable import Screens

/// A window without a terminal: it records what a room asks of it.
@MainActor
final class StubHost: RoomHost {
  let clock: any Clock<Duration>
  var keys = CommandTable.standard
  /// Whether a popup is over the room.
  var isCovered = false
  /// The number of times that the room asked whether it gets the keys.
  private(set) var askedCount = 0
  var exportPresets = ExportPreset.own
  var templates: [MetadataTemplate] = []
  private(set) var alerts: [Alert] = []
  private(set) var popups: [any Popup] = []
  private(set) var notes: [String] = []
  private(set) var copied: [String] = []
  /// The indices of the rows that were opened in the viewer.
  private(set) var viewed: [RowIndex] = []
  /// The names of the photos that were opened in the viewer.
  private(set) var viewedNames: [String] = []
  /// Whether the photos that were opened in the viewer began a slideshow.
  private(set) var slideshows: [Bool] = []
  /// Makes the popup that ends the cull in the viewer.
  private(set) var summary: CullSummary?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(clock: HeldClock = HeldClock()) { self.clock = clock }

  /// Waits until a change makes the condition true, or until the test's time limit cancels the test.
  func wait(until condition: () -> Bool) async {
    while !condition(), !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiting.append($0) }
      } onCancel: {
        Task { @MainActor in setNeedsDisplay() }
      }
    }
  }

  func setNeedsDisplay() {
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }

  func isTopmost(_: any Layer) -> Bool {
    askedCount += 1
    setNeedsDisplay()
    return !isCovered
  }

  func show(_ alert: Alert, from _: any Layer) { alerts.append(alert) }
  func open(_ popup: any Popup) { popups.append(popup) }
  func open(_ popup: any Popup, over _: any Layer) { popups.append(popup) }
  func keep(order: PhotoOrder) {}
  func destination(from folder: FilePath) -> DestinationViewModel {
    DestinationViewModel(service: StubPlaces(), folder: folder, named: [], home: nil)
  }
  func destination(from folder: FilePath, named: [Place]) -> DestinationViewModel {
    DestinationViewModel(service: StubPlaces(), folder: folder, named: named, home: nil)
  }
  func open(folder: FilePath, at photo: ImageLocation?) {}
  func open(_ place: Place) { places.append(place) }
  /// The places that were opened.
  private(set) var places: [Place] = []
  let collections = PhotoCollections(service: StubCollections())
  func note(_ text: String) { notes.append(text) }

  func copy(_ text: String) -> Bool {
    copied.append(text)
    return true
  }

  let clipboard: any ImageClipboard = StubClipboard()

  func compare(_: PhotoComparison, onEnd _: @escaping () -> Void) {}
  func view(_ viewer: ViewerViewModel, summary: CullSummary?, photos _: PhotoActions?) {
    if let row = viewer.row { viewed.append(row) }
    viewedNames.append(viewer.detail.name)
    slideshows.append(viewer.slideshow != nil)
    self.summary = summary
    setNeedsDisplay()
  }

  /// Makes the context for the cells of a room. It shows no images, or only their places if there is an output format.
  func makeContext(images choice: OutputChoice = .none) -> CellContext {
    CellContext(
      images: ImageLayer(loader: nil, choice: choice, display: display),
      spinner: SharedSpinner(clock: ContinuousClock()), onChange: { [unowned self] in setNeedsDisplay() })
  }

  private let display = StubDisplay()
}

/// A clipboard that takes no images.
struct StubClipboard: ImageClipboard {
  let takesImages = false
  func time(of _: Int) -> Duration? { nil }
  func copy(png _: [UInt8], onAnswer _: @escaping (ClipboardAnswer) -> Void) {}
}

/// A terminal that has not answered any question.
@MainActor
final class StubDisplay: ImageDisplay {
  var onFrameLeft: () -> Void = {}
  let capabilities = Capabilities.unknown
  let isQuestioned = false
  let line: LineModel
  let isLineIdle = true
  let size = Size(columns: 80, rows: 24)
  let keyInterval = Duration.seconds(10)
  var onImagesLost: () -> Void = {}

  /// - Parameter environment: The environment, which says whether the line is remote.
  init(environment: [String: String] = [:]) { line = LineModel(environment: environment) }

  func setNeedsDisplay() {}
  func forget(_: [UInt32]) {}
  func hasArrived(_: UInt32) -> Bool { false }
  func isStored(_: UInt32) -> Bool { false }
}

extension Room {
  /// The status as the header shows it.
  var statusText: String { status.map(\.text).joined(separator: " · ") }
}
