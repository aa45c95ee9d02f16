import Foundation
import Gallery
import ImageWire
import Images

/// A measurement of the renditions that a slow line gets one after the other, for bench.py: `measure-rungs WORKER RATE PHOTO...`
///
/// RATE is the line's throughput in bytes per second. It prints one line for each rendition: the output format, the number
/// of the rendition, its width and height in pixels (in cells for characters), its bytes, and the seconds until it came.
@main
@MainActor
struct MeasureRungs {
  private static let (columns, rows) = (126, 38)
  private static let formats: [(name: String, format: OutputFormat)] = [
    ("kitty", .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: false))),
    ("sixel", .sixel(colors: 256)), ("iterm", .iterm), ("symbols", .symbols(.truecolor, .blocks)),
  ]

  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count > 2, let worker = arguments.first, let rate = arguments.dropFirst().first.flatMap(Double.init)
    else {
      print("usage: measure-rungs WORKER RATE PHOTO...")
      exit(EX_USAGE)
    }
    for (name, format) in formats {
      let loader = ImageLoader(workerPath: worker, workerCount: 1)
      loader.budgets = RenditionBudgets(
        throughput: rate, previewTime: 0.35, cells: columns * (rows + 2), isLineIdle: true)
      for photo in arguments.dropFirst(2) { await climb(name, format, photo, loader) }
    }
  }

  /// Prints the renditions of a photo, up to the one that is not improved any more.
  private static func climb(_ name: String, _ format: OutputFormat, _ photo: String, _ loader: ImageLoader) async {
    let screen = RenditionScreen(format: format, cellWidth: 10, cellHeight: 20, background: 0x101010)
    let specification = RenditionSpecification(.file(FilePath(photo)), columns: columns, rows: rows, on: screen)
    var last: ImageLoader.Rendition?
    for rung in 1...8 {
      let start = ContinuousClock.now
      let rendition = await next(specification, after: last, loader)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      switch rendition {
      case .graphic(_, let image): print(name, rung, image.width, image.height, image.bytes.count, seconds)
      case .cells(let image): print(name, rung, image.columns, image.rows, image.byteCount, seconds)
      case .loading, .failed, .notFetched: return
      }
      last = rendition
      loader.forgetPredecessor(of: specification)
      if !loader.isImproving(specification) { return }
    }
  }

  /// Draws frames until a photo has another rendition than the last one.
  private static func next(
    _ specification: RenditionSpecification, after last: ImageLoader.Rendition?, _ loader: ImageLoader
  ) async -> ImageLoader.Rendition {
    while true {
      loader.beginFrame()
      let rendition = loader.rendition(of: specification).0
      if rendition != .loading, rendition != last { return rendition }
      await withCheckedContinuation { continuation in
        loader.onRendition = {
          loader.onRendition = {}
          continuation.resume()
        }
        loader.endFrame()
      }
    }
  }
}

extension CellImage {
  /// About as many bytes as the cells take on the line: three for a character, and a color of 24 bits where it changes.
  fileprivate var byteCount: Int {
    zip(cells.indices, cells).reduce(0) { sum, item in
      let last = cells[max(0, item.0 - 1)]
      return sum + 3 + (item.1.foreground == last.foreground ? 0 : 17) + (item.1.background == last.background ? 0 : 17)
    }
  }
}
