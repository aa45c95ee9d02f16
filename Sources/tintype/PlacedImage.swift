import Foundation
import Gallery
import ImageWire
import Images
import Printing
import Resources
import Terminal

/// An image that is drawn in given cells of the terminal.
@MainActor
struct PlacedImage {
  /// The terminal, with the place.
  let surroundings: Surroundings
  /// The way in which the image is fitted.
  let presentation: Presentation

  /// Draws the first of the files, if there is one.
  /// - Returns: The exit code: 1 if the image could not be shown.
  func draw(_ files: [FileArgument]) async throws -> Int32 {
    guard let file = files.first, let format = surroundings.format, let rect = surroundings.place, !rect.isEmpty else {
      return EXIT_SUCCESS
    }
    let place = ImagePlace(rect)
    let queue = RenditionQueue(workerPath: Resources.executable("tintype-pictures"), workerCount: 1)
    let box = Size(columns: surroundings.box.columns, rows: surroundings.box.rows)
    let answer = await queue.render(
      presentation.request(surroundings.previewIDs[rect], for: file, format, in: box, surroundings))
    if case .failure(let fault) = answer.content {
      try Shell.write(place.clearing(format, ids: surroundings.previewIDs))
      Shell.print("\(file.printable): \(fault.message)", to: .standardError)
      return EXIT_FAILURE
    }
    let item = ImageRow.Item(content: answer.content, id: answer.number)
    try Shell.write(place.bytes(ImagePrinter(format: format), for: item, in: box, presentation.alignment))
    if answer.info.isIncomplete {
      Shell.print("\(file.printable): \(ImageFault.incomplete.message)", to: .standardError)
    }
    return EXIT_SUCCESS
  }
}
