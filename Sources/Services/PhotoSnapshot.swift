import Gallery

/// The photos of a source as far as they have come.
public struct PhotoSnapshot: Sendable {
  public var photos: PhotoTable
  /// What the source has that is no photo.
  public var problems: CatalogueProblems
  /// Counted from 1.
  public var pageNumber: Int
  public var totalPages: Int
  /// How many photos the source has, as far as it is known: on all its pages, where this is one of them.
  public var totalItems: Int
  /// Whether these are all photos that come.
  public var isComplete: Bool

  public init(
    photos: PhotoTable, problems: CatalogueProblems = CatalogueProblems(), pageNumber: Int = 1, totalPages: Int = 1,
    totalItems: Int, isComplete: Bool = true
  ) {
    self.photos = photos
    self.problems = problems
    self.pageNumber = pageNumber
    self.totalPages = totalPages
    self.totalItems = totalItems
    self.isComplete = isComplete
  }
}
