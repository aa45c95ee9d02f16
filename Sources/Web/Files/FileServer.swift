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

  var requests: CachedRequests { get }

  /// Returns the request for a part of a list.
  func request(for part: FileListPart) -> HTTPRequest

  /// Reads the answer to the request for a part.
  func fileList(_ page: WebPage, of part: FileListPart) throws(APIError) -> FileList

  /// Reads the start of a long answer to the request for a part; nil if nothing can be said of it before its end.
  func start(of body: PageBody, of part: FileListPart) -> FileList?

  /// Returns the folders in a folder.
  func folders(in folder: FilePath) async throws(APIError) -> [FilePath]
}

/// A part of a list of files, which takes one request.
struct FileListPart: Hashable, Sendable {
  let folder: FilePath
  /// The name behind which the part starts, in a list that the server sends in pages; nil for the first page.
  var start: String?

  /// Indicates whether a name follows the start of this part.
  func isBefore(_ name: String) -> Bool {
    start.map { $0.utf8.lexicographicallyPrecedes(name.utf8) } ?? true
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
  ///   - tag: The entity tag, which differs between versions (RFC 9110, section 8.8.3). Servers give times in whole seconds, so the
  ///     nanoseconds of the stamp are made of the tag.
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
  /// Lists a part of the files in a folder and below it.
  ///
  /// - Parameters:
  ///   - isAway: Whether the server has just not been reached, so that a cached answer is taken without asking.
  ///   - onStart: Called on another thread with what the start of a long answer says.
  ///   - onRetry: Called with the error of a try before the next one.
  func list(
    _ part: FileListPart, isAway: Bool = false, onStart: @escaping @Sendable (FileList) -> Void = { _ in },
    onRetry: @Sendable (APIError) -> Void = { _ in }
  ) async throws(APIError) -> FileList {
    let (found, keptSince) = try await requests.answer(
      to: request(for: part), isAway: isAway, onStart: { start(of: $0, of: part).map(onStart) }, onRetry: onRetry,
      decode: { page throws(APIError) in try fileList(page, of: part) })
    var list = found
    list.keptSince = keptSince
    return list
  }

  /// Returns a part of the list as it was last time, or nil if it is not in the cache.
  func keptList(_ part: FileListPart) -> FileList? {
    requests.kept(request(for: part)) { page throws(APIError) in try fileList(page, of: part) }?.answer
  }

  func start(of body: PageBody, of part: FileListPart) -> FileList? { nil }

  /// Returns the root element of an answer in XML.
  func root(of page: WebPage, named name: String) throws(APIError) -> XMLElement {
    let bytes = page.body.prefix(page.body.size)
    if let root = try? XMLReader.root(of: bytes, limits: .list), root.name.local == name { return root }
    let isPage = String(decoding: bytes.prefix(WebMarkup.longestLead), as: UTF8.self).lowercased().contains("<html")
    throw .serverFault(server: address.host, isPage ? .webPage(insteadOf: .catalog) : .unreadable(.notAFileList))
  }

  /// Returns a request for a file, or for a list of the server if the query names one.
  func request(_ path: FilePath, query: String = "") -> HTTPRequest {
    server.request(address.web(path) + (query.isEmpty ? "" : "?\(query)"))
  }
}
