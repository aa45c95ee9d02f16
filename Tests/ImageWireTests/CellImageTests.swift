import ImageWire
import Testing

@Suite struct CellImageTests {
  @Test func theBytesOfAnImageAreThoseOfItsCharactersAndColors() {
    let characters: [UInt32] = [0x20, 0x2580, 0x1FB00]
    func count(_ color: UInt32) -> Int {
      let cells = characters.map { CellImage.Cell(scalar: $0, foreground: CellImage.Cell.none, background: color) }
      return CellImage(columns: cells.count, rows: 1, cells: cells).byteCount
    }
    #expect(count(CellImage.Cell.none) == 1 + 3 + 4)
    #expect(count(0x102030) > count(CellImage.Cell.none))
  }
}
