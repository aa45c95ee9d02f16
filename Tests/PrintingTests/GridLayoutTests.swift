import Printing
import Terminal
import TestLimit
import Testing

@Suite(.limited) struct GridLayoutTests {
  @Test func aGridFitsInItsArea() {
    for columns in 1...12 {
      for rows in 1...8 {
        for hasTitles in [false, true] {
          let area = Size(columns: 80, rows: 39)
          let layout = GridLayout(columns: columns, rows: rows, in: area, hasTitles: hasTitles)
          #expect(layout.columns == columns)
          let width = columns * layout.box.columns + (columns - 1) * 2
          #expect(width <= 80 && width + columns > 80)
          // Each row has its title, or else a blank line below it but for the last.
          let height = rows * (layout.box.rows + 1) - (hasTitles ? 0 : 1)
          #expect(height <= 39 && height + rows > 39)
        }
      }
    }
  }

  @Test func aGridOfMoreColumnsThanThereIsRoomForHasFewer() {
    let layout = GridLayout(columns: 50, rows: 50, in: Size(columns: 10, rows: 4))
    #expect(layout.columns == 4)
    #expect(layout.box == Size(columns: 1, rows: 1))
  }

  @Test func aSingleImageHasTheAreaBelowItsTitle() {
    let area = Size(columns: 80, rows: 24)
    #expect(GridLayout(singlesIn: area).box == area)
    #expect(GridLayout(singlesIn: area, hasTitles: true).box == Size(columns: 80, rows: 23))
  }
}
