import ImageWire
import Images
import Printing
import Terminal
import ViewModels
import WorkerPool

/// Plays a video in the terminal whose first frame has just been printed there.
///
/// As in the viewer, frames are chosen while the ones before them are drawn. So a slow terminal shows fewer frames, and the video
/// keeps its speed.
@MainActor
final class VideoPlayer {
  private let terminal: AnimationTerminal
  private let queue: RenditionQueue
  private let printer: ImagePrinter
  private let layout: (ImageRow.Item) -> ImageRow
  private let first: ImageRequest
  /// The ids of frames, which are used in turn.
  private let ids: [UInt32]
  /// The place in ``ids`` of the frame that is shown.
  private var shown = 0
  private var budget = FrameBudget(longestTime: 0.15)
  /// The frames that were requested and are not shown yet, by their positions: the places of their ids, and their answers.
  private var frames: [Int: (place: Int, answer: ImageAnswer?)] = [:]
  /// The place in ``ids`` of the frame that was requested last.
  private var requested = 0

  /// The number of ids: one for the shown frame, two for those on their way, and one for a frame that is still being deleted.
  static let idCount = 4

  /// - Parameters:
  ///   - request: The request for the first frame.
  ///   - queue: A queue with one worker, which has the video open.
  ///   - ids: ``idCount`` ids, of which the first is not used.
  ///   - layout: Returns the row of a frame.
  init(
    _ request: ImageRequest, ids: [UInt32], on terminal: AnimationTerminal, _ queue: RenditionQueue,
    _ printer: ImagePrinter, layout: @escaping (ImageRow.Item) -> ImageRow
  ) {
    self.terminal = terminal
    self.queue = queue
    self.printer = printer
    self.layout = layout
    self.ids = [request.number] + ids.dropFirst()
    first = request
  }

  /// Plays the video until its end, or until it is stopped.
  /// - Parameters:
  ///   - answer: The first frame.
  ///   - loops: The number of times that it is played; nil to play it until it is stopped.
  ///   - sent: The bytes of the first frame, and the time that it took to write them.
  func play(_ answer: ImageAnswer, loops: Int?, sent: (bytes: Int, time: Duration)) async throws {
    let start = ContinuousClock.now
    let item = ImageRow.Item(content: answer.content, id: answer.number)
    try await terminal.enter(rows: layout(item).height, sent: sent)
    budget.adapt(to: sent.bytes, throughput: terminal.throughput)
    var playback = Playback(
      duration: answer.info.duration, from: first.rendition?.specification.presentation.frame ?? 1)
    if loops != 1 { playback.toggleLoop() }
    var round = 1
    while terminal.stop == nil {
      playback.frameIsShown(at: ContinuousClock.now - start, interval: answer.info.delay)
      for frame in playback.upcoming { request(frame.position) }
      guard let next = playback.next else {
        // On a busy machine, the video may end before its last frame was shown.
        let last = answer.info.duration - max(1, answer.info.delay)
        if playback.position < last { _ = await show(last, at: .now) }
        break
      }
      if next.position < playback.position { round += 1 }
      if let loops, round > loops { break }
      guard await show(next.position, at: start + next.time) else { break }
      playback.showNext(at: next.time)
    }
    finish()
  }

  /// Requests the frame at a position, unless it is on its way.
  private func request(_ position: Int) {
    guard frames[position] == nil, var rendition = first.rendition else { return }
    requested = (requested + 1) % Self.idCount
    rendition.specification.presentation.frame = position
    rendition.stage = .full
    rendition.budget = budget.value
    let request = ImageRequest(number: ids[requested], path: first.path, job: .show(rendition))
    frames[position] = (requested, nil)
    Task.onMainActor { [self] in
      let answer = await queue.render(request)
      frames[position]?.answer = answer
      terminal.wake()
    }
  }

  /// Shows the frame at a position, as soon as it is there and due.
  /// - Returns: Whether the frame is shown.
  private func show(_ position: Int, at time: ContinuousClock.Instant) async -> Bool {
    request(position)
    await terminal.wait { self.frames[position]?.answer != nil }
    await terminal.wait(until: time)
    guard terminal.stop == nil, let (place, found) = frames.removeValue(forKey: position), let answer = found
    else { return false }
    if case .failure = answer.content { return false }
    let bytes = layout(ImageRow.Item(content: answer.content, id: ids[place])).frame(printer)
    await terminal.show(bytes + (printer.commands?.delete(ids[shown]) ?? []))
    shown = place
    budget.adapt(to: bytes.count, throughput: terminal.throughput)
    return terminal.stop == nil
  }

  private func finish() {
    terminal.leave([], abortion: printer.commands?.abortion ?? [])
    for frame in frames.values { frame.answer?.deleteFile(unless: false) }
  }
}
