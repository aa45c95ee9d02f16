import Foundation
import HTTP

/// Pages of catalogues on the web, kept for when they cannot be fetched.
///
/// A file is a line of JSON that says what the page is, and behind it the page as it came. The file's age is how long ago
/// the server said that this is the page.
public struct PageCache: Sendable {
  private struct Note: Codable {
    var address: String
    var link: String?
    var entityTag: String?
    var lastModified: String?
    /// SHA-256 of the page.
    var content: String
  }

  /// Nil where nothing can be kept.
  private let folder: CacheFolder?

  /// - Parameters:
  ///   - folder: An absolute path, made when it is needed; nil keeps nothing.
  ///   - budget: In bytes, for all pages; those that were fetched longest ago go first.
  public init(folder: String?, budget: Int = 256 << 20) {
    self.folder = folder.map { CacheFolder($0, budget: budget) }
  }

  /// What is kept of an answer to this request; nil where there is nothing, or it is damaged.
  func page(for request: HTTPRequest) -> WebPage? {
    guard let folder, let status = folder.status(request.cacheName),
      let data = try? Data(contentsOf: URL(filePath: folder.path(request.cacheName))),
      let end = data.firstIndex(of: UInt8(ascii: "\n")),
      let note = try? JSONDecoder().decode(Note.self, from: data[..<end])
    else { return nil }
    let body = [UInt8](data[(end + 1)...])
    guard Self.name(of: body) == note.content else { return nil }
    return WebPage(
      address: note.address, link: note.link,
      validators: HTTPValidators(entityTag: note.entityTag, lastModified: note.lastModified), body: body,
      keptSince: Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)))
  }

  /// Keeps a page if that is possible: it is there to be shown anyway.
  func keep(_ page: WebPage, for request: HTTPRequest) {
    let note = Note(
      address: page.address, link: page.link, entityTag: page.validators.entityTag,
      lastModified: page.validators.lastModified, content: Self.name(of: page.body))
    guard let folder, let line = try? JSONEncoder().encode(note) else { return }
    try? folder.write(line + Data("\n".utf8) + Data(page.body), as: request.cacheName)
    folder.makeRoom(keeping: request.cacheName)
  }

  /// The server has said that what is kept is still the page.
  func renew(_ request: HTTPRequest) { folder?.touch(request.cacheName) }

  private static func name(of body: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(body)
    return hash.finish()
  }
}
