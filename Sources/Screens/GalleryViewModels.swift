import ViewModels

/// The view models of all rooms.
@MainActor
public struct GalleryViewModels {
  public let photos: PhotoListViewModel
  public let wall: WallViewModel
  public let prints: PrintsViewModel
  public let basket: BasketViewModel
  public let covers: CoversViewModel
  public let guestbook: GuestbookViewModel

  public init(
    photos: PhotoListViewModel, wall: WallViewModel, prints: PrintsViewModel, basket: BasketViewModel,
    covers: CoversViewModel, guestbook: GuestbookViewModel
  ) {
    self.photos = photos
    self.wall = wall
    self.prints = prints
    self.basket = basket
    self.covers = covers
    self.guestbook = guestbook
  }
}
