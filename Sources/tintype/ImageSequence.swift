import Foundation
import Gallery
import ImageWire
import Images
import Printing
import Resources
import Terminal

/// Images that are printed one after another, or side by side in a grid, in the order of their files.
@MainActor
struct ImageSequence {
  /// The area for an image, or for a screen of a grid; nil for the largest that the surroundings have room for.
  let box: CellBox?
  /// The place where the images are printed.
  let surroundings: Surroundings
  /// The way in which they are fitted and arranged.
  var presentation = Presentation()

  /// Prints images, and the photos of folders.
  /// - Returns: The exit code: 1 if an image could not be shown.
  func print(_ arguments: [FileArgument]) async throws -> Int32 {
    guard let format = surroundings.format else { return EXIT_SUCCESS }
    let named = await NamedImages.find(arguments)
    for problem in named.problems { Shell.print(problem, to: .standardError) }
    var code = named.problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
    let layout = presentation.layout(in: box ?? surroundings.box)
    var answers = answers(for: named.files, format, in: layout.box)
    var output = RowOutput(layout: layout, alignment: presentation.alignment, printer: surroundings.printer(format))
    for (index, file) in named.files.enumerated() {
      guard let answer = await answers.next() else { break }
      if case .failure(let fault) = answer.content {
        Shell.print("\(file.printable): \(fault.message)", to: .standardError)
        code = EXIT_FAILURE
      } else {
        let title = title(of: file, answer.info, index: index, count: named.files.count)
        try output.add(ImageRow.Item(title: title, content: answer.content, id: answer.number))
        if answer.info.isIncomplete {
          Shell.print("\(file.printable): \(ImageFault.incomplete.message)", to: .standardError)
        }
      }
    }
    try output.finishRow()
    return code
  }

  private func answers(for files: [FileArgument], _ format: OutputFormat, in box: Size) -> RenditionsInOrder {
    let workers = min(files.count, ProcessInfo.processInfo.activeProcessorCount)
    let queue = RenditionQueue(workerPath: Resources.executable("tintype-pictures"), workerCount: workers)
    let requests = zip(surroundings.imageIDs(count: files.count), files).map { id, file in
      presentation.request(id, for: file, format, in: box, surroundings)
    }
    return RenditionsInOrder(
      requests, from: queue, atMost: 2 * workers, prefersPreviews: surroundings.isForPreviews)
  }

  private func title(of file: FileArgument, _ info: ImageInfo, index: Int, count: Int) -> String {
    presentation.title?.title(
      of: TitleFormat.Facts(
        path: file.printable, name: file.printableName, width: info.width, height: info.height,
        number: index + 1, count: count)) ?? ""
  }
}

/// The rows of images on the standard output. A row is written when it is full.
private struct RowOutput {
  let layout: GridLayout
  let alignment: Alignment
  let printer: ImagePrinter
  private var items: [ImageRow.Item] = []
  private var isFirst = true

  init(layout: GridLayout, alignment: Alignment, printer: ImagePrinter) {
    (self.layout, self.alignment, self.printer) = (layout, alignment, printer)
  }

  mutating func add(_ item: ImageRow.Item) throws {
    items.append(item)
    if items.count == layout.columns { try finishRow() }
  }

  mutating func finishRow() throws {
    guard !items.isEmpty else { return }
    let bytes = ImageRow(items, layout, alignment).bytes(printer, isFirst: isFirst)
    (items, isFirst) = ([], false)
    try FileHandle.standardOutput.write(contentsOf: Data(bytes))
  }
}
