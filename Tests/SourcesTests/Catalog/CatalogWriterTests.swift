import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing

@testable import Catalog
@testable import Folder
@testable import Photos

@Suite(.timeLimit(.minutes(10)), .limited) final class CatalogWriterTests {
  private let base = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)
  private var root: FilePath { base.appending("photos".utf8) }

  init() throws {
    try FileManager.default.createDirectory(
      atPath: root.appending("sub".utf8).printable, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: base.printable) }

  private func create(_ name: [UInt8]) { root.appending(name).withCString { _ = fclose(fopen($0, "w")) } }

  /// Returns the snapshot of a folder whose files have the given names and metadata.
  private func snapshot(_ metadata: [String: PhotoMetadata]) async throws -> PhotoSnapshot {
    for name in metadata.keys { create(Array(name.utf8)) }
    let prefix = root.appending([]).bytes.count
    let service = FolderService(
      scope: FolderScope(folder: root), index: PhotoIndex(folder: nil), readers: 1, isWatching: false
    ) { photos in
      photos.map { photo in
        let name = String(decoding: photo.path.bytes.dropFirst(prefix), as: UTF8.self)
        return metadata[name].map { .success(MetadataRecord($0)) } ?? .failure(.notAnImage)
      }
    }
    var last: PhotoSnapshot?
    for await answer in service.fetchPhotos() { last = try answer.get() }
    return try #require(last)
  }

  private func writer(
    _ photos: PhotoTable, places: CatalogWriter.Places = .written, saleKeyword: String = "for sale"
  ) -> CatalogWriter {
    CatalogWriter(
      photos, in: root, addressPrefix: CatalogWriter.address(from: base, to: root), places: places,
      saleKeyword: saleKeyword)
  }

  private func text(_ writer: CatalogWriter) -> String {
    var bytes: [UInt8] = []
    writer.write { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func read(_ text: String) -> CatalogReader {
    var reader = CatalogReader(base: base)
    Array(text.utf8).withUnsafeBytes { reader.feed($0) }
    reader.finish()
    return reader
  }

  private static func metadata(at clock: Double, offset: Int? = 0) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.takenAt = CaptureTime(clock: clock, offset: offset)
    return metadata
  }

  private static let full: PhotoMetadata = {
    var metadata = CatalogWriterTests.metadata(at: 1_071_403_304.37, offset: -12_600)
    (metadata.width, metadata.height) = (6000, 4000)
    (metadata.camera, metadata.lens) = ("Maker \"Model\"", "50 mm f/1.8\\")
    (metadata.exposureTime, metadata.fNumber, metadata.focalLength, metadata.iso) = (1.0 / 60, 1.8, 50.5, 12_800)
    metadata.place = PhotoMetadata.Place(latitude: -33.500001, longitude: 151.25, altitude: -3.75)
    (metadata.title, metadata.caption) = ("Tïtle 東京", "Two\nlines")
    metadata.keywords = ["a & b", "For SALE", "é"]
    (metadata.rating, metadata.label, metadata.exposureBias) = (-1, "Red", -2.0 / 3)
    return metadata
  }()

  @Test func aCatalogContainsNoTerminalControls() async throws {
    let name = "\u{9B}1m\u{202E}\u{7F}\u{E0041}é漢.jpg"
    let text = text(writer(try await snapshot([name: Self.metadata(at: 0)]).photos))
    #expect(text.contains(#""image_url":"photos/\u009b1m\u202e\u007f\udb40\udc41é漢.jpg""#))
    #expect(read(text).photos.first?.image == .file(root.appending(name.utf8)))
  }

  @Test func aWrittenCatalogIsReadBackUnchanged() async throws {
    var placeless = Self.metadata(at: 951_782_399.999_999, offset: nil)
    (placeless.rating, placeless.width, placeless.height) = (0, 1, 2)
    let all = ["full.jpg": Self.full, "none.jpg": PhotoMetadata(), "sub/\u{1}\t\"x\".jpg": Self.metadata(at: -1.5)]
    let snapshot = try await snapshot(all.merging(["placeless.jpg": placeless]) { $1 })
    let reader = read(text(writer(snapshot.photos)))
    #expect(reader.problems.first == [])
    let folder = Dictionary(uniqueKeysWithValues: snapshot.photos.map { ($0.imageURL, $0) })
    for photo in reader.photos {
      let original = try #require(folder[String(photo.imageURL.dropFirst("photos/".count))])
      // A file without metadata has none in the catalog, either.
      #expect(photo.metadata ?? PhotoMetadata() == original.metadata)
      #expect((photo.name, photo.description, photo.camera) == (original.name, original.description, original.camera))
      #expect(abs(photo.createdAt.timeIntervalSince(original.createdAt)) < 1e-6)
      #expect(photo.image == original.image)
      #expect(abs(photo.clock - original.clock) < 1e-6)
      #expect(photo.isForSale == (photo.name == "Tïtle 東京"))
    }
    #expect(reader.photos.count == 4)
  }

  @Test func rowsAreSortedByDateAndReproducible() async throws {
    let metadata = [
      "b.jpg": Self.metadata(at: 20), "a.jpg": Self.metadata(at: 20), "c.jpg": Self.metadata(at: 10, offset: 3600),
      "d.jpg": Self.metadata(at: 15),
    ]
    let first = try await text(writer(snapshot(metadata).photos))
    #expect(read(first).photos.map(\.name) == ["c.jpg", "d.jpg", "a.jpg", "b.jpg"])
    #expect(try await text(writer(snapshot(metadata).photos)) == first)
    #expect(first.split(separator: "\n").count == 6)
    #expect(read(text(writer(PhotoTable()))).problems.count == 0)
  }

  @Test func aPhotoKeepsItsIDWhenOtherPhotosChange() async throws {
    let metadata = (0..<50).reduce(into: [:]) { $0["\($1).jpg"] = Self.metadata(at: Double($1)) }
    let before = try await read(text(writer(snapshot(metadata).photos))).photos.map { ($0.name, $0.id) }
    #expect(Set(before.map(\.1)).count == 50)
    #expect(before.allSatisfy { 1..<(1 << 53) ~= $0.1 })
    unlink(root.appending("7.jpg".utf8).printable)
    let more = metadata.filter { $0.key != "7.jpg" }.merging(["00.jpg": Self.metadata(at: 0)]) { $1 }
    let after = Dictionary(
      uniqueKeysWithValues: try await read(text(writer(snapshot(more).photos))).photos.map { ($0.name, $0.id) })
    #expect(after.count == 50)
    for (name, id) in before where name != "7.jpg" { #expect(after[name] == id) }
  }

  @Test func pathsWithTheSameHashGetDifferentIDs() {
    var ids = PhotoIDs()
    let first = ids.id("a.jpg".utf8)
    #expect(ids.id("a.jpg".utf8) == first + 1)
    // The FNV-1a hash of "foobar", from the test vectors of its authors. The ID is the folded hash.
    let hash: UInt64 = 0x8594_4171_F739_67E8
    #expect(ids.id("foobar".utf8) == Int((hash >> 53 ^ hash) & (1 << 53 - 1)))
  }

  @Test func placesAreWrittenOnlyOnRequest() async throws {
    let photos = try await snapshot(["a.jpg": Self.full]).photos
    let text = text(writer(photos, places: .leftOut))
    for name in ["latitude", "longitude", "altitude", "151.25"] { #expect(!text.contains(name)) }
    #expect(read(text).photos.first?.metadata?.place == nil)
    #expect(read(text).photos.first?.metadata?.lens == Self.full.lens)
  }

  @Test func photosWhoseNamesAreNotUTF8AreLeftOut() async throws {
    create([0xFF] + Array(".jpg".utf8))
    create(Array("bad.jpg".utf8))
    let snapshot = try await snapshot(["good.jpg": PhotoMetadata(), "\u{FFFD}.jpg": PhotoMetadata()])
    let writer = writer(snapshot.photos)
    #expect(read(text(writer)).photos.map(\.name).sorted() == ["good.jpg", "\u{FFFD}.jpg"])
    #expect(writer.leftOut.map(\.reason) == ["Its name is not UTF-8, which JSON requires. Rename it."])
    #expect(snapshot.problems.first.map(\.message).first?.hasPrefix("bad.jpg: ") == true)
    #expect(writer.count == 2)
  }

  /// The name of the folder need not be UTF-8 if the addresses do not contain it.
  @Test func onlyTheAddressMustBeUTF8() async throws {
    let folder = base.appending([0xFF])
    let photo = Photo(
      id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
      image: .file(folder.appending("a.jpg".utf8)),
      metadata: PhotoMetadata())
    let beside = CatalogWriter(
      PhotoTable([photo]), in: folder, addressPrefix: [], places: .leftOut, saleKeyword: "for sale")
    #expect((beside.count, beside.leftOut.count) == (1, 0))
    let outside = CatalogWriter(
      PhotoTable([photo]), in: folder, addressPrefix: [0xFF, 0x2F], places: .leftOut, saleKeyword: "for sale")
    #expect((outside.count, outside.leftOut.count) == (0, 1))
    let marked = CatalogWriter([photo], to: folder.appending("marked.json".utf8))
    #expect((marked.count, marked.leftOut.count) == (1, 0))
  }

  /// A photo taken at 09:00 in Tokyo keeps that time in every catalog that is written from it.
  @Test func theUTCOffsetOfADateIsKept() throws {
    let photo = Photo(
      id: 1, name: "A", createdAt: Date(timeIntervalSince1970: 0), createdOffset: 32_400, imageURL: "",
      image: .web("https://h/a.jpg"))
    let text = text(CatalogWriter([photo], to: base.appending("a.json".utf8)))
    #expect(text.contains(#""created_at":"1970-01-01T09:00:00+09:00""#))
    #expect(read(text).photos.first?.clock == 32_400)
  }

  @Test func aKeywordMarksPhotosForSale() async throws {
    let photos = try await snapshot(["a.jpg": Self.full]).photos
    for (keyword, isForSale) in [("FOR sale", true), ("É", true), ("sale", false)] {
      #expect(read(text(writer(photos, saleKeyword: keyword))).photos.first?.isForSale == isForSale)
    }
  }

  @Test(arguments: [
    ("/a/b", "/a/b", ""), ("/a/b", "/a/b/c/d", "c/d/"), ("/a/b/c", "/a/x", "../../x/"), ("/", "/x", "x/"),
    ("/a/bc", "/a/b", "../b/"), ("/x", "/", "../"),
  ])
  func addressesAreRelativeToTheCatalog(from: String, to: String, address: String) {
    let bytes = CatalogWriter.address(from: FilePath(from), to: FilePath(to))
    #expect(String(decoding: bytes, as: UTF8.self) == address)
  }
}

@Suite(.limited) struct ExportFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var path: String { folder + "/photos.json" }

  private struct Broken: Error {}

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body()
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

  @Test func aFileIsReplacedCompletely() throws {
    try inFolder {
      try ExportFile.write(to: FilePath(path)) { write in
        try write(Array("[one ".utf8))
        #expect(!FileManager.default.fileExists(atPath: path))
        try write(Array("two".utf8))
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "[one two")
      chmod(path, 0o640)
      symlink("photos.json", folder + "/link.json")
      try ExportFile.write(to: FilePath(folder + "/link.json")) { try $0([0x33]) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "3")
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
      #expect(try names() == ["link.json", "photos.json"])
    }
  }

  /// After a loss of power, a renamed file must have its content. So the file is flushed before it is renamed, and the
  /// folder is flushed afterwards.
  @Test func theBytesAreFlushedBeforeTheFileIsRenamed() throws {
    try inFolder {
      try Data("[old]".utf8).write(to: URL(filePath: path))
      var synced: [(isFolder: Bool, content: String?, size: Int)] = []
      try ExportFile.write(
        to: FilePath(path),
        sync: { descriptor in
          var status = stat()
          fstat(descriptor, &status)
          let isFolder = status.st_mode & S_IFMT == S_IFDIR
          synced.append((isFolder, try? String(contentsOfFile: path, encoding: .utf8), Int(status.st_size)))
          return fsync(descriptor)
        },
        { write in
          try write(Array("[new ".utf8))
          try write(Array("one]".utf8))
        })
      #expect(synced.map(\.isFolder) == [false, true])
      #expect(synced.map(\.content) == ["[old]", "[new one]"])
      #expect(synced.first?.size == 9)
    }
  }

  @Test func aFailedFlushKeepsTheOldFile() throws {
    try inFolder {
      try Data("[old]".utf8).write(to: URL(filePath: path))
      let failing: (Int32) -> Int32 = { _ in
        errno = EIO
        return -1
      }
      #expect(throws: ExportError.self) {
        try ExportFile.write(to: FilePath(path), sync: failing) { try $0(Array("[new]".utf8)) }
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "[old]")
      #expect(try names() == ["photos.json"])
    }
  }

  @Test func aFailedWriteKeepsTheOldFile() throws {
    try inFolder {
      try ExportFile.write(to: FilePath(path)) { try $0([0x5B]) }
      #expect(throws: Broken.self) {
        try ExportFile.write(to: FilePath(path)) { write in
          try write([0x32])
          throw Broken()
        }
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "[")
      // Other files, such as photos, are not replaced.
      try Data([0xFF, 0xD8]).write(to: URL(filePath: path))
      #expect(throws: ExportError.self) { try ExportFile.write(to: FilePath(path)) { try $0([0x5B]) } }
      #expect(try Data(contentsOf: URL(filePath: path)) == Data([0xFF, 0xD8]))
      #expect(throws: ExportError.self) { try ExportFile.write(to: FilePath(folder)) { try $0([0x32]) } }
      #expect(throws: ExportError.self) { try ExportFile.write(to: "/dev/null") { try $0([0x32]) } }
      #expect(throws: ExportError.self) {
        try ExportFile.write(to: FilePath(folder + "/no/x.json")) { try $0([0x32]) }
      }
      #expect(try names() == ["photos.json"])
    }
  }

  /// A handler that stayed would keep Ctrl-C from ending the gallery, which goes on after an export.
  @Test(arguments: [true, false]) func aSignalEndsTheProgram(isMeanwhile: Bool) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // As in the program, the thread that writes blocks signals, and another one takes them.
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String, isMeanwhile = isMeanwhile as Bool] in
      try? ExportFile.write(to: FilePath(path)) { write in
        if isMeanwhile { kill(getpid(), SIGTERM) }
        repeat { try write([0x5B]) } while isMeanwhile
      }
      if !isMeanwhile { kill(getpid(), SIGTERM) }
    }
    #expect(try names() == (isMeanwhile ? [] : ["photos.json"]))
  }
}
