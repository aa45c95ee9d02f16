import Gallery
import HTTP
import Services
import Sidecars
import WorkerPool

/// The photos of a server that keeps files, for steps: decisions are in sidecars next to them.
public struct FilePhotoServer: PhotoServerProtocol {
  private let server: any FileServer
  private let client: HTTPClient
  private let usesShortNames: Bool
  private let clock: any Clock<Duration>

  /// The number of attempts to write a sidecar that another program keeps changing.
  private static let mostAttempts = 4

  /// Creates the service.
  /// - Parameters:
  ///   - usesShortNames: Whether a new sidecar is called `a.xmp` instead of `a.jpg.xmp`.
  ///   - clock: The clock by which the service waits until a server can tell versions of a file apart.
  public init(_ access: FileServerAccess, usesShortNames: Bool, clock: any Clock<Duration> = WorkerPoolClock()) {
    server = access.server
    client = access.client
    self.usesShortNames = usesShortNames
    self.clock = clock
  }

  public func has(_ photo: ImageLocation) -> Bool { path(of: photo) != nil }

  private func path(of photo: ImageLocation) -> FilePath? {
    guard case .web(let image) = photo else { return nil }
    return server.address.path(ofImage: image)
  }

  public func change(
    _ photo: ImageLocation, by edits: DecisionEdits, from former: PhotoDecisions
  ) async throws(PhotoServerFault) {
    guard let path = path(of: photo) else { throw .missing }
    for _ in 0..<Self.mostAttempts {
      let sidecar = try await sidecar(of: path)
      guard let request = try request(changing: sidecar, by: edits, from: former) else { return }
      // No sidecar is created for a photo that is gone.
      if sidecar.content == nil { try await find(path) }
      do throws(HTTPError) {
        _ = try await client.send(request)
        return
      } catch {
        // The sidecar was changed, created or deleted since it was read.
        guard case .refused(_, let status, _) = error, [404, 409, 412].contains(status) else {
          throw PhotoServerFault(error)
        }
      }
    }
    throw .refused(.serverFault(server: server.address.host, .status(412, reason: nil)))
  }

  private func sidecar(of photo: FilePath) async throws(PhotoServerFault) -> SidecarOnServer {
    do throws(HTTPError) {
      var sidecar = try await SidecarOnServer(of: photo, on: server, client, usesShortNames: usesShortNames)
      for _ in 1..<Self.mostAttempts where sidecar.isTooNew {
        // Apache gives a strong tag a second after a change. A time in the future would be waited for without end.
        do { try await clock.sleep(for: .milliseconds(1100)) } catch { throw HTTPError.cancelled }
        sidecar = try await SidecarOnServer(of: photo, on: server, client, usesShortNames: usesShortNames)
      }
      return sidecar
    } catch {
      throw PhotoServerFault(error)
    }
  }

  /// Returns the request that changes a sidecar, or nil if it says already what is wanted.
  private func request(
    changing sidecar: SidecarOnServer, by edits: DecisionEdits, from former: PhotoDecisions
  ) throws(PhotoServerFault) -> HTTPRequest? {
    if !sidecar.mayBeWritten { throw .refused(.serverFault(server: server.address.host, .noVersions)) }
    let current = try decisions(of: sidecar)
    for decision in edits.changed {
      // Without a value in the sidecar, the one of the photo's own file was shown.
      guard let now = current[decision], now != edits[decision].value ?? nil else { continue }
      guard now == former[decision] else { throw .conflict(current) }
    }
    do throws(SidecarFault) {
      switch try Sidecars().change(sidecar.content, by: edits) {
      case .none: return nil
      case .content(let content): return sidecar.request(writing: content, on: server)
      case .deletion: return sidecar.request(writing: nil, on: server)
      }
    } catch {
      throw damaged(sidecar)
    }
  }

  private func decisions(of sidecar: SidecarOnServer) throws(PhotoServerFault) -> PhotoDecisions {
    guard let content = sidecar.content else { return PhotoDecisions() }
    do throws(SidecarFault) { return try Sidecars.decisions(in: content) } catch { throw damaged(sidecar) }
  }

  private func damaged(_ sidecar: SidecarOnServer) -> PhotoServerFault {
    // A network that requires a login answers with its page.
    let start = String(decoding: (sidecar.content ?? []).prefix(WebMarkup.longestLead), as: UTF8.self).lowercased()
    if start.contains("<html") {
      return .outage(.serverFault(server: server.address.host, .webPage(insteadOf: .catalog)))
    }
    return .refused(.unreadableContent(source: sidecar.path.printableName, .notXMP))
  }

  /// Checks that a photo is there.
  private func find(_ photo: FilePath) async throws(PhotoServerFault) {
    var request = server.request(photo)
    request.prefix = 1
    request.mayBeTriedAgain = false
    do throws(HTTPError) { _ = try await client.send(request) } catch {
      // No part of an empty file can be sent.
      if case .refused(_, 416, _) = error { return }
      guard case .refused(_, let status, _) = error, [404, 410].contains(status) else { throw PhotoServerFault(error) }
      // A proxy or a disk that is missing there may have said so. The folder is asked, too.
      do throws(APIError) { _ = try await server.folders(in: photo.folder) } catch { throw .outage(error) }
      throw .missing
    }
  }

  private func send(_ request: HTTPRequest) async throws(PhotoServerFault) {
    do throws(HTTPError) { _ = try await client.send(request) } catch { throw PhotoServerFault(error) }
  }

  public func download(_ photo: ImageLocation, to descriptor: Int32) async throws(PhotoServerFault) {
    guard let path = path(of: photo) else { throw .missing }
    var request = server.request(path)
    request.destination = .file(descriptor: descriptor)
    // The user has asked for the file, however large it is.
    request.sizeLimit = .max
    request.mayBeTriedAgain = false
    try await send(request)
  }
}

extension PhotoServerFault {
  fileprivate init(_ error: HTTPError) {
    switch error {
    case .refused(_, 404, _), .refused(_, 410, _): self = .missing
    // Later it would be no different. A wrong or outdated key (400, 403 for S3), a lock or a full disk would.
    case .refused(_, let status, _) where [405, 413, 415, 501].contains(status): self = .refused(APIError(error))
    case .unwritable, .bodyTooLarge: self = .refused(APIError(error))
    default: self = .outage(APIError(error))
    }
  }
}
