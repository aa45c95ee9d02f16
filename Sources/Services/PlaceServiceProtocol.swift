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
  /// - Returns: The order in which its photos were last sorted, as ``PlaceServiceProtocol/setOrder(_:of:)`` got it; nil if they
  ///   were not.
  func visit(_ place: Place) async throws(APIError) -> String?

  /// Keeps the order in which the photos of a place are sorted.
  func setOrder(_ order: String, of place: Place) async throws(APIError)

  /// Returns the folders to which photos were moved or copied, the last one first; at most ten.
  func recentDestinations() async throws(APIError) -> [FilePath]

  /// Takes note that photos are moved or copied to a folder.
  func use(destination: FilePath) async throws(APIError)
}
