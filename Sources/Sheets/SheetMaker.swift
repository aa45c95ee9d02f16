import Foundation
import Gallery
import ImageWire
import Images
import Resources
import Services
import WorkerPool

/// Makes a contact sheet: the pictures on all processors, and then the sheet.
///
/// ```swift
/// var maker = SheetMaker(sheet, exporter: exporter)
/// maker.onPicture = { print("\($0) of \(sheet.items.count) photos") }
/// let files = try await maker.make()
/// ```
@MainActor
public struct SheetMaker {
  /// Called before the picture of a photo is waited for, with its number from 0.
  public var onPicture: (Int) -> Void = { _ in }
  /// Called before a page is drawn, with its number from 1, and the number of pages.
  public var onPage: (_ number: Int, _ count: Int) -> Void = { _, _ in }
  /// Called with a photo that is not in the sheet, and the reason.
  public var onFault: (FilePath, ImageFault) -> Void = { _, _ in }
  /// Called with the path of each new file.
  public var onFile: (FilePath) -> Void = { _ in }
  /// Returns whether to stop before the next photo.
  public var isStopped: () -> Bool = { false }
  /// Whether a new file gets a number if another one has its name. Otherwise, nothing is made.
  public var isNumbering = false
  /// Returns a number of photos in words.
  public var countText: @MainActor (Int) -> String = { localized("\($0) photo", plural: "\($0) photos", count: $0) }

  private let sheet: PhotoSheet
  private let items: [Item]
  private let words: SheetWords
  private let exporter: PhotoExporter

  /// A photo, and what is written at its picture.
  private struct Item: Sendable {
    let path: FilePath
    let metadata: PhotoMetadata
    let photo: SheetPhoto
  }

  /// The pixels an inch on paper and in PNGs.
  private static let (pdfResolution, pngResolution) = (300, 200)
  /// The fewest pixels an inch on paper, with which small photos still look sharp.
  private static let leastResolution = 150
  /// The longer sides of the pictures of a web page, in pixels.
  private static let (thumbnailSide, largeSide) = (480, 1280)
  /// Their quality, with which 300 photos take about 70 MB.
  private static let pageQuality = 80

  /// Takes the words of the sheet in the language of the interface.
  public init(_ sheet: PhotoSheet, exporter: PhotoExporter) {
    self.sheet = sheet
    self.exporter = exporter
    words = SheetWords()
    let names = SheetNames(sheet.items.map(\.file), in: sheet.folder).shortest
    items = zip(sheet.items, names).map { item, name in
      let metadata = item.shown.metadata
      return Item(path: item.file, metadata: metadata, photo: SheetPhoto(name: name, metadata))
    }
  }

  /// Makes the sheet in an existing folder.
  /// - Returns: The paths of the new files, none if no photo has a picture; nil if the work was stopped or a name is taken.
  public func make() async throws(ImageFault) -> [FilePath]? {
    sheet.format == .html ? try await makePage() : try await makePages()
  }
}

// MARK: - A web page

extension SheetMaker {
  private func makePage() async throws(ImageFault) -> [FilePath]? {
    guard let style = Self.resource("sheet.css"), let script = Self.resource("sheet.js") else { throw .missing }
    let page = SheetPage(title: sheet.title, words, style: style, script: script)
    let file = try ExportDestination(in: sheet.target.folder)
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
    if !isComplete { return nil }
    if count == 0 { return [] }
    try await file.append(Array(page.tail(count: countText(count)).utf8))
    guard let path = try await file.finish(as: sheet.target, isNumbering: isNumbering) else { return nil }
    onFile(path)
    return [path]
  }

  private static func resource(_ name: String) -> String? {
    FileManager.default.contents(atPath: Resources.path("sheet/\(name)")).map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - Pages of paper

extension SheetMaker {
  private var layout: SheetLayout {
    let isPDF = sheet.format == .pdf
    return SheetLayout(
      sheet.grid, on: sheet.paper, resolution: isPDF ? Self.pdfResolution : Self.pngResolution,
      leastResolution: isPDF ? Self.leastResolution : nil, captionLines: items.map(\.photo.captionLines).max() ?? 1)
  }

  private func makePages() async throws(ImageFault) -> [FilePath]? {
    let layout = layout
    let file = try ExportDestination(in: sheet.target.folder)
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
    if !isComplete { return nil }
    if photos.isEmpty { return [] }
    let drawing = SheetPages(layout, title: sheet.title).drawing(of: photos, count: countText(photos.count))
    return try await draw(drawing, resolution: layout.resolution, behind: size, in: file)
  }

  /// Draws pages to one PDF, or to a PNG for each of them.
  ///
  /// - Parameter size: The bytes of the file with the pictures. The drawings go behind them.
  private func draw(
    _ drawing: SheetDrawing, resolution: Int, behind size: Int, in file: ExportDestination
  ) async throws(ImageFault) -> [FilePath]? {
    let isPDF = sheet.format == .pdf
    let drawings = isPDF ? [drawing] : drawing.singlePages
    let format: SheetRequest.Format = isPDF ? .pdf : .png(resolution: resolution)
    var (size, files): (Int, [FilePath]) = (size, [])
    // Fewer pages are left if photos have no pictures.
    for (index, (drawing, target)) in zip(drawings, sheet.targets).enumerated() {
      onPage(index + 1, drawings.count)
      let bytes = drawing.framed
      try await file.append(bytes)
      let outcome = await exporter.draw(
        size..<size + bytes.count, of: file, as: format, to: target, isNumbering: isNumbering)
      size += bytes.count
      guard case .exported(let path, _) = outcome else {
        // A part of a sheet is worse than none of it.
        for file in files where !isNumbering { _ = file.withCString { unlink($0) } }
        if case .failed(let fault) = outcome { throw fault }
        return nil
      }
      onFile(path)
      files.append(path)
    }
    return files
  }
}

// MARK: - Pictures

extension SheetMaker {
  private typealias Picture = (bytes: [UInt8], image: ExportedImage)

  /// Makes the pictures of all photos on all processors, and passes them on in the order of the photos. Reports photos without
  /// pictures.
  ///
  /// - Returns: Whether the work was not stopped.
  private func makePictures(
    sizes: [ExportSpecification.Size], _ body: (Item, [Picture]) async throws(ImageFault) -> Void
  ) async throws(ImageFault) -> Bool {
    var running: [Task<Result<[Picture], ImageFault>, Never>] = []
    defer { for task in running { task.cancel() } }
    var rest = items[...]
    for (index, item) in items.enumerated() {
      if isStopped() { return false }
      while running.count < exporter.usefulCount, let next = rest.popFirst() {
        running.append(Task.onMainActor { await pictures(of: next, sizes) })
      }
      onPicture(index)
      switch await running.removeFirst().value {
      case .success(let pictures): try await body(item, pictures)
      case .failure(let fault): onFault(item.path, fault)
      }
    }
    return true
  }

  private func pictures(of item: Item, _ sizes: [ExportSpecification.Size]) async -> Result<[Picture], ImageFault> {
    do throws(ImageFault) {
      var pictures: [Picture] = []
      for size in sizes {
        var specification = ExportSpecification()
        specification.size = size
        specification.metadata = .none
        if sheet.format == .html { specification.quality = .fixed(Self.pageQuality) }
        pictures.append(
          try await exporter.contents(of: item.path, shown: item.metadata, as: specification, in: sheet.target.folder))
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
