import Foundation
import Gallery
import ImageWire
import Images
import Printing
import Terminal

/// An image that is drawn in given cells of the terminal: first its preview if there is one, then the image itself unless
/// the preview is as sharp.
@MainActor
struct PlacedImage {
  private let surroundings: Surroundings
  private let presentation: Presentation
  private let format: OutputFormat
  private let rect: Rect
  private let file: FileArgument

  /// - Returns: nil if the surroundings have no cells for an image.
  init?(_ file: FileArgument, in surroundings: Surroundings, _ presentation: Presentation) {
    guard let format = surroundings.format, let rect = surroundings.place, !rect.isEmpty else { return nil }
    self.surroundings = surroundings
    self.presentation = presentation
    self.format = format
    self.rect = rect
    self.file = file
  }

  /// Draws the image.
  /// - Returns: The exit code: 1 if the image could not be shown.
  func draw() async throws -> Int32 {
    let queue = try RenditionQueue(forCommandWithWorkers: 1)
    let preview = await isQuick ? nil : queue.render(request(.preview))
    if let preview, preview.isDrawn {
      try write(preview)
      if preview.info.isSharp { return EXIT_SUCCESS }
    }
    let answer = await queue.render(request(.once))
    if case .failure(let fault) = answer.content {
      try Shell.write(ImagePlace(rect).clearing(format, ids: surroundings.previewIDs))
      Shell.print("\(file.printable): \(fault.message)", to: .standardError)
      return EXIT_FAILURE
    }
    try write(answer, replaces: preview?.isDrawn == true)
    if answer.info.isIncomplete {
      Shell.print("\(file.printable): \(ImageFault.incomplete.message)", to: .standardError)
    }
    return EXIT_SUCCESS
  }

  private func write(_ answer: ImageAnswer, replaces isDrawn: Bool = false) throws {
    let item = ImageRow.Item(content: answer.content, id: answer.number)
    try Shell.write(
      ImagePlace(rect).bytes(
        ImagePrinter(format: format), for: item, in: box, presentation.alignment, replacesPreview: isDrawn))
  }

  /// Whether the image itself is there as fast as its preview.
  private var isQuick: Bool {
    var status = stat()
    return file.path.withCString { stat($0, &status) } == 0 && status.st_size < Self.quickBytes
  }

  private static let quickBytes = 1 << 18

  private var box: Size { Size(columns: surroundings.box.columns, rows: surroundings.box.rows) }

  private func request(_ stage: RenditionStage) -> ImageRequest {
    var specification = presentation.specification(of: file, format, in: box, surroundings)
    // A preview is sent in the sequences themselves: the terminal may read a file only after the image has come.
    if stage == .preview, case .kitty(var transfer) = format {
      transfer.isLocal = false
      specification.screen.format = .kitty(transfer)
    }
    return ImageRequest(
      number: surroundings.previewIDs[rect], path: file.path, job: .show(RenditionRequest(specification, stage)))
  }
}

extension ImageAnswer {
  /// Whether there is a rendition.
  fileprivate var isDrawn: Bool {
    switch content {
    case .cells, .graphic: true
    case .failure, .noPreview, .appraisal, .exported, .listing, .transfer: false
    }
  }
}
