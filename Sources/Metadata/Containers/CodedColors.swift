import Gallery

/// The colors of an image by the numbers of Rec. ITU-T H.273, with which PNG, HEIF, AVIF, and ICC profiles name them.
public struct CodedColors: Equatable, Sendable {
  /// The number of the primaries (table 2).
  public let primaries: Int
  /// The number of the transfer characteristics (table 3).
  public let transfer: Int

  /// Names colors by the numbers of a file.
  public init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }
}

extension ImageFile {
  /// The colors that a HEIF or AVIF file names in a `colr` box (ISO/IEC 23008-12, 6.5.5), or nil.
  public var heifColors: CodedColors? { heif?.codedColors }
}
