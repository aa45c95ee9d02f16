import Testing

@testable import Screens

@Suite struct ZoomTests {
  @Test(arguments: [
    // What is in view, the steps, and where the middle comes to lie.
    (0.5, 1.0, 0.5625), (0.5, -1.0, 0.4375), (0.5, 4, 0.75), (0.5, 100, 0.75), (0.5, -100, 0.25), (0.25, 100, 0.875),
    (0.25, -100, 0.125), (1, 100, 0.5), (1.5, -100, 0.5),
  ])
  func whatIsInViewEndsAtTheImagesEdge(visible: Double, steps: Double, center: Double) {
    let zoom = Zoom(scale: 2, around: nil)
    let across = zoom.moved(steps, 0, visibleX: visible, visibleY: 0.5)
    #expect([across.centerX, across.centerY] == [center, 0.5])
    let down = zoom.moved(0, steps, visibleX: 0.5, visibleY: visible)
    #expect([down.centerX, down.centerY] == [0.5, center])
  }

  /// Where less is enlarged, more is in view, and what was at an edge may lie beyond it.
  @Test func goingSmallerStaysWithinTheImage() {
    let corner = Zoom(scale: 8, around: nil).moved(100, 100, visibleX: 0.1, visibleY: 0.1)
    let smaller = Zoom(scale: 4, around: corner).moved(0, 0, visibleX: 0.2, visibleY: 0.4)
    #expect([smaller.centerX, smaller.centerY] == [0.9, 0.8])
  }
}
