/// The actions that a source allows on its photos. A source names its capabilities in each snapshot; commands, rows and
/// refusals follow from them, so that nothing asks which source it is.
public struct SourceCapabilities: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Decisions about the photos can be kept.
  public static let deciding = SourceCapabilities(rawValue: 1 << 0)
  /// Similar photos can be stacked, because their images can be read quickly.
  public static let stacking = SourceCapabilities(rawValue: 1 << 1)
  /// The photos are in folders, by which a list can be grouped.
  public static let folders = SourceCapabilities(rawValue: 1 << 2)
  /// Photos without a capture date have the dates of their files.
  public static let fileDates = SourceCapabilities(rawValue: 1 << 3)
  /// Files can be moved, as into the trash.
  public static let moving = SourceCapabilities(rawValue: 1 << 4)
  /// New files can be made of the photos.
  public static let exporting = SourceCapabilities(rawValue: 1 << 5)

  /// All that a folder on this machine can do.
  public static let folder: SourceCapabilities = [.deciding, .stacking, .folders, .fileDates, .moving, .exporting]
  /// All that an archive can do, which is never written.
  public static let archive: SourceCapabilities = [.folders, .fileDates, .exporting]
}
