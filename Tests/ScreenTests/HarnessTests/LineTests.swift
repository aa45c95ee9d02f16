import TestLimit
import Testing

@testable import Harness

/// The slow line of the tests.
@Suite(.limited) struct LineDirectionTests {
  private let start = ContinuousClock.now
  private let line = Line(bytesPerSecond: 10_000, roundTrip: .milliseconds(200))

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  @Test func bytesArriveAtTheRateAfterHalfTheRoundTrip() {
    var way = LineDirection(line, at: start)
    way.put(Array(repeating: 1, count: 1000), at: start)
    #expect(way.take(at: after(109)) == [])
    #expect(way.take(at: after(110)).count == 100)
    #expect(way.take(at: after(155)).count == 400)
    #expect(way.take(at: after(200)).count == 500)
    #expect(way.isEmpty)
    // The line has been idle since.
    way.put([2], at: after(1000))
    #expect(way.take(at: after(1100)) == [])
    #expect(way.take(at: after(1101)) == [2])
  }

  @Test func aFullBufferTakesNoMore() {
    var way = LineDirection(line, at: start)
    way.put(Array(repeating: 1, count: 64_000), at: start)
    #expect(way.timeToRoom(at: start) == .zero)
    way.put(Array(repeating: 1, count: 10_000), at: start)
    #expect(way.timeToRoom(at: start) > .milliseconds(999))
    #expect(way.timeToRoom(at: after(1000)) == .zero)
  }

  @Test func jitterKeepsTheOrder() {
    var way = LineDirection(Line(bytesPerSecond: 100_000, roundTrip: .zero, jitter: .milliseconds(300)), at: start)
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 256) }
    way.put(bytes, at: start)
    var (taken, latest): ([UInt8], Int) = ([], 0)
    for time in stride(from: 0, through: 600, by: 10) {
      let piece = way.take(at: after(time))
      if !piece.isEmpty { latest = time }
      taken += piece
    }
    #expect(taken == bytes)
    #expect(latest > 200)
  }

  @Test func aStallDelaysWhatIsOnItsWayAndWhatFollows() {
    var way = LineDirection(line, at: start)
    way.put([1], at: start)
    way.stall(for: .seconds(3), at: after(50))
    way.put([2], at: after(60))
    #expect(way.take(at: after(3100)) == [])
    #expect(way.take(at: after(3101)) == [1])
    #expect(way.take(at: after(3151)) == [2])
  }
}

/// The images of the tests' terminal.
@Suite(.limited) struct GraphicsTerminalTests {
  /// A PNG of one pixel, in two halves.
  private static let halves = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe",
    "AAAADElEQVR4nGNgZGIGAAAOAAfXb+R4AAAAAElFTkSuQmCC"
  )
  /// The first half of an image with the id 7.
  private static let pixel = "\u{1B}_Gq=2,f=100,i=7,a=T,U=1,c=1,r=1,m=1;\(halves.0)\u{1B}\\"

  /// An image with the id 7, one pixel large.
  private static let stored = "\u{1B}_Gq=2,f=100,i=7,a=t,m=0;\(halves.0)\(halves.1)\u{1B}\\"
  private static let cursor = Screen.Cursor(row: 0, column: 0, visible: true)

  private func receive(_ text: String, _ terminal: inout GraphicsTerminal, at cursor: Screen.Cursor = Self.cursor) {
    _ = terminal.receive(Array(text.utf8)) { _ in cursor }
  }

  /// Follows what is placed at the cursor by an emulator.
  @Test func placedImagesLieWhereTheCursorWas() {
    var terminal = GraphicsTerminal(.oldKitty)
    let emulator = Emulator(size: Size(columns: 20, rows: 10))
    func show(_ text: String) { _ = terminal.receive(Array(text.utf8), write: emulator.write) }
    func place(_ keys: String) { show("\u{1B}_Gq=2,a=p,i=7,C=1,\(keys)\u{1B}\\") }
    func image(_ row: Int, _ column: Int) -> UInt32? { terminal.placements.image(row: row, column: column) }
    place("p=1")
    #expect(terminal.placements.ids == [])
    show(Self.stored + "\u{1B}7\u{1B}[3;5H")
    place("p=1,c=4,r=2")
    show("\u{1B}8ab")
    place("p=2")
    #expect([image(2, 4), image(3, 7), image(0, 2)] == [7, 7, 7])
    #expect([image(1, 4), image(4, 4), image(2, 3), image(2, 8), image(0, 1), image(0, 3)].allSatisfy { $0 == nil })
    // The same number again moves the part.
    place("p=1,c=1,r=1,x=0,y=0,w=1,h=1")
    #expect(image(2, 4) == nil)
    show("\u{1B}_Gq=2,a=d,d=i,i=7,p=1\u{1B}\\")
    #expect(image(0, 2) == 7 && terminal.stored[7] != nil)
    show("\u{1B}_Gq=2,a=d,d=i,i=7\u{1B}\\")
    #expect(terminal.placements.ids == [])
    for clearing in ["\u{1B}[2J", "\u{1B}[?1049h", "\u{1B}_Gq=2,a=d,d=A\u{1B}\\"] {
      show(Self.stored)
      place("p=1")
      #expect(terminal.placements.ids == [7])
      show(clearing)
      #expect(terminal.placements.ids == [])
    }
    #expect(terminal.stored.isEmpty)
  }

  @Test func textGoesOnAndImagesDoNot() {
    var terminal = GraphicsTerminal(.kitty)
    let whole = "a" + Self.pixel + "b\u{1B}_Gq=2,m=0;\(Self.halves.1)\u{1B}\\\u{1B}[31mc"
    var text: [UInt8] = []
    // Every byte on its own.
    for byte in whole.utf8 {
      _ = terminal.receive([byte]) {
        text += $0
        return Self.cursor
      }
    }
    #expect(String(decoding: text, as: UTF8.self) == "ab\u{1B}[31mc")
    #expect(terminal.faults == [])
    #expect(terminal.stored[7]?.pixels?.rgb == [1, 2, 3])
  }

  @Test func anImageThatEndsTooSoonIsDropped() {
    var terminal = GraphicsTerminal(.kitty)
    receive(Self.pixel + "\u{1B}_Gq=2,m=0;\u{1B}\\", &terminal)
    #expect(terminal.cutCount == 1)
    #expect(terminal.stored.isEmpty)
    var sixels = GraphicsTerminal(.sixel)
    receive("\u{1B}P0;0;0q\"1;1;2;6#0;2;100;0;0#0~~\u{1B}\\", &sixels)
    #expect(sixels.images.first?.pixels?.rgb == Array(repeating: [255, 0, 0], count: 12).flatMap(\.self))
    receive("\u{1B}P0;0;0q\"1;1;2;6#0;2;100;0;0#0~\u{1B}\\", &sixels)
    #expect(sixels.cutCount == 1)
  }

  @Test func commandsInAnImageAndCutSequencesAreFaults() {
    var terminal = GraphicsTerminal(.kitty)
    receive(Self.pixel + "\u{1B}_Gq=2,a=d,d=I,i=3\u{1B}\\", &terminal)
    #expect(terminal.faults.count == 1)
    receive("\u{1B}P0;0;0q\"1;1\u{1B}[2J", &terminal)
    #expect(terminal.faults.count == 2)
  }

  @Test func questionsAreAnswered() {
    var terminal = GraphicsTerminal(.sixel)
    let answers = terminal.receive(Array("\u{1B}[?1;1;0S\u{1B}[16t\u{1B}[c".utf8)) { text in
      #expect(text == [])
      return Self.cursor
    }
    #expect(String(decoding: answers, as: UTF8.self) == "\u{1B}[?1;0;256S\u{1B}[6;20;10t\u{1B}[?62;4;22c")
  }
}
