import PictureWire
import Testing

@Suite struct WireCodingTests {
  private let request = PictureRequest(
    number: 7, path: "/a/漢字.jpg", columns: 80, rows: 24, fillsBox: true, cellAspect: 512, colors: .palette256,
    isUnicode: true, background: 0x102030)
  private let answers = [
    PictureAnswer(number: 1, content: .failure("no")),
    PictureAnswer(
      number: .max,
      content: .cells(
        CellPicture(
          columns: 2, rows: 1,
          cells: [
            CellPicture.Cell(scalar: 0x2580, foreground: 0xFFFFFF, background: CellPicture.Cell.none),
            CellPicture.Cell(scalar: 0x20, foreground: 0, background: 1),
          ]))),
  ]

  @Test func messagesComeBackHoweverTheyAreSplit() throws {
    let bytes = request.framed + request.framed
    for split in bytes.indices {
      var buffer = WireBuffer()
      var received: [PictureRequest] = []
      for part in [bytes[..<split], bytes[split...]] {
        buffer.append(part)
        while let message = try buffer.next(PictureRequest.self) { received.append(message) }
      }
      #expect(received == [request, request])
    }
  }

  @Test func answersComeBack() throws {
    for answer in answers {
      var buffer = WireBuffer()
      buffer.append(answer.framed)
      #expect(try buffer.next(PictureAnswer.self) == answer)
      #expect(try buffer.next(PictureAnswer.self) == nil)
    }
  }

  @Test func everyCutOffMessageIsMalformed() {
    for answer in answers {
      let body = Array(answer.framed.dropFirst(4))
      for count in 0..<body.count {
        var buffer = WireBuffer()
        buffer.append([UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0, 0] + body[..<count])
        #expect(throws: WireError.malformed) { try buffer.next(PictureAnswer.self) }
      }
    }
  }

  @Test func absurdLengthsAreRefused() {
    var buffer = WireBuffer()
    buffer.append([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: WireError.malformed) { try buffer.next(PictureAnswer.self) }
  }
}
