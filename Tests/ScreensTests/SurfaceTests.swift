import ImageWire
import TestLimit
import Testing

@testable import Screens
@testable import Terminal

@MainActor
@Suite(.limited) struct SurfaceTests {
  /// With 24 bits, ncurses takes the lowest numbers for the colors of the terminal's palette, such as red.
  @Test(arguments: [(ColorDepth.truecolor, Int32(8)), (.palette256, 1)])
  func theDarkestColorsOfAnImageStayDark(depth: ColorDepth, number: Int32) {
    let drawing = Drawing(columns: 1, rows: 1, depth: depth) { surface in
      surface.putImage("▀", column: 0, row: 0, foreground: 1, background: nil)
    }
    #expect(drawing.imageColors == [[number, -1]])
  }

  /// A cursor behind the edge would be in another part of the screen. A whole process is plain or not, so this test has its
  /// own.
  @Test func theCursorIsOnlyPlacedInsideTheSurface() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        Charset.isPlain = true
        let columns = [-1, 0, 4, 5].map { column in
          Drawing(columns: 10, rows: 2) { surface in
            surface.clipped(to: Rect(column: 2, row: 1, columns: 5, rows: 1)).placeCursor(column: column)
          }.cursor
        }
        #expect(columns == [nil, [2, 1], [6, 1], nil])
      }
    }
  }
}
