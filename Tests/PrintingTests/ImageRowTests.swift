import ImageWire
import Printing
import Terminal
import TestLimit
import Testing

@Suite(.limited) struct ImageRowTests {
  private static var symbols: ImagePrinter { ImagePrinter(format: .symbols(.monochrome, .ascii)) }

  private func item(_ character: Character, _ columns: Int, _ rows: Int, title: String = "") -> ImageRow.Item {
    let scalar = character.unicodeScalars.first?.value ?? 0x20
    let cell = CellImage.Cell(scalar: scalar, foreground: 0, background: 0)
    let image = CellImage(
      columns: columns, rows: rows, cells: Array(repeating: cell, count: columns * rows))
    return ImageRow.Item(title: title, content: .cells(image), id: 1)
  }

  private func text(
    _ items: [ImageRow.Item], _ layout: GridLayout, _ alignment: Alignment = Alignment(), isFirst: Bool = true
  ) -> String {
    String(decoding: ImageRow(items, layout, alignment).bytes(Self.symbols, isFirst: isFirst), as: UTF8.self)
  }

  /// Two boxes of four columns and three lines each.
  private let pair = GridLayout(columns: 2, rows: 1, in: Size(columns: 10, rows: 4), hasTitles: true)

  @Test func imagesOfARowAreNextToEachOtherBelowTheirTitles() {
    let row = [item("a", 4, 2, title: "One"), item("b", 3, 3, title: "Another")]
    #expect(text(row, pair) == "One   Ano…\naaaa  bbb\naaaa  bbb\n      bbb\n")
  }

  @Test func imagesAreAlignedInTheirBoxes() {
    let row = [item("a", 2, 1, title: "1"), item("b", 3, 3, title: "2")]
    #expect(text(row, pair, Alignment(.center, .middle)) == " 1     2\n      bbb\n aa   bbb\n      bbb\n")
    #expect(text(row, pair, Alignment(.right, .bottom)) == "   1     2\n       bbb\n       bbb\n  aa   bbb\n")
  }

  @Test func rowsWithoutTitlesAreSeparatedByALine() {
    let layout = GridLayout(columns: 2, rows: 2, in: Size(columns: 10, rows: 5))
    #expect(text([item("a", 1, 1)], layout) == "a\n")
    #expect(text([item("a", 1, 1)], layout, isFirst: false) == "\na\n")
  }

  @Test func aSingleImageTakesTheWholeAreaIfItIsAlignedVertically() {
    let layout = GridLayout(singlesIn: Size(columns: 5, rows: 3))
    #expect(text([item("a", 1, 1)], layout, Alignment(.right)) == "    a\n")
    #expect(text([item("a", 1, 1)], layout, Alignment(.right, .middle)) == "\n    a\n\n")
  }

  @Test func graphicsAreDrawnFromTheirOwnPlaces() {
    func graphic(_ name: String, _ columns: Int, _ rows: Int) -> ImageRow.Item {
      let image = GraphicImage(columns: columns, rows: rows, width: 1, height: 1, bytes: Array(name.utf8))
      return ImageRow.Item(title: "T", content: .graphic(image), id: 7)
    }
    let row = ImageRow([graphic("<a>", 4, 1), graphic("<b>", 2, 3)], pair, Alignment(.right, .bottom))
    let bytes = row.bytes(ImagePrinter(format: .sixel(colors: 256)), isFirst: true)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "   T     T\n\n\n\n\u{1B}[3A\u{1B}7\u{1B}[2B<a>\u{1B}8\u{1B}7\u{1B}[8C<b>\u{1B}8\u{1B}[3B")
  }
}
