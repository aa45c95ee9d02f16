import Foundation
import Gallery
import PictureWire

/// Gets pictures rendered, and keeps what was rendered.
///
/// Whoever draws asks for what it wants to show, in every frame; what a frame no longer asks for is not rendered any
/// more. So scrolling cancels by itself.
@MainActor
public final class PictureLoader {
  /// What there is to show of a picture at the moment.
  public enum Rendition: Sendable {
    case loading
    case cells(CellPicture)
    /// Why there is none.
    case failed(String)
  }

  /// How pictures are rendered; the same for all of a screen.
  public struct Look: Hashable, Sendable {
    public var cellAspect: Int
    public var colors: PictureColors
    public var isUnicode: Bool
    /// 0xRRGGBB.
    public var background: UInt32

    public init(cellAspect: Int, colors: PictureColors, isUnicode: Bool, background: UInt32) {
      self.cellAspect = cellAspect
      self.colors = colors
      self.isUnicode = isUnicode
      self.background = background
    }
  }

  /// Called when a rendition that was asked for has come.
  public var onRendition: () -> Void = {}

  private struct Key: Hashable {
    var path: String
    var columns: Int
    var rows: Int
    var fillsBox: Bool
    var look: Look
  }

  private let workers: [PictureWorker]
  private var memory: RenditionMemory<Key>
  private var wanted: [Key] = []
  private var inFlight: [UInt32: Key] = [:]
  private var lastNumber: UInt32 = 0

  /// - Parameters:
  ///   - workerPath: The worker's executable.
  ///   - workerCount: At most this many run at once.
  ///   - budget: In bytes, for the renditions kept in memory.
  public init(workerPath: String, workerCount: Int, budget: Int = 64 << 20) {
    workers = (0..<max(1, workerCount)).map { _ in PictureWorker(path: workerPath) }
    memory = RenditionMemory(budget: budget)
    for worker in workers {
      worker.onAnswer = { [weak self] in self?.receive($0) }
      // Now, so that the libraries are loaded when the first photo is known.
      worker.startEarly()
    }
  }

  /// Begins a frame: what it will ask for, and nothing else, is wanted from now on.
  public func beginFrame() {
    wanted = []
  }

  /// What there is to show of `image` in a box of cells, which it fits in whole or is cut to fill. What is asked for first in a frame is rendered first.
  public func rendition(
    of image: ImageLocation, columns: Int, rows: Int, fillsBox: Bool, look: Look
  ) -> Rendition {
    guard case .file(let path) = image else { return .failed("Pictures from the web come with a later version") }
    let key = Key(path: path, columns: columns, rows: rows, fillsBox: fillsBox, look: look)
    if let known = memory[key] { return known }
    wanted.append(key)
    return .loading
  }

  /// Ends a frame: sets the workers to what is missing.
  public func endFrame() {
    for worker in workers where worker.isIdle {
      guard let index = wanted.firstIndex(where: { !inFlight.values.contains($0) }) else { return }
      send(wanted.remove(at: index), to: worker)
    }
  }

  private func send(_ key: Key, to worker: PictureWorker) {
    lastNumber &+= 1
    inFlight[lastNumber] = key
    worker.send(
      PictureRequest(
        number: lastNumber, path: key.path, columns: key.columns, rows: key.rows, fillsBox: key.fillsBox,
        cellAspect: key.look.cellAspect, colors: key.look.colors, isUnicode: key.look.isUnicode,
        background: key.look.background))
  }

  private func receive(_ answer: PictureAnswer) {
    guard let key = inFlight.removeValue(forKey: answer.number) else { return }
    switch answer.content {
    case .cells(let picture): memory.insert(.cells(picture), for: key, cost: picture.cells.count * 12 + 256)
    case .failure(let reason): memory.insert(.failed(reason.printable), for: key, cost: 512)
    }
    endFrame()
    onRendition()
  }
}

/// Renditions by key under a budget; what was used longest ago goes first.
@MainActor
struct RenditionMemory<Key: Hashable> {
  private struct Entry {
    var rendition: PictureLoader.Rendition
    var cost: Int
    var lastUse: Int
  }

  private let budget: Int
  private var entries: [Key: Entry] = [:]
  private var clock = 0
  private(set) var cost = 0

  init(budget: Int) { self.budget = budget }

  subscript(key: Key) -> PictureLoader.Rendition? {
    mutating get {
      guard entries[key] != nil else { return nil }
      clock += 1
      entries[key]?.lastUse = clock
      return entries[key]?.rendition
    }
  }

  mutating func insert(_ rendition: PictureLoader.Rendition, for key: Key, cost: Int) {
    clock += 1
    remove(key)
    entries[key] = Entry(rendition: rendition, cost: cost, lastUse: clock)
    self.cost += cost
    guard self.cost > budget else { return }
    // A quarter at once, so that the sorting is rare.
    for (key, _) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard self.cost > budget * 3 / 4 else { break }
      remove(key)
    }
  }

  private mutating func remove(_ key: Key) {
    if let old = entries.removeValue(forKey: key) { cost -= old.cost }
  }
}
