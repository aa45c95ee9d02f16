import Foundation
import Gallery
import HTTP
import Store

/// A cache of catalog pages from the web, for times when they cannot be fetched.
///
/// Each file contains a line of JSON that describes the page, followed by the page as it was received. The file's
/// modification time is the time when the server last confirmed the page.
public struct PageCache: Sendable {
  /// The description of a cached page.
  private struct Note: Codable {
    var address: String
    var link: String?
    var entityTag: String?
    var lastModified: String?
    /// The SHA-256 of the page in hexadecimal.
    var content: String
  }

  /// The largest size of a description in bytes, which is more than headers may have.
  private static let longestNote = 1 << 20

  /// The folder of the files, or nil if nothing is cached.
  private let folder: CacheFolder?

  /// Creates a cache.
  /// - Parameters:
  ///   - folder: The absolute path of a folder, which is created when it is needed. With nil, nothing is cached.
  ///   - budget: The largest size of all pages in bytes. The pages that were fetched longest ago are deleted first.
  public init(folder: String?, budget: Int = 256 << 20) {
    self.folder = folder.map { CacheFolder($0, budget: budget) }
  }

  /// Returns the cached answer to a request, or nil if there is none or it is damaged.
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

  /// Returns whether there is a cached answer to a request, which may be damaged.
  func has(_ request: HTTPRequest) -> Bool { folder?.status(request.cacheName) != nil }

  /// Creates a temporary file for a page. It is deleted when it is released.
  func makeFile() throws(HTTPError) -> CacheFolder.TemporaryFile {
    if let file = try? folder?.makeFile() { return file }
    do throws(WriteFault) {
      return try CacheFolder(NSTemporaryDirectory(), budget: .max).makeFile()
    } catch {
      throw .unwritable(error)
    }
  }

  /// Caches a page. Errors are ignored, because the page can be shown without the cache.
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

  /// Renews the cached answer to a request after the server has confirmed it.
  func renew(_ request: HTTPRequest) { folder?.touch(request.cacheName) }
}

extension HTTPRequest {
  /// The name of the file that caches the answer.
  var cacheName: String { SHA256.name(cacheKey) }
}
