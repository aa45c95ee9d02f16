import ImageWire
import TestLimit
import Testing

@Suite(.limited) struct CellImageTests {
  @Test func theBytesOfAnImageAreThoseOfItsCharactersAndColors() {
    let characters: [UInt32] = [0x20, 0x2580, 0x1FB00]
    func count(_ color: UInt32) -> Int {
      let cells = characters.map { CellImage.Cell(scalar: $0, foreground: CellImage.Cell.none, background: color) }
      return CellImage(columns: cells.count, rows: 1, cells: cells).byteCount
    }
    #expect(count(CellImage.Cell.none) == 1 + 3 + 4)
    #expect(count(0x102030) > count(CellImage.Cell.none))
  }

  /// Thousands of images are kept, so a received image takes no more memory than its cells.
  @Test func aReceivedImageTakesTheMemoryOfItsCells() throws {
    let cell = CellImage.Cell(scalar: 0x2580, foreground: 1, background: 2)
    let image = CellImage(columns: 100, rows: 41, cells: Array(repeating: cell, count: 4100))
    var buffer = WireBuffer()
    buffer.append(ImageAnswer(number: 1, content: .cells(image)).framed)
    let answer = try #require(try buffer.next(ImageAnswer.self))
    guard case .cells(let received) = answer.content else {
      Issue.record("the answer has no cells")
      return
    }
    #expect(received == image)
    #expect(received.cells.capacity < 5000)
  }
}
