import Gallery

/// A service that knows the folders around a source, and the sources that were visited before.
public protocol PlaceServiceProtocol: Sendable {
  /// Returns the folders in a folder, in the order of their names. Hidden ones are left out.
  func folders(in folder: FilePath) async -> [FilePath]

  /// Returns the archives in a folder, in the order of their names. Hidden ones are left out.
  func archives(in folder: FilePath) async -> [FilePath]

  /// Returns what is in a folder and in those below it. Counts no further than `limit`.
  func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary

  /// Returns the places that were visited before, the last one first.
  func recentPlaces() async throws(APIError) -> [Place]

  /// Takes note that the user visits a place.
  ///
  /// - Returns: How the user has left it, as ``setOrder(_:of:)`` and ``setPhoto(_:of:)`` got it.
  func visit(_ place: Place) async throws(APIError) -> PlaceState

  /// Keeps the order in which the photos of a place are sorted.
  func setOrder(_ order: String, of place: Place) async throws(APIError)

  /// Keeps the photo that is highlighted in a place; nil for the first one.
  func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError)

  /// Returns the folders to which photos were moved or copied, the last one first; at most ten.
  func recentDestinations() async throws(APIError) -> [FilePath]

  /// Takes note that photos are moved or copied to a folder.
  func use(destination: FilePath) async throws(APIError)
}
