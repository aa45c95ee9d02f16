import Foundation
import Gallery
import HTTP
import Store
import Synchronization

/// A cache of images from the web, as files.
///
/// A file is named by the hash of its content (SHA-256). For each address there is a note with the name of its file and with
/// the validators for asking the server whether the image has changed. All files are written under another name first, so
/// that readers in this process and in others find either the whole file or none. The age of a note is the time since the
/// server was asked; the age of an image is the time since it was wanted.
public actor WebImageCache {
  private struct Note: Codable {
    var content: String
    var size: Int
    var entityTag: String?
    var lastModified: String?
  }

  private let folder: CacheFolder
  private let client: HTTPClient
  private nonisolated let servers: Mutex<[NamedServer]>
  private let freshness: TimeInterval
  /// The names of the files whose content has been checked.
  private var checked: Set<String> = []
  /// The names of the notes that are being fetched, each with the callers that wait for it.
  private var underWay: [String: [CheckedContinuation<Void, Never>]] = [:]
  /// The bytes that are left of the budget; nil if they have to be counted.
  private var room: Int?
  /// The bytes that the heads take that are being fetched.
  private var reserved = 0
  private var fetchCount = 0

  /// The number of fetches after which the room is counted again, since other processes use the folder, too.
  private static let fetchesUntilCount = 256

  /// Creates a cache.
  /// - Parameters:
  ///   - folder: An absolute path. The folder is created when it is needed.
  ///   - servers: The servers that the user has named. Only they may be on a private network.
  ///   - budget: The size of all images, in bytes. The least recently wanted images are removed first.
  ///   - freshness: The time, in seconds, for which the server is not asked again.
  public init(
    folder: String, client: HTTPClient, servers: [NamedServer], budget: Int = 512 << 20,
    freshness: TimeInterval = 86_400
  ) {
    self.folder = CacheFolder(folder, budget: budget)
    self.client = client
    self.servers = Mutex(servers)
    self.freshness = freshness
  }

  /// Returns the path of a file with the image. If there is no network, that is the cached file, even if it is old.
  ///
  /// - Parameters:
  ///   - prefix: The number of bytes from the start of the image that are wanted; nil for all of it.
  ///   - isSuspect: Whether the cached file may be damaged, so that the image is fetched again.
  /// - Throws: The reason why the image is not available.
  public func file(
    for address: String, prefix: Int? = nil, isSuspect: Bool = false
  ) async throws(APIError) -> String {
    var request = request(for: address)
    request.prefix = prefix
    do throws(HTTPError) {
      if let path = try await path(request, isSuspect: isSuspect, mayEvict: true) { return path }
    } catch {
      throw APIError(error)
    }
    throw .serverFault(server: HTTPAddress(address)?.host ?? address, .webPage(insteadOf: .image))
  }

  /// Returns the path of a file with the first part of an image, which a later ``file(for:prefix:isSuspect:)`` finds. Returns nil if the
  /// cache can't keep it, or if the server answers with a page for browsers. A head never evicts another file: that of a photo which is
  /// never shown would take the place of one that is.
  /// - Parameter request: The request for the first part.
  public func head(_ request: HTTPRequest) async throws(HTTPError) -> String? {
    do throws(HTTPError) {
      return try await path(request, isSuspect: false, mayEvict: false)
    } catch {
      if case .unwritable = error { return nil }
      throw error
    }
  }

  private func path(_ request: HTTPRequest, isSuspect: Bool, mayEvict: Bool) async throws(HTTPError) -> String? {
    var request = request
    let noteName = SHA256.name(request.cacheKey) + ".note"
    // The metadata and the preview of a photo request the same part.
    while underWay[noteName] != nil { await withCheckedContinuation { underWay[noteName]?.append($0) } }
    if Task.isCancelled { throw .cancelled }
    underWay[noteName] = []
    defer { for waiting in underWay.removeValue(forKey: noteName) ?? [] { waiting.resume() } }
    let note = isSuspect ? nil : intactNote(noteName)
    if let note, age(of: noteName) < freshness { return use(note) }
    let size = mayEvict ? 0 : request.prefix ?? 0
    if !mayEvict, roomLeft() < size { return nil }
    reserved += size
    defer { reserved -= size }
    request.validators = HTTPValidators(entityTag: note?.entityTag, lastModified: note?.lastModified)
    // With a cached file there is no reason to wait some seconds for another try.
    request.mayBeTriedAgain = note == nil
    do throws(HTTPError) {
      if let path = try await fetch(request, note: note, noteName: noteName, mayEvict: mayEvict) { return path }
    } catch {
      if let note, error.isOutage { return use(note) }
      throw error
    }
    return note.map(use)
  }

  private func roomLeft() -> Int {
    let left = room ?? folder.countRoom()
    room = left
    return left - reserved
  }

  /// Takes note of a new file, and removes others if the budget is exceeded.
  private func useRoom(_ size: Int, for content: String, mayEvict: Bool) {
    fetchCount += 1
    // The file is there already when the room is counted.
    let left = room.map { $0 - size } ?? folder.countRoom()
    room = fetchCount % Self.fetchesUntilCount == 0 ? nil : left
    guard left < 0, mayEvict else { return }
    folder.makeRoom(keeping: content)
    room = nil
  }

  /// Returns the smaller versions of an image, smallest first.
  nonisolated func smallerVersions(of image: String) -> [WebImageVersion] {
    servers.withLock { $0.lazy.map { $0.smallerVersions(of: image) }.first { !$0.isEmpty } ?? [] }
  }

  /// Adds a server that the user has named, or replaces it.
  public nonisolated func add(_ server: NamedServer) {
    servers.withLock { servers in
      servers.removeAll { $0.isOrigin(of: server.address) }
      servers.append(server)
    }
  }

  private func request(for address: String) -> HTTPRequest {
    let server = servers.withLock { servers in
      servers.first { $0.isOrigin(of: address) } ?? servers.first { $0.isHost(of: address) }
    }
    return server?.request(address) ?? HTTPRequest(address)
  }

  /// Fetches an image into the cache.
  /// - Returns: The path of its file, or nil if the server answers with a page for browsers, as networks do that require a
  ///   login first. The cache does not keep such a page.
  private func fetch(
    _ request: HTTPRequest, note: Note?, noteName: String, mayEvict: Bool
  ) async throws(HTTPError) -> String? {
    let file = try written { () throws(WriteFault) in try folder.makeFile() }
    var request = request
    request.destination = .file(descriptor: file.descriptor)
    let response = try await client.send(request)
    if response.isNotModified, let note {
      folder.touch(noteName)
      return use(note)
    }
    let isPage = response.headers["content-type"]?.lowercased().hasPrefix("text/html") == true
    if isPage, WebMarkup.begins(Self.lead(of: file.descriptor)) { return nil }
    let (content, size) = try Self.measure(file.path)
    try written { () throws(WriteFault) in try file.keep(as: content) }
    checked.insert(content)
    let new = Note(
      content: content, size: size, entityTag: response.validators.entityTag,
      lastModified: response.validators.lastModified)
    let data = (try? JSONEncoder().encode(new)) ?? Data()
    try written { () throws(WriteFault) in try folder.write(data, as: noteName) }
    useRoom(size + data.count, for: content, mayEvict: mayEvict)
    return folder.path(content)
  }

  /// Runs `write` and turns its error into the error of a request.
  private func written<Value>(_ write: () throws(WriteFault) -> Value) throws(HTTPError) -> Value {
    do throws(WriteFault) {
      return try write()
    } catch {
      throw .unwritable(error)
    }
  }

  private func use(_ note: Note) -> String {
    folder.touch(note.content)
    return folder.path(note.content)
  }

  /// Returns the note of this name; nil if there is none, or if its image's file is missing or damaged.
  private func intactNote(_ name: String) -> Note? {
    guard let data = try? Data(contentsOf: URL(filePath: folder.path(name))),
      let note = try? JSONDecoder().decode(Note.self, from: data),
      note.content.count == 64, note.content.allSatisfy(\.isHexDigit),
      folder.status(note.content).map({ Int($0.st_size) }) == note.size
    else { return nil }
    if checked.contains(note.content) { return note }
    guard let content = try? Self.measure(folder.path(note.content)).content, content == note.content else {
      return nil
    }
    checked.insert(content)
    return note
  }

  /// Returns the age of a file in seconds; infinity if there is no such file.
  private func age(of name: String) -> TimeInterval {
    guard let status = folder.status(name) else { return .infinity }
    let age = Date.now.timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec)
    // A file from the future, written while the clock was wrong, must not stay valid for ever.
    return age < 0 ? .infinity : age
  }
}

// Reading files.
extension WebImageCache {
  private static let chunk = 1 << 18

  private static func lead(of descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: WebMarkup.longestLead) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  private static func measure(_ path: String) throws(HTTPError) -> (content: String, size: Int) {
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      var hash = SHA256()
      var size = 0
      while let data = try file.read(upToCount: chunk), !data.isEmpty {
        hash.update([UInt8](data))
        size += data.count
      }
      return (hash.finish(), size)
    } catch {
      throw .unwritable(.cannotReadBack(path: path))
    }
  }
}
