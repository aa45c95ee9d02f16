import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Sheets

@Suite(.limited) struct SheetLayoutTests {
  private func layout(_ grid: String, _ paper: SheetPaper = .a4, resolution: Int = 300, lines: Int = 2) throws
    -> SheetLayout
  {
    SheetLayout(try #require(PageGrid(grid)), on: paper, resolution: resolution, captionLines: lines)
  }

  @Test(arguments: ["5x7", "5X7"]) func aGridHasColumnsAndRows(text: String) throws {
    #expect(try #require(PageGrid(text)) == .standard)
  }

  @Test(arguments: ["", "5", "5x", "x7", "0x7", "5x21", "-1x2", "5x7x1", "a x b", "5×7 "])
  func otherTextsAreNoGrid(text: String) { #expect(PageGrid(text) == nil) }

  @Test func theLongerSideFollowsTheGrid() throws {
    let (portrait, landscape) = (try layout("5x7"), try layout("7x5"))
    #expect((portrait.width, portrait.height) == (landscape.height, landscape.width))
    let (square, letter) = (try layout("3x3"), try layout("1x1", .letter))
    #expect(portrait.width < portrait.height && square.width < square.height)
    #expect((letter.width, letter.height) == (612, 792))
  }

  private static let grids = ["1x1", "5x7", "7x5", "20x20", "1x20", "20x1"]

  /// Every picture and its caption are in their own cell, and in the margins of the page.
  @Test(arguments: grids, SheetPaper.allCases) func cellsDoNotOverlap(grid: String, paper: SheetPaper) throws {
    let layout = try layout(grid, paper)
    let box = layout.pictureSize
    for picture in [(box.width, box.height), (3000, 20), (20, 3000), (1, 1)] {
      var occupied: [(left: Double, top: Double, right: Double, bottom: Double)] = []
      for cell in 0..<layout.grid.count {
        let place = layout.picture(SheetPicture(bytes: 0..<1, width: picture.0, height: picture.1), inCell: cell)
        let line = layout.captionLine(layout.captionLines - 1, inCell: cell)
        #expect(place.y + place.height <= layout.captionLine(0, inCell: cell).y)
        let right = max(place.x + place.width, line.x + layout.cellWidth)
        let area = (min(place.x, line.x), place.y, right, line.y + layout.captionHeight)
        let margin = SheetLayout.margin - 0.01
        #expect(area.0 >= margin && area.1 >= margin && area.2 <= layout.width - margin)
        #expect(area.3 <= layout.height - margin - SheetLayout.footer + SheetLayout.gap)
        for other in occupied {
          #expect(area.0 >= other.right || area.1 >= other.bottom || area.2 <= other.left || area.3 <= other.top)
        }
        occupied.append(area)
        if cell > 60 { break }
      }
    }
  }

  @Test func noPictureIsEnlargedOrDistorted() throws {
    let layout = try layout("1x1", resolution: 72)
    for size in [(60, 40), (40, 60), (6000, 4000), (10, 5000)] {
      let place = layout.picture(SheetPicture(bytes: 0..<1, width: size.0, height: size.1), inCell: 0)
      #expect(place.width <= Double(size.0) + 0.001)
      #expect(abs(place.width / place.height - Double(size.0) / Double(size.1)) < 0.001)
    }
  }

  /// A photo that is too small for its cell has half the pixels an inch, where that is allowed.
  @Test(arguments: [(nil, 24.0), (150, 48.0)]) func aSmallPictureIsAsLargeAsIsAllowed(least: Int?, width: Double) {
    let layout = SheetLayout(.standard, on: .a4, resolution: 300, leastResolution: least, captionLines: 1)
    let place = layout.picture(SheetPicture(bytes: 0..<1, width: 100, height: 50), inCell: 0)
    #expect(abs(place.width - width) < 0.001 && abs(place.height - width / 2) < 0.001)
    let large = layout.picture(SheetPicture(bytes: 0..<1, width: 600, height: 50), inCell: 0)
    #expect(abs(large.width - layout.cellWidth) < 0.001)
  }

  /// The picture is made with the pixels of its place, so that a PNG has them as they are.
  @Test(arguments: grids) func aPictureOfTheSizeOfItsCellKeepsItsPixels(grid: String) throws {
    let layout = try layout(grid, resolution: 200)
    let box = layout.pictureSize
    guard box.width > 16, box.height > 16 else { return }
    let place = layout.picture(SheetPicture(bytes: 0..<1, width: box.width, height: box.height), inCell: 0)
    #expect(abs(place.width / 72 * 200 - Double(box.width)) < 0.001)
  }

  @Test(arguments: [(1, 1), (35, 1), (36, 2), (70, 2), (71, 3)]) func photosFillPages(count: Int, pages: Int) throws {
    #expect(try layout("5x7").pageCount(count) == pages)
  }
}
