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

  func list(
    _ part: FileListPart, isAway: Bool, onRetry: @Sendable (APIError) -> Void
  ) async throws(APIError) -> FileList {
    guard case .folder(let folder) = part else { return FileList() }
    let (found, keptSince) = try await entries(of: folder, isAway: isAway, onRetry: onRetry)
    var list = FileList()
    list.files = found.compactMap(\.file)
    list.further = found.filter { $0.file == nil && $0.path.name.first != UInt8(ascii: ".") }.map { .folder($0.path) }
    list.keptSince = keptSince
    return list
  }

  func folders(in folder: FilePath) async throws(APIError) -> [FilePath] {
    try await entries(of: folder, isAway: false) { _ in }.entries.filter { $0.file == nil }.map(\.path)
  }

  /// A file or a folder in a folder.
  private struct Entry {
    let path: FilePath
    /// The file, or nil for a folder.
    let file: ServerFile?
  }

  private func entries(
    of folder: FilePath, isAway: Bool, onRetry: (APIError) -> Void
  ) async throws(APIError) -> (entries: [Entry], keptSince: Date?) {
    // Servers redirect from a folder's name without a slash, which not all clients may follow.
    var request = request(folder == "/" ? folder : folder.appending([]))
    request.method = .propertyFind
    request.headers["Depth"] = "1"
    request.headers["Content-Type"] = "application/xml"
    request.body = Self.body
    let (answer, keptSince) = try await requests.answer(to: request, isAway: isAway, onRetry: onRetry) {
      page throws(APIError) in try decode(page, folder)
    }
    return (answer, keptSince)
  }

  private func decode(_ page: WebPage, _ folder: FilePath) throws(APIError) -> [Entry] {
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

/// The dates of HTTP headers (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, or nil if it is none.
  static func seconds(_ text: String) -> Int? {
    let words = text.split { " ,".contains($0) }
    guard words.count == 6, let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
      let year = Int(words[3])
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
    let second = Double(clock[0] * 3600 + clock[1] * 60 + clock[2])
    return CalendarTime(year: year, month: month + 1, day: day, secondOfDay: second).map { Int($0.clock) }
  }
}
