import Bundled
import Catalog
import Configuration
import Folder
import Foundation
import Gallery
import HTTP
import Images
import Photos
import Remote
import Resources
import Screens
import Services
import Sheets
import Steps
import Store
import Synchronization
import Tracks
import ViewModels
import Web
import WorkerPool

/// The stores that all sources share, so that each file is open once.
struct Stores {
  let state: StateStore
  let journal: StepJournal

  /// - Parameter onProblem: Called on any thread when something cannot be stored.
  init(onProblem: @escaping @Sendable (StoreProblem) -> Void) {
    StateStore.onProblem.withLock { $0 = onProblem }
    state = .user
    journal = StepJournal(folder: XDGFolders.user.state, onProblem: onProblem)
  }
}

/// The services behind the gallery's screens, as the command line chooses them.
@MainActor
struct GalleryServices {
  let photos: any APIServiceProtocol
  /// The client of all services.
  static let client = HTTPClient(
    userAgent: "Tintype/\(Release.version)", environment: ProcessInfo.processInfo.environment, clock: WorkerPoolClock())
  let client = Self.client
  let clock = WorkerPoolClock()
  private let musicAddress: String?
  /// The delay of answers, which simulates a slow server.
  private let delay: Duration
  private let sidecars: SidecarNames
  private let parts: PhotoParts?
  /// The folder to which undoing is limited, or nil for a source without sidecars.
  private let root: FilePath?
  /// The connection to the machine of the photos; nil if they are here or on the web.
  private let remote: RemoteConnection?
  /// The server that keeps the decisions; nil if they are in sidecars.
  let photoServer: (any PhotoServerProtocol)?
  private let desktop: DesktopOpener
  /// The server's own search; nil if it has none.
  let contentSearch: (any ContentSearchProtocol)?
  /// The cache of images from the web; nil if there is no folder for it.
  let images: WebImageCache?

  /// - Parameters:
  ///   - server: The server of the photos, if they come from the web.
  ///   - musicAddress: The address of the music server; nil for the bundled music.
  ///   - delay: The delay of all answers in seconds; nil for the usual one.
  ///   - hasZeroBytes: Whether paths at the standard input end with zero bytes.
  ///   - sidecars: The names of new sidecars.
  ///   - parts: The rules by which several files of a folder are one photo, or nil if each is a photo by itself.
  ///   - isWatching: Whether changes of a folder are followed.
  ///   - remote: The connection to the machine of the photos.
  ///   - images: The cache of images from the web that the loader uses; nil to create one.
  init(
    source: GallerySource, server: NamedServer?, remote: RemoteConnection? = nil, musicAddress: String? = nil,
    delay: Double?,
    hasZeroBytes: Bool = false,
    sidecars: SidecarNames = .long, parts: PhotoParts? = nil, isWatching: Bool = true, images: WebImageCache? = nil
  ) {
    let servers = [server, musicAddress.map { NamedServer($0) }].compactMap(\.self)
    let images =
      images
      ?? XDGFolders.user.webImages.map { [client] in WebImageCache(folder: $0, client: client, servers: servers) }
    self.images = images
    self.musicAddress = musicAddress
    let delay = Duration.seconds(delay ?? source.usualDelay)
    self.delay = delay
    self.sidecars = sidecars
    self.parts = parts
    self.remote = remote
    let client = client
    let access: (FileServerAddress) -> FileServerAccess = { address in
      let server = server ?? address.server(headers: [:], password: nil, s3: .user)
      return FileServerAccess(address, server: server, client: client, cache: Self.pages)
    }
    switch source {
    case .immich(let address):
      root = FilePath(address.assets)
      photoServer = ImmichPhotoServer(address, server: server ?? address.server(headers: [:]), client: client)
      desktop = DesktopOpener { address.page(of: $0) }
    case .fileServer(let address):
      root = address.root
      photoServer = FilePhotoServer(access(address), usesShortNames: sidecars == .short)
      desktop = DesktopOpener { address.page(of: $0) }
    default:
      root = if case .collection = source { source.root } else { source.folder }
      photoServer = nil
      desktop = DesktopOpener()
    }
    let service: any APIServiceProtocol =
      switch source {
      case .address(let address):
        WebCatalog(
          server: server ?? NamedServer(address), client: client, cache: Self.pages)
      case .immich(let address):
        ImmichPhotos(
          address, server: server ?? address.server(headers: [:]), client: client, cache: Self.pages)
      case .fileServer(let address):
        ServerPhotos(
          access(address), index: .user, parts: parts,
          cached: { request throws(HTTPError) in try await images?.head(request) },
          read: FolderService.workers())
      case .remote:
        if let remote { RemotePhotos(remote) } else { preconditionFailure("a remote source has a connection") }
      case .bundled:
        CatalogFile(path: FilePath(Resources.path("content.json")))
      case .standardInput: StandardInput(folder: .workingFolder, hasZeroBytes: hasZeroBytes)
      case .catalog(let path): CatalogFile(path: path)
      case .photo(let path):
        FolderService.withWorkers(scope: FolderScope(photo: path), isWatching: isWatching, parts: parts)
      case .archive(let path): ArchiveService.withWorker(path: path)
      case .collection(let name):
        CollectionPhotos(
          name, service: KeptCollections.user, isWatching: isWatching,
          photos: { [make = FolderService.maker(isWatching: isWatching, parts: parts)] in make($0) })
      case .files(let scope): FolderService.withWorkers(scope: scope, isWatching: isWatching, parts: parts)
      }
    contentSearch = service as? any ContentSearchProtocol
    photos = delay > .zero ? DelayedSource(service, delay: delay, clock: clock) : service
  }

  /// The folders to begin with: the working folder, that of the user's pictures, and the user's own one.
  private static var starts: [FilePath] {
    let home = FilePath.home
    return [.workingFolder, home?.appending("Pictures".utf8), home].compactMap(\.self).reduce(into: []) {
      starts, folder in
      if !starts.contains(folder) { starts.append(folder) }
    }
  }

  /// Makes the view models of all rooms.
  /// - Parameters:
  ///   - marking: The source whose marks are kept, or nil to keep none.
  ///   - onProblem: Called on any thread when something cannot be stored.
  func makeViewModels(
    marking source: GallerySource?, _ stores: Stores, onProblem: @escaping @Sendable (StoreProblem) -> Void
  ) -> GalleryViewModels {
    let state = stores.state
    let bundled = GallerySource.bundled.name
    let book = GuestbookStore(folder: XDGFolders.user.data, onProblem: onProblem)
    let basket = BasketViewModel(service: state)
    return GalleryViewModels(
      choosing: makeChoosing(marking: source, stores),
      places: PlacesViewModel(
        service: RemotePlaces(here: FolderPlaces(store: state)) { machine in
          await RemoteConnections.connection(to: machine)
        }, bundled: bundled, starts: Self.starts, parts: { [client] in await Self.parts(of: $0, client) }),
      savedSearches: SavedSearches(service: state), collections: PhotoCollections(service: KeptCollections.user),
      wall: WallViewModel(
        service: WallFile(path: Resources.path("wall.json"), delay: delay, clock: clock, store: state)),
      prints: PrintsViewModel(
        service: PrintsFile(path: Resources.path("prints.json"), delay: delay, clock: clock), basket: basket,
        clock: clock),
      basket: basket,
      covers: CoversViewModel(service: makeMusicService(), clock: clock),
      guestbook: GuestbookViewModel(service: KeptGuestbook(book: book, state: state)))
  }

  /// Makes the view model of the photos, and of what the user does with them.
  ///
  /// - Parameter source: The source whose marks are kept, or nil to keep none.
  func makeChoosing(marking source: GallerySource?, _ stores: Stores) -> PhotoChoosingViewModel {
    let maker = Self.makeExporter()
    if let remote {
      // What is copied here comes from a folder of the cache, so undoing it here is limited to that.
      let fetched = FilePath(XDGFolders.user.remoteFiles ?? "/tmp/tintype-\(getuid())")
      let steps = Self.makeSteps(stores, root: fetched, sidecars, exporter: maker)
      return PhotoChoosingViewModel(
        list: PhotoListViewModel(service: photos),
        decisions: RemoteSteps(remote, journal: stores.journal, local: steps, fetchingTo: fetched),
        appraisals: RemoteAppraisals(remote), desktop: desktop, exporter: CatalogExporter(),
        imports: GalleryImports(steps: steps, parts: parts), tracks: TrackService(),
        marks: makeMarks(.marks, of: source, stores.state),
        kept: makeMarks(.kept, of: source, stores.state), clock: clock)
    }
    let steps = Self.makeSteps(stores, root: root, sidecars, exporter: maker, server: photoServer)
    let search = PhotoSearchViewModel(server: contentSearch, clock: clock)
    return PhotoChoosingViewModel(
      list: PhotoListViewModel(service: photos, search: search),
      decisions: steps,
      appraisals: Self.makeAppraiser(),
      desktop: desktop, exporter: CatalogExporter(), maker: maker,
      imports: GalleryImports(steps: steps, parts: parts), tracks: TrackService(),
      marks: makeMarks(.marks, of: source, stores.state),
      kept: makeMarks(.kept, of: source, stores.state), clock: clock)
  }

  /// Returns the parts of a place on a photo server that was opened in this session; none for another place.
  private static func parts(of place: Place, _ client: HTTPClient) async -> [PlacePart] {
    guard let text = place.arguments.first.map({ String(decoding: $0, as: UTF8.self) }) else { return [] }
    if let address = FileServerAddress(text, s3: .user) {
      let server = address.server(headers: [:], password: ServerKeys[address.login], s3: .user)
      return await FileServerAccess(address, server: server, client: client, cache: pages).parts()
    }
    guard let address = ImmichAddress(text) else { return [] }
    let headers = ServerKeys[address.api].map { [ImmichAddress.keyHeader: $0] } ?? [:]
    return await ImmichParts(address, server: address.server(headers: headers), client: client, cache: pages).parts()
  }

  private static var pages: PageCache { PageCache(folder: XDGFolders.user.cache.map { $0 + "/pages" }) }

  /// Makes the service that looks at photos.
  static func makeAppraiser() -> PhotoAppraiser {
    PhotoAppraiser(
      workerPath: Resources.imageWorker,
      // Two shots at once keep ahead of a user who looks at one burst a second.
      workerCount: max(2, ProcessInfo.processInfo.activeProcessorCount / 2),
      index: AppraisalIndex(folder: XDGFolders.user.cache))
  }

  /// Makes the service of steps. It also ends steps that were interrupted, of any kind and in any folder.
  ///
  /// - Parameters:
  ///   - root: The folder to which undoing is limited, or nil for a source without sidecars.
  ///   - exporter: The service that makes new files of photos; nil if there is none.
  ///   - server: The server that has the photos; nil if they are files.
  static func makeSteps(
    _ stores: Stores, root: FilePath?, _ sidecars: SidecarNames, exporter: ExportWorkers? = makeExporter(),
    server: (any PhotoServerProtocol)? = nil
  ) -> StepService {
    StepService(
      journal: stores.journal, root: root, usesShortNames: sidecars == .short, exporter: exporter,
      sheets: Resources.imageWorker.map { SheetWorkers(workerPath: $0, workerCount: PhotoExporter.mostWorkers) },
      server: server, collections: KeptCollections.user)
  }

  /// Makes the service that makes new files of photos, or returns nil if the program is installed without images.
  private static func makeExporter() -> ExportWorkers? {
    Resources.imageWorker.map { ExportWorkers(workerPath: $0, workerCount: PhotoExporter.mostWorkers) }
  }

  private func makeMarks(_ kind: KeptMarks.Kind, of source: GallerySource?, _ state: StateStore) -> PhotoMarks {
    guard let identity = source?.identity else { return PhotoMarks() }
    return PhotoMarks(service: KeptMarks(kind, store: state, source: identity), clock: clock)
  }

  private func makeMusicService() -> any MusicServiceProtocol {
    guard let musicAddress else {
      return MusicFile(path: Resources.path("music.json"), delay: delay, clock: clock)
    }
    return MusicSearch(base: musicAddress, client: client, namedHost: URL(string: musicAddress)?.host)
  }
}

extension XDGFolders {
  /// The folders of the user who runs the program.
  static let user = XDGFolders(environment: ProcessInfo.processInfo.environment)
}

extension GallerySource {
  /// The usual delay of answers in seconds.
  fileprivate var usualDelay: Double { if case .bundled = self { 1 } else { 0 } }
}

extension APIServiceProtocol {
  /// Reads the photos, those of a source with pages up to the next page, and no later changes.
  func completeSnapshot(after snapshot: PhotoSnapshot? = nil) async throws(APIError) -> PhotoSnapshot {
    var last = PhotoSnapshot()
    for await answer in fetchPhotos(after: snapshot) {
      last = try answer.get()
      if last.isComplete { break }
    }
    return last
  }
}

extension FolderService {
  /// Makes a service that reads metadata with worker processes, one for each core, and keeps it in the index.
  @MainActor
  static func withWorkers(
    scope: FolderScope, isWatching: Bool = true, parts: PhotoParts? = nil
  ) -> FolderService {
    FolderService(
      scope: scope, index: .user, readers: ProcessInfo.processInfo.activeProcessorCount, isWatching: isWatching,
      parts: parts, read: workers())
  }

  /// Returns what makes such services, which share the worker processes.
  @MainActor
  static func maker(isWatching: Bool, parts: PhotoParts?) -> @Sendable (FolderScope) -> FolderService {
    let (readers, read) = (ProcessInfo.processInfo.activeProcessorCount, workers())
    return { scope in
      FolderService(scope: scope, index: .user, readers: readers, isWatching: isWatching, parts: parts, read: read)
    }
  }

  /// Makes worker processes that read metadata, one for each core.
  @MainActor
  static func workers() -> Reader {
    let workers = MetadataWorkers(
      workerPath: Resources.executable, workerCount: ProcessInfo.processInfo.activeProcessorCount)
    return { await workers.metadata(of: $0) }
  }
}

extension ArchiveService {
  /// Makes a service that lists an archive in a worker process.
  @MainActor
  static func withWorker(path: FilePath) -> ArchiveService {
    let lister = ArchiveLister(workerPath: Resources.imageWorker)
    return ArchiveService(path: path) { await lister.listing(of: $0, from: $1, readsMetadata: $2) }
  }
}

extension StateStore {
  /// Called with problems of the user's state. Until it is set, they are printed.
  fileprivate static let onProblem = Mutex<@Sendable (StoreProblem) -> Void> { problem in
    Shell.print(problem.message, to: .standardError)
  }

  /// The state of the user who runs the program.
  fileprivate static let user = StateStore(folder: XDGFolders.user.state) { problem in
    onProblem.withLock(\.self)(problem)
  }
}

extension KeptCollections {
  /// The collections of the user who runs the program. All sources share them, so that one reports the changes of another.
  static let user = KeptCollections(store: .user)
}

extension PhotoIndex {
  /// The index of the user who runs the program. All folders share it, since each index keeps its file open.
  fileprivate static let user = PhotoIndex(folder: XDGFolders.user.cache)
}
