import Foundation
import Gallery
import Photos
import Services
import Synchronization

// Services that answer at once.

struct StubPhotos: APIServiceProtocol {
  let snapshot: PhotoSnapshot

  func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream { answers in
      answers.yield(.success(snapshot))
      answers.finish()
    }
  }
}

/// A desktop that opens nothing.
struct StubDesktop: DesktopServiceProtocol {
  func open(_: ImageLocation) async throws(APIError) {}
  func browse(_: String) async throws(APIError) {}
  func run(_: [[UInt8]], input _: [UInt8]) async throws(APIError) {}
  func imageCopyCommand() async -> [[UInt8]]? { nil }
  func playCommand(from _: Double) async -> [[UInt8]]? { nil }
}

/// An exporter that writes nothing.
struct StubExporter: ExportServiceProtocol {
  func export(_: [Photo], to _: FilePath, replaces: Bool) async throws(ExportError) -> ExportReport {
    ExportReport(count: 0)
  }
}

struct StubWall: SocialServiceProtocol {
  let feed: Result<WallFeed, APIError>

  func fetchWall() async throws(APIError) -> WallFeed { try feed.get() }
  func setFollowing(_: Bool, member _: Member.ID) async throws(APIError) {}
}

struct StubPrints: PrintServiceProtocol {
  let pages: Result<[Page<Print>], APIError>
  /// The clock whose next sleep delays the second page and those after it.
  let clock: HeldClock

  func fetchPrints(page: Int) async throws(APIError) -> Page<Print> {
    if page > 1 { try? await clock.sleep(for: .seconds(1)) }
    return try pages.get()[page - 1]
  }
}

/// A basket that holds the last print that was put into it.
struct StubBasket: BasketServiceProtocol {
  func basket() async throws(APIError) -> Basket { Basket() }

  func put(_ print: Print) async throws(APIError) -> Basket? {
    Basket(lines: [Basket.Line(printID: print.id, title: print.title, price: print.price, quantity: 1)])
  }

  func takeOut(_: Print.ID) async throws(APIError) -> Basket { Basket() }
}

/// A collection in which a search finds the tracks with an equal name, and an empty term all of them.
struct StubMusic: MusicServiceProtocol {
  let tracks: Result<[Track], APIError>
  /// The error after which a search is retried until it is canceled, or nil for an immediate answer.
  var retriedError: APIError?

  func search(_ term: String, onRetry: @escaping @Sendable (APIError) -> Void) async throws(APIError) -> [Track] {
    if let retriedError {
      onRetry(retriedError)
      try? await HeldClock().sleep(for: .seconds(1))
    }
    return try tracks.get().filter { term.isEmpty || $0.trackName == term }
  }
}

struct StubGuestbook: GuestbookServiceProtocol {
  let names: [String]

  func entries() async throws(APIError) -> [GuestbookEntry] {
    names.enumerated().map { entry(Int64($0), $1) }
  }

  func visitor() async throws(APIError) -> String? { names.first }
  func sign(_ name: String) async throws(APIError) -> GuestbookEntry { entry(100, name) }

  private func entry(_ id: Int64, _ name: String) -> GuestbookEntry {
    GuestbookEntry(id: id, name: name, date: Date(timeIntervalSince1970: 0))
  }
}

/// A service that keeps no decision.
struct StubDecisions: StepServiceProtocol {
  func keep(_ requests: [StepRequest]) async -> [Step] {
    requests.map { Step(title: $0.targets[0].change.title(for: ""), id: 1) }
  }
  func write(_ step: Step, _ work: StepWork) async -> Step { step }

  func undo(_ work: StepWork) async -> Step? { nil }
  func redo(_ work: StepWork) async -> Step? { nil }
  func undoSession(_ work: StepWork) async -> Step? { nil }
  func resume(_ work: StepWork) async -> Step? { nil }
  func forecast(_ change: FileChange, of files: [FilePath]) async -> FileForecast { FileForecast() }
  func forecast(_ renames: [FileRename]) async -> RenameForecast { RenameForecast() }
  func forecast(_ exports: [PhotoExport]) async -> FileForecast { FileForecast() }
}

/// A disk without folders.
struct StubPlaces: PlaceServiceProtocol {
  func folders(in folder: FilePath) async -> [FilePath] { [] }
  func archives(in _: FilePath) async -> [FilePath] { [] }
  func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary { FolderSummary() }
  func recentPlaces() async throws(APIError) -> [Place] { [] }
  func visit(_ place: Place) async throws(APIError) -> PlaceState { PlaceState() }
  func setOrder(_ order: String, of place: Place) async throws(APIError) {}
  func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {}
  func recentDestinations() async throws(APIError) -> [FilePath] { [] }
  func use(destination: FilePath) async throws(APIError) {}
}

/// Searches that are kept in memory.
actor StubSearches: SavedSearchServiceProtocol {
  private var all: [SavedSearch]

  init(_ all: [SavedSearch] = []) { self.all = all }

  func searches() -> [SavedSearch] { all }

  func save(_ search: SavedSearch) -> [SavedSearch] {
    all = all.filter { $0.name != search.name } + [search]
    return all
  }

  func removeSearch(named name: String) -> [SavedSearch] {
    all.removeAll { $0.name == name }
    return all
  }
}

/// Collections in memory.
final class StubCollections: CollectionServiceProtocol {
  private let kept = Mutex<[String: [FilePath]]>([:])

  func collections() async throws(APIError) -> [PhotoCollection] {
    kept.withLock { $0.map { PhotoCollection(name: $0, count: $1.count) } }
  }

  func files(of collection: String) async throws(APIError) -> [FilePath]? { kept.withLock { $0[collection] } }

  func make(_ edit: CollectionEdit) async throws(APIError) {
    kept.withLock { $0[edit.collection] = edit.applied(to: $0[edit.collection] ?? []) }
  }

  func rename(_ collection: String, to name: String) async throws(APIError) -> Bool {
    kept.withLock { kept in
      guard kept[name] == nil, let files = kept.removeValue(forKey: collection) else { return false }
      kept[name] = files
      return true
    }
  }

  func delete(_ collection: String) async throws(APIError) { kept.withLock { _ = $0.removeValue(forKey: collection) } }
  func follow(_: [MovedFile]) async throws(APIError) {}
  func changes() -> AsyncStream<Void> { AsyncStream(unfolding: { nil }) }
}
