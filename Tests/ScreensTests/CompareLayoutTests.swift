import Terminal
import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct CompareLayoutTests {
  @Test(arguments: 2...4, [Size(columns: 80, rows: 22), Size(columns: 61, rows: 50), Size(columns: 240, rows: 20)])
  func panesAreInsideAndApart(count: Int, size: Size) {
    let bounds = Rect(column: 3, row: 1, columns: size.columns, rows: size.rows)
    let panes = CompareLayout(count, in: bounds, cell: (width: 10, height: 20)).panes
    #expect(panes.count == count)
    for (index, pane) in panes.enumerated() {
      #expect(!pane.isEmpty && pane.intersection(bounds) == pane)
      // There is a blank column between two panes.
      let place = Rect(column: pane.column, row: pane.row, columns: pane.columns + 1, rows: pane.rows)
      #expect(panes[(index + 1)...].allSatisfy { place.intersection($0).isEmpty })
    }
  }
}
