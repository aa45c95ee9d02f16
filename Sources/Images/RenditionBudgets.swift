import ImageWire

/// A part of the way from the first rendition of an image to the best one, on a slow line to the terminal.
enum Rung: Int, Comparable {
  /// Something that the user recognizes at once.
  case preview
  /// An image that can be judged.
  case readable
  /// An image whose faults are hardly visible.
  case fine
  /// All that the output format can show.
  case exact

  var next: Rung? { Rung(rawValue: rawValue + 1) }

  static func < (left: Rung, right: Rung) -> Bool { left.rawValue < right.rawValue }
}

/// The bytes that renditions may take so that they appear in time on a slow line to the terminal.
public struct RenditionBudgets: Equatable, Sendable {
  /// The line's throughput in bytes per second.
  public var throughput: Double
  /// The time for the first renditions of all images of a screen, in seconds.
  public var previewTime: Double
  /// The number of cells that the budgets are shared by.
  public var cells: Int
  /// Whether everything that was sent has arrived, so that better renditions may follow.
  public var isLineIdle: Bool

  /// The times for a readable and for a fine image, in seconds. With the preview and the round trips, they arrive within 2 and
  /// 8 seconds.
  private static let (readableTime, fineTime) = (0.8, 5.0)
  /// The times, as multiples of those, for which the exact image is awaited in place of a coarser one. If the coarser one
  /// went first, the exact one would be there much later.
  private static let patience = 1.7
  /// The fewest bytes that an image is recognized by, as a row of a list shows it.
  private static let fewestBytes = 3000
  private static let mostBytes = Double(Int32.max)

  /// Creates budgets for a screen.
  public init(throughput: Double, previewTime: Double, cells: Int, isLineIdle: Bool) {
    self.throughput = throughput
    self.previewTime = previewTime
    self.cells = cells
    self.isLineIdle = isLineIdle
  }

  /// Returns the bytes that a rendition may take at a rung.
  /// - Parameter cells: The number of cells that it covers.
  func budget(_ rung: Rung, cells: Int) -> RenditionBudget {
    let (time, patience): (Double, Double) =
      switch rung {
      case .preview: (previewTime, 1)
      case .readable: (Self.readableTime, Self.patience)
      case .fine: (Self.fineTime, Self.patience)
      case .exact: (.infinity, 1)
      }
    let share = min(1, Double(cells) / Double(max(1, self.cells)))
    func bytes(in time: Double) -> Int { max(Self.fewestBytes, Int(min(throughput * time * share, Self.mostBytes))) }
    return RenditionBudget(
      bytes: bytes(in: time), exactBytes: bytes(in: time * patience), throughput: Int(min(throughput, Self.mostBytes)))
  }

  /// Returns whether characters take no longer than a preview in their place.
  public func isQuick(_ image: CellImage, for specification: RenditionSpecification) -> Bool {
    image.byteCount <= budget(.preview, cells: specification.cellCount).exactBytes
  }
}
