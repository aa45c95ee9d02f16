import Foundation
import Gallery
import Services
import Store
import Testing

@testable import Steps

/// A folder with photos, a trash and a journal, for tests of what happens to files.
class FileFixture {
  let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)
  var photos: FilePath { folder.appending("photos".utf8) }
  var trash: FilePath { folder.appending("data/Trash".utf8) }

  init() throws { try FileManager.default.createDirectory(atPath: photos.printable, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder.printable) }

  /// - Parameter now: Called for the time of each file that goes to the trash, when that is planned.
  func makeService(
    photosAtOnce: Int = 1024, collections: (any CollectionServiceProtocol)? = nil,
    now: @escaping @Sendable () -> Void = {}
  ) -> StepService {
    StepService(
      tools: StepTools(
        trash: Trash(home: trash), collections: collections,
        now: {
          now()
          return Date(timeIntervalSince1970: 1_000_000)
        }),
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") },
      root: photos, photosAtOnce: photosAtOnce)
  }

  /// Creates a file with a name, and returns it as a photo.
  @discardableResult
  func add(_ name: String, _ text: String? = nil) throws -> Photo {
    let path = FilePath("\(photos.printable)/\(name)")
    try FileManager.default.createDirectory(atPath: path.folder.printable, withIntermediateDirectories: true)
    let file = String(decoding: path.bytes, as: UTF8.self)
    try Data((text ?? "the file \(name)").utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 500_000), .posixPermissions: 0o640], ofItemAtPath: file)
    return Photo(
      id: name.hashValue, name: name, createdAt: .now, imageURL: name, image: .file(path), metadata: PhotoMetadata())
  }

  func throwAway(_ shots: [[Photo]], with service: StepService? = nil) async -> Step {
    let service = service ?? makeService()
    return await service.write(await service.keep([StepRequest(.files(.trash), forShots: shots)])[0])
  }

  /// The files below a folder, with their permissions, times and contents.
  func contents(of folder: FilePath) throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in FileManager.default.enumerator(atPath: folder.printable)?.compactMap({ $0 as? String }) ?? [] {
      let path = "\(folder.printable)/\(name)"
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let type = facts[.type] as? FileAttributeType
      let text =
        type == .typeSymbolicLink
        ? "-> " + (try FileManager.default.destinationOfSymbolicLink(atPath: path))
        : type == .typeDirectory ? "" : (try? String(contentsOfFile: path, encoding: .utf8)) ?? "?"
      let time = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      // The time of a folder changes with its files.
      let when = type == .typeDirectory ? "" : "\(time)"
      contents[name] = "\(type?.rawValue ?? "") \(facts[.posixPermissions] ?? "") \(when) \(text)"
    }
    return contents
  }

  func names(in folder: FilePath) throws -> [String] { try contents(of: folder).keys.sorted() }

  func place(_ shots: [[Photo]], _ change: FileChange) async -> Step {
    let service = makeService()
    return await service.write(await service.keep([StepRequest(.files(change), forShots: shots)])[0])
  }

  /// Another file system, or the same one.
  func other(isFar: Bool) -> FilePath {
    isFar ? Self.volume.appending("tintype-\(folder.printableName)/x/y".utf8) : folder.appending("x/y".utf8)
  }

  /// `/dev/shm` is a file system of its own on each Linux.
  static let volume = FilePath("/dev/shm")

  /// A sidecar that another program has written.
  static let sidecar = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmp:MetadataDate="2020-01-01T00:00:00Z"/></rdf:RDF></x:xmpmeta>
    """

  /// The texts of the sidecars among files, but for the time at which a change or its undo has written them.
  func sidecarTexts(_ files: [String: String]) -> [String: String] {
    files.filter { $0.key.hasSuffix(".xmp") }.mapValues {
      String($0.drop { $0 != "<" }).replacing(/MetadataDate="[^"]*"/, with: "").replacing(
        />\s+<\/rdf:Description>/, with: "/>")
    }
  }
}
