import Foundation
import Gallery
import HTTP
import Sidecars
import Store

/// A server that keeps files in folders, whatever its protocol.
///
/// The paths are absolute on the server, in decoded form: `/Photos/My trip/a.jpg`.
protocol FileServer: Sendable {
  var address: FileServerAddress { get }
  /// The server, which alone gets the password or the signature.
  var server: NamedServer { get }

  /// Lists a part of what is in a folder and below it.
  ///
  /// - Parameters:
  ///   - isAway: Whether the server has just not been reached, so that a cached answer is taken without asking.
  ///   - onRetry: Called with the error of a try before the next one.
  func list(
    _ part: FileListPart, isAway: Bool, onRetry: @Sendable (APIError) -> Void
  ) async throws(APIError) -> FileList

  /// Returns the folders in a folder.
  func folders(in folder: FilePath) async throws(APIError) -> [FilePath]
}

/// A part of a list of files, which takes one request.
enum FileListPart: Hashable, Sendable {
  /// A folder.
  case folder(FilePath)
  /// What follows after a name in a list that the server sends by pages.
  case rest(token: String)

  /// Whether a name is after the start of the part.
  func isBefore(_ name: String) -> Bool {
    if case .rest(let start) = self { start.utf8.lexicographicallyPrecedes(name.utf8) } else { true }
  }
}

/// An answer of a server that lists files.
struct FileList: Sendable {
  var files: [ServerFile] = []
  /// The parts that are to be listed, too.
  var further: [FileListPart] = []
  /// The time of the answer if it comes from the cache.
  var keptSince: Date?
}

/// A file on a server.
struct ServerFile: Hashable, Sendable {
  var path: FilePath
  /// The size and the time of the last change, which differ if the file has changed.
  var stamp: PhotoIndex.Stamp

  /// Creates a file.
  /// - Parameters:
  ///   - size: The size in bytes.
  ///   - seconds: The time of the last change, in seconds since 1970.
  ///   - tag: What the server says to tell versions apart (RFC 9110, section 8.8.3). Times are in whole seconds, so the part below is
  ///     taken for it.
  init(path: FilePath, size: Int, seconds: Int, tag: String?) {
    self.path = path
    let mark = (tag ?? "").utf8.reduce(into: UInt64(14_695_981_039_346_656_037)) { hash, byte in
      hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }
    let (size, seconds) = (min(max(0, size), 1 << 42), min(max(0, seconds), 253_402_300_799))
    stamp = PhotoIndex.Stamp(
      size: size, modifiedAt: seconds % 9_000_000_000 * 1_000_000_000 + Int(mark % 1_000_000_000))
  }
}

extension FileServer {
  /// Returns the root element of an answer in XML.
  func root(of page: WebPage, named name: String) throws(APIError) -> XMLElement {
    let bytes = page.body.prefix(page.body.size)
    if let root = try? XMLReader.root(of: bytes, limits: .list), root.name.local == name { return root }
    let isPage = String(decoding: bytes.prefix(WebMarkup.longestLead), as: UTF8.self).lowercased().contains("<html")
    throw .serverFault(server: address.host, isPage ? .webPage(insteadOf: .catalog) : .unreadable(.notAFileList))
  }

  /// Returns a request for a file, or for what else is said about it.
  func request(_ path: FilePath, query: String = "") -> HTTPRequest {
    server.request(address.web(path) + (query.isEmpty ? "" : "?\(query)"))
  }
}
