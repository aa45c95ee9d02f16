import Folder
import Gallery
import Photos
import Services
import Synchronization
import TestLimit
import Testing

/// An archive whose parts are listed as a test says.
@Suite(.limited, .timeLimit(.minutes(5))) struct ArchiveServiceTests {
  /// The parts of an archive, of which the first pass has the names and the second one the metadata.
  private final class Archive: Sendable {
    let requests = Mutex<[String]>([])
    private let parts: [Result<ArchiveListing, ImageFault>]

    init(_ parts: [Result<ArchiveListing, ImageFault>]) { self.parts = parts }

    func read(_ start: Int, _ readsMetadata: Bool) -> Result<ArchiveListing, ImageFault> {
      requests.withLock { $0.append("\(start)\(readsMetadata ? " with metadata" : "")") }
      guard readsMetadata else { return parts[start] }
      return parts[start].map { part in
        var part = part
        for place in part.entries.indices { part.entries[place].result = .success(Self.metadata) }
        return part
      }
    }

    static let metadata = {
      var metadata = PhotoMetadata()
      metadata.camera = "X100V"
      return MetadataRecord(metadata)
    }()

    var service: ArchiveService {
      ArchiveService(path: "/a/comic.cbz") { [self] path, start, readsMetadata in
        #expect(path == "/a/comic.cbz")
        return read(start, readsMetadata)
      }
    }
  }

  private func entry(_ name: String, _ result: Result<MetadataRecord, PhotoFault>? = nil) -> ArchiveListing.Entry {
    ArchiveListing.Entry(name: Array(name.utf8), size: 1000, modifiedAt: 86_400, result: result)
  }

  private func last(of service: ArchiveService) async throws -> PhotoSnapshot {
    var last: PhotoSnapshot?
    for await answer in service.fetchPhotos() { last = try answer.get() }
    return try #require(last)
  }

  @Test func photosAreSortedNaturallyAndThenTheirMetadataAreRead() async throws {
    let archive = Archive([
      .success(ArchiveListing(entries: [entry("p/10.jpg"), entry("p/9.jpg")], next: 1)),
      .success(ArchiveListing(entries: [entry("cover.jpg"), entry("P/1.jpg")])),
    ])
    let snapshot = try await last(of: archive.service)
    #expect(snapshot.photos.map(\.imageURL) == ["cover.jpg", "P/1.jpg", "p/9.jpg", "p/10.jpg"])
    #expect(snapshot.photos[0].image == .file("/a/comic.cbz/cover.jpg"))
    #expect(snapshot.photos.allSatisfy { $0.camera == "X100V" })
    #expect(archive.requests.withLock(\.self) == ["0", "1", "0 with metadata", "1 with metadata"])
    #expect(snapshot.isComplete && snapshot.problems.count == 0)
    #expect(snapshot.capabilities == [.folders, .fileDates, .exporting])
  }

  @Test func metadataThatCameWithTheNamesAreNotReadAgain() async throws {
    let archive = Archive([
      .success(ArchiveListing(entries: [entry("1.jpg", .success(Archive.metadata)), entry("2.jpg", .failure(.empty))]))
    ])
    let snapshot = try await last(of: archive.service)
    #expect(archive.requests.withLock(\.self) == ["0"])
    #expect(snapshot.photos.map(\.name) == ["1.jpg", "2.jpg"])
    #expect(snapshot.problems.first.map(\.message) == ["2.jpg: The file is empty. It may still be downloading."])
  }

  @Test func whatComesBeforeDamageIsShown() async throws {
    let archive = Archive([
      .success(ArchiveListing(entries: [entry("1.jpg")], next: 1, archives: 2)),
      .success(ArchiveListing(fault: .damaged(reason: "Truncated\u{1B} input"))),
    ])
    let snapshot = try await last(of: archive.service)
    #expect(snapshot.photos.map(\.name) == ["1.jpg"])
    #expect(
      snapshot.problems.first.map(\.message) == [
        "2 archives in it are not opened. Unpack them first.",
        "comic.cbz cannot be read: it is damaged or incomplete (Truncated� input).",
      ])
  }

  @Test(arguments: [
    (ImageFault.archive(.encrypted), "comic.cbz cannot be read: it is encrypted; unpack it with its password first."),
    (.missing, "There is no file at /a/comic.cbz. Check the name."),
    (.timedOut, "comic.cbz cannot be read: Timed out after 10 s of decoding."),
  ]) func anArchiveThatCannotBeReadIsAFailure(fault: ImageFault, message: String) async throws {
    let error = await #expect(throws: APIError.self) { try await last(of: Archive([.failure(fault)]).service) }
    #expect(error?.message == message)
    guard case .archive(let reason) = fault else { return }
    let listed = Archive([.success(ArchiveListing(fault: reason))])
    let other = await #expect(throws: APIError.self) { try await last(of: listed.service) }
    #expect(other == error)
  }
}
