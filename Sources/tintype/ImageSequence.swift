import Foundation
import Gallery
import ImageWire
import Images
import Printing
import Resources
import Terminal
import WorkerPool

/// Images that are printed one after another, in the order of their files.
@MainActor
struct ImageSequence {
  /// The largest size of an image; nil for the largest that the surroundings have room for.
  let box: CellBox?
  /// The place where the images are printed.
  let surroundings: Surroundings

  /// Prints images.
  /// - Returns: The exit code: 1 if an image could not be shown.
  func print(_ files: [FileArgument]) async throws -> Int32 {
    let queue = RenditionQueue(
      workerPath: Resources.executable("tintype-pictures"),
      workerCount: min(files.count, ProcessInfo.processInfo.activeProcessorCount))
    guard let format = surroundings.format else { return EXIT_SUCCESS }
    let box = box ?? surroundings.box
    let firstNumber = surroundings.imageIDs(count: files.count)
    let requests = files.enumerated().map { index, file in
      RenditionRequest(
        number: firstNumber + UInt32(index), path: file.path, columns: box.columns, rows: box.rows,
        cellWidth: surroundings.cell.width, cellHeight: surroundings.cell.height, format: format,
        background: surroundings.background, palette: surroundings.palette, stage: .once)
    }
    let printer = surroundings.printer(format)
    // All are requested at once, and printed in their order.
    let answers = requests.map { request in Task.onMainActor { await queue.render(request) } }
    var code = EXIT_SUCCESS
    for (file, answer) in zip(files, answers) {
      let answer = await answer.value
      if case .failure(let fault) = answer.content {
        Shell.print("\(file.printable): \(fault.message)", to: .standardError)
        code = EXIT_FAILURE
      } else {
        try FileHandle.standardOutput.write(contentsOf: Data(printer.bytes(for: answer.content, id: answer.number)))
        if answer.info.isIncomplete {
          Shell.print("\(file.printable): \(ImageFault.incomplete.message)", to: .standardError)
        }
      }
    }
    return code
  }
}
