import ViewModels

/// The gallery's rooms, in the order of the header.
public enum RoomName: String, CaseIterable, Sendable {
  /// The rooms have the names that the command line gives them.
  case photos, wall, prints, covers, guestbook

  /// The command that enters the room.
  var command: Command {
    switch self {
    case .photos: .photosRoom
    case .wall: .wallRoom
    case .prints: .printsRoom
    case .covers: .coversRoom
    case .guestbook: .guestbookRoom
    }
  }
}

/// The view models of all rooms.
@MainActor
public struct GalleryViewModels {
  /// The view model of what the user does with the photos of the open source.
  public internal(set) var choosing: PhotoChoosingViewModel
  /// The view model of the photos' room.
  public var photos: PhotoListViewModel { choosing.list }
  /// The view model of the places that the user can go to.
  public let places: PlacesViewModel
  /// The view model of the saved searches of the photos' room.
  public let savedSearches: SavedSearches
  /// The view model of the collections.
  public let collections: PhotoCollections
  /// The view model of the wall.
  public let wall: WallViewModel
  /// The view model of the prints' room.
  public let prints: PrintsViewModel
  /// The view model of the basket, whose total every room shows.
  public let basket: BasketViewModel
  /// The view model of the covers' room.
  public let covers: CoversViewModel
  /// The view model of the guestbook, whose greeting every room shows.
  public let guestbook: GuestbookViewModel

  /// Makes the view models available to ``GalleryWindow``.
  public init(
    choosing: PhotoChoosingViewModel, places: PlacesViewModel, savedSearches: SavedSearches,
    collections: PhotoCollections, wall: WallViewModel,
    prints: PrintsViewModel,
    basket: BasketViewModel,
    covers: CoversViewModel, guestbook: GuestbookViewModel
  ) {
    self.choosing = choosing
    self.places = places
    self.savedSearches = savedSearches
    self.collections = collections
    self.wall = wall
    self.prints = prints
    self.basket = basket
    self.covers = covers
    self.guestbook = guestbook
  }

  /// Makes the screen of a room.
  /// - Parameters:
  ///   - source: The photos' source, for the header.
  ///   - firstView: The view that the photos open with.
  func makeRoom(
    _ name: RoomName, source: OpenSource, firstView: FirstView, host: any RoomHost, context: CellContext
  ) -> any Room {
    switch name {
    case .photos:
      PhotosScreen(
        viewModel: photos, choosing: choosing, savedSearches: savedSearches, source: source, firstView: firstView,
        host: host,
        context: context)
    case .wall: WallScreen(viewModel: wall, host: host, context: context)
    case .prints: PrintsScreen(viewModel: prints, basket: basket, host: host, context: context)
    case .covers: CoversScreen(viewModel: covers, host: host, context: context)
    case .guestbook: GuestbookScreen(viewModel: guestbook, host: host, context: context)
    }
  }
}
