import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Pages of contact sheets that the worker draws.
@MainActor
@Suite(.limited) final class SheetTests {
  private let folder: ImageFolder
  private let exporter: PhotoExporter
  /// The picture that was drawn last.
  private var jpeg: [UInt8] = []

  init() throws {
    folder = try ImageFolder()
    exporter = PhotoExporter(workerPath: folder.workerPath, workerCount: 1)
  }

  private func line(_ markup: String) -> SheetDrawing.Line {
    SheetDrawing.Line(markup, size: 20, x: 0, y: 70, width: 100, alignment: .center)
  }

  private func drawing(_ bytes: Range<Int>, _ line: SheetDrawing.Line? = nil) -> SheetDrawing {
    SheetDrawing(
      width: 100, height: 100, title: "",
      pages: [
        .init(pictures: [.init(bytes: bytes, x: 10, y: 20, width: 48, height: 32)], lines: [line].compactMap(\.self))
      ])
  }

  /// Draws a page with the JPEG of a photo of colored blocks.
  private func draw(
    _ format: SheetRequest.Format, _ drawing: (Range<Int>) -> SheetDrawing, cuttingOff count: Int = 0
  ) async throws -> ExportOutcome {
    let colors: [[BlockJPEG.Color]] = (0..<4).map { row in
      (0..<6).map { column in (red: 250 - 40 * column, green: 20 + 60 * row, blue: 20) }
    }
    let photo = try folder.write(BlockJPEG(colors).bytes(orientation: nil))
    var specification = ExportSpecification()
    (specification.sharpening, specification.metadata, specification.quality) = (.none, .none, .fixed(95))
    let (jpeg, image) = try await exporter.contents(
      of: photo, shown: PhotoMetadata(), as: specification, in: folder.path)
    #expect((image.width, image.height, image.bytes) == (48, 32, jpeg.count))
    self.jpeg = jpeg
    let file = try ExportDestination(in: folder.path)
    let page = drawing(0..<jpeg.count).framed
    try await file.append(jpeg + page.dropLast(count))
    return await exporter.draw(
      jpeg.count..<jpeg.count + page.count, of: file, as: format, to: folder.path.appending("sheet".utf8),
      isNumbering: true)
  }

  @Test func aPNGHasThePixelsOfThePictureAndText() async throws {
    let outcome = try await draw(.png(resolution: 72)) { drawing($0, line("<span foreground=\"#ff0000\">██</span>")) }
    guard case .exported(let path, let image) = outcome else { throw Failed(outcome: outcome) }
    #expect((image.width, image.height) == (100, 100))
    let page = try DecodedImage(await folder.answer(path, columns: 200))
    #expect(page[0, 0] == 0xFFFFFF && page[9, 30] == 0xFFFFFF && page[58, 30] == 0xFFFFFF && page[30, 53] == 0xFFFFFF)
    for (column, row) in [(0, 0), (5, 0), (0, 3), (5, 3)] {
      let color = page[10 + column * 8 + 4, 20 + row * 8 + 4]
      #expect(abs(color >> 16 - (250 - 40 * column)) < 16 && abs(color >> 8 & 255 - (20 + 60 * row)) < 16)
      #expect(color & 255 < 50)
    }
    #expect(page[50, 82] == 0xFF0000, "red text is red")
  }

  @Test func aPDFHasTheJPEGAsItIs() async throws {
    let outcome = try await draw(.pdf) { drawing($0, line("a")) }
    guard case .exported(let path, let image) = outcome else { throw Failed(outcome: outcome) }
    let pdf = try Data(contentsOf: URL(filePath: path.printable))
    #expect(pdf.starts(with: Data("%PDF".utf8)) && pdf.count == image.bytes)
    #expect(pdf.ranges(of: Data(jpeg)).count == 1)
    #expect(pdf.ranges(of: Data("/Creator (Tintype)".utf8)).count == 1)
  }

  @Test(arguments: [SheetRequest.Format.pdf, .png(resolution: 72)])
  func whatCantBeDrawnIsAFault(format: SheetRequest.Format) async throws {
    let cut = try await draw(format, { drawing($0) }, cuttingOff: 1)
    #expect(cut == .failed(.incomplete))
    let outside = try await draw(format) { drawing($0.upperBound + 1_000_000..<$0.upperBound + 1_000_100) }
    #expect(outside == .failed(.incomplete))
    let noJPEG = try await draw(format) { drawing(2..<$0.upperBound) }
    #expect(noJPEG == .failed(.incomplete))
    let markup = try await draw(format) { drawing($0, line("<b>a")) }
    #expect(markup == .failed(.unencodable))
    #expect(!folder.path.appending("sheet".utf8).isThere)
  }

  private struct Failed: Error { let outcome: ExportOutcome }
}
