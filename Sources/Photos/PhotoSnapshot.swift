import FoundationEssentials
import Gallery

/// The photos that have been fetched from a source so far.
public struct PhotoSnapshot: Sendable {
  /// The photos in the order of the source.
  public var photos: PhotoTable
  /// The photos that consist of several files.
  public var groups: PhotoGroups {
    get { photos.groups }
    set { photos.groups = newValue }
  }
  /// The problems of the entries that could not be read as photos.
  public var problems = CatalogProblems()
  /// The capabilities of the photos' source.
  public var capabilities: SourceCapabilities = []
  /// The photo that the user named to open it in its folder, or nil for none.
  public var opened: Photo.ID?
  /// The progress of the fetch, or nil if it is unknown.
  public var progress: Progress?
  /// The number of the last page that has been fetched, counted from 1.
  public var pageNumber = 1
  /// The number of pages that the source has.
  public var totalPages = 1
  /// The number of photos on all pages of the source, or of the known photos if the source does not say.
  public var totalItems: Int
  /// Whether the fetch is complete. More photos follow only if the source changes or the next page is fetched.
  public var isComplete = true
  /// The service's reference to the next page, or nil if this is the last page.
  public var nextPage: String?
  /// The time at which the photos were fetched, if they come from the cache because the source cannot be reached.
  public var keptSince: Date?

  /// The error of the last attempt to fetch the rest, which is tried again; nil for none.
  public var retriedError: APIError?

  /// Creates a complete snapshot. Without `totalItems`, the source has as many photos as the snapshot.
  public init(photos: PhotoTable = PhotoTable(), totalItems: Int? = nil) {
    self.photos = photos
    self.totalItems = totalItems ?? photos.count
  }

  /// The part of a source that has been read.
  public struct Progress: Hashable, Sendable {
    /// The unit in which progress is measured.
    public enum Unit: Hashable, Sendable {
      case photos, bytes
    }

    /// The amount that has been read.
    public var done: Int
    /// The amount that the source has.
    public var total: Int
    /// The unit of both amounts.
    public var unit: Unit

    /// Creates a progress.
    public init(done: Int, total: Int, unit: Unit) {
      self.done = done
      self.total = total
      self.unit = unit
    }
  }
}
