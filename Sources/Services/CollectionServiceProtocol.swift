import Gallery

/// A service that keeps collections of photos.
public protocol CollectionServiceProtocol: Sendable {
  /// Returns the collections in the order of their names.
  func collections() async throws(APIError) -> [PhotoCollection]

  /// Returns the files of a collection in their order, or nil if there is no such collection.
  func files(of collection: String) async throws(APIError) -> [FilePath]?

  /// Changes a collection, which is created if there is none.
  func make(_ edit: CollectionEdit) async throws(APIError)

  /// Gives a collection another name.
  ///
  /// - Returns: Whether that was possible. It is not if another collection has the name.
  func rename(_ collection: String, to name: String) async throws(APIError) -> Bool

  /// Deletes a collection. Its photos stay where they are.
  func delete(_ collection: String) async throws(APIError)

  /// Takes note that files have got other paths, in the order in which they have.
  func follow(_ moves: [MovedFile]) async throws(APIError)

  /// Returns a stream with an element for each change of a collection from now on. Several changes at once may be one element.
  func changes() -> AsyncStream<Void>
}
