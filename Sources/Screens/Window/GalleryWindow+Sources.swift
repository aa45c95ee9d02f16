import Finding
import Gallery
import Photos
import Terminal
import ViewModels
import WorkerPool

// The sources of photos. The screen of each source that was visited stays, with its marks, its search and its place in the
// list, so that the user finds all that again.
extension GalleryWindow {
  /// The number of sources that are followed at a time. Each watches its folders, for which it needs descriptors.
  private static var mostFollowed: Int { 8 }

  /// The view models of all sources that were visited.
  public var visitedSources: [PhotoChoosingViewModel] { visited.map(\.choosing) }

  /// The steps that are being written, in all sources.
  var jobs: [StepJobs.Job] { visitedSources.flatMap(\.deciding.jobs.all) }

  /// Whether a step takes so long that its progress is shown.
  public var hasLongJob: Bool { jobs.contains { $0.progress != nil } }

  /// Shows the screen of a place that was visited before.
  ///
  /// - Returns: Whether there is one.
  public func returnTo(_ place: Place) -> Bool {
    guard let index = visited.firstIndex(where: { $0.source.place == place }) else { return false }
    // The source that was visited last is followed longest.
    visited.append(visited.remove(at: index))
    show(visited[visited.count - 1])
    return true
  }

  /// Shows the photos of a source in place of the current ones.
  public func show(_ source: OpenSource, choosing: PhotoChoosingViewModel) {
    viewModels.choosing = choosing
    choosing.follow(collections)
    let room = viewModels.makeRoom(.photos, source: source, firstView: .list, host: self, context: context)
    guard let screen = room as? PhotosScreen else { return }
    // In the folder around the last one, that one's photos are looked for.
    screen.destination = (visited.last?.pane.list.highlightedRow as? PhotoRow)?.photoID
    visited.append(screen)
    arrange(screen, after: Settings())
    show(screen)
  }

  private func show(_ screen: PhotosScreen) {
    closePopups()
    keepPosition()
    room.leave()
    viewModels.choosing = screen.choosing
    showPhotos(on: screen)
    viewModels.places.arrive(at: screen.source.place, in: screen.source.folder)
    viewModels.places.prepare()
    screen.enter()
    for screen in visited.dropLast(Self.mostFollowed) { screen.pause() }
    setNeedsDisplay()
  }

  /// Shows the list of places if the user has visited some before and has not typed anything yet.
  func offerVisitedPlaces() async {
    if await viewModels.places.hasVisited(), isUntouched { openPlaces() }
  }

  /// Shows the list of places.
  func openPlaces() {
    let popup = FindPopup.places(viewModels.places, waysInSource, images: context.images, host: self)
    open(popup)
    let close = popup.onClose
    popup.onClose = { [viewModels] in
      viewModels.places.endListing()
      close()
    }
  }

  /// The calendar of the open source, the collections, and the saved searches.
  private var waysInSource: [FindPopup.Way] {
    guard let photos = rooms[0] as? PhotosScreen else { return [] }
    let goToPhotos = { [unowned self] in self.enter(room: 0) }
    let keys = [keys.keyName(of: .calendar)]
    let calendar = FindPopup.Entry(
      texts: .init(title: localized("Calendar"), words: localized("date year month day"), keys: keys),
      heading: localized("In these photos"))
    let searches = viewModels.savedSearches.all.map { search in
      FindPopup.Way(entry: .init(search, heading: localized("Saved searches"))) {
        goToPhotos()
        photos.find(search.query)
      }
    }
    let others = collections.all.map { collection in
      FindPopup.Way(entry: .init(collection, heading: localized("Collections"))) { [unowned self] in
        open(Place(collection: collection.name))
      }
    }
    if photos.viewModel.source.loadedCount == 0 { return others + searches }
    return [
      FindPopup.Way(entry: calendar) {
        goToPhotos()
        photos.openCalendar()
      }
    ] + others + searches
  }

  /// Keeps the photo that is highlighted in the open source, so that it is highlighted in the next session, too.
  public func keepPosition() {
    let screen = visited.first { $0.source.place == viewModels.places.current }
    if let screen, screen.hasPosition { viewModels.places.keep(photo: screen.position) }
  }

  func keep(order: PhotoOrder) { viewModels.places.keep(order: order.name) }

  func open(_ place: Place) { viewModels.places.go(to: place) }

  var collections: PhotoCollections { viewModels.collections }

  var exportPresets: [ExportPreset] { settings.exportPresets }

  var templates: [MetadataTemplate] { settings.templates }

  func destination(from folder: FilePath) -> DestinationViewModel { viewModels.places.destination(from: folder) }

  func destination(from folder: FilePath, named: [Place]) -> DestinationViewModel {
    viewModels.places.folders(from: folder, named: named)
  }

  func open(folder: FilePath, at photo: ImageLocation?) {
    viewModels.places.go(to: Place(folder: folder)) { [weak self] in
      guard let photo, let screen = self?.visited.last, screen.source.folder == folder else { return }
      screen.showWhenThere(photo)
    }
  }

  /// The actions that lead to other sources.
  @ActionList var placeActions: [Action] {
    Action(.places, label: viewModels.places.isInFolder ? nil : localized("Your folders")) { [self] in openPlaces() }
    Action(.lastPlace) { [self] in viewModels.places.goBack() }
    Action(.parentFolder) { [self] in viewModels.places.goToParent() }
    Action(.nextFolder) { [self] in viewModels.places.go(by: 1) }
    Action(.previousFolder) { [self] in viewModels.places.go(by: -1) }
  }
}
