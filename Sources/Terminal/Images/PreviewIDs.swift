import ImageWire

/// The ids of the images that previews send to one terminal. A preview is shown in another program's window, and taken away
/// by a process that knows nothing of the one that has sent it.
///
/// Different terminals have different ids, as a multiplexer shows several of them in one.
public struct PreviewIDs: Hashable, Sendable {
  /// All ids of previews on this terminal.
  public let all: ClosedRange<UInt32>

  /// The ids of previews on any terminal. Other images have lower ids.
  public static let reserved: ClosedRange<UInt32> = 0xC0_0000...0xFF_FFFF
  /// The layer (kitty's z-index) in which images are placed. It distinguishes them from the images of other programs.
  public static let layer = 29_801

  private static let bitsOfPlace: UInt32 = 12

  /// - Parameter device: The number of the terminal's device.
  public init(device: Int) {
    let first = Self.reserved.lowerBound | UInt32(device & 0x3FF) << Self.bitsOfPlace
    all = first...(first | (1 << Self.bitsOfPlace - 1))
  }

  /// Returns the id of an image in cells of the screen. An image in the same cells has the same id, so it replaces the
  /// first one.
  public subscript(place: Rect) -> UInt32 {
    all.lowerBound | UInt32(place.row & 0x3F) << 6 | UInt32(place.column & 0x3F)
  }
}

extension OutputFormat {
  /// Returns the commands that remove all images of previews from a terminal; none for a format without stored images.
  public func deletion(of ids: PreviewIDs) -> [UInt8] {
    // Before 0.33, kitty knows no range, and nothing but a new image replaces those of placeholders.
    delivery.commands.map { $0.delete(layer: PreviewIDs.layer) + $0.delete(ids.all) } ?? []
  }
}
