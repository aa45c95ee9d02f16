import TestLimit
import Testing

@testable import Terminal

@Suite(.limited) struct OutboxTests {
  private static let sequences = ["a=t,i=9,m=1;AAAA", "m=1;BBBB", "m=0;CCCC"].map { "\u{1B}_Gq=2,\($0)\u{1B}\\" }
  private static let abort = "\u{1B}_Gq=2,m=0;\u{1B}\\"

  private func image(_ id: UInt32 = 9) -> Transmission { Transmission(id: id, Array(Self.sequences.joined().utf8)) }

  /// Takes all remaining bytes, `count` at a time. No frame comes after an image.
  private func rest(of outbox: inout Outbox, by count: Int = 7) -> (text: String, events: [Outbox.Event]) {
    var (bytes, events): ([UInt8], [Outbox.Event]) = ([], [])
    while !outbox.isEmpty {
      let front = outbox.front(count)
      bytes += front
      events += outbox.remove(front.count)
      if case .imageLeft = events.last { outbox.transmit() }
    }
    return (String(decoding: bytes, as: UTF8.self), events)
  }

  @Test(arguments: [1, 2, 5, 1000]) func framesLeaveInOrder(count: Int) {
    var outbox = Outbox()
    #expect(outbox.isEmpty && outbox.isDrained && outbox.front(10).isEmpty)
    outbox.send(Array("questions".utf8))
    outbox.send(Array("cells".utf8), images: Array("images".utf8), end: Array("end".utf8))
    #expect(!outbox.isDrained)
    // The event comes when the last frame has left.
    let rest = rest(of: &outbox, by: count)
    #expect(rest.text == "questionscellsimagesend" && rest.events == [.frameLeft])
    outbox.send([], images: [], end: [])
    #expect(self.rest(of: &outbox).events == [.frameLeft])
  }

  @Test func theRestOfAnImageIncludesTheImagesBeforeIt() {
    var outbox = Outbox()
    outbox.transmit([image(), image(10)])
    let whole = outbox.rest(of: 10)
    #expect(whole == 2 * outbox.rest(of: 9) + Self.sequences[0].utf8.count && outbox.rest(of: 11) == 0)
  }

  @Test func onePieceOfAnImageGoesBeforeEachFrame() {
    var outbox = Outbox()
    outbox.transmit([image(), image(10)])
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
    #expect(events.contains(.imageLeft(9)))
  }

  @Test(arguments: [false, true]) func anImageThatIsNoLongerShownEndsAtAChunk(isPassedThrough: Bool) {
    let sequences =
      isPassedThrough ? Self.sequences.map { String(decoding: Passthrough.wrapped($0), as: UTF8.self) } : Self.sequences
    let abort = isPassedThrough ? String(decoding: Passthrough.wrapped(Self.abort), as: UTF8.self) : Self.abort
    var outbox = Outbox()
    outbox.transmit([Transmission(id: 9, Array(sequences.joined().utf8)), image(10)])
    // A part of the first sequence has left, which is sent to its end.
    _ = outbox.remove(3)
    #expect(outbox.cutImages(except: [9]).isEmpty)
    #expect(outbox.cutImages(except: []) == [9])
    let rest = rest(of: &outbox)
    #expect(rest.text == String(sequences[0].dropFirst(3)) + abort + Self.sequences.joined())
    #expect(rest.events == [.imageLeft(10)])
  }

  /// The command that shows an image would cut the next one.
  @Test func theFrameThatShowsAnImageGoesBeforeTheNextImage() {
    var outbox = Outbox()
    outbox.transmit([image(), image(10), Transmission(Array("<delete>".utf8))])
    var text = ""
    while !outbox.isEmpty {
      text += String(decoding: outbox.front(.max), as: UTF8.self)
      if outbox.remove(outbox.front(.max).count) == [.imageLeft(9)] {
        #expect(outbox.isEmpty && outbox.cutImages(except: []).isEmpty)
        outbox.send(Array("<show 9>".utf8))
        outbox.transmit()
      }
    }
    let bytes = Self.sequences.joined()
    #expect(text == bytes + "<show 9>" + bytes)
    outbox.transmit()
    #expect(rest(of: &outbox).text == "<delete>")
  }

  @Test func anAnswerIsUrgentUntilItsCellsHaveLeft() {
    var outbox = Outbox()
    outbox.send(Array("old".utf8))
    #expect(!outbox.isUrgent)
    outbox.send(Array("new".utf8), images: Array("image".utf8), isAnswer: true)
    #expect(outbox.isUrgent)
    _ = outbox.remove(5)
    #expect(outbox.isUrgent)
    _ = outbox.remove(1)
    #expect(!outbox.isUrgent)
    outbox.ask(Array("?".utf8))
    #expect(outbox.remove(5) == [.frameLeft])
    #expect(outbox.isUrgent)
    #expect(outbox.remove(1) == [.questionLeft])
  }

  /// tmux waits only a few seconds for the end of a sequence, which may take longer on a slow line.
  @Test(arguments: [false, true]) func theRestOfASequenceForTmuxIsUrgent(isPassedThrough: Bool) {
    let sequences = Self.sequences.map { Passthrough.wrapped($0, isPassedThrough: isPassedThrough) }
    var outbox = Outbox()
    outbox.transmit([Transmission(id: 9, Array(sequences.joined()))])
    for sequence in sequences {
      #expect(!outbox.isUrgent)
      _ = outbox.remove(1)
      #expect(outbox.isUrgent == isPassedThrough)
      _ = outbox.remove(sequence.count - 1)
    }
    #expect(outbox.isEmpty)
  }

  /// The remaining cells are still sent, as ncurses takes them for drawn.
  @Test(arguments: [
    (0, "", ""), (3, "", ""), (5, "", ""), (6, "\u{1B}", "\u{1B}\\"), (7, "\u{1B}7", "\u{1B}\\\u{1B}8"),
    (9, "\u{1B}7pi", "\u{1B}\\\u{1B}8"),
  ])
  func theImagesOfAFrameAreBrokenOffAtAnyByte(sent: Int, images: String, ending: String) {
    var outbox = Outbox()
    outbox.send(Array("cells".utf8), images: Array("\u{1B}7images".utf8), end: Array("<end>".utf8))
    #expect(outbox.remove(sent).isEmpty)
    #expect(outbox.unsentImages == 8 - max(0, sent - 5))
    #expect(outbox.breakOff() == max(0, sent - 5))
    #expect(outbox.unsentImages == nil && outbox.breakOff() == nil)
    let rest = rest(of: &outbox)
    #expect(rest.text == "cells".dropFirst(sent) + ending + "<end>" && rest.events == [.frameLeft])
  }

  @Test func aFrameWhoseImagesHaveLeftIsNotBrokenOff() {
    var outbox = Outbox()
    outbox.send(Array("cells".utf8), images: Array("images".utf8), end: Array("<end>".utf8))
    _ = outbox.remove("cellsimages".utf8.count)
    #expect(outbox.unsentImages == nil && outbox.breakOff() == nil)
    #expect(rest(of: &outbox).text == "<end>")
  }

  @Test func imagesThatAreNoLongerWantedAreNotSent() {
    var outbox = Outbox()
    outbox.transmit([image(9), image(10), Transmission(Array("<delete>".utf8)), image(11)])
    _ = outbox.remove(3)
    #expect(outbox.dropImages(except: [11]) == [10], "an image that has been begun is sent to its end")
    #expect(rest(of: &outbox).text == Self.sequences.joined().dropFirst(3) + "<delete>" + Self.sequences.joined())
    outbox.transmit([image(9), image(10), Transmission(Array("<delete>".utf8))])
    _ = outbox.remove(3)
    #expect(outbox.discardImages() == [10], "the terminal takes the next image for the rest of one that has not ended")
    #expect(rest(of: &outbox).text == Self.sequences[0].dropFirst(3) + Self.abort + "<delete>")
  }

  private func upload(_ text: String) -> Transmission {
    Transmission(Array(text.map { "\u{1B}]\($0)\u{1B}\\" }.joined().utf8))
  }

  @Test func dataForTheClipboardWaitsForImagesAndFrames() {
    var outbox = Outbox()
    outbox.upload(upload("abc"))
    outbox.transmit([image()])
    outbox.send(Array("<frame>".utf8), isAnswer: true)
    let rest = rest(of: &outbox)
    // One piece had been begun.
    #expect(rest.text == "\u{1B}]a\u{1B}\\<frame>\(Self.sequences.joined())\u{1B}]b\u{1B}\\\u{1B}]c\u{1B}\\")
    #expect(outbox.waitingBytes == 0)
  }

  @Test func otherDataForTheClipboardReplacesTheRestOfTheFirst() {
    var outbox = Outbox()
    outbox.upload(upload("abc"))
    #expect(outbox.waitingBytes == 10)
    outbox.upload(upload("x"))
    #expect(rest(of: &outbox).text == "\u{1B}]a\u{1B}\\\u{1B}]x\u{1B}\\")
    outbox.upload(upload("abc"))
    _ = outbox.discardImages()
    #expect(rest(of: &outbox).text == "\u{1B}]a\u{1B}\\")
  }
}
