import Gallery

/// The metadata of a new file that is made of a photo: Exif and XMP.
///
/// Both are written from scratch, with the properties of two tables (``ExifCopy``, ``XMPWriter``). What belongs to the old file
/// is in neither: previews, the camera's own notes, regions, the history of edits. IPTC's values become XMP.
public struct NewMetadata: Sendable {
  /// A TIFF structure (Exif 2.32), or nothing.
  public private(set) var exif: [UInt8] = []
  /// A packet (XMP Specification, part 1), or nothing.
  public private(set) var xmp: [UInt8] = []

  /// Reads the metadata of a photo's file.
  ///
  /// - Parameters:
  ///   - kind: The metadata that are wanted.
  ///   - shown: The photo's metadata as the gallery shows them, which count before those in the file.
  ///   - width: The width of the new image in pixels.
  ///   - height: The height of the new image in pixels.
  ///   - isSRGB: Whether the colors of the new image are sRGB.
  public init(
    _ kind: ExportSpecification.Metadata, of file: ImageFile, shown: PhotoMetadata, width: Int, height: Int,
    isSRGB: Bool
  ) {
    guard kind != .none else { return }
    let container = Container(file)
    var exif = ExifCopy(container.exif, kind, caption: shown.caption)
    let packet = container.xmp.isEmpty ? container.exif?.xmp ?? [] : container.xmp
    let own = XMPMetadata(packet).metadata
    let former = (time: container.exif?.metadata.takenAt, place: container.exif?.metadata.place)
    if kind != .copyright { exif.correctTime(from: former.time ?? own.takenAt, to: shown.takenAt) }
    if kind == .all { exif.correctPlace(from: former.place ?? own.place, to: shown.place) }
    exif.describe(width: width, height: height, isSRGB: isSRGB)
    self.exif = exif.bytes
    let iptc = container.iptc ?? container.exif.flatMap { $0.iptc.isEmpty ? nil : IPTCMetadata($0.iptc) }
    xmp = XMPWriter(kind, packet: packet, iptc: iptc, shown: shown, former: former.time ?? own.takenAt).bytes
  }
}
