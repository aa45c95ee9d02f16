import Gallery
import TestLimit
import Testing

/// The comparison of images whose cells are known.
@Suite(.limited) struct ImageTurnTests {
  private static let side = ImageAppraisal.cellSide

  /// Returns an appraisal with the cells that a function of the column and the row returns.
  private static func appraisal(_ cell: (_ x: Int, _ y: Int) -> Int) -> ImageAppraisal {
    ImageAppraisal(hash: 0, cells: (0..<side * side).map { UInt8(cell($0 % side, $0 / side)) })
  }

  private static let scene = appraisal { x, y in 40 + 7 * x + (x * y) % 9 * 10 }
  private static let upright = ImageTurn.all[0]

  @Test func exposureAndContrastHardlyMatter() {
    let darker = Self.appraisal { x, y in 10 + (40 + 7 * x + (x * y) % 9 * 10) / 2 }
    #expect(Self.scene.difference(from: darker, after: Self.upright).map { $0 < 0.02 } == true)
    #expect(Self.scene.isSamePicture(as: darker, after: Self.upright))
  }

  @Test func somethingThatHasMovedMatters() {
    let moved = Self.appraisal { x, y in
      (4..<8).contains(x) && (4..<8).contains(y) ? 0 : 40 + 7 * x + (x * y) % 9 * 10
    }
    #expect(!Self.scene.isSamePicture(as: moved, after: Self.upright))
  }

  @Test func oneTurnOfEightFits() {
    let turned = Self.appraisal { x, y in 40 + 7 * y + ((Self.side - 1 - x) * y) % 9 * 10 }
    #expect(ImageTurn.all.count { turned.isSamePicture(as: Self.scene, after: $0) } == 1)
    #expect(!turned.isSamePicture(as: Self.scene, after: Self.upright))
  }

  @Test func imagesWithoutShapesAndUnknownOnesAreNeverTheSame() {
    let flat = Self.appraisal { _, _ in 200 }
    #expect(flat.difference(from: flat, after: Self.upright) == nil)
    #expect(!ImageAppraisal(hash: 0).isSamePicture(as: ImageAppraisal(hash: 0), after: Self.upright))
  }

  @Test func eachTurnOfAHashIsAnotherOne() {
    let hashes = ImageAppraisal(hash: 0x1234_5678_9ABC_DEF0).turnedHashes
    #expect(hashes.count == 8 && Set(hashes).count == 8 && hashes[0] == 0x1234_5678_9ABC_DEF0)
  }
}
