import Foundation
import Gallery
import ImageWire
import Images
import Resources
import Sheets
import WorkerPool

/// Makes a contact sheet: the pictures on all processors, and then the sheet, while it prints what it does.
@MainActor
struct SheetMaker {
  /// What is on a sheet.
  struct Contents {
    let format: SheetFormat
    let grid: SheetGrid
    let paper: SheetPaper
    let title: String
    /// Returns a number of photos in words.
    let countText: @MainActor (Int) -> String
    let words: SheetWords
    let photos: [Item]
  }

  /// A photo, and what is written at its picture.
  struct Item: Sendable {
    let path: FilePath
    let metadata: PhotoMetadata
    let photo: SheetPhoto
  }

  private let contents: Contents
  private let target: FilePath
  private let exporter: PhotoExporter

  /// The pixels an inch on paper and in PNGs.
  private static let (pdfResolution, pngResolution) = (300, 200)
  /// The fewest pixels an inch on paper, with which small photos still look sharp.
  private static let leastResolution = 150
  /// The longer sides of the pictures of a web page, in pixels.
  private static let (thumbnailSide, largeSide) = (480, 1280)
  /// Their quality, with which 300 photos take about 70 MB.
  private static let pageQuality = 80

  init(_ contents: Contents, to target: FilePath, exporter: PhotoExporter) {
    self.contents = contents
    self.target = target
    self.exporter = exporter
  }

  /// Makes the sheet, and prints the paths of the new files.
  /// - Returns: Whether it has all photos.
  func make() async -> Bool {
    do throws(ImageFault) {
      let isComplete = contents.format == .html ? try await makePage() : try await makePages()
      await exporter.stop()
      return isComplete
    } catch {
      Shell.print("\(target.printable): \(error.message)", to: .standardError)
      await exporter.stop()
      return false
    }
  }
}

// MARK: - A web page

extension SheetMaker {
  private func makePage() async throws(ImageFault) -> Bool {
    guard let style = Self.resource("sheet.css"), let script = Self.resource("sheet.js") else { throw .missing }
    let page = SheetPage(title: contents.title, contents.words, style: style, script: script)
    let file = try ExportDestination(in: target.folder)
    defer { file.discard() }
    var count = 0
    try await file.append(Array(page.head.utf8))
    let isComplete = try await makePictures(
      sizes: [.longEdge(Self.thumbnailSide), .longEdge(Self.largeSide)]
    ) { item, pictures throws(ImageFault) in
      let pictures = pictures.map { SheetPage.Picture($0.bytes, width: $0.image.width, height: $0.image.height) }
      try await file.append(Array(page.photo(item.photo, pictures[0], large: pictures[1]).utf8))
      count += 1
    }
    if count == 0 { return false }
    try await file.append(Array(page.tail(count: contents.countText(count)).utf8))
    if let path = try await file.finish(as: target, isNumbering: true) { Shell.print(path.printable) }
    return isComplete
  }

  private static func resource(_ name: String) -> String? {
    FileManager.default.contents(atPath: Resources.path("sheet/\(name)")).map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - Pages of paper

extension SheetMaker {
  private var layout: SheetLayout {
    let isPDF = contents.format == .pdf
    return SheetLayout(
      contents.grid, on: contents.paper, resolution: isPDF ? Self.pdfResolution : Self.pngResolution,
      leastResolution: isPDF ? Self.leastResolution : nil,
      captionLines: contents.photos.map(\.photo.captionLines).max() ?? 1)
  }

  private func makePages() async throws(ImageFault) -> Bool {
    let layout = layout
    let file = try ExportDestination(in: target.folder)
    defer { file.discard() }
    var size = 0
    var photos: [(photo: SheetPhoto, picture: SheetPicture)] = []
    let box = layout.pictureSize
    let isComplete = try await makePictures(
      sizes: [.fit(width: box.width, height: box.height)]
    ) { item, pictures throws(ImageFault) in
      let (bytes, image) = pictures[0]
      try await file.append(bytes)
      let picture = SheetPicture(bytes: size..<size + bytes.count, width: image.width, height: image.height)
      photos.append((item.photo, picture))
      size += bytes.count
    }
    if !photos.isEmpty {
      let drawing = SheetPages(layout, title: contents.title).drawing(
        of: photos, count: contents.countText(photos.count))
      try await draw(drawing, resolution: layout.resolution, behind: size, in: file)
    }
    return isComplete
  }

  /// Draws pages to one PDF, or to a PNG for each of them.
  ///
  /// - Parameter size: The bytes of the file with the pictures. The drawings go behind them.
  private func draw(
    _ drawing: SheetDrawing, resolution: Int, behind size: Int, in file: ExportDestination
  ) async throws(ImageFault) {
    let isPDF = contents.format == .pdf
    let drawings = isPDF ? [drawing] : drawing.singlePages
    var size = size
    for (index, drawing) in drawings.enumerated() {
      ProgressLine.show("Drawing page \(index + 1) of \(drawings.count)")
      let bytes = drawing.framed
      try await file.append(bytes)
      let target = drawings.count == 1 ? target : target.withNumber(index + 1)
      let outcome = await exporter.draw(
        size..<size + bytes.count, of: file, as: isPDF ? .pdf : .png(resolution: resolution), to: target)
      size += bytes.count
      ProgressLine.clear()
      switch outcome {
      case .exported(let path, _): Shell.print(path.printable)
      case .failed(let fault): throw fault
      case .skipped: break
      }
    }
  }
}

// MARK: - Pictures

extension SheetMaker {
  private typealias Picture = (bytes: [UInt8], image: ExportedImage)

  /// Makes the pictures of all photos on all processors, and passes them on in the order of the photos. Reports photos without
  /// pictures.
  ///
  /// - Returns: Whether there are no such photos.
  private func makePictures(
    sizes: [ExportSpecification.Size], _ body: (Item, [Picture]) async throws(ImageFault) -> Void
  ) async throws(ImageFault) -> Bool {
    var running: [Task<Result<[Picture], ImageFault>, Never>] = []
    var rest = contents.photos[...]
    var isComplete = true
    for (index, item) in contents.photos.enumerated() {
      while running.count < exporter.usefulCount, let next = rest.popFirst() {
        running.append(Task.onMainActor { await pictures(of: next, sizes) })
      }
      ProgressLine.show("\(index) of \(contents.photos.count) photos")
      let result = await running.removeFirst().value
      ProgressLine.clear()
      switch result {
      case .success(let pictures): try await body(item, pictures)
      case .failure(let fault):
        Shell.print("\(item.path.printable): \(fault.message)", to: .standardError)
        isComplete = false
      }
    }
    return isComplete
  }

  private func pictures(of item: Item, _ sizes: [ExportSpecification.Size]) async -> Result<[Picture], ImageFault> {
    do throws(ImageFault) {
      var pictures: [Picture] = []
      for size in sizes {
        var specification = ExportSpecification()
        specification.size = size
        specification.metadata = .none
        if contents.format == .html { specification.quality = .fixed(Self.pageQuality) }
        pictures.append(
          try await exporter.contents(of: item.path, shown: item.metadata, as: specification, in: target.folder))
      }
      return .success(pictures)
    } catch { return .failure(error) }
  }
}

extension SheetDrawing {
  /// The pages as drawings of their own.
  fileprivate var singlePages: [SheetDrawing] {
    pages.map { SheetDrawing(width: width, height: height, title: title, pages: [$0]) }
  }
}
