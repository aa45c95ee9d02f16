import Catalog
import Foundation
import Gallery
import HTTP
import Sidecars

/// A bucket of an S3-compatible server (Amazon S3 API Reference, "ListObjectsV2"). What is before the last slash of an object's key
/// is its folder.
struct S3Server: FileServer {
  let address: FileServerAddress
  let server: NamedServer
  let requests: CachedRequests

  /// The number of keys on the first page, which is small so that the first photos appear quickly, and on each other one, which is the most
  /// that servers allow.
  private static let (firstPage, furtherPage) = (200, 1000)

  func request(for part: FileListPart) -> HTTPRequest {
    let start = part.start.map { [("start-after", $0)] } ?? []
    return request(
      [("prefix", Self.prefix(of: part.folder))] + start, count: start.isEmpty ? Self.firstPage : Self.furtherPage)
  }

  func fileList(_ page: WebPage, of part: FileListPart) throws(APIError) -> FileList {
    let root = try listing(in: page)
    let isEncoded = Self.isEncoded(root)
    let contents = root.children.filter { $0.name.local == "Contents" }
    var list = FileList()
    list.files = contents.compactMap { Self.file($0, isEncoded: isEncoded) }
    // A token of the server would be another one each time, so that no cached page follows. Keys only get larger.
    let last = contents.last.flatMap { Self.text($0["Key"], isEncoded: isEncoded) }
    if root["IsTruncated"]?.characters == "true", let last, part.isBefore(last) {
      list.further = [FileListPart(folder: part.folder, start: last)]
    }
    return list
  }

  func folders(in folder: FilePath) async throws(APIError) -> [FilePath] {
    let fields = [("delimiter", "/"), ("prefix", Self.prefix(of: folder))]
    let answer = try await requests.answer(to: request(fields)) { page throws(APIError) -> XMLElement in
      try listing(in: page)
    }
    let isEncoded = Self.isEncoded(answer.answer)
    return answer.answer.children.filter { $0.name.local == "CommonPrefixes" }
      .compactMap { Self.text($0["Prefix"], isEncoded: isEncoded) }
      .map { FilePath("/" + ($0.hasSuffix("/") ? String($0.dropLast()) : $0)) }
  }

  /// Whether the names in a list are encoded as the values of a form are. Names may have characters that XML has not.
  private static func isEncoded(_ list: XMLElement) -> Bool { list["EncodingType"]?.characters == "url" }

  private static func text(_ element: XMLElement?, isEncoded: Bool) -> String? {
    guard let text = element?.characters, isEncoded else { return element?.characters }
    return text.replacing("+", with: " ").removingPercentEncodingBytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The start of the keys of a folder.
  private static func prefix(of folder: FilePath) -> String {
    folder == "/" ? "" : String(decoding: folder.bytes.dropFirst(), as: UTF8.self) + "/"
  }

  private static func file(_ contents: XMLElement, isEncoded: Bool) -> ServerFile? {
    // No path contains a zero byte.
    guard let key = text(contents["Key"], isEncoded: isEncoded), !key.isEmpty, !key.hasSuffix("/"),
      !key.utf8.contains(0)
    else { return nil }
    let path = FilePath("/" + key)
    // Such a key has no address: what resolves one would take the dots for folders.
    let names = key.split(separator: "/", omittingEmptySubsequences: false)
    if names.contains(where: { ["", ".", ".."].contains($0) }) { return nil }
    return ServerFile(
      path: path, size: contents["Size"].flatMap { Int($0.characters) } ?? 0,
      seconds: contents["LastModified"].flatMap { Timestamp($0.characters) }.map { Int($0.seconds) } ?? 0,
      tag: contents["ETag"]?.characters)
  }

  /// - Parameter count: The most keys in the answer.
  private func request(_ fields: [(name: String, value: String)], count: Int = furtherPage) -> HTTPRequest {
    let all = [("encoding-type", "url"), ("list-type", "2"), ("max-keys", "\(count)")] + fields
    // The signature is of the fields in the order of their names.
    let query = all.sorted { $0.name < $1.name }.map { "\($0.name)=\(FileServerAddress.encoded($0.value))" }
    return request("/", query: query.joined(separator: "&"))
  }

  private func listing(in page: WebPage) throws(APIError) -> XMLElement {
    try root(of: page, named: "ListBucketResult")
  }
}
