import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The pages of PDFs, as the worker lists and draws them.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .limited) final class PageTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  private func listing(_ document: FilePath) async throws -> ArchiveListing {
    try await ArchiveLister(workerPath: folder.workerPath).listing(of: document, from: 0, readsMetadata: false).get()
  }

  private func page(_ name: String, of document: FilePath) throws -> FilePath {
    try #require(document.entry(Array(name.utf8)))
  }

  @Test func eachPageIsDrawnInTheSizeOfItsPlace() async throws {
    let (red, blue) = ((red: 1.0, green: 0.0, blue: 0.0), (red: 0.0, green: 0.0, blue: 1.0))
    let colors: [(red: Double, green: Double, blue: Double)] = (0..<11).map { $0.isMultiple(of: 2) ? red : blue }
    let document = try folder.write(PDFFile(colors: colors).bytes, as: "a.pdf")
    let found = try await listing(document)
    #expect(found.entries.map { String(decoding: $0.name, as: UTF8.self) }.last == "page-11")
    #expect(found.entries.count == 11)
    #expect(found.next == nil && found.fault == nil)
    for entry in found.entries { #expect(try entry.result?.get().metadata.kind == .page) }
    let expected: [(String, Int)] = [("page-02", 0x0000FF), ("page-11", 0xFF0000), ("page-01", 0xFF0000)]
    for (name, color) in expected {
      let image = try DecodedImage(await folder.answer(page(name, of: document), columns: 200))
      // At 300 pixels an inch, a page of 120×240 points has 500×1000.
      #expect((image.info.width, image.info.height) == (500, 1000))
      #expect((image.pixels.width, image.pixels.height) == (100, 200))
      #expect(image[50, 100] == color)
    }
  }

  @Test func aPageThatIsNotThereSaysSo() async throws {
    let document = try folder.write(PDFFile(colors: [(1, 0, 0)]).bytes, as: "a.pdf")
    for name in ["page-0", "page-", "cover", "page-99999999999999999999"] {
      #expect(await folder.answer(try page(name, of: document)).content == .failure(.archive(.noEntry)))
    }
    let beyond = await folder.answer(try page("page-2", of: document)).content
    guard case .failure(.damaged) = beyond else {
      Issue.record("there is a second page: \(beyond)")
      return
    }
  }

  @Test func aDamagedDocumentHarmsNothing() async throws {
    let bytes = PDFFile(colors: [(1, 0, 0), (0, 0, 1)]).bytes
    let harm: [ImageFault] = [.crashed, .timedOut, .unresponsive, .invalidAnswer]
    for length in stride(from: 1, to: bytes.count, by: 23) {
      var damaged = bytes
      damaged[length] = ~damaged[length]
      for file in [Array(bytes.prefix(length)), damaged] {
        let document = try folder.write(file, as: "damaged.pdf")
        let answers: [ImageAnswer] = [
          await folder.answer(document, .list(ListingRequest())), await folder.answer(try page("page-1", of: document)),
        ]
        for answer in answers {
          guard case .failure(let fault) = answer.content else { continue }
          #expect(!harm.contains(fault), "\(length): \(fault)")
        }
      }
    }
  }
}
