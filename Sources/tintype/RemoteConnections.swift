import Configuration
import Foundation
import Gallery
import Images
import Photos
import Remote
import Resources
import Screens
import Synchronization
import WorkerPool

/// The connections to other machines that are open.
@MainActor
enum RemoteConnections {
  /// The connections, each with the source that it serves.
  private(set) static var all: [(connection: RemoteConnection, opened: RemoteOpened)] = []

  /// Connects to a machine, or returns the connection that is open.
  ///
  /// - Parameters:
  ///   - fetchesPhotos: Whether the photos are wanted at once.
  ///   - asks: Whether ssh may ask questions in the terminal.
  static func open(
    _ address: RemoteAddress, _ configuration: Configuration, sidecars: SidecarNames? = nil,
    fetchesPhotos: Bool = true, asks: Bool
  ) async throws(APIError) -> RemoteConnection {
    if let known = all.first(where: { $0.connection.address == address }) { return known.connection }
    let opening = RemoteOpening(
      path: address.path, editedEndings: configuration.editedEndings,
      usesShortNames: (sidecars ?? configuration.sidecars) == .short,
      language: configuration.settings.language ?? "en")
    let connection = RemoteConnection(
      address, opening: opening, fetchesPhotos: fetchesPhotos, installCommand: installCommand(address),
      clock: WorkerPoolClock())
    do throws(RemoteFault) {
      let opened = try await connection.open(asks: asks)
      all.append((connection, opened))
      return connection
    } catch { throw .remote(error) }
  }

  /// Connects to the machine of a source; returns nil for a source of this machine.
  static func open(
    _ source: GallerySource, _ configuration: Configuration, sidecars: SidecarNames? = nil, asks: Bool
  ) async throws(APIError) -> RemoteConnection? {
    guard case .remote(let address) = source else { return nil }
    return try await open(address, configuration, sidecars: sidecars, asks: asks)
  }

  /// Returns a connection to a machine, or nil if there is none.
  static func connection(to machine: String) -> RemoteConnection? {
    all.last { $0.connection.address.machine == machine }?.connection
  }

  /// Returns the folder that is open at an address, or nil if there is no connection.
  static func folder(of address: RemoteAddress) -> FilePath? {
    opened(at: address).map { FilePath($0.root, on: address.machine) }
  }

  /// Returns what is open at an address, or nil if there is no connection.
  static func opened(at address: RemoteAddress) -> RemoteOpened? {
    all.first { $0.connection.address == address }?.opened
  }

  /// Ends what can't be reached, now or later, so that the program can end. What was decided is in the journal here.
  static func endWithNextOutage() {
    for (connection, _) in all { connection.endWithNextOutage() }
  }

  /// The line of the shell that copies this program to another machine.
  private static func installCommand(_ address: RemoteAddress) -> String {
    let folder = FilePath(Resources.executable).folder
    let isInstalled = folder.name.elementsEqual("bin".utf8)
    let place = (isInstalled ? folder.folder : folder).printable
    let files =
      isInstalled
      ? "bin/tintype libexec/tintype share/tintype-gallery"
      : "tintype tintype-pictures tintype_Resources.resources $(cd \(place); ls libtintype-*.so)"
    let target = isInstalled ? ".local" : ".local/bin"
    return "tar -C \(place) -cz \(files) | ssh \((address.sshOptions + [address.sshHost]).joined(separator: " ")) "
      + "'mkdir -p \(target) && tar -C \(target) -xz'"
  }
}
