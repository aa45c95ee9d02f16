/// The progress of the work on a step.
public struct StepProgress: Hashable, Codable, Sendable {
  /// The number of all photos.
  public var total = 0
  /// The number of photos that are done.
  public var done = 0
  /// The number of photos whose size is in ``plannedSize``.
  public var planned = 0
  /// The size of the files that are to be copied, in bytes, as far as the photos are planned. Moves on one disk copy nothing.
  public var plannedSize: Int64 = 0
  /// The number of bytes that were copied.
  public var copiedSize: Int64 = 0

  /// Creates the progress of work that has not begun.
  ///
  /// - Parameter total: The number of all photos.
  public init(total: Int = 0) { self.total = total }

  /// The part that is done, from 0 to 1: of the bytes if there are files to copy, and otherwise of the photos.
  public var fraction: Double {
    // Photos that are not planned yet probably have the size of the others.
    let size = planned > 0 ? Double(plannedSize) * Double(max(total, planned)) / Double(planned) : 0
    return min(1, size > 0 ? Double(copiedSize) / size : total > 0 ? Double(done) / Double(total) : 0)
  }
}
