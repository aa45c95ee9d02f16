import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Catalog
@testable import Photos

@Suite(.limited) final class StandardInputTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private let pipe = Pipe()

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
    for name in ["a.jpg", "sub/b\nc.jpg", "sub/d é.jpg"] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      let date = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder)/\(name)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func input(hasZeroBytes: Bool = false) -> StandardInput {
    StandardInput(
      folder: FilePath(folder), hasZeroBytes: hasZeroBytes, descriptor: pipe.fileHandleForReading.fileDescriptor)
  }

  private func send(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  private func row(_ id: Int) -> String {
    #"{"id": \#(id), "name": "N", "created_at": "2017-11-06T14:48:50Z", "image_url": "a.jpg"}"# + "\n"
  }

  @Test func photosAreSentBeforeTheInputEnds() async throws {
    let input = input()
    var answers = input.fetchPhotos().makeAsyncIterator()
    try send("\n" + row(1) + row(2) + #"{"id": 3, "#)
    let first = try #require(await answers.next()).get()
    #expect(first.photos.map(\.id) == [1, 2])
    #expect(!first.isComplete)
    #expect(first.photos.first?.image == .file(FilePath(folder + "/a.jpg")))
    try send(String(row(3).dropFirst(10)) + "x\n")
    #expect(try #require(await answers.next()).get().photos.count == 3)
    try pipe.fileHandleForWriting.close()
    let last = try #require(await answers.next()).get()
    #expect(last.isComplete)
    #expect(last.problems.first.map(\.place.line) == [5])
    #expect(await answers.next() == nil)
  }

  @Test func aSecondFetchGetsTheSamePhotos() async throws {
    let input = input()
    try send(row(1))
    try pipe.fileHandleForWriting.close()
    for _ in 0..<2 { #expect(try await input.fetchComplete().photos.map(\.id) == [1]) }
  }

  @Test func aCanceledFetchDoesNotStopTheReading() async throws {
    let input = input()
    try send(row(1))
    for await _ in input.fetchPhotos() { break }
    try send(row(2))
    try pipe.fileHandleForWriting.close()
    #expect(try await input.fetchComplete().photos.map(\.id) == [1, 2])
  }

  @Test func pathsAreReadLineByLine() async throws {
    try send("sub/d é.jpg\r\nnone.jpg\n\n\(folder)/a.jpg")
    try pipe.fileHandleForWriting.close()
    var last: PhotoSnapshot?
    for await answer in input().fetchPhotos() { last = try answer.get() }
    let snapshot = try #require(last)
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    #expect(
      Array(snapshot.photos) == [
        Photo(
          id: 1, name: "d é.jpg", createdAt: date, createdOffset: LocalClock.system.secondsFromUTC(date),
          imageURL: "sub/d é.jpg",
          image: .file(FilePath(folder + "/sub/d é.jpg"))),
        Photo(
          id: 4, name: "a.jpg", createdAt: date, createdOffset: LocalClock.system.secondsFromUTC(date),
          imageURL: folder + "/a.jpg", image: .file(FilePath(folder + "/a.jpg"))),
      ])
    #expect(snapshot.problems.first.map(\.message) == ["line 2, column 1 (photo 2): there is no file at none.jpg"])
  }

  @Test func pathsNeedNotBeUTF8() async throws {
    let path = FilePath(folder).appending(Array("\u{E9}".utf8) + [0xE9] + Array(".jpg".utf8))
    fclose(path.withCString { fopen($0, "w") })
    try pipe.fileHandleForWriting.write(contentsOf: Data(path.name + [0x0A]))
    try pipe.fileHandleForWriting.close()
    let photos = try await input().fetchComplete().photos
    #expect(photos.map(\.image) == [.file(path)])
    #expect(photos.map(\.name) == ["\u{E9}\u{FFFD}.jpg"])
  }

  /// Few paths start like a web page, so such an input is reported as one.
  @Test func aWebPageIsNotReadAsAListOfPaths() async throws {
    try send("<!DOCTYPE html>\n<title>Sign in</title>\n")
    try pipe.fileHandleForWriting.close()
    let error = await #expect(throws: APIError.self) { try await input().fetchComplete() }
    #expect(
      error?.message
        == "The standard input cannot be read: line 1, column 1: this is a web page or XML, not a catalog.")
  }

  @Test func pathsCanEndWithZeroBytes() async throws {
    try send("sub/b\nc.jpg\0a.jpg\0")
    try pipe.fileHandleForWriting.close()
    let photos = try await input(hasZeroBytes: true).fetchComplete().photos
    #expect(photos.map(\.image) == [.file(FilePath(folder + "/sub/b\nc.jpg")), .file(FilePath(folder + "/a.jpg"))])
    #expect(photos.map(\.name) == ["b c.jpg", "a.jpg"])
  }

  /// A line may end with a carriage return, but after a zero byte it belongs to the name.
  @Test func aNameThatEndsWithAZeroByteMayHaveACarriageReturn() async throws {
    try Data().write(to: URL(filePath: "\(folder)/a.jpg\r"))
    try send("a.jpg\r\0")
    try pipe.fileHandleForWriting.close()
    let photos = try await input(hasZeroBytes: true).fetchComplete().photos
    #expect(photos.map(\.image) == [.file(FilePath(folder + "/a.jpg\r"))])
  }
}
