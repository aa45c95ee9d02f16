import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// The store knows which images the terminal stores.
@Suite(.limited) struct GraphicStoreTests {
  private static let placed = Delivery.placed(KittyCommands(isPassedThrough: false))
  private static let placeholders = Delivery.placeholders(KittyCommands(isPassedThrough: false))

  private func graphic(_ id: UInt32, _ delivery: Delivery) -> Graphic {
    Graphic(
      GraphicImage(columns: 6, rows: 4, width: 60, height: 80, bytes: Array("<\(id)>".utf8)), id: id,
      delivery: delivery)
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}_Gq=2,", with: "[").replacing("\u{1B}\\", with: "]")
  }

  /// Sends images to the terminal, and returns all bytes.
  private func send(_ graphics: [Graphic], to store: inout GraphicStore) -> String {
    var bytes: [UInt8] = []
    for var transmission in store.transmissions(of: graphics) {
      while !transmission.isEmpty { bytes += transmission.takePiece() }
    }
    return text(bytes)
  }

  @Test(arguments: [placed, placeholders]) func anImageIsSentOnceUntilItIsLost(delivery: Delivery) {
    var store = GraphicStore()
    let image = graphic(9, delivery)
    #expect(send([image, image], to: &store) == "<9>")
    #expect(send([image], to: &store) == "")
    store.lose(9)
    #expect(send([image], to: &store) == "<9>")
  }

  @Test func aDrawnImageIsNeverStored() {
    var store = GraphicStore()
    #expect(store.canShow(graphic(9, .drawn)) && send([graphic(9, .drawn)], to: &store) == "")
    #expect(store.deletionOfAll.isEmpty && store.deleteAll().isEmpty)
  }

  @Test func aFrameIsAskedForOnlyIfTheLastOneWaitedForTheImage() {
    var store = GraphicStore()
    let (awaited, other) = (graphic(9, Self.placeholders), graphic(10, Self.placeholders))
    _ = send([awaited, other], to: &store)
    #expect(store.canShow(awaited) == false)
    #expect([store.arrive(10), store.arrive(9)] == [false, true])
    #expect([store.canShow(awaited), store.canShow(other)] == [true, true])
    store.lose(9)
    #expect(store.canShow(awaited) == false)
    store.beginFrame()
    _ = send([awaited], to: &store)
    #expect(store.arrive(9) == false, "the new frame does not show it")
  }

  @Test func forgottenImagesAreDeletedOnce() {
    var store = GraphicStore()
    _ = send([graphic(9, Self.placeholders)], to: &store)
    store.forget([9, 9, 10])
    #expect(text(store.takeDeletions()) == "[a=d,d=I,i=9]" && store.takeDeletions().isEmpty)
  }

  /// kitty up to 0.26 would delete all placed images that are not on the screen.
  @Test func placedImagesAreNotDeletedOneByOne() {
    var store = GraphicStore()
    _ = send([graphic(9, Self.placed)], to: &store)
    store.forget([9])
    #expect(store.takeDeletions().isEmpty)
    #expect(text(store.deleteAll(except: [10])) == "[a=d,d=I,i=9]")
  }

  @Test func clearingTheScreenLosesPlacedImagesAlone() {
    var store = GraphicStore()
    _ = send([graphic(9, Self.placeholders)], to: &store)
    #expect(store.clearScreen() == false && send([], to: &store) == "")
    _ = send([graphic(10, Self.placed)], to: &store)
    #expect(store.clearScreen() == true)
    #expect(send([graphic(11, Self.placed)], to: &store) == "[a=d,d=I,i=10]<11>", "the old ones first")
  }

  @Test func imagesThatNeverLeftAreNotDeleted() {
    var store = GraphicStore()
    _ = send([graphic(9, Self.placeholders), graphic(10, Self.placeholders)], to: &store)
    #expect(text(store.deleteAll(except: [10])) == "[a=d,d=I,i=9]")
  }

  @Test func shortCommandsDeleteAllImagesThatWereEverSent() {
    var store = GraphicStore()
    #expect(store.deletionOfAll.isEmpty)
    _ = send([12, 9, 10].map { graphic($0, Self.placeholders) }, to: &store)
    store.forget([12])
    #expect(text(store.deletionOfAll) == "[m=0;][a=d,d=R,x=9,y=12]")
    var placed = GraphicStore()
    _ = send([graphic(9, Self.placed)], to: &placed)
    #expect(text(placed.deletionOfAll) == "[m=0;][a=d,d=A]")
  }
}
