import Testing

@testable import Terminal

@Suite struct OutboxTests {
  private static let sequences = ["a=t,i=9,m=1;AAAA", "m=1;BBBB", "m=0;CCCC"].map { "\u{1B}_Gq=2,\($0)\u{1B}\\" }
  private static let abort = "\u{1B}_Gq=2,m=0;\u{1B}\\"

  private func picture(_ id: UInt32 = 9, isWhole: Bool = false) -> Transmission {
    Transmission(id: id, Array(Self.sequences.joined().utf8), isWhole: isWhole)
  }

  /// Takes all that is left, so many bytes at a time.
  private func rest(of outbox: inout Outbox, by count: Int = 7) -> (text: String, events: [Outbox.Event]) {
    var (bytes, events): ([UInt8], [Outbox.Event]) = ([], [])
    while !outbox.isEmpty {
      let front = outbox.front(count)
      bytes += front
      events += outbox.remove(front.count)
    }
    return (String(decoding: bytes, as: UTF8.self), events)
  }

  @Test(arguments: [1, 2, 5, 1000]) func framesLeaveInTheirOrder(count: Int) {
    var outbox = Outbox()
    #expect(outbox.isEmpty && outbox.isDrained && outbox.front(10).isEmpty)
    outbox.send(Array("questions".utf8))
    outbox.send(Array("cells".utf8), pictures: Array("pictures".utf8), end: Array("end".utf8))
    #expect(!outbox.isDrained)
    // There is room for a frame when there is none.
    let rest = rest(of: &outbox, by: count)
    #expect(rest.text == "questionscellspicturesend" && rest.events == [.frameLeft])
    outbox.send([], pictures: [], end: [])
    #expect(self.rest(of: &outbox).events == [.frameLeft])
  }

  @Test func onePieceOfAPictureGoesBeforeAFrame() {
    var outbox = Outbox()
    outbox.transmit([picture(), picture(10)])
    var (text, events) = ("", [Outbox.Event]())
    for number in 0..<6 {
      outbox.send(Array("<\(number)>".utf8))
      while !outbox.isDrained {
        text += String(decoding: outbox.front(3), as: UTF8.self)
        events += outbox.remove(min(3, outbox.front(3).count))
      }
    }
    let pieces = Self.sequences + Self.sequences
    #expect(text.hasPrefix(zip(pieces, 0...).map { "\($0)<\($1)>" }.joined().prefix(text.count)))
    #expect(events.filter { $0 == .frameLeft }.count == 6)
    #expect(events.contains(.pictureLeft(9)))
  }

  /// The cells that have not left are not lost: ncurses takes them for drawn.
  @Test(arguments: [
    (0, "", ""), (3, "", ""), (5, "", ""), (6, "\u{1B}", "\u{1B}\\"), (7, "\u{1B}7", "\u{1B}\\\u{1B}8"),
    (9, "\u{1B}7pi", "\u{1B}\\\u{1B}8"),
  ])
  func aFramesPicturesAreBrokenOffWhereverTheyAre(sent: Int, pictures: String, ending: String) {
    var outbox = Outbox()
    outbox.send(Array("cells".utf8), pictures: Array("\u{1B}7pictures".utf8), end: Array("<end>".utf8))
    #expect(outbox.remove(sent).isEmpty)
    #expect(!outbox.isHeldUp(isAnswerDue: false) && outbox.breakOff(isAnswerDue: false) == nil)
    #expect(outbox.isHeldUp(isAnswerDue: true))
    #expect(outbox.breakOff(isAnswerDue: true) == .drawn(sent: max(0, sent - 5)))
    #expect(!outbox.isHeldUp(isAnswerDue: true) && outbox.breakOff(isAnswerDue: true) == nil)
    let rest = rest(of: &outbox)
    #expect(rest.text == "cells".dropFirst(sent) + ending + "<end>" && rest.events == [.frameLeft])
  }

  @Test func aFrameWhosePicturesHaveLeftIsNotBrokenOff() {
    var outbox = Outbox()
    outbox.send(Array("cells".utf8), pictures: Array("pictures".utf8), end: Array("<end>".utf8))
    _ = outbox.remove(13)
    #expect(outbox.breakOff(isAnswerDue: true) == nil)
    #expect(rest(of: &outbox).text == "<end>")
  }

  @Test func whatIsSentBeforehandIsBrokenOffForAnAnswerAlone() {
    var outbox = Outbox()
    outbox.transmit([picture(isWhole: true), picture(10, isWhole: true)])
    _ = outbox.remove(5)
    #expect(!outbox.isHeldUp(isAnswerDue: true), "no frame is there yet")
    outbox.send(Array("spinner".utf8))
    #expect(!outbox.isHeldUp(isAnswerDue: false) && outbox.breakOff(isAnswerDue: false) == nil)
    outbox.send(Array("answer".utf8), isAnswer: true)
    #expect(outbox.isHeldUp(isAnswerDue: false))
    #expect(outbox.breakOff(isAnswerDue: false) == .transmitted(9))
    #expect(outbox.breakOff(isAnswerDue: false) == nil)
    let rest = rest(of: &outbox)
    let all = Self.sequences.joined()
    #expect(rest.text == String(Self.sequences[0].dropFirst(5)) + Self.abort + "spinneranswer" + all)
    #expect(rest.events == [.frameLeft, .pictureLeft(10)])
  }

  @Test func theLastPieceOfAPictureGoesWhole() {
    var outbox = Outbox()
    outbox.transmit([picture(isWhole: true)])
    _ = outbox.remove(Self.sequences[0].count + Self.sequences[1].count + 1)
    outbox.send([0x61], isAnswer: true)
    #expect(!outbox.isHeldUp(isAnswerDue: false) && outbox.breakOff(isAnswerDue: false) == nil)
  }

  @Test func picturesThatNobodyWantsAnyMoreAreNotSent() {
    var outbox = Outbox()
    outbox.transmit([picture(9), picture(10), Transmission(Array("<delete>".utf8)), picture(11)])
    _ = outbox.remove(3)
    #expect(outbox.dropPictures(except: [11]) == [10], "what has been begun goes on")
    #expect(rest(of: &outbox).text == Self.sequences.joined().dropFirst(3) + "<delete>" + Self.sequences.joined())
    outbox.transmit([picture(9), picture(10), Transmission(Array("<delete>".utf8))])
    _ = outbox.remove(3)
    #expect(outbox.discardPictures() == [10])
    #expect(rest(of: &outbox).text == Self.sequences[0].dropFirst(3) + "<delete>")
  }
}
