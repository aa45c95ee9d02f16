import Gallery
import Services

/// The folders of this machine and of others as places to go to.
///
/// A folder of another machine is listed by that, if there is a connection. What was visited before is kept here.
public struct RemotePlaces: PlaceServiceProtocol {
  private let here: any PlaceServiceProtocol
  private let connection: @Sendable (_ machine: String) async -> RemoteConnection?

  /// Creates the service.
  /// - Parameters:
  ///   - here: The service for this machine's folders.
  ///   - connection: Returns the connection to a machine, or nil if there is none.
  public init(
    here: any PlaceServiceProtocol, connection: @escaping @Sendable (_ machine: String) async -> RemoteConnection?
  ) {
    self.here = here
    self.connection = connection
  }

  public func folders(in folder: FilePath) async -> [FilePath] {
    if let paths = await paths(in: folder, archives: false) { return paths }
    return await here.folders(in: folder)
  }

  public func archives(in folder: FilePath) async -> [FilePath] {
    if let paths = await paths(in: folder, archives: true) { return paths }
    return await here.archives(in: folder)
  }

  private func paths(in folder: FilePath, archives: Bool) async -> [FilePath]? {
    guard let (machine, path) = folder.remote else { return nil }
    guard let connection = await connection(machine), connection.isConnected,
      case .paths(let paths)? = try? await connection.call(.list(path, archives: archives))
    else { return [] }
    return paths.map { FilePath($0, on: machine) }
  }

  public func summary(of folder: FilePath, upTo limit: Int) async -> FolderSummary {
    guard let (machine, path) = folder.remote else { return await here.summary(of: folder, upTo: limit) }
    var summary = FolderSummary()
    guard let connection = await connection(machine), connection.isConnected,
      case .summary(let count, let cover)? = try? await connection.call(.summarize(path, upTo: limit))
    else { return summary }
    summary.photoCount = count
    summary.cover = cover.map { .file(FilePath($0, on: machine)) }
    return summary
  }

  public func recentPlaces() async throws(APIError) -> [Place] { try await here.recentPlaces() }

  public func visit(_ place: Place) async throws(APIError) -> PlaceState { try await here.visit(place) }

  public func setOrder(_ order: String, of place: Place) async throws(APIError) {
    try await here.setOrder(order, of: place)
  }

  public func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {
    try await here.setPhoto(photo, of: place)
  }

  public func recentDestinations() async throws(APIError) -> [FilePath] { try await here.recentDestinations() }

  public func use(destination: FilePath) async throws(APIError) { try await here.use(destination: destination) }
}
