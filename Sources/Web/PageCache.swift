import Foundation
import HTTP
import Store

/// Pages of catalogs on the web, kept for when they cannot be fetched.
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

  /// In bytes: more than headers may have.
  private static let longestNote = 1 << 20

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
    guard let folder, let file = FileHandle(forReadingAtPath: folder.path(request.cacheName)) else { return nil }
    let head = PageBody(descriptor: file.fileDescriptor).prefix(Self.longestNote)
    var status = stat()
    guard fstat(file.fileDescriptor, &status) == 0, let end = head.firstIndex(of: UInt8(ascii: "\n")),
      let note = try? JSONDecoder().decode(Note.self, from: Data(head[..<end]))
    else { return nil }
    let body = PageBody(descriptor: file.fileDescriptor, start: end + 1)
    guard body.digest() == note.content else { return nil }
    return WebPage(
      address: note.address, link: note.link,
      validators: HTTPValidators(entityTag: note.entityTag, lastModified: note.lastModified), body: body,
      keptSince: Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)))
  }

  /// A new file for a page to come, which goes when it is let go.
  func makeFile() throws(HTTPError) -> CacheFolder.TemporaryFile {
    if let file = try? folder?.makeFile() { return file }
    do throws(CacheFolder.Failure) {
      return try CacheFolder(NSTemporaryDirectory(), budget: .max).makeFile()
    } catch {
      throw .unwritable(reason: error.reason)
    }
  }

  /// Keeps a page if that is possible: it is there to be shown anyway.
  func keep(_ page: WebPage, for request: HTTPRequest) {
    let note = Note(
      address: page.address, link: page.link, entityTag: page.validators.entityTag,
      lastModified: page.validators.lastModified, content: page.body.digest())
    guard let folder, let line = try? JSONEncoder().encode(note), line.count < Self.longestNote,
      let file = try? folder.makeFile()
    else { return }
    let output = FileHandle(fileDescriptor: file.descriptor)
    do {
      try output.write(contentsOf: line + Data("\n".utf8))
      try page.body.forEachPiece { piece in
        try output.write(contentsOf: Data(piece))
        return true
      }
      try file.keep(as: request.cacheName)
    } catch {
      return
    }
    folder.makeRoom(keeping: request.cacheName)
  }

  /// The server has said that what is kept is still the page.
  func renew(_ request: HTTPRequest) { folder?.touch(request.cacheName) }
}

extension HTTPRequest {
  /// The name of the file that keeps the answer.
  var cacheName: String { SHA256.name(cacheKey) }
}
