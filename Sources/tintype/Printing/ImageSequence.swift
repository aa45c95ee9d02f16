import Foundation
import Gallery
import ImageWire
import Images
import Photos
import Printing
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
    let requests = requests(for: named.files, format, in: layout.box)
    let queue = try RenditionQueue(forCommandWithWorkers: min(requests.count, Self.cores))
    var answers = RenditionsInOrder(requests, from: queue, atMost: 2 * Self.cores)
    var output = RowOutput(layout: layout, alignment: presentation.alignment, printer: surroundings.printer(format))
    for (index, file) in named.files.enumerated() {
      guard let answer = await answers.next() else { break }
      if case .failure(let fault) = answer.content {
        Shell.print("\(file.printable): \(fault.message)", to: .standardError)
        code = EXIT_FAILURE
      } else {
        let title = title(of: file, answer.info, index: index, count: named.files.count)
        let start = ContinuousClock.now
        try output.add(ImageRow.Item(title: title, content: answer.content, id: answer.number))
        if answer.info.isIncomplete {
          Shell.print("\(file.printable): \(ImageFault.incomplete.message)", to: .standardError)
        }
        let sent = (output.lastCount, ContinuousClock.now - start)
        if await play(requests[index], answer, sent, in: layout, isAlone: requests.count == 1) == .interrupt {
          return Self.interrupted
        }
      }
    }
    try output.finishRow()
    await queue.stop()
    return code
  }

  private static let cores = ProcessInfo.processInfo.activeProcessorCount
  /// The exit code of a command that Ctrl-C has ended.
  private static let interrupted = 128 + SIGINT

  private func requests(for files: [FileArgument], _ format: OutputFormat, in box: Size) -> [ImageRequest] {
    zip(surroundings.imageIDs(count: files.count), files).map { id, file in
      var specification = presentation.specification(of: file, format, in: box, surroundings)
      specification.presentation.frame = firstFrame(of: file)
      let rendition = RenditionRequest(specification, surroundings.isForPreviews ? .glance : .once)
      return ImageRequest(number: id, path: file.path, job: .show(rendition))
    }
  }

  private func title(of file: FileArgument, _ info: ImageInfo, index: Int, count: Int) -> String {
    presentation.title?.title(
      of: TitleFormat.Facts(
        path: file.printable, name: file.printableName, width: info.width, height: info.height,
        number: index + 1, count: count)) ?? ""
  }
}

// MARK: - Animations and videos

extension ImageSequence {
  /// The terminal of all animations of the process; nil until one has been played.
  private static var terminal: AnimationTerminal?

  /// Plays an animation or a video that has just been printed, if it is one and if that is possible here.
  /// - Parameters:
  ///   - sent: The bytes of the first frame, and the time that it took to write them.
  ///   - isAlone: Whether it is the only image.
  /// - Returns: The reason why it was stopped; nil if it was not.
  private func play(
    _ request: ImageRequest, _ answer: ImageAnswer, _ sent: (bytes: Int, time: Duration),
    in layout: GridLayout, isAlone: Bool
  ) async -> AnimationTerminal.Stop? {
    let isVideo = answer.info.duration > 0
    let item = ImageRow.Item(content: answer.content, id: answer.number)
    let layoutOfFrame = { ImageRow([$0], layout, presentation.alignment) }
    // An image that is higher than the screen has scrolled off it.
    guard isVideo || answer.info.frames > 1, canPlay, layoutOfFrame(item).height <= surroundings.box.rows,
      let rendition = request.rendition, let terminal = openTerminal(),
      let queue = try? RenditionQueue(forCommandWithWorkers: isVideo ? 1 : Self.cores)
    else { return nil }
    let printer = surroundings.printer(rendition.specification.screen.format)
    // Videos are played once if nothing else is said, as players do.
    let loops = presentation.loops ?? (isAlone && !isVideo ? .forever : .times(1))
    if isVideo {
      let ids = surroundings.imageIDs(count: VideoPlayer.idCount)
      let player = VideoPlayer(request, ids: ids, on: terminal, queue, printer, layout: layoutOfFrame)
      try? await player.play(answer, loops: loops.limit, sent: sent)
    } else {
      let player = AnimationPlayer(
        request, answer, ids: surroundings.imageIDs(), on: terminal, queue, printer, layout: layoutOfFrame)
      try? await player.play(loops: loops.limit, sent: sent)
    }
    return terminal.stop
  }

  /// Whether the user and the surroundings let an animation or a video play.
  private var canPlay: Bool {
    presentation.loops?.limit != 0 && presentation.grid == nil && surroundings.readsTerminal
      && surroundings.kind != nil
  }

  /// Returns the frame with which a file begins: of a video, the first one if it is played, and else the one that stands for it.
  private func firstFrame(of file: FileArgument) -> Int {
    guard PhotoKind(file.path) == .video else { return 0 }
    return presentation.seek.map { max(1, $0.milliseconds) } ?? (canPlay ? 1 : 0)
  }

  private func openTerminal() -> AnimationTerminal? {
    guard let capabilities = surroundings.capabilities else { return nil }
    let terminal = Self.terminal ?? (try? AnimationTerminal(capabilities))
    Self.terminal = terminal
    return terminal?.isInForeground == true ? terminal : nil
  }
}

/// The rows of images on the standard output. A row is written when it is full.
private struct RowOutput {
  let layout: GridLayout
  let alignment: Alignment
  let printer: ImagePrinter
  private var items: [ImageRow.Item] = []
  private var isFirst = true
  /// The bytes of the last row.
  private(set) var lastCount = 0

  init(layout: GridLayout, alignment: Alignment, printer: ImagePrinter) {
    self.layout = layout
    self.alignment = alignment
    self.printer = printer
  }

  mutating func add(_ item: ImageRow.Item) throws {
    items.append(item)
    if items.count == layout.columns { try finishRow() }
  }

  mutating func finishRow() throws {
    guard !items.isEmpty else { return }
    let bytes = ImageRow(items, layout, alignment).bytes(printer, isFirst: isFirst)
    items = []
    isFirst = false
    lastCount = bytes.count
    try FileHandle.standardOutput.write(contentsOf: Data(bytes))
  }
}
