import Foundation
import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// The board decides which images over the cells are drawn, wiped out and left alone.
@MainActor
@Suite(.limited) final class GraphicsBoardTests {
  private static let placed = Delivery.placed(KittyCommands(isPassedThrough: false))
  private static let placeholdersInTmux = Delivery.placeholders(KittyCommands(isPassedThrough: true))

  private var board = GraphicsBoard()
  /// The cells over images that the last frame writes again.
  private var covered: [Rect] = []
  private let size = Size(columns: 20, rows: 10)

  private func graphic(_ id: UInt32, _ delivery: Delivery) -> Graphic {
    Graphic(
      GraphicImage(columns: 6, rows: 4, width: 60, height: 80, bytes: Array("<\(id)>".utf8)), id: id,
      delivery: delivery)
  }

  /// A part of an image that the terminal enlarges is cut from the pixels that it was sent.
  @Test func anEnlargedImageIsScaledToItsCells() {
    let image = GraphicImage(
      columns: 6, rows: 4, width: 30, height: 20, isEnlarged: true, bytes: Array("<9>".utf8))
    let graphic = Graphic(image, id: 9, delivery: Self.placed)
    #expect(frame([(graphic, 2, 1)]).after.contains("a=p,i=9,p=65539,C=1,c=6,r=4"))
    let cut = frame([(graphic, 2, 1)], cover: Rect(column: 2, row: 1, columns: 6, rows: 1)).after
    #expect(cut.contains(",x=0,y=5,w=30,h=15,c=6,r=3"))
  }

  /// Returns a graphic of some pixels of a stored image, scaled to four times three cells.
  private func part(_ id: UInt32, x: Int, isPassedThrough: Bool = false) -> Graphic? {
    let image = GraphicImage(columns: 6, rows: 4, width: 60, height: 80, bytes: Array("<\(id)>".utf8))
    let transfer = KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: isPassedThrough)
    return Graphic(
      partOf: image, id: id, format: .kitty(transfer), pixels: (x..<x + 20, 30..<60),
      scaledTo: Size(columns: 4, rows: 3))
  }

  /// Nothing is sent again. Another part at the same place replaces the first one, under the same number.
  @Test func aPartOfAStoredImageIsScaledToItsCells() throws {
    let whole = graphic(9, .placeholders(KittyCommands(isPassedThrough: false)))
    board.use(whole)
    #expect(frame([(whole, 9, 1)]).transmissions == "<9>")
    let first = frame([(try #require(part(9, x: 5)), 2, 1)])
    #expect(first.transmissions == "")
    #expect(first.after.contains("a=p,i=9,p=65539,C=1,x=5,y=30,w=20,h=30,c=4,r=3"))
    #expect(frame([(try #require(part(9, x: 5)), 2, 1)]).after == "")
    let second = frame([(try #require(part(9, x: 6)), 2, 1)])
    #expect(second.before == "" && second.after.contains("a=p,i=9,p=65539,C=1,x=6,y=30,w=20,h=30,c=4,r=3"))
    // Below a popup, its own pixels are shown.
    let covered = frame([(try #require(part(9, x: 6)), 2, 1)], cover: Rect(column: 2, row: 1, columns: 2, rows: 3))
    #expect(covered.before.contains("a=d,d=i,i=9,p=65539") && covered.after.contains("x=16,y=30,w=10,h=30,c=2,r=3"))
    // The image itself takes its place.
    #expect(frame([]).before.contains("a=d,d=i,i=9,p=65541"))
  }

  @Test func otherTerminalsScaleNoPart() {
    #expect(part(9, x: 5, isPassedThrough: true) == nil)
    let image = GraphicImage(columns: 6, rows: 4, width: 60, height: 80, bytes: [])
    let size = Size(columns: 4, rows: 3)
    #expect(Graphic(partOf: image, id: 9, format: .iterm, pixels: (0..<9, 0..<9), scaledTo: size) == nil)
    #expect(
      Graphic(
        partOf: image, id: 9, format: .symbols(.truecolor, .blocks), pixels: (0..<9, 0..<9), scaledTo: size) == nil)
  }

  private func frame(
    _ placed: [(Graphic, column: Int, row: Int)], cover: Rect? = nil, arrives: Bool = true,
    changes: (Int) -> ClosedRange<Int>? = { _ in nil }
  ) -> (before: String, after: String, transmissions: String, deletions: String) {
    board.beginFrame(size: size)
    for (graphic, column, row) in placed {
      board.place(graphic, in: Rect(column: column, row: row, columns: graphic.image.columns, rows: graphic.image.rows))
    }
    if let cover {
      for row in cover.row..<cover.endRow { board.cover(column: cover.column, row: row, columns: cover.columns) }
    }
    func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    var transmitted = ""
    for var transmission in board.transmissions() {
      while !transmission.isEmpty { transmitted += text(transmission.takePiece()) }
      if let id = transmission.id, arrives { _ = board.arrive(id) }
    }
    let output = board.endFrame(changes: changes)
    covered = output.covered
    return (text(output.before), text(output.placements + output.images), transmitted, text(output.deletions))
  }

  @Test func aSixelIsDrawnOnceAndAgainAfterItWasCovered() {
    let image = graphic(9, .drawn)
    #expect(frame([(image, 2, 1)]).after == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8")
    #expect(frame([(image, 2, 1)]).after == "")
    // Nothing is drawn over a popup. When the popup has gone, the whole sixel is drawn.
    #expect(frame([(image, 2, 1)], cover: Rect(column: 4, row: 2, columns: 9, rows: 2)).after == "")
    #expect(frame([(image, 2, 1)]).after == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8")
    // ncurses wrote over some of the blanks.
    #expect(frame([(image, 2, 1)], changes: { $0 == 3 ? 0...2 : nil }).after.contains("<9>"))
    #expect(frame([(image, 2, 1)], changes: { $0 == 3 ? 0...1 : nil }).after == "")
    _ = board.invalidate()
    #expect(frame([(image, 2, 1)]).after.contains("<9>"))
  }

  @Test func aPopupOverANewSixelIsDrawnAgain() {
    let image = graphic(9, .drawn)
    let popup = Rect(column: 4, row: 2, columns: 9, rows: 2)
    #expect(frame([(image, 2, 1)], cover: popup).after == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8")
    #expect(covered == [2, 3].map { Rect(column: 4, row: $0, columns: 4, rows: 1) })
    // Writing into the popup alone does not hit the image.
    #expect(frame([(image, 2, 1)], cover: popup, changes: { $0 == 2 ? 4...7 : nil }).after == "")
    #expect(frame([(image, 2, 1)], cover: popup, changes: { $0 == 2 ? 3...7 : nil }).after.contains("<9>"))
    // A larger popup leaves less of it free, the first one more.
    let larger = Rect(column: 3, row: 2, columns: 9, rows: 2)
    #expect(frame([(image, 2, 1)], cover: larger).after == "" && covered == [])
    #expect(frame([(image, 2, 1)], cover: popup).after.contains("<9>"))
    #expect(frame([(image, 2, 1)]).after.contains("<9>") && covered == [])
  }

  @Test func drawnImagesThatWereBrokenOffAreDrawnAgain() {
    let (small, large) = (graphic(9, .drawn), graphic(1000, .drawn))
    let both = [(large, 12, 1), (small, 2, 1)]
    let first = frame(both).after
    #expect(first == "\u{1B}7\u{1B}[2;3H<9>\u{1B}8\u{1B}7\u{1B}[2;13H<1000>\u{1B}8")
    #expect(frame(both).after == "")
    _ = board.invalidate()
    #expect(frame(both).after == first)
    // All but the last byte.
    board.loseDrawn(after: first.utf8.count - 1)
    #expect(frame(both).after == "\u{1B}7\u{1B}[2;13H<1000>\u{1B}8")
    board.loseDrawn(after: 0)
    // An image that is no longer shown may have been begun, so its place is wiped out.
    let next = frame([(small, 2, 1)])
    #expect(next.after == "" && next.before.contains("[2;13H"))
  }

  @Test func aStoredImageThatWasBrokenOffIsSentAgain() {
    let image = graphic(9, Self.placed)
    #expect(frame([(image, 2, 1)], arrives: false).transmissions == "<9>")
    board.lose(9)
    #expect(board.deleteAll().isEmpty)
    let again = frame([(image, 2, 1)])
    #expect(again.transmissions == "<9>" && again.after.contains("a=p,i=9"))
  }

  @Test func aSixelThatGoesIsWipedOut() {
    _ = frame([(graphic(9, .drawn), 2, 1)])
    let next = frame([])
    #expect(next.before.components(separatedBy: "\u{1B}[m\u{1B}[6X\u{1B}8").count == 5)
    #expect(frame([]).before == "")
  }

  /// xterm would show a sixel again that was wiped out.
  @Test func theTerminalDoesNotScrollOnceASixelWasDrawn() {
    #expect(!board.mustNotScroll)
    _ = frame([(graphic(9, Self.placed), 2, 1)])
    #expect(board.mustNotScroll)
    _ = frame([])
    #expect(!board.mustNotScroll)
    _ = frame([(graphic(10, .drawn), 2, 1)])
    _ = frame([])
    #expect(board.mustNotScroll)
  }

  @Test func aPlacedImageIsSentOnceAndShownInItsFreeParts() {
    let image = graphic(9, Self.placed)
    let first = frame([(image, 2, 1)])
    #expect(first.transmissions == "<9>")
    #expect(first.after == "\u{1B}7\u{1B}[2;3H\u{1B}_Gq=2,a=p,i=9,p=65539,C=1\u{1B}\\\u{1B}8")
    let covered = frame([(image, 2, 1)], cover: Rect(column: 4, row: 2, columns: 9, rows: 1))
    #expect(covered.transmissions == "")
    #expect(covered.before == "\u{1B}_Gq=2,a=d,d=i,i=9,p=65539\u{1B}\\")
    #expect(covered.after.contains("a=p,i=9,p=65539,C=1,x=0,y=0,w=60,h=20"))
    #expect(covered.after.contains("a=p,i=9,p=131075,C=1,x=0,y=20,w=20,h=20"))
    #expect(covered.after.contains("a=p,i=9,p=196611,C=1,x=0,y=40,w=60,h=40"))
    let deletions = [65539, 131_075, 196_611].map { "\u{1B}_Gq=2,a=d,d=i,i=9,p=\($0)\u{1B}\\" }
    #expect(frame([]).before == deletions.joined())
    #expect(String(decoding: board.deleteAll(), as: UTF8.self) == "\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\\")
  }

  @Test func aPlacedImageIsNotShownBeforeItHasArrived() {
    let image = graphic(9, Self.placed)
    let early = frame([(image, 2, 1)], arrives: false)
    #expect(early.transmissions == "<9>" && early.after == "")
    #expect(board.arrive(9) == true, "a frame waits for it")
    let late = frame([(image, 2, 1)])
    #expect(late.transmissions == "" && late.after.contains("a=p,i=9"))
  }

  @Test(arguments: [false, true])
  func aTransmissionIsCutBetweenItsSequences(isPassedThrough: Bool) {
    let sequences = ["a=T,i=9,m=1;AAAA", "m=0;BBBB"].map {
      Passthrough.wrapped("\u{1B}_Gq=2,\($0)\u{1B}\\", isPassedThrough: isPassedThrough)
    }
    var transmission = Transmission(id: 9, sequences.flatMap(\.self))
    var pieces: [[UInt8]] = []
    while !transmission.isEmpty { pieces.append(Array(transmission.takePiece())) }
    #expect(pieces == sequences)
  }

  @Test func anImageInTwoPlacesLeavesOneAndStaysInTheOther() {
    let image = graphic(9, Self.placed)
    let both = frame([(image, 2, 1), (image, 12, 1)])
    #expect(both.transmissions == "<9>")
    for number in [65539, 65549] { #expect(both.after.contains("a=p,i=9,p=\(number),C=1")) }
    let one = frame([(image, 12, 1)])
    #expect(one.before == "\u{1B}_Gq=2,a=d,d=i,i=9,p=65539\u{1B}\\" && one.after == "")
    // From several places at once.
    _ = frame([(image, 2, 1), (image, 12, 1)])
    let none = frame([]).before
    for number in [65539, 65549] { #expect(none.contains("a=d,d=i,i=9,p=\(number)\u{1B}")) }
  }

  @Test func placedImagesAreLostWithTheScreenAndSentAgain() {
    let (old, other) = (graphic(9, Self.placed), graphic(10, Self.placed))
    _ = frame([(old, 2, 1)])
    #expect(board.invalidate() == true, "the image has to be rendered again")
    let next = frame([(other, 2, 1)])
    #expect(next.transmissions == "\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\\<10>")
    #expect(next.after.contains("a=p,i=10"))
    #expect(board.invalidate() == true)
    let again = frame([(other, 2, 1)])
    #expect(again.transmissions.hasSuffix("<10>") && again.after.contains("a=p,i=10"))
  }

  @Test func otherImagesOutliveTheScreen() {
    board.beginFrame(size: size)
    board.use(graphic(9, Self.placeholdersInTmux))
    _ = board.transmissions()
    #expect(board.invalidate() == false && frame([]).transmissions == "")
    // Another program may have had the screen, and the terminal may have kept the image.
    let deletion = String(decoding: board.reset(), as: UTF8.self)
    #expect(deletion == "\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\u{1B}\\\u{1B}\\")
    #expect(board.deleteAll() == [])
  }

  @Test func placeholdersAreDeletedThroughTmuxWhenForgotten() {
    board.beginFrame(size: size)
    board.use(graphic(9, Self.placeholdersInTmux))
    _ = board.transmissions()
    board.forget([9, 10])
    #expect(frame([]).deletions == "\u{1B}Ptmux;\u{1B}\u{1B}_Gq=2,a=d,d=I,i=9\u{1B}\u{1B}\\\u{1B}\\")
  }
}
