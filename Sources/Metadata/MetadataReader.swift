import Gallery

/// Reads the metadata of a photo's file without decoding the image.
///
/// If several kinds of metadata give the same field, the sidecar comes first. After it, Exif comes first for the fields that
/// a camera writes, and XMP and then IPTC for those that people write. This follows the Metadata Working Group's guidelines
/// 2.0 except for their checksums.
public struct MetadataReader {
  /// The most bytes of a sidecar that are read. darktable's, with masks, have some megabytes.
  private static let longestSidecar = 16 << 20

  /// Creates a reader, which keeps no state between files.
  public init() {}

  /// Returns the metadata of a photo, or the reason why its file cannot be read as an image. The texts are not printable
  /// yet.
  public func metadata(of subject: FoundPhoto) -> Result<PhotoMetadata, PhotoFault> {
    do throws(ImageFault) {
      let file = try ImageFile(path: subject.path)
      return metadata(of: file, sidecar: subject.sidecar.flatMap(Self.sidecar))
    } catch {
      return .failure(PhotoFault(error))
    }
  }

  /// Returns the metadata of an open file, or the reason why it cannot be read as an image. The texts are not printable yet.
  public func metadata(of file: ImageFile) -> Result<PhotoMetadata, PhotoFault> { metadata(of: file, sidecar: nil) }

  private func metadata(of file: ImageFile, sidecar: XMPMetadata?) -> Result<PhotoMetadata, PhotoFault> {
    guard file.format.isSupported else { return .failure(.unsupported(file.format)) }
    let container = Container(file)
    var metadata = Self.metadata(container, sidecar: sidecar)
    metadata.fileSize = file.size
    if let movie = container.movie(in: file) {
      metadata.movieSize = movie.count
      let video = QuickTimeMovie(file, in: movie).video.metadata
      metadata.duration = video.duration
      metadata.frameRate = video.frameRate
    }
    metadata.kind = container.isAnimation ? .animation : file.kind
    return .success(metadata)
  }

  private static func metadata(_ container: Container, sidecar: XMPMetadata?) -> PhotoMetadata {
    let exif = container.exif
    let xmp = container.xmp.isEmpty ? exif?.xmp ?? [] : container.xmp
    let iptc = container.iptc ?? exif.flatMap { $0.iptc.isEmpty ? nil : IPTCMetadata($0.iptc) }
    // Most files have one or two of them.
    var sources = [
      sidecar?.metadata, exif?.metadata, container.ownMetadata, xmp.isEmpty ? nil : XMPMetadata(xmp).metadata,
      iptc?.metadata, container.ownTexts,
    ]
    .lazy.compactMap(\.self).makeIterator()
    var metadata = sources.next() ?? PhotoMetadata()
    while let source = sources.next() { metadata.fill(from: source) }
    metadata.caption = metadata.caption ?? exif?.caption
    if let caption = metadata.caption, CameraCaption.isUsual(caption) { metadata.caption = nil }
    metadata.creator = metadata.creator ?? exif?.creator
    metadata.copyright = metadata.copyright ?? exif?.copyright
    metadata.rating = metadata.rating ?? exif?.rating
    let sides = 0...Int(Int32.max)
    // A larger number is no image's size.
    if sides.contains(container.size.width), sides.contains(container.size.height) {
      metadata.width = container.size.width
      metadata.height = container.size.height
    }
    sidecar?.removeEmpty(from: &metadata)
    metadata.chosenOrientation = sidecar?.metadata.chosenOrientation
    // The settings in a file may have been applied to it.
    metadata.crop = sidecar?.metadata.crop
    if let orientation = exif?.orientation ?? container.formatOrientation?.rawValue, orientation > 1,
      container.isTurnedByExif
    {
      metadata.orientation = orientation
      if orientation > 4 { metadata.swapSides() }
    }
    metadata.focus = container.focus(in: (metadata.width, metadata.height))
    let chosen = metadata.chosenOrientation.flatMap(ImageOrientation.init(rawValue:))
    if metadata.quarters(to: chosen) % 2 == 1 { metadata.swapSides() }
    metadata.duration = metadata.duration ?? container.frames.duration
    metadata.isCutOff = container.isCutOff
    return metadata
  }

  private static func sidecar(_ path: FilePath) -> XMPMetadata? {
    ImageFile.contents(of: path, atMost: longestSidecar).map(XMPMetadata.init)
  }
}

extension ImageFile {
  /// The kind that the format of the file shows.
  fileprivate var kind: PhotoKind { format.isVideo ? .video : format.isRaw || isRawTIFF ? .raw : .image }
}

extension PhotoFault {
  /// Creates the fault of a photo whose file can't be read as an image.
  public init(_ fault: ImageFault) {
    self =
      switch fault {
      case .missing: .missing
      case .unreadable(let reason): .unreadable(reason: reason)
      case .empty: .empty
      case .archive(let fault): .archive(fault)
      default: .notAnImage
      }
  }
}
