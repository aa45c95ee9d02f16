import Gallery

extension Pixels {
  /// Returns the sharpness of a part of a photo at its native scale, from 0 to 1000.
  ///
  /// The score is made of the ratio of fine to coarse gradients. It doesn't depend on contrast and exposure, and hardly on
  /// noise and compression, but on what the image shows: it compares parts of photos of the same scene. A perfectly sharp
  /// edge has about 640, one with a Gaussian blur of 2 pixels 500, and only lines of single pixels have more than 800. An
  /// image without detail has 0.
  func sharpness() -> Int {
    let blocks = GradientBlocks(self)
    guard blocks.contrast > Sharpness.leastContrast else { return 0 }
    let fine = max(0, blocks.fineWithoutNoise().mean)
    let ratio = (fine / blocks.contrast).squareRoot()
    return Int((1000 * ratio / (ratio + Sharpness.middleRatio)).rounded())
  }

  /// Returns the sharpness of the tiles of a whole photo at its native scale, for ``ImageAppraisal/sharpness``. An image of
  /// less than 33 pixels has none.
  func sharpnessTiles() -> [UInt16] {
    let blocks = GradientBlocks(self)
    guard !blocks.fine.isEmpty else { return [] }
    let (side, fine) = (ImageAppraisal.side, blocks.fineWithoutNoise())
    let contrast = max(blocks.contrast, Sharpness.leastContrast)
    return (0..<side * side).map { tile in
      let columns = Sharpness.part(tile % side, of: blocks.columns)
      let rows = Sharpness.part(tile / side, of: blocks.rows)
      let sum = rows.reduce(Float(0)) { sum, row in columns.reduce(sum) { $0 + fine[row * blocks.columns + $1] } }
      let energy = max(0, sum / Float(rows.count * columns.count))
      return UInt16(min(65535, Sharpness.tileScale * (energy / contrast).squareRoot()))
    }
  }
}

private enum Sharpness {
  /// The ratio of an image with the score 500. The squares of the gradients of a sharp edge add up to 2 squares of its height
  /// over 2 pixels, and to 16 over 16 pixels, which is a ratio of 0.35.
  static let middleRatio: Float = 0.2
  /// The mean product of coarse gradients below which an image is flat: of less than half a level of 255.
  static let leastContrast: Float = 4
  /// The value of a tile whose fine gradients are as strong as the photo's coarse ones. Few tiles exceed 8 times that.
  static let tileScale: Float = 8192

  /// Returns the blocks of a row or column that belong to one of the tiles: at least one.
  static func part(_ tile: Int, of blocks: Int) -> Range<Int> {
    let start = tile * blocks / ImageAppraisal.side
    return start..<max(start + 1, (tile + 1) * blocks / ImageAppraisal.side)
  }
}
