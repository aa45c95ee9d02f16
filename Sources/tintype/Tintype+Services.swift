import Bundled
import Catalog
import Folder
import Foundation
import Gallery
import HTTP
import Images
import Resources
import Screens
import Services
import Store
import ViewModels
import Web
import WorkerPool

// What is behind the screens: which services, by the arguments.
extension Tintype {
  @MainActor
  func makePhotos(
    _ source: Source, _ server: NamedServer?, client: HTTPClient, clock: WorkerPoolClock
  ) -> any APIServiceProtocol {
    switch source {
    case .address(let address):
      let cache = XDGFolders(environment: ProcessInfo.processInfo.environment).cache
      return WebCatalog(
        server: server ?? NamedServer(address), client: client,
        cache: PageCache(folder: cache.map { $0 + "/pages" }))
    case .bundled:
      return CatalogFile(path: FilePath(Resources.path("content.json")), delay: .seconds(delay ?? 1), clock: clock)
    case .standardInput:
      return StandardInput(folder: .workingFolder, hasZeroBytes: hasZeroBytes)
    case .catalog(let path): return CatalogFile(path: path, delay: .seconds(delay ?? 0), clock: clock)
    case .photo(let path): return makeFolder(FolderScope(named: [path]))
    case .files(let scope): return makeFolder(scope)
    }
  }

  @MainActor
  private func makeFolder(_ scope: FolderScope) -> FolderService {
    let readers = ProcessInfo.processInfo.activeProcessorCount
    let workers = MetadataWorkers(workerPath: Resources.executable("tintype-pictures"), workerCount: readers)
    return FolderService(
      scope: scope, index: PhotoIndex(folder: XDGFolders(environment: ProcessInfo.processInfo.environment).cache),
      readers: readers, read: { await workers.metadata(of: $0) })
  }

  @MainActor
  func makeViewModels(
    _ photos: any APIServiceProtocol, client: HTTPClient, clock: WorkerPoolClock,
    onProblem: @escaping @Sendable (StoreProblem) -> Void
  ) -> GalleryViewModels {
    let wait = Duration.seconds(delay ?? 1)
    let folders = XDGFolders(environment: ProcessInfo.processInfo.environment)
    let state = StateStore(folder: folders.state, onProblem: onProblem)
    let book = GuestbookStore(folder: folders.data, onProblem: onProblem)
    let basket = BasketViewModel(service: state)
    return GalleryViewModels(
      photos: PhotoListViewModel(service: photos, desktop: DesktopOpener(), exporter: CatalogExporter()),
      wall: WallViewModel(
        service: WallFile(path: Resources.path("wall.json"), delay: wait, clock: clock, store: state)),
      prints: PrintsViewModel(
        service: PrintsFile(path: Resources.path("prints.json"), delay: wait, clock: clock), basket: basket,
        clock: clock),
      basket: basket,
      covers: CoversViewModel(service: makeMusicService(client: client, delay: wait / 3, clock: clock), clock: clock),
      guestbook: GuestbookViewModel(service: KeptGuestbook(book: book, state: state)))
  }

  private func makeMusicService(
    client: HTTPClient, delay: Duration, clock: WorkerPoolClock
  ) -> any MusicServiceProtocol {
    guard let musicAddress else {
      return MusicFile(path: Resources.path("music.json"), delay: delay, clock: clock)
    }
    return MusicSearch(base: musicAddress, client: client, namedHost: URL(string: musicAddress)?.host)
  }
}
