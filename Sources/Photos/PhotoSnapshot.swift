import FoundationEssentials
import Gallery

/// The photos of a source as far as they have come.
public struct PhotoSnapshot: Sendable {
  public var photos: PhotoTable
  /// What the source has that is no photo, or is not known.
  public var problems = CatalogProblems()
  /// Whether the source is folders, rather than a list of photos.
  public var isOfFolder = false
  /// How far the source has been read, where that can be told.
  public var progress: Progress?
  /// Counted from 1; the last one that is here.
  public var pageNumber = 1
  public var totalPages = 1
  /// How many photos the source has, as far as it is known: on all its pages, where these are some of them.
  public var totalItems: Int
  /// Whether these are all photos that come, unless the source changes or is asked for its next page.
  public var isComplete = true
  /// Where the page after these is, in the words of the service; nil where there is none.
  public var nextPage: String?
  /// When the photos were fetched, where they are shown from what was kept since the source cannot be reached.
  public var keptSince: Date?

  public init(photos: PhotoTable = PhotoTable(), totalItems: Int? = nil) {
    self.photos = photos
    self.totalItems = totalItems ?? photos.count
  }

  /// How much of a source has been read.
  public struct Progress: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
      case photos, bytes
    }

    public var done: Int
    public var total: Int
    public var unit: Unit

    public init(done: Int, total: Int, unit: Unit) {
      (self.done, self.total, self.unit) = (done, total, unit)
    }
  }
}
