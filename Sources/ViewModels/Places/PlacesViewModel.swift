import Gallery
import Services
import WorkerPool

/// The view model of the places that the user can go to: the folders around the open one, the places visited before, and any
/// folder whose path is typed.
///
/// ```swift
/// let places = PlacesViewModel(service: FolderPlaces(store: state), bundled: "Bundled gallery", starts: [.workingFolder])
/// places.onGo = { place in await open(place) }
/// places.arrive(at: Place(folder: "/home/ann/Pictures"), in: "/home/ann/Pictures")
/// places.prepare()
/// places.goToParent()
/// ```
@MainActor
public final class PlacesViewModel {
  /// A line of the list of places.
  public struct Entry: Hashable, Sendable {
    /// The reasons why a place is listed.
    public enum Kind: Sendable {
      /// The folder that contains the open one.
      case parent
      /// A folder in the open one.
      case folder
      /// An archive in the open folder, or beside the open archive.
      case archive
      /// A folder beside the open one.
      case beside
      /// A part of the open source, such as an album of a server.
      case part
      /// A folder to begin with while none is open.
      case start
      /// A folder that goes on from a path that is being typed.
      case typed
      /// A source that the user has named in the configuration.
      case named
      /// A place that was visited before.
      case recent
      case bundledGallery
    }

    /// The place.
    public let place: Place
    /// The reason why it is listed.
    public let kind: Kind
    /// The path as the user types it; nil for a place that was not typed.
    public var text: String?
    /// The number of photos in the place and below it; nil if it is not counted.
    public var photoCount: Int?
    /// The first photo of the place; nil if it is not known.
    public var cover: ImageLocation?
  }

  /// Called with the place that the user goes to.
  public var onGo: @MainActor (Place) async -> Void = { _ in }
  /// Called with a sentence about why the user stays.
  public var onNote: (String) -> Void = { _ in }
  /// Called with how the user has left the place that they have arrived at.
  public var onReturn: (PlaceState) -> Void = { _ in }

  /// The sources that the user has named.
  public var named: [Place] = []
  /// The places, those that a typed path leads to and then the nearest first.
  @Published public private(set) var entries: [Entry] = []
  private var known: [Entry] = [] { didSet { entries = typed + known } }
  private var typed: [Entry] = [] { didSet { entries = typed + known } }
  /// Whether a folder is open.
  public var isInFolder: Bool { folder != nil }
  /// The open place; nil before the user has arrived at one.
  public private(set) var current: Place?
  private var folder: FilePath?
  /// The parts of the open place, as far as they are known.
  private var currentParts: [PlacePart] = []
  /// The places that were visited before, the last one first, as far as they are known.
  private var recent: [Place] = []

  private let service: any PlaceServiceProtocol
  private let parts: @Sendable (Place) async -> [PlacePart]
  private let bundled: Place
  /// The folders to begin with, as far as they are there.
  private var starts: [FilePath]
  private(set) var typing: Task<Void, Never>?
  private(set) var listing: Task<Void, Never>?
  /// The last move to another place.
  private(set) var moving: Task<Void, Never>?
  /// The last request to the store. Each request waits for the one before.
  private(set) var storing: Task<Void, Never>?

  /// - Parameters:
  ///   - bundled: The name of the bundled gallery.
  ///   - starts: The folders to begin with while none is open. Those in the first one are listed, too.
  ///   - parts: Returns the parts of a source that is no folder.
  public init(
    service: any PlaceServiceProtocol, bundled: String, starts: [FilePath] = [],
    parts: @escaping @Sendable (Place) async -> [PlacePart] = { _ in [] }
  ) {
    self.service = service
    self.parts = parts
    self.bundled = Place(arguments: [], name: bundled)
    self.starts = starts
  }

  deinit {
    listing?.cancel()
    typing?.cancel()
  }

  /// Takes note of the open place, which is the first of the recent ones from now on.
  ///
  /// - Parameter folder: The folder that is open; nil for another source.
  public func arrive(at place: Place, in folder: FilePath?) {
    current = place
    self.folder = folder
    currentParts = []
    listing?.cancel()
    listing = nil
    known = listed(folders: [])
    guard place.isLasting else { return }
    recent = [place] + recent.filter { $0 != place }
    store { [weak self, service] in
      guard let state = try? await service.visit(place) else { return }
      if self?.current == place { self?.onReturn(state) }
    }
  }

  /// Keeps the order in which the photos of the open place are sorted now.
  public func keep(order: String) {
    guard let current, current.isLasting else { return }
    store { [service] in try? await service.setOrder(order, of: current) }
  }

  /// Keeps the photo that is highlighted in the open place; nil for the first one.
  public func keep(photo: ImageLocation?) {
    guard let current, current.isLasting else { return }
    store { [service] in try? await service.setPhoto(photo, of: current) }
  }

  /// Reads the folders around the open place and the recent places, so that they are listed as soon as the user asks for them.
  public func prepare() { if listing == nil { list(counts: false) } }

  /// Lists the places, and then counts the photos of each folder and finds a cover for each place on the disk.
  public func list() { list(counts: true) }

  private func list(counts: Bool) {
    listing?.cancel()
    listing = Task.onMainActor { [weak self, service, folder, current] in
      let all = self?.starts ?? []
      // Beside an open folder, they are not listed.
      let starts = folder == nil ? await Self.existing(all, service) : all
      let folders = if let folder = folder ?? starts.first { await service.folders(in: folder) } else { [FilePath]() }
      let beside =
        if let folder, folder != folder.folder { await service.folders(in: folder.folder) } else { [FilePath]() }
      let archives = if let folder { await Self.archives(around: folder, service) } else { [FilePath]() }
      let recent = try? await service.recentPlaces()
      guard let self, !Task.isCancelled else { return }
      if let recent { self.recent = recent }
      self.starts = starts
      known = listed(folders: folders, archives: archives, beside: beside)
      if folder == nil, let current {
        // The others are listed already, since a server may take its time.
        let parts = await parts(current)
        if Task.isCancelled { return }
        currentParts = parts
        known = listed(folders: folders, archives: archives, beside: beside)
      }
      for entry in counts ? known : [] {
        // A parent folder may be the whole disk.
        guard let folder = entry.place.folder, entry.kind != .parent, !folder.isNamedAsArchive else { continue }
        // The number of photos says which folder is meant. Elsewhere, as beside a folder near the root, counting may read the
        // whole disk.
        let isCounted = entry.kind == .folder
        let summary = await service.summary(of: folder, upTo: isCounted ? .max : 1)
        let isSame = { (other: Entry) in other.place == entry.place && other.kind == entry.kind }
        guard !Task.isCancelled, let place = known.firstIndex(where: isSame) else { return }
        known[place].photoCount = isCounted ? summary.photoCount : nil
        known[place].cover = summary.cover
      }
    }
  }

  /// The most folders beside the open one that are listed.
  private static let mostBeside = 200
  /// The most archives that are listed.
  private static let mostArchives = 1000

  /// Returns the archives in a folder, or beside an archive.
  private nonisolated static func archives(
    around folder: FilePath, _ service: any PlaceServiceProtocol
  ) async -> [FilePath] {
    guard folder.isNamedAsArchive else { return await service.archives(in: folder) }
    return await service.archives(in: folder.folder).filter { $0 != folder }
  }

  /// Returns the first folder, which is the working one, and those of the others that are there.
  private static func existing(_ folders: [FilePath], _ service: any PlaceServiceProtocol) async -> [FilePath] {
    var existing = Array(folders.prefix(1))
    for folder in folders.dropFirst() where await service.folders(in: folder.folder).contains(folder) {
      existing.append(folder)
    }
    return existing
  }

  private func listed(folders: [FilePath], archives: [FilePath] = [], beside: [FilePath] = []) -> [Entry] {
    func entries(_ folders: some Sequence<FilePath>, _ kind: Entry.Kind) -> [Entry] {
      folders.map { Entry(place: Place(folder: $0), kind: kind) }
    }
    let isOpen = folder != nil
    var listed = isOpen ? entries(folders, .folder) : []
    listed += entries(archives.prefix(Self.mostArchives), .archive)
    listed += entries(beside.filter { $0 != folder }.prefix(Self.mostBeside), .beside)
    if let parent = folder?.folder, parent != folder { listed.insert(contentsOf: entries([parent], .parent), at: 0) }
    listed += currentParts.map { Entry(place: $0.place, kind: .part, photoCount: $0.photoCount, cover: $0.cover) }
    let open = [current].compactMap(\.self)
    listed += named.filter { !open.contains($0) }.map { Entry(place: $0, kind: .named) }
    let near = Set(listed.map(\.place) + open)
    listed += recent.filter { !near.contains($0) }.map { Entry(place: $0, kind: .recent) }
    if !isOpen {
      let known = Set(listed.map(\.place))
      let all = starts.prefix(1) + folders + starts.dropFirst().filter { !folders.contains($0) }
      listed += entries(all, .start).filter { !known.contains($0.place) }
    }
    return current == bundled ? listed : listed + [Entry(place: bundled, kind: .bundledGallery)]
  }

  /// Lists the folders that a typed path goes on to, such as `~/Pic`, before the others. It begins in the open folder.
  public func type(_ text: String) {
    typing?.cancel()
    typed = []
    guard text.contains("/"), let base = folder ?? starts.first else { return }
    let path = TypedPath(text, in: base, home: .home)
    typing = Task.onMainActor { [weak self, service] in
      let found = await service.folders(in: path.folder).filter(path.goesOn)
      // A folder without others in it is one, too.
      let beside = path.start.isEmpty ? await service.folders(in: path.folder.folder) : []
      let isWhole = beside.contains(path.folder)
      guard let self, !Task.isCancelled else { return }
      typed =
        (isWhole ? [Entry(place: Place(folder: path.folder), kind: .typed, text: path.parent)] : [])
        + found.map { Entry(place: Place(folder: $0), kind: .typed, text: path.text(of: $0)) }
    }
  }

  /// Returns whether the user has visited other places than the bundled gallery before.
  public func hasVisited() async -> Bool { (try? await service.recentPlaces())?.isEmpty == false }

  /// Stops counting photos.
  public func endListing() { listing?.cancel() }

  /// Goes to a place.
  /// - Parameter onEnd: Called when the user is there, or stays because the place can't be opened.
  public func go(to place: Place, onEnd: @escaping () -> Void = {}) {
    move { [weak self] _ in
      await self?.onGo(place)
      onEnd()
    }
  }

  /// The place that was visited before the open one; nil if there is none.
  public var last: Place? { recent.first { $0 != current } }

  /// Goes to the place that was visited before the open one.
  public func goBack() {
    move { [weak self] _ in
      guard let self else { return }
      if last == nil { recent = (try? await service.recentPlaces()) ?? [] }
      if let last { return await onGo(last) }
      onNote(localized("No other folder was opened before."))
    }
  }

  /// Goes to the folder that contains the open one.
  public func goToParent() {
    move { [weak self] folder in
      guard let folder else {
        self?.onNote(localized("No folder is open. “Folders” lists yours."))
        return
      }
      if folder.folder == folder {
        self?.onNote(localized("This is the topmost folder."))
      } else {
        await self?.onGo(Place(folder: folder.folder))
      }
    }
  }

  /// Goes to the next folder with photos in the same parent folder, or to a previous one.
  public func go(by step: Int) {
    move { [weak self, service] folder in
      guard let folder else {
        self?.onNote(localized("No folder is open. “Folders” lists yours."))
        return
      }
      // From an archive, the next one follows without being read before.
      let isArchive = folder.isNamedAsArchive
      let all = await isArchive ? service.archives(in: folder.folder) : service.folders(in: folder.folder)
      let others = step > 0 ? all.filter { $0 > folder } : all.filter { $0 < folder }.reversed()
      for other in others {
        if !isArchive, await service.summary(of: other, upTo: 1).photoCount == 0 { continue }
        await self?.onGo(Place(folder: other))
        return
      }
      self?.onNote(step > 0 ? localized("This is the last folder.") : localized("This is the first folder."))
    }
  }

  /// Moves from the open folder. A key that comes before the last one has led to its folder goes on from there.
  private func move(_ body: @escaping @MainActor (FilePath?) async -> Void) {
    endListing()
    moving = Task.onMainActor { [weak self, before = moving] in
      await before?.value
      await body(self?.folder)
    }
  }

  /// Makes the view model of the field for a folder that photos go to from the open one.
  public func destination(from folder: FilePath) -> DestinationViewModel {
    DestinationViewModel(service: service, folder: folder, named: named, home: .home) { [weak self, service] folder in
      self?.store { try? await service.use(destination: folder) }
    }
  }

  /// Makes the view model of a field for a folder, which is not kept as one that photos go to.
  /// - Parameter named: The places that are offered first, in place of those that the user has named.
  public func folders(from folder: FilePath, named: [Place]) -> DestinationViewModel {
    DestinationViewModel(service: service, folder: folder, named: named, home: .home)
  }

  /// Waits until all changes are stored or have failed.
  public func settle() async { await storing?.value }

  private func store(_ body: @escaping @MainActor () async -> Void) {
    storing = Task.onMainActor { [before = storing] in
      await before?.value
      await body()
    }
  }
}
