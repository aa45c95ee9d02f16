import Gallery
import Photos

/// The order in which photos are sorted: a key and a direction.
public struct PhotoOrder: Hashable, Sendable {
  /// The property that photos are sorted by.
  public enum Key: Hashable, CaseIterable, Sendable {
    /// The position in the source.
    case source
    /// The time that is shown for the photo (``Photo/clock``).
    case date
    /// A text. Case and accents are ignored, and numbers are compared by value.
    case name, camera
    /// The number of pixels in the image.
    case size
    /// The value of a metadata field.
    case metadata(MetadataField.Sort)

    /// The keys, in the order of the menu.
    public static let allCases: [Key] =
      [.source, .date, .name, .camera] + MetadataField.all.compactMap(\.sort).map(metadata) + [.size]

    /// The name that distinguishes the key from others.
    public var name: String {
      switch self {
      case .source: "source"
      case .date: "date"
      case .name: "name"
      case .camera: "camera"
      case .size: "size"
      case .metadata(let sort): sort.name
      }
    }

    /// Whether the direction that users expect first is ascending: texts start with A, but dates with the newest,
    /// sizes with the largest, and numbers of metadata with the highest.
    public var isAscendingFirst: Bool {
      switch self {
      case .source, .name, .camera: true
      case .date, .size: false
      case .metadata(let sort): if case .text = sort.key { true } else { false }
      }
    }
  }

  /// The property that photos are sorted by.
  public var key: Key
  /// Whether the lowest values come first.
  public var isAscending: Bool

  /// Creates an order.
  /// - Parameter isAscending: Whether the lowest values come first; nil for the direction that users expect first.
  public init(_ key: Key = .source, isAscending: Bool? = nil) {
    self.key = key
    self.isAscending = isAscending ?? key.isAscendingFirst
  }

  /// The name that distinguishes the order from others, such as "date reversed".
  public var name: String { key.name + (isAscending == key.isAscendingFirst ? "" : Self.reversed) }

  /// Creates the order with a name, or returns nil if there is none.
  public init?(named name: String) {
    let isReversed = name.hasSuffix(Self.reversed)
    let keyName = isReversed ? String(name.dropLast(Self.reversed.count)) : name
    guard let key = Key.allCases.first(where: { $0.name == keyName }) else { return nil }
    self.init(key, isAscending: key.isAscendingFirst != isReversed)
  }

  private static let reversed = " reversed"
}
