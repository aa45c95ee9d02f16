import Gallery

/// The capabilities of the source of photos.
public struct SourceCapabilities: OptionSet, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Similar photos can be stacked, because their images can be read quickly.
  public static let stacking = SourceCapabilities(rawValue: 1 << 0)
  /// The photos are in folders, by which a list can be grouped.
  public static let folders = SourceCapabilities(rawValue: 1 << 1)
  /// Photos without a capture date have the dates of their files.
  public static let fileDates = SourceCapabilities(rawValue: 1 << 2)
  /// Files can be moved, as into the trash.
  public static let moving = SourceCapabilities(rawValue: 1 << 3)
  /// New files can be made of the photos.
  public static let exporting = SourceCapabilities(rawValue: 1 << 4)

  /// The originals can be copied to a folder.
  public static let copying = SourceCapabilities(rawValue: 1 << 5)

  /// Some decisions about the photos can be kept.
  public static func deciding(_ decisions: [Decision]) -> SourceCapabilities {
    SourceCapabilities(decisions.map { SourceCapabilities(rawValue: 1 << (firstDecision + Decision.place(of: $0))) })
  }

  /// The decisions that can be kept.
  public var decisions: Set<Decision> { Set(Decision.allCases.filter { contains(.deciding([$0])) }) }

  /// The bit of the first decision.
  private static let firstDecision = 8

  /// All that a folder on this machine can do.
  public static let folder: SourceCapabilities = [
    deciding(Decision.allCases.filter { $0 != .favorite }), .stacking, .folders, .fileDates, .moving, .exporting,
    .copying,
  ]
  /// All that an archive can do, which is never written.
  public static let archive: SourceCapabilities = [.folders, .fileDates, .exporting]
}

extension Decision {
  fileprivate static func place(of decision: Decision) -> Int { allCases.firstIndex(of: decision) ?? 0 }
}
