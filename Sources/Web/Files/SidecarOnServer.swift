import Gallery
import HTTP
import Photos
import Services
import Sidecars

/// The sidecar of a photo on a server, as it was read last.
struct SidecarOnServer: Sendable {
  /// The largest sidecar that is read, in bytes.
  static let largest = 16 << 20

  let path: FilePath
  /// The content, or nil if there is no sidecar.
  let content: [UInt8]?
  private let validators: HTTPValidators
  /// The seconds between the last change and the answer, or nil if they are unknown.
  private let age: Int?

  /// Reads the sidecar of a photo.
  /// - Parameter usesShortNames: Whether a new sidecar is called `a.xmp` instead of `a.jpg.xmp`.
  init(
    of photo: FilePath, on server: any FileServer, _ client: HTTPClient, usesShortNames: Bool
  ) async throws(HTTPError) {
    let names = PhotoName.sidecars(of: Array(photo.name))
    for name in names {
      let path = photo.folder.appending(name)
      var request = server.request(path)
      request.mayBeTriedAgain = false
      request.sizeLimit = Self.largest
      request.mayBeCompressed = false
      do throws(HTTPError) {
        let answer = try await client.send(request)
        self.path = path
        content = answer.body
        validators = answer.validators
        let changed = validators.lastModified.flatMap(HTTPDate.seconds)
        age = changed.flatMap { changed in answer.headers["date"].flatMap(HTTPDate.seconds).map { $0 - changed } }
        return
      } catch {
        guard case .refused(_, 404, _) = error else { throw error }
      }
    }
    path = photo.folder.appending((usesShortNames ? names.last : names.first) ?? [])
    content = nil
    validators = HTTPValidators()
    age = nil
  }

  /// Whether the server has no strong tag for the sidecar, which alone tells all versions apart (RFC 9110, section 8.8.1).
  private var isOnlyTimed: Bool { content != nil && validators.entityTag?.hasPrefix("W/") != false }

  /// Whether the time of the last change could be that of another change, as it is in whole seconds.
  var isTooNew: Bool { isOnlyTimed && age.map { $0 < 2 } == true }

  /// Whether the server tells versions of the sidecar apart, so that no change of another program is overwritten.
  var mayBeWritten: Bool { content == nil || !isOnlyTimed || age != nil && !isTooNew }

  /// Returns a request that changes the sidecar, which the server refuses if another program has done so (status 412).
  /// - Parameter content: The new content, or nil to delete the sidecar.
  func request(writing content: [UInt8]?, on server: any FileServer) -> HTTPRequest {
    var request = server.request(path)
    request.method = content == nil ? .delete : .put
    request.body = content ?? []
    request.mayBeTriedAgain = false
    if content != nil { request.headers["Content-Type"] = "application/rdf+xml" }
    if self.content == nil {
      request.headers["If-None-Match"] = "*"
    } else if isOnlyTimed {
      request.headers["If-Unmodified-Since"] = validators.lastModified
    } else {
      request.headers["If-Match"] = validators.entityTag
    }
    return request
  }
}
