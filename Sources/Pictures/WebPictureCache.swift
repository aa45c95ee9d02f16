import Foundation
import Gallery
import HTTP

/// Pictures from the web, as files.
///
/// A file is named by its content (SHA-256), beside a note for each address that says which it is and how to ask whether
/// it still is. All are written under another name first, so that whoever reads, in this process or in another, finds
/// the whole or nothing. A note's age is how long ago the server was asked; a picture's, how long ago it was wanted.
public actor WebPictureCache {
  private struct Note: Codable {
    var content: String
    var size: Int
    var entityTag: String?
    var lastModified: String?
  }

  private let folder: String
  private let client: HTTPClient
  private let namedHost: String?
  private let budget: Int
  private let freshness: TimeInterval
  /// The files whose content has been looked at.
  private var checked: Set<String> = []

  /// In `$XDG_CACHE_HOME`, or `~/.cache`; nil where there is neither.
  public static func folder(environment: [String: String]) -> String? {
    let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    return (cache ?? home).map { $0 + "/tintype/pictures" }
  }

  /// - Parameters:
  ///   - folder: An absolute path; made when it is needed.
  ///   - namedHost: See ``HTTPRequest/namedHost``.
  ///   - budget: In bytes, for all pictures; those that were wanted longest ago go first.
  ///   - freshness: In seconds: so long a picture is taken to be what the server would send.
  public init(
    folder: String, client: HTTPClient, namedHost: String?, budget: Int = 512 << 20, freshness: TimeInterval = 86_400
  ) {
    self.folder = folder
    self.client = client
    self.namedHost = namedHost
    self.budget = budget
    self.freshness = freshness
  }

  /// The path of a file with the picture.
  ///
  /// - Throws: Why it is not to be had. What was had before is shown instead where there is no network.
  public func file(for address: String) async throws(APIError) -> String {
    let notePath = "\(folder)/\(SHA256.name(address)).note"
    let note = intactNote(at: notePath)
    if let note, age(ofFile: notePath) < freshness { return use(note) }
    do throws(HTTPError) {
      return try await fetch(address, note: note, notePath: notePath)
    } catch {
      if let note, error != .cancelled, APIError(error).isOutage { return use(note) }
      throw APIError(error)
    }
  }

  private func fetch(_ address: String, note: Note?, notePath: String) async throws(HTTPError) -> String {
    let file = try TemporaryFile(in: folder)
    let response = try await client.get(
      HTTPRequest(
        address, validators: HTTPValidators(entityTag: note?.entityTag, lastModified: note?.lastModified),
        destination: .file(descriptor: file.descriptor), namedHost: namedHost))
    if response.isNotModified, let note {
      utimensat(AT_FDCWD, notePath, nil, 0)
      return use(note)
    }
    let (content, size) = try Self.measure(file.path)
    try file.keep(as: path(content))
    checked.insert(content)
    let new = Note(
      content: content, size: size, entityTag: response.validators.entityTag,
      lastModified: response.validators.lastModified)
    try write(new, to: notePath)
    makeRoom(keeping: content)
    return path(content)
  }

  private func path(_ content: String) -> String { "\(folder)/\(content)" }

  private func use(_ note: Note) -> String {
    utimensat(AT_FDCWD, path(note.content), nil, 0)
    return path(note.content)
  }

  /// Nil where there is none, or its picture is not what it says.
  private func intactNote(at notePath: String) -> Note? {
    guard let data = try? Data(contentsOf: URL(filePath: notePath)),
      let note = try? JSONDecoder().decode(Note.self, from: data),
      note.content.count == 64, note.content.allSatisfy(\.isHexDigit),
      Self.status(path(note.content)).map({ Int($0.st_size) }) == note.size
    else { return nil }
    if checked.contains(note.content) { return note }
    guard let content = try? Self.measure(path(note.content)).content, content == note.content else { return nil }
    checked.insert(content)
    return note
  }

  private func write(_ note: Note, to notePath: String) throws(HTTPError) {
    guard let data = try? JSONEncoder().encode(note) else { return }
    let file = try TemporaryFile(in: folder)
    guard data.withUnsafeBytes({ Foundation.write(file.descriptor, $0.baseAddress, $0.count) }) == data.count else {
      throw .unwritable(reason: String(cString: strerror(errno)))
    }
    try file.keep(as: notePath)
  }

  /// Infinite for what is not there.
  private func age(ofFile path: String) -> TimeInterval {
    guard let status = Self.status(path) else { return .infinity }
    let age = Date.now.timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec)
    // A clock that was wrong then does not make it valid for ever.
    return age < 0 ? .infinity : age
  }
}

// The files.
extension WebPictureCache {
  private static let chunk = 1 << 18
  /// What a program that was killed has left behind, in seconds.
  private static let longestWriting: TimeInterval = 86_400

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
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
      throw .unwritable(reason: "\(path) cannot be read back")
    }
  }

  /// Removes what was used longest ago until a tenth of the budget is free, so that it is not done for every picture.
  private func makeRoom(keeping newest: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var files = names.compactMap { name in Self.status(path(name)).map { (name, $0) } }
    let now = Int(Date.now.timeIntervalSince1970)
    for (name, status) in files where name.hasPrefix(".") && now - status.st_mtim.tv_sec > Int(Self.longestWriting) {
      unlink(path(name))
    }
    files.removeAll { $0.0.hasPrefix(".") }
    var total = files.reduce(0) { $0 + Int($1.1.st_size) }
    guard total > budget else { return }
    for (name, status) in files.sorted(by: { $0.1.isOlder(than: $1.1) }) where name != newest {
      guard total > budget / 10 * 9 else { return }
      unlink(path(name))
      total -= Int(status.st_size)
    }
  }
}

extension stat {
  fileprivate func isOlder(than other: stat) -> Bool {
    (st_mtim.tv_sec, st_mtim.tv_nsec) < (other.st_mtim.tv_sec, other.st_mtim.tv_nsec)
  }
}

extension APIError {
  /// Whether nothing is known to be wrong with what was asked for.
  fileprivate var isOutage: Bool {
    switch self {
    case .noNetwork, .serverOverload, .serverFault: true
    default: false
    }
  }
}

/// A file under a name of its own, which goes with the value unless it is kept.
private final class TemporaryFile {
  let path: String
  let descriptor: Int32

  init(in folder: String) throws(HTTPError) {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = "\(folder)/.\(UUID().uuidString)"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .unwritable(reason: "\(folder): \(String(cString: strerror(errno)))") }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  func keep(as name: String) throws(HTTPError) {
    guard fsync(descriptor) == 0, rename(path, name) == 0 else {
      throw .unwritable(reason: String(cString: strerror(errno)))
    }
  }
}
