/// The way in which a rendition reaches the terminal, with the parameters that the image worker needs.
///
/// `OutputFormatTable` in the module `Terminal` chooses the format and knows how its renditions are delivered.
public enum OutputFormat: Hashable, Sendable {
  /// Characters in colors.
  case symbols(ColorDepth, SymbolSet)
  /// The kitty graphics protocol: pixels that the terminal stores under an id.
  case kitty(KittyTransfer)
  /// Sixel graphics (DEC STD 070) in at most this many colors.
  case sixel(colors: Int)
  /// iTerm2's inline images (OSC 1337).
  case iterm
  /// A file that a gallery on another machine decodes: a progressive JPEG of a quality from 1 to 100, or a PNG if the quality
  /// is 0. Images are not enlarged, since the other machine does that.
  case transfer(quality: Int)

  /// The number of colors of renditions that are characters; nil for a format whose renditions are pixels.
  public var characterColors: ColorDepth? {
    switch self {
    case .symbols(let depth, _): depth
    case .kitty, .sixel, .iterm, .transfer: nil
    }
  }
}

/// The characters that a rendition may use.
public enum SymbolSet: UInt8, Hashable, Sendable {
  case ascii
  /// Blocks, halves and quadrants, which nearly every font has.
  case blocks
  /// ``blocks`` and the sextants of Unicode 13.
  case sextants
  /// ``sextants`` and the octants of Unicode 16.
  case octants
  /// The dots of Braille.
  case braille

  /// Whether the set has ``blocks``, which divide a cell into two parts without a gap.
  public var hasBlocks: Bool {
    switch self {
    case .blocks, .sextants, .octants: true
    case .ascii, .braille: false
    }
  }
}

/// The way in which pixels get to a terminal of the kitty graphics protocol.
public struct KittyTransfer: Hashable, Sendable {
  /// Whether the image is shown in cells with certain characters (Unicode placeholders).
  public var hasPlaceholders: Bool
  /// Whether the terminal can read this machine's files.
  public var isLocal: Bool
  /// Whether the sequences are wrapped so that a multiplexer passes them on.
  public var isPassedThrough: Bool

  /// Creates a transfer from its three properties.
  public init(hasPlaceholders: Bool, isLocal: Bool, isPassedThrough: Bool) {
    self.hasPlaceholders = hasPlaceholders
    self.isLocal = isLocal
    self.isPassedThrough = isPassedThrough
  }
}

extension OutputFormat {
  /// Whether commands place images over the cells (kitty's protocol without placeholders).
  public var isPlaced: Bool {
    if case .kitty(let transfer) = self { !transfer.hasPlaceholders } else { false }
  }

  /// Returns the format for an image that is sent over a slow line and soon replaced. The placeholders of a large image take
  /// more bytes than a preview. A multiplexer needs them, or else characters.
  /// - Parameters:
  ///   - cells: The number of cells that the image takes.
  ///   - budget: The most bytes that it may take.
  /// - Returns: The format, and the bytes that are left for the image itself.
  public func forPreviews(cells: Int, budget: Int) -> (format: OutputFormat, budget: Int) {
    guard case .kitty(let transfer) = self, !transfer.isLocal else { return (self, budget) }
    guard transfer.isPassedThrough else { return (withoutPlaceholders, budget) }
    let rest = budget - cells * Self.placeholderBytes
    return rest < Self.fewestBytes ? (.symbols(.truecolor, .blocks), budget) : (self, rest)
  }

  /// The format that places stored images over the cells.
  public var withoutPlaceholders: OutputFormat {
    guard case .kitty(var transfer) = self else { return self }
    transfer.hasPlaceholders = false
    return .kitty(transfer)
  }

  private static let placeholderBytes = 4
  /// About the bytes of the coarsest image, most of which are its 64 colors.
  private static let fewestBytes = 1000
}

// The coding in messages: a byte that names the format, then its parameters.
extension OutputFormat {
  func encode(to bytes: inout [UInt8]) {
    switch self {
    case .symbols(let depth, let symbols): bytes += [0, depth.wireCode, symbols.rawValue]
    case .kitty(let transfer):
      bytes.append(1)
      for flag in [transfer.hasPlaceholders, transfer.isLocal, transfer.isPassedThrough] { bytes.put(flag) }
    case .sixel(let colors):
      bytes.append(2)
      bytes.put(colors)
    case .iterm: bytes.append(3)
    case .transfer(let quality):
      bytes.append(4)
      bytes.put(quality)
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    switch try reader.uint8() {
    case 0:
      guard let depth = ColorDepth(wireCode: try reader.uint8()) else { throw .malformed }
      self = .symbols(depth, try reader.value())
    case 1:
      self = .kitty(
        KittyTransfer(
          hasPlaceholders: try reader.flag(), isLocal: try reader.flag(), isPassedThrough: try reader.flag()))
    case 2: self = .sixel(colors: try reader.int())
    case 3: self = .iterm
    case 4: self = .transfer(quality: try reader.int(in: 0...100))
    default: throw .malformed
    }
  }
}
