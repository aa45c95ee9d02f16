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
}
