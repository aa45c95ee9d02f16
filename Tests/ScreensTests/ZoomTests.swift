import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct ZoomTests {
  /// An image of 1000×1000 pixels in a window that shows the given parts of it at scale 2.
  private func viewport(showing width: Double, _ height: Double) -> Viewport {
    Viewport(
      imageWidth: 1000, imageHeight: 1000, windowWidth: Int(width * 2000), windowHeight: Int(height * 2000))
  }

  @Test(arguments: [
    // The visible part, the steps, and the new center.
    (0.5, 1.0, 0.5625), (0.5, -1.0, 0.4375), (0.5, 4, 0.75), (0.5, 100, 0.75), (0.5, -100, 0.25), (0.25, 100, 0.875),
    (0.25, -100, 0.125), (1, 100, 0.5), (1.5, -100, 0.5),
  ])
  func theViewEndsAtTheImagesEdge(visible: Double, steps: Double, center: Double) {
    let zoom = Zoom(scale: 2, around: nil)
    let across = zoom.moved(steps, 0, in: viewport(showing: visible, 0.5))
    #expect([across.centerX, across.centerY] == [center, 0.5])
    let down = zoom.moved(0, steps, in: viewport(showing: 0.5, visible))
    #expect([down.centerX, down.centerY] == [0.5, center])
  }

  /// A smaller zoom shows more, so that a view at an edge would reach beyond it.
  @Test func aSmallerZoomStaysWithinTheImage() throws {
    let viewport = viewport(showing: 0.2, 0.4)
    let corner = Zoom(scale: 3, around: nil).moved(100, 100, in: viewport)
    let smaller = try #require(Zoom.scaled(corner, by: 1 / Zoom.step, in: viewport))
    #expect(smaller.scale == 2)
    #expect([smaller.centerX, smaller.centerY] == [0.9, 0.8])
  }

  /// A zoom that was made for a larger image may be centered outside the centers that this one can have.
  @Test func aZoomOfAnotherImageMovesFromTheEdgeThatItShows() throws {
    let corner = Zoom(scale: 2, around: nil).moved(100, 100, in: viewport(showing: 0.1, 0.1))
    #expect([corner.centerX, corner.centerY] == [0.95, 0.95])
    let moved = corner.moved(-1, 0, in: viewport(showing: 0.5, 0.5))
    #expect([moved.centerX, moved.centerY] == [0.6875, 0.75])
  }

  @Test(arguments: [
    // The scale, the width of the image, and whether the zoom makes it smaller in a window of 1000 pixels.
    (0.5, 4000, false), (0.5, 1500, true), (0.5, 600, true), (1, 600, false), (1.5, 600, false), (0.25, 4000, false),
  ])
  func aZoomOfALargeImageMayShrinkASmallOne(scale: Double, width: Int, shrinks: Bool) {
    let viewport = Viewport(imageWidth: width, imageHeight: 10, windowWidth: 1000, windowHeight: 1000)
    #expect(Zoom(scale: scale, around: nil).shrinks(in: viewport) == shrinks)
  }

  @Test func zoomingBeginsAtTheSizeOfTheWholeImage() throws {
    let viewport = Viewport(imageWidth: 4000, imageHeight: 1000, windowWidth: 1000, windowHeight: 800)
    #expect(viewport.fitScale == 0.25)
    let zoom = try #require(Zoom.scaled(nil, by: Zoom.step, in: viewport))
    #expect(zoom.scale == 0.375)
    #expect(Zoom.scaled(zoom, by: 1 / Zoom.step, in: viewport) == nil)
    #expect(Zoom.scaled(nil, by: 1 / Zoom.step, in: viewport) == nil)
  }

  @Test func whatIsAtThePointerStaysThere() throws {
    let viewport = viewport(showing: 0.25, 0.25)
    let zoom = Zoom(scale: 2, around: nil)
    // The right edge of the window shows a point 0.125 right of the center, and so it does at twice the scale.
    let larger = try #require(Zoom.scaled(zoom, by: 2, at: (x: 0.5, y: -0.25), in: viewport))
    #expect(larger.centerX + 0.5 * 0.125 == 0.5 + 0.5 * 0.25)
    #expect(larger.centerY - 0.25 * 0.125 == 0.5 - 0.25 * 0.25)
  }

  @Test func zoomingEndsAtTheLargestScale() {
    let viewport = viewport(showing: 0.5, 0.5)
    var zoom: Zoom?
    for _ in 0..<30 { zoom = Zoom.scaled(zoom, by: Zoom.step, in: viewport) }
    #expect(zoom?.scale == Zoom.largest)
  }
}
