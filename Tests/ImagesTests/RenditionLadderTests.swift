import ImageWire
import TestLimit
import Testing

@testable import Images

/// The choice among the renditions of an image that are cached on a slow line.
@Suite(.limited) struct RenditionLadderTests {
  private func step(_ rung: Rung, id: UInt32, bytes: Int, isSharp: Bool = false) -> RenditionLadder.Entry {
    let image = GraphicImage(columns: 1, rows: 1, width: 1, height: 1, bytes: [UInt8](repeating: 0, count: bytes))
    return RenditionLadder.Entry(
      rendition: .graphic(id: id, image), info: ImageInfo(isSharp: isSharp), rung: rung)
  }

  /// A ladder of renditions whose identifiers are their places, counted from 1.
  private var ladder: RenditionLadder {
    var ladder = RenditionLadder(step(.preview, id: 1, bytes: 4000))
    ladder.insert(step(.readable, id: 2, bytes: 30_000))
    ladder.insert(step(.fine, id: 3, bytes: 200_000))
    ladder.insert(step(.exact, id: 4, bytes: 900_000, isSharp: true))
    return ladder
  }

  @Test func anImageThatTheTerminalStoresIsShownAtFirst() {
    #expect(ladder.start(bytes: 5000) { $0 == 4 } == .exact)
    #expect(ladder.start(bytes: 5000) { $0 == 3 } == .fine)
    // A finer one that takes few bytes is better than a stored one.
    #expect(ladder.start(bytes: 50_000) { $0 == 1 } == .readable)
  }

  @Test func withoutAStoredImageTheFinestOneInTheBudgetIsShownAtFirst() {
    #expect(ladder.start(bytes: 250_000) { _ in false } == .fine)
    #expect(ladder.start(bytes: 5000) { _ in false } == .preview)
    // The coarsest one is shown even if it takes more.
    #expect(ladder.start(bytes: 10) { _ in false } == .preview)
  }

  @Test func theNextRenditionIsACachedOneIfItTakesFewBytesOrIsStored() {
    var ladder = RenditionLadder(step(.preview, id: 1, bytes: 4000))
    ladder.insert(step(.exact, id: 4, bytes: 900_000, isSharp: true))
    #expect(ladder.next(after: .preview, bytes: { _ in 30_000 }, isStored: { _ in false }) == .request(.readable))
    #expect(ladder.next(after: .preview, bytes: { _ in 30_000 }, isStored: { $0 == 4 }) == .cached(.exact))
    #expect(ladder.next(after: .preview, bytes: { _ in 1_000_000 }, isStored: { _ in false }) == .cached(.exact))
    #expect(ladder.next(after: .exact, bytes: { _ in 1_000_000 }, isStored: { _ in true }) == nil)
  }
}
