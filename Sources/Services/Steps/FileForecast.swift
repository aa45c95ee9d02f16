/// The sizes and conflicts that a change of files would find on the disk.
public struct FileForecast: Hashable, Codable, Sendable {
  /// The size of the files in bytes.
  public var size: Int64 = 0
  /// The number of bytes that are free where they go; nil if nothing is written there or it is unknown.
  public var free: Int64?
  /// The number of files whose names are taken there.
  public var takenCount = 0
  /// The reason why nothing can be written there, or nil.
  public var refusal: String?

  /// Creates the forecast of a change without files.
  public init() {}
}
