import Gallery
import Services

/// A disk without folders, of which one was used last.
struct FakePlaces: PlaceServiceProtocol {
  func folders(in folder: FilePath) async -> [FilePath] { [] }
  func archives(in _: FilePath) async -> [FilePath] { [] }
  func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary { FolderSummary() }
  func recentPlaces() async throws(APIError) -> [Place] { [] }
  func visit(_ place: Place) async throws(APIError) -> PlaceState { PlaceState() }
  func setOrder(_ order: String, of place: Place) async throws(APIError) {}
  func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {}
  func recentDestinations() async throws(APIError) -> [FilePath] { ["/used"] }
  func use(destination: FilePath) async throws(APIError) {}
}
