import Gallery
import Photos

/// An incremental reader of photos, which accepts the bytes of a source in pieces of any size.
public protocol PhotoReader {
  /// The photos that have been flushed.
  var photos: PhotoTable { get }
  /// The problems found so far.
  var problems: CatalogProblems { get }
  /// The number of the page that the source contains, or nil if the source does not say.
  var pageNumber: Int? { get }
  /// The number of all pages, or nil if the source does not say.
  var totalPages: Int? { get }
  /// The number of photos on all pages, or nil if the source does not say.
  var totalItems: Int? { get }
  /// Whether the dates of the photos are those of their files.
  var hasFileDates: Bool { get }
  /// The number of photos that have been read but not flushed.
  var unflushed: Int { get }

  /// Reads the next bytes of the source.
  mutating func feed(_ bytes: UnsafeRawBufferPointer)
  /// Moves all photos that have been read to ``photos``.
  mutating func flush()
  /// Reads the rest of the bytes and flushes. No bytes may be fed after this call.
  ///
  /// - Parameter failure: The reason why the bytes end too soon, or nil if they are complete.
  mutating func finish(failure: ReadingFault?)
}

extension PhotoReader {
  public var hasFileDates: Bool { false }
}
