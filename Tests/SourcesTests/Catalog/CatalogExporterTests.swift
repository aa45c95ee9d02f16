import Foundation
import Gallery
import Photos
import Services
import TestLimit
import Testing

@testable import Catalog

@Suite(.limited) final class CatalogExporterTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func photo(_ id: Int, _ image: ImageLocation) -> Photo {
    Photo(id: id, name: "P\(id)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "", image: image)
  }

  @Test func exportedPhotosCanBeReadAgain() async throws {
    let path = FilePath(folder + "/marked.json")
    let photos = [
      photo(1, .file(FilePath(folder + "/below/a.jpg"))), photo(2, .web("https://h/b.jpg")),
      photo(3, .file(FilePath(folder).appending([0xFF]))),
    ]
    let report = try await CatalogExporter().export(photos, to: path, replaces: true)
    #expect(report.count == 2)
    #expect(
      report.skipped == [SkippedPhoto(name: "\(folder)/\u{FFFD}", fault: .nameIsNotUTF8)])
    let read = try await CatalogFile(path: path).fetchComplete().photos
    #expect(read.map(\.id) == [1, 2] && read.map(\.image) == photos[..<2].map(\.image))
  }

  @Test func anExportReplacesAnEarlierCatalog() async throws {
    let path = FilePath(folder + "/marked.json")
    for id in [1, 2] { _ = try await CatalogExporter().export([photo(id, .file("/a.jpg"))], to: path, replaces: true) }
    let read = try await CatalogFile(path: path).fetchComplete().photos
    #expect(read.map(\.id) == [2])
    #expect(read.first.map { URL(filePath: $0.image.printable).standardizedFileURL.path } == "/a.jpg")
  }

  @Test func anExportReplacesNothingUnlessItIsToldTo() async throws {
    let path = FilePath(folder + "/marked.json")
    _ = try await CatalogExporter().export([photo(1, .file("/a.jpg"))], to: path, replaces: false)
    await #expect(throws: ExportError.alreadyExists(path: path)) {
      try await CatalogExporter().export([photo(2, .file("/a.jpg"))], to: path, replaces: false)
    }
    #expect(try await CatalogFile(path: path).fetchComplete().photos.map(\.id) == [1])
  }

  @Test func anExportThatFailsNamesTheFolderThatIsMissing() async throws {
    let error = await #expect(throws: ExportError.self) {
      try await CatalogExporter().export([photo(1, .file("/a.jpg"))], to: "/nowhere/marked.json", replaces: true)
    }
    #expect(try #require(error).message == "There is no folder /nowhere. Create it, or choose another one.")
  }
}
