import Foundation
import Gallery
import HTTP
import Sidecars

/// A WebDAV server (RFC 4918), such as Nextcloud's.
struct WebDAVServer: FileServer {
  let address: FileServerAddress
  let server: NamedServer
  let requests: CachedRequests

  /// The properties that are asked for.
  private static let body = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>
    """.utf8)

  func request(for part: FileListPart) -> HTTPRequest {
    let folder = part.folder
    // Servers redirect from a folder's name without a slash, which not all clients may follow.
    var request = request(folder == "/" ? folder : folder.appending([]))
    request.method = .propertyFind
    request.headers["Depth"] = "1"
    request.headers["Content-Type"] = "application/xml"
    request.body = Self.body
    return request
  }

  func fileList(_ page: WebPage, of part: FileListPart) throws(APIError) -> FileList {
    list(of: try entries(page, in: part.folder))
  }

  func start(of body: PageBody, of part: FileListPart) -> FileList? {
    guard let document = Self.completed(body.prefix(body.size)),
      let root = try? XMLReader.root(of: document, limits: .list)
    else { return nil }
    return list(of: root.children.compactMap { entry($0, in: part.folder) })
  }

  /// Returns the start of an answer up to its last whole entry, with the end that makes it a document.
  private static func completed(_ bytes: [UInt8]) -> [UInt8]? {
    let end = Array("response>".utf8)
    var place = bytes.count
    while let last = bytes[..<place].lastIndex(of: UInt8(ascii: ">")) {
      place = last
      // The name has the prefix of its namespace before it: `</D:response>`.
      guard bytes[...last].suffix(end.count) == end[...],
        let start = bytes[..<last].lastIndex(of: UInt8(ascii: "<")), bytes[start + 1] == UInt8(ascii: "/")
      else { continue }
      return bytes[...last] + bytes[start...(last - end.count)] + Array("multistatus>".utf8)
    }
    return nil
  }

  private func list(of found: [Entry]) -> FileList {
    var list = FileList()
    list.files = found.compactMap(\.file)
    list.further = found.filter { $0.file == nil && $0.path.name.first != UInt8(ascii: ".") }
      .map { FileListPart(folder: $0.path) }
    return list
  }

  func folders(in folder: FilePath) async throws(APIError) -> [FilePath] {
    let found = try await requests.answer(to: request(for: FileListPart(folder: folder))) { page throws(APIError) in
      try entries(page, in: folder)
    }
    return found.answer.filter { $0.file == nil }.map(\.path)
  }

  /// A file or a folder in a folder.
  private struct Entry {
    let path: FilePath
    /// The file, or nil for a folder.
    let file: ServerFile?
  }

  private func entries(_ page: WebPage, in folder: FilePath) throws(APIError) -> [Entry] {
    try root(of: page, named: "multistatus").children.compactMap { entry($0, in: folder) }
  }

  /// Returns the entry of a `response`, or nil for the folder itself and for what is not directly in it.
  private func entry(_ response: XMLElement, in folder: FilePath) -> Entry? {
    guard let reference = response["href"]?.characters.trimmingCharacters(in: .whitespacesAndNewlines),
      let web = HTTPAddress(address.base + "/")?.resolving(reference)?.text,
      // A proxy may have given the server another name than it knows.
      let path = Self.path(ofWeb: web), path.count > 1
    else { return nil }
    let whole = FilePath(path.last == UInt8(ascii: "/") ? Array(path.dropLast()) : path)
    guard whole.folder == folder, !whole.name.isEmpty else { return nil }
    var values: [String: XMLElement] = [:]
    for status in response.children where status.name.local == "propstat" {
      guard status["status"]?.characters.contains(" 200") != false else { continue }
      for value in status["prop"]?.children ?? [] { values[value.name.local] = value }
    }
    if values["resourcetype"]?["collection"] != nil { return Entry(path: whole, file: nil) }
    let file = ServerFile(
      path: whole, size: values["getcontentlength"].flatMap { Int($0.characters) } ?? 0,
      seconds: values["getlastmodified"].flatMap { HTTPDate.seconds($0.characters) } ?? 0,
      tag: values["getetag"]?.characters)
    return Entry(path: whole, file: file)
  }

  private static func path(ofWeb address: String) -> [UInt8]? {
    guard let scheme = address.range(of: "://"), let slash = address[scheme.upperBound...].firstIndex(of: "/") else {
      return nil
    }
    return address[slash...].removingPercentEncodingBytes
  }
}

extension XMLElement {
  /// The first child of a name.
  subscript(name: String) -> XMLElement? { children.first { $0.name.local == name } }
}
