import Gallery
import TestLimit
import Testing

/// The comparison of images whose cells are known.
@Suite(.limited) struct ImageTurnTests {
  private static let side = ImageAppraisal.cellSide

  /// Returns the shapes in cells that a function of the column and the row returns.
  private func shapes(_ cell: (_ x: Int, _ y: Int) -> Int) throws -> ImageShapes {
    try #require(ImageShapes(Self.appraisal(cell)))
  }

  private static func appraisal(_ cell: (_ x: Int, _ y: Int) -> Int) -> ImageAppraisal {
    ImageAppraisal(hash: 0, cells: (0..<side * side).map { UInt8(cell($0 % side, $0 / side)) })
  }

  private static func scene(_ x: Int, _ y: Int) -> Int { 40 + 7 * x + (x * y) % 9 * 10 }
  private static let upright = ImageTurn.all[0]

  @Test func exposureAndContrastHardlyMatter() throws {
    let scene = try shapes(Self.scene)
    let darker = try shapes { 10 + Self.scene($0, $1) / 2 }
    #expect(scene.difference(from: darker, after: Self.upright) < 0.02)
    #expect(scene.isDuplicate(of: darker, after: Self.upright))
  }

  @Test func somethingThatHasMovedMatters() throws {
    let moved = try shapes { x, y in (4..<8).contains(x) && (4..<8).contains(y) ? 0 : Self.scene(x, y) }
    #expect(try !shapes(Self.scene).isDuplicate(of: moved, after: Self.upright))
  }

  @Test func oneTurnOfEightFits() throws {
    let scene = try shapes(Self.scene)
    let turned = try shapes { x, y in 40 + 7 * y + ((Self.side - 1 - x) * y) % 9 * 10 }
    #expect(ImageTurn.all.count { turned.isDuplicate(of: scene, after: $0) } == 1)
    #expect(!turned.isDuplicate(of: scene, after: Self.upright))
  }

  @Test func imagesWithoutContrastAndUnknownOnesHaveNoShapes() {
    #expect(ImageShapes(Self.appraisal { _, _ in 200 }) == nil)
    #expect(ImageShapes(ImageAppraisal(hash: 0)) == nil)
  }

  @Test func eachTurnOfAHashIsAnotherOne() {
    let hashes = ImageAppraisal(hash: 0x1234_5678_9ABC_DEF0).turnedHashes
    #expect(hashes.count == 8 && Set(hashes).count == 8 && hashes[0] == 0x1234_5678_9ABC_DEF0)
  }
}
