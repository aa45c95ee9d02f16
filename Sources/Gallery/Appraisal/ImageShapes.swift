/// The shapes in an image, which another contrast or exposure leaves as they are.
///
/// Two files have the same image if their shapes are alike:
///
///     guard let mine = ImageShapes(appraisal), let others = ImageShapes(other) else { return false }
///     return ImageTurn.all.contains { mine.isDuplicate(of: others, after: $0) }
public struct ImageShapes: Sendable {
  /// The largest difference between the shapes of the same image in two files.
  private static let duplicateDifference = 0.05
  /// The least standard deviation of the cells of an image with shapes that can be compared.
  private static let leastContrast: Float = 4

  /// The cells of the image with the mean 0 and the standard deviation 1.
  private let cells: [Float]

  /// Creates the shapes in an image. Returns nil if its cells are unknown or have too little contrast.
  public init?(_ appraisal: ImageAppraisal) {
    let cells = appraisal.cells
    guard cells.count == ImageAppraisal.cellSide * ImageAppraisal.cellSide else { return nil }
    let mean = cells.reduce(0) { $0 + Float($1) } / Float(cells.count)
    let variance = cells.reduce(0) { $0 + (Float($1) - mean) * (Float($1) - mean) } / Float(cells.count)
    let deviation = variance.squareRoot()
    if deviation < Self.leastContrast { return nil }
    self.cells = cells.map { (Float($0) - mean) / deviation }
  }

  /// Returns whether another image is the same after a turn, but for its contrast, exposure and compression.
  public func isDuplicate(of other: ImageShapes, after turn: ImageTurn) -> Bool {
    difference(from: other, after: turn) <= Self.duplicateDifference
  }

  /// Returns the mean difference between the cells of two images after a turn of the other one, in standard deviations of the
  /// cells.
  public func difference(from other: ImageShapes, after turn: ImageTurn) -> Double {
    let sum = cells.indices.reduce(Float(0)) { sum, index in
      sum + abs(cells[index] - other.cells[turn.source(of: index, side: ImageAppraisal.cellSide)])
    }
    return Double(sum / Float(cells.count))
  }
}
