import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoSharingTests {
  private let fixture = PhotoListFixture()
  private var sharing: PhotoSharing { fixture.choosing.sharing }
  private var history: [String] { fixture.history.entries }

  @Test func pathsAndAddressesAreListedOnePerLine() {
    let photos = [photo("A", at: .file("/a b/ü.jpg")), photo("B", at: .web("https://h/b.jpg"))]
    #expect(sharing.paths(of: photos) == "/a b/ü.jpg\nhttps://h/b.jpg")
    #expect(sharing.paths(of: []).isEmpty)
  }

  @Test func anExportReportsWrittenAndSkippedPhotos() async throws {
    fixture.exporter.answer(
      with: .success(ExportReport(count: 2, skipped: [SkippedPhoto(name: "/c.jpg", fault: .nameIsNotUTF8)])))
    sharing.export([[photo("A")], [photo("B")], [photo("C")]], to: "/folder/marked.json")
    try await fixture.history.wait(for: 1)
    let reason = "Its name is not UTF-8, which JSON requires. Rename it."
    #expect(history == ["alert Not all saved: Saved 2 photos in /folder/marked.json.\n/c.jpg: \(reason)"])
    #expect(fixture.exporter.written == [#"["A", "B", "C"] to /folder/marked.json"#])
  }

  @Test func aCompleteExportIsNoted() async throws {
    fixture.exporter.answer(with: .success(ExportReport(count: 1, skipped: [])))
    sharing.export([[photo("A")]], to: "/marked.json")
    try await fixture.history.wait(for: 1)
    #expect(history == ["note Saved 1 photo in /marked.json."])
  }

  @Test func theUserIsAskedBeforeAFileIsReplaced() async throws {
    fixture.exporter.answer(with: .failure(.alreadyExists(path: "/marked.json")))
    sharing.export([[photo("A")]], to: "/marked.json") { [history = fixture.history] in history.add("exists") }
    try await fixture.history.wait(for: 1)
    #expect(history == ["exists"])
    fixture.exporter.answer(with: .success(ExportReport(count: 1)))
    sharing.export([[photo("A")]], to: "/marked.json", replaces: true)
    try await fixture.history.wait(for: 2)
    #expect(fixture.exporter.written.map { $0.hasSuffix("replacing") } == [false, true])
  }

  @Test func anExportThatFailsAlerts() async throws {
    fixture.exporter.answer(with: .failure(.stopped))
    sharing.export([[photo("A")]], to: "/marked.json")
    try await fixture.history.wait(for: 1)
    #expect(history == ["alert Can't save the catalog: Stopped. Nothing was written."])
  }

  @Test func photosAreOpenedAndTheSameErrorIsReportedOnce() async throws {
    let photos = [photo("A"), photo("B")]
    let requests = fixture.desktop.opened
    sharing.open([[photos[1]]])
    try await requests.answer(0, .success(()))
    try await end(of: sharing.opening)
    let failure = APIError.cannotOpen(.noProgram)
    // Another attempt reports the error again.
    for first in [1, 3] {
      sharing.open(photos.map { [$0] })
      for number in [first, first + 1] { try await requests.answer(number, .failure(failure)) }
      try await end(of: sharing.opening)
    }
    #expect(
      history == ["alert Can't open the photo: \(failure.message)", "alert Can't open the photo: \(failure.message)"])
    #expect(await requests.requests == Array(repeating: .file("/a.jpg"), count: 5))
  }

  @Test func atMostTwentyPhotosAreOpened() async throws {
    let photos = (0..<21).map { photo("P\($0)") }
    sharing.open(photos.map { [$0] })
    #expect(history == ["alert Too many photos: 21 photos are too many to open. Mark 20 at most."])
    sharing.open(photos.dropFirst().map { [$0] })
    for number in 0..<20 { try await fixture.desktop.opened.answer(number, .success(())) }
    try await end(of: sharing.opening)
    #expect(await fixture.desktop.opened.requests.count == 20)
  }

  @Test func aCommandRunsAndItsFailureIsReported() async throws {
    let command = UserCommand(name: "Copy", line: "cp %s \"/a b\" && echo 100%% %f", place: .background)
    let ends = [Result<Void, APIError>.success(()), .failure(.commandFailed(.status(1, message: "cp: no space")))]
    for (number, result) in ends.enumerated() {
      sharing.run(command, on: .file("/x y.jpg"), [.file("/x y.jpg"), .file("/-z.jpg")])
      try await fixture.desktop.run.answer(number, result)
      try await end(of: sharing.running)
    }
    let words = ["sh", "-c", "cp \"$@\" \"/a b\" && echo 100% \"$0\"", "/x y.jpg", "/x y.jpg", "/-z.jpg"]
    #expect(await fixture.desktop.run.requests == [words, words])
    #expect(
      history == [
        "note Running: Copy", "note Done: Copy", "note Running: Copy",
        "alert “Copy” failed: It ended with exit status 1: cp: no space",
      ])
  }

  /// A video plays in the player from its time, and in the desktop's program if there is no player.
  @Test func aVideoIsOpenedAtItsTime() async throws {
    let film = ImageLocation.file("/film.mp4")
    fixture.desktop.playsVideos.withLock { $0 = true }
    sharing.open(film, from: 2.5)
    try await fixture.desktop.run.answer(0, .success(()))
    try await end(of: sharing.opening)
    #expect(await fixture.desktop.run.requests == [["mpv", "2.5", "/film.mp4"]])
    fixture.desktop.playsVideos.withLock { $0 = false }
    for (number, seconds) in [2.5, nil].enumerated() {
      sharing.open(film, from: seconds)
      try await fixture.desktop.opened.answer(number, .success(()))
      try await end(of: sharing.opening)
    }
    #expect(await fixture.desktop.opened.requests == [film, film])
  }
}
