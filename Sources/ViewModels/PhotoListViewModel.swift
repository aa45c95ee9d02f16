import Gallery
import Services

/// The list of photos: fetches them, turns them into rows, and decides what a press on one does.
///
/// Bound by closure hooks. A hook says that something changed and what for; what is shown is read from the properties.
@MainActor
public final class PhotoListViewModel {
  public enum State: Hashable, Sendable {
    case idle, loading, loaded
    case failed(APIError)
  }

  /// Called when ``rows`` have changed.
  public var onReload: () -> Void = {}
  /// Called with what the person must be told.
  public var onAlert: (Alert) -> Void = { _ in }
  /// Called with whether photos are being fetched, whenever that changes.
  public var onLoading: (Bool) -> Void = { _ in }
  /// Called with the photo to be shown in full.
  public var onOpen: (Photo) -> Void = { _ in }

  public private(set) var state = State.idle {
    didSet {
      if isLoading != (oldValue == .loading) { onLoading(isLoading) }
    }
  }
  public private(set) var rows: [PhotoRow] = [] {
    didSet { onReload() }
  }
  /// The photo that was pressed and opened last; nil once another is refused.
  public private(set) var selectedPhoto: Photo?
  /// How many photos the source has, on all its pages.
  public private(set) var totalItems = 0

  private let service: any APIServiceProtocol
  private let calendar: PersonsCalendar
  private var photos: [Photo] = []
  /// Counts the fetches, so that the answer to an abandoned one is known for what it is.
  private var generation = 0
  private var stateBeforeFetch = State.idle
  private(set) var fetching: Task<Void, Never>?

  public init(service: any APIServiceProtocol, calendar: PersonsCalendar = .system) {
    self.service = service
    self.calendar = calendar
  }

  deinit {
    fetching?.cancel()
  }

  public var isLoading: Bool { state == .loading }

  /// Fetches the photos, anew if there are some. Does nothing while a fetch is under way.
  public func fetch() {
    guard !isLoading else { return }
    generation += 1
    let generation = generation
    let before = state
    state = .loading
    // The hook may have thought better of it.
    guard generation == self.generation else { return }
    stateBeforeFetch = before
    fetching = Task { [weak self, service] in
      let answer: Result<Page<Photo>, APIError>
      do throws(APIError) {
        answer = .success(try await service.fetchPopularPhotos())
      } catch {
        answer = .failure(error)
      }
      self?.receive(answer, generation: generation)
    }
  }

  /// Abandons the fetch that is under way; what was shown stays.
  public func cancelFetch() {
    guard isLoading else { return }
    generation += 1
    fetching?.cancel()
    state = stateBeforeFetch
  }

  /// Presses a row: a photo for sale is selected and opened, one that is not is refused with an alert.
  /// Where the source does not say, there is nothing to refuse.
  public func press(row: Int) {
    if let photo = photo(row: row) { press(photo) }
  }

  private func press(_ photo: Photo) {
    guard photo.isForSale != false else {
      selectedPhoto = nil
      onAlert(Alert(message: "This item is not for sale"))
      return
    }
    selectedPhoto = photo
    onOpen(photo)
  }

  /// Shows a row's photo in full, for sale or not.
  public func view(row: Int) {
    if let photo = photo(row: row) { onOpen(photo) }
  }

  public func detail(row: Int) -> PhotoDetail? {
    photo(row: row).map(detail)
  }

  public func detail(of photo: Photo) -> PhotoDetail {
    PhotoDetail(photo, calendar: calendar)
  }

  /// The row of the photo with this id.
  public func row(of id: Photo.ID) -> Int? {
    photos.firstIndex { $0.id == id }
  }

  public func photo(row: Int) -> Photo? {
    photos.indices.contains(row) ? photos[row] : nil
  }

  private func receive(_ answer: Result<Page<Photo>, APIError>, generation: Int) {
    guard generation == self.generation else { return }
    switch answer {
    case .success(let page):
      photos = page.items
      totalItems = page.totalItems
      selectedPhoto = nil
      rows = page.items.map { PhotoRow($0, calendar: calendar) { [weak self] in self?.press($0) } }
      state = .loaded
    case .failure(let error):
      state = .failed(error)
      onAlert(Alert(message: error.message))
    }
  }
}
