import Photos

/// Makes photos of the bytes of a source as they come, in pieces of any size.
public protocol PhotoReader {
  var photos: PhotoTable { get }
  var problems: CatalogProblems { get }
  /// As the source has it, which may be one page of many.
  var pageNumber: Int? { get }
  var totalPages: Int? { get }
  var totalItems: Int? { get }
  /// How many photos have been read that ``photos`` does not have before ``flush()``.
  var unflushed: Int { get }

  mutating func feed(_ bytes: UnsafeRawBufferPointer)
  /// Moves what has been read to ``photos``.
  mutating func flush()
  /// Reads what is left; nothing is fed any more.
  ///
  /// - Parameter failure: Why the bytes end here, though there should be more.
  mutating func finish(failure: String?)
}
