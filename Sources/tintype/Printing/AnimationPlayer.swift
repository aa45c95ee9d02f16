import Foundation
import ImageWire
import Images
import Printing
import Terminal
import WorkerPool

/// Plays an animation in the terminal whose first frame has just been printed there.
///
/// Some frames are rendered ahead. A frame whose time has passed when the terminal is ready for it is skipped. Frames are kept
/// for the next loop as far as there is memory for them, here or in a terminal that stores images.
@MainActor
final class AnimationPlayer {
  private let terminal: AnimationTerminal
  private let queue: RenditionQueue
  private let printer: ImagePrinter
  private let layout: (ImageRow.Item) -> ImageRow
  private let first: ImageRequest
  /// The ids of the frames but the first.
  private let laterIDs: (Int) -> UInt32
  private let count: Int
  private var answers: [Int: ImageAnswer] = [:]
  private var requested: Set<Int> = []
  /// The frames whose images the terminal stores.
  private var stored: Set<Int> = []
  /// The frames that stay for the next loop, and the bytes that they take.
  private var kept: Set<Int> = []
  private var keptBytes = 0
  /// The frame that is being sent; it may be cut off.
  private var sending: Int?
  private var delays: [Int: Duration] = [:]
  private var delay: Duration
  private var budget = FrameBudget(longestTime: 0.3)

  /// The number of frames that are rendered ahead.
  private static let ahead = 3
  /// The memory for frames that are kept, in bytes.
  private static let mostKept = 64 << 20
  /// The time of a frame that specifies none, and the shortest time that is respected, in milliseconds, as in the viewer.
  private static let (usualDelay, shortestDelay) = (100, 20)

  /// - Parameters:
  ///   - request: The request for the first frame.
  ///   - answer: The first frame.
  ///   - ids: Returns the id of a frame. That of the first is not used.
  ///   - layout: Returns the row of a frame.
  init(
    _ request: ImageRequest, _ answer: ImageAnswer, ids: @escaping (Int) -> UInt32, on terminal: AnimationTerminal,
    _ queue: RenditionQueue, _ printer: ImagePrinter, layout: @escaping (ImageRow.Item) -> ImageRow
  ) {
    self.terminal = terminal
    self.queue = queue
    self.printer = printer
    self.layout = layout
    first = request
    count = answer.info.frames
    laterIDs = ids
    delay = Self.delay(of: answer)
    answers[0] = answer
    keep(0, answer)
  }

  /// Plays the animation until its last frame, or until it is stopped.
  /// - Parameters:
  ///   - loops: The number of times that it is played; nil to play it until it is stopped.
  ///   - sent: The bytes of the first frame, and the time that it took to write them.
  func play(loops: Int?, sent: (bytes: Int, time: Duration)) async throws {
    var position = Position(frame: 0, loop: 1, due: .now + delay)
    try await terminal.enter(rows: layout(item(0)).height, sent: sent)
    adapt(to: sent.bytes)
    while terminal.stop == nil, let next = next(after: position, loops: loops) {
      for step in 0...Self.ahead { prepare((next.frame + step) % count) }
      await terminal.wait { self.answers[next.frame] != nil }
      await terminal.wait(until: next.due)
      guard terminal.stop == nil, await show(next.frame, insteadOf: position.frame) else { break }
      position = Position(frame: next.frame, loop: next.loop, due: next.due + (delays[next.frame] ?? delay))
    }
    finish(at: position.frame)
  }

  /// A frame of a loop, and the time of the next one.
  private struct Position {
    var frame: Int
    var loop: Int
    var due: ContinuousClock.Instant
  }

  /// Returns the next frame, and the time at which it is shown; nil after the last one. Frames whose time has passed are
  /// skipped, but not the last one of all.
  private func next(after position: Position, loops: Int?) -> Position? {
    var next = position
    while true {
      next.frame += 1
      if next.frame == count { (next.frame, next.loop) = (0, next.loop + 1) }
      if let loops, next.loop > loops { return nil }
      let isLast = next.frame == count - 1 && next.loop == loops
      let end = next.due + (delays[next.frame] ?? delay)
      if isLast || end > .now { return next }
      next.due = end
    }
  }
}

// MARK: - Frames

extension AnimationPlayer {
  private func id(of frame: Int) -> UInt32 { frame == 0 ? first.number : laterIDs(frame) }

  private func prepare(_ frame: Int) {
    guard answers[frame] == nil, var rendition = first.rendition, requested.insert(frame).inserted else { return }
    rendition.specification.presentation.frame = frame
    rendition.stage = .full
    rendition.budget = budget.value
    let request = ImageRequest(number: id(of: frame), path: first.path, job: .show(rendition))
    Task.onMainActor { [self, isUnlimited = budget.value == nil] in
      let answer = await queue.render(request)
      requested.remove(frame)
      if budget.value != nil, isUnlimited {
        answer.deleteFile(unless: false)
        prepare(frame)
      } else {
        answers[frame] = answer
        terminal.wake()
      }
    }
  }

  /// - Parameter bytes: The bytes of the last frame.
  private func adapt(to bytes: Int) {
    let wasUnlimited = budget.value == nil
    budget.adapt(to: bytes, throughput: terminal.throughput)
    if wasUnlimited, budget.value != nil { dropUnsentFrames() }
  }

  private func dropUnsentFrames() {
    for (frame, answer) in answers where !stored.contains(frame) {
      answer.deleteFile(unless: false)
      answers[frame] = nil
    }
    kept.formIntersection(stored)
    keptBytes = kept.reduce(0) { $0 + (answers[$1]?.cost ?? 0) }
  }

  private func item(_ frame: Int) -> ImageRow.Item {
    ImageRow.Item(
      content: answers[frame]?.content ?? .noPreview, id: id(of: frame), isStored: stored.contains(frame))
  }

  /// Shows a frame.
  /// - Returns: Whether the frame is shown.
  private func show(_ frame: Int, insteadOf old: Int) async -> Bool {
    guard let answer = answers[frame] else { return false }
    if case .failure = answer.content { return false }
    delay = Self.delay(of: answer)
    delays[frame] = Self.delay(of: answer)
    guard frame != old else { return true }
    let bytes = layout(item(frame)).frame(printer)
    keep(frame, answer)
    sending = frame
    await terminal.show(bytes + removal(of: old))
    guard terminal.stop == nil else { return false }
    sending = nil
    adapt(to: bytes.count)
    dropFrames(shown: frame)
    return true
  }

  /// Keeps a frame that is shown, for the next loop if there is memory for it. What the terminal stores is not kept here.
  private func keep(_ frame: Int, _ answer: ImageAnswer) {
    if printer.commands != nil, case .graphic(var image) = answer.content {
      image.bytes = []
      stored.insert(frame)
      answers[frame]?.content = .graphic(image)
    }
    // What is coarse is rendered again for the next loop, unless the terminal has it.
    guard answer.info.isSharp || printer.commands != nil, !kept.contains(frame),
      keptBytes + answer.cost <= Self.mostKept
    else { return }
    kept.insert(frame)
    keptBytes += answer.cost
  }

  /// Returns the commands that take a frame off the screen after another one has been placed there.
  private func removal(of frame: Int) -> [UInt8] {
    guard let commands = printer.commands, stored.contains(frame) else { return [] }
    if kept.contains(frame) { return printer.isPlaced ? commands.hide(id(of: frame)) : [] }
    stored.remove(frame)
    return commands.delete(id(of: frame))
  }

  /// Releases the frames that are neither kept nor shown soon.
  private func dropFrames(shown: Int) {
    let soon = Set((0...Self.ahead + 1).map { (shown + $0) % count })
    for (frame, answer) in answers where !kept.contains(frame) && !soon.contains(frame) {
      answers[frame] = nil
      answer.deleteFile(unless: stored.contains(frame))
    }
  }

  private func finish(at frame: Int) {
    let commands = printer.commands
    let others = stored.subtracting([frame, sending ?? frame])
    terminal.leave(others.flatMap { commands?.delete(id(of: $0)) ?? [] }, abortion: commands?.abortion ?? [])
    for (frame, answer) in answers { answer.deleteFile(unless: stored.contains(frame)) }
  }

  private static func delay(of answer: ImageAnswer) -> Duration {
    .milliseconds(answer.info.delay > 0 ? max(shortestDelay, answer.info.delay) : usualDelay)
  }
}

extension ImageAnswer {
  /// The memory that the rendition takes in a terminal that stores it, or here, in bytes.
  fileprivate var cost: Int {
    switch content {
    case .graphic(let image): max(image.bytes.count, image.width * image.height * 4)
    case .cells(let image): image.cells.count * 12
    case .failure, .noPreview, .appraisal, .exported, .listing, .transfer: 0
    }
  }

  /// Deletes the file that the terminal was to read.
  /// - Parameter isSent: Whether the terminal has received its name, and so deletes it itself.
  func deleteFile(unless isSent: Bool) {
    if !isSent, case .graphic(let image) = content, !image.file.isEmpty { unlink(image.file) }
  }
}
